package vault

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

type named struct{ S Secret }

func TestSecretIsNeverPrinted(t *testing.T) {
	s := NewSecret("PASSWORD", "hunter2hunter2")
	holder := struct {
		Secret Secret
		Point  *Secret
		Any    any
		List   []Secret
		Of     map[string]Secret
		hidden Secret
	}{s, &s, s, []Secret{s}, map[string]Secret{"x": s}, s}
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%T", "%p", "%08.3f", "%!"} {
		for _, v := range []any{s, &s, holder, &holder, fmt.Errorf("%w: %v", errors.New("x"), s)} {
			fmt.Fprintf(&out, verb, v)
		}
	}
	fmt.Fprint(&out, s, holder)
	for _, h := range []slog.Handler{slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil)} {
		slog.New(h).Info("said", "secret", s, "holder", holder, "group", slog.GroupValue(slog.Any("in", s)))
	}
	raw, err := json.Marshal(holder)
	if err != nil || !bytes.Contains(raw, []byte(`PASSWORD`)) {
		t.Errorf("%s, %v", raw, err)
	}
	out.Write(raw)
	if raw, err = xml.Marshal(named{s}); err != nil {
		t.Error(err)
	}
	out.Write(raw)
	if err := gob.NewEncoder(&out).Encode(s); err != nil {
		t.Error(err)
	}
	text := out.String()
	if strings.Contains(text, "hunter2") || strings.Contains(text, fmt.Sprintf("%x", "hunter2")) || strings.Contains(strings.ToLower(text), "hunter") {
		t.Errorf("a secret was printed:\n%s", text)
	}
	if err := s.Use(func(v string) error { out.WriteString(v); return nil }); err != nil || !strings.HasSuffix(out.String(), "hunter2hunter2") {
		t.Errorf("the value cannot be used: %v", err)
	}
}
