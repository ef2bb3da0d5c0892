package model

import (
	"fmt"
	"io"
	"log/slog"
)

// Value is something that must not be printed: what the person typed into a masked line, or a code that was asked for.
// fmt, JSON and slog get dots. The zero Value holds nothing.
type Value struct {
	// of is a function because fmt follows pointers in unexported fields, and never calls what it finds there.
	of func() string
}

// dots stand for every value, and tell nothing of its length.
const dots = "••••••"

// NewValue keeps a text.
func NewValue(text string) Value { return Value{func() string { return text }} }

// Use hands the text to what keeps, shows or copies it. It is the only way to it; fn must not put it into an error.
func (v Value) Use(fn func(text string) error) error {
	if v.of == nil {
		return fn("")
	}
	return fn(v.of())
}

// Empty tells whether there is no text.
func (v Value) Empty() bool { return v.of == nil || v.of() == "" }

// Same tells whether two hold the same text.
func (v Value) Same(o Value) bool {
	same := false
	_ = v.Use(func(a string) error {
		return o.Use(func(b string) error { same = a == b; return nil })
	})
	return same
}

func (v Value) String() string               { return dots }
func (v Value) GoString() string             { return dots }
func (v Value) Format(f fmt.State, _ rune)   { _, _ = io.WriteString(f, dots) }
func (v Value) LogValue() slog.Value         { return slog.StringValue(dots) }
func (v Value) MarshalText() ([]byte, error) { return []byte(dots), nil }
