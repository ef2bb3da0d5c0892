package tools_test

import (
	"bytes"
	"encoding/json"
	"testing"
)

// jsonOf writes a part of a result, its keys sorted.
func jsonOf(t *testing.T, v any) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return string(bytes.TrimSpace(b.Bytes()))
}
