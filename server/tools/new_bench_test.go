package tools_test

import (
	"testing"

	"chaperone/server"

	"chaperone/internal/settings"
)

// A client waits for this before anything else.
func BenchmarkNew(b *testing.B) {
	store, err := settings.Open("", func(string) string { return "" })
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		s, err := server.New(server.Config{Settings: store})
		if err != nil {
			b.Fatal(err)
		}
		_ = s.Close(b.Context())
	}
}
