package vault

import (
	"fmt"
	"io"
	"log/slog"
)

// Secret is a value that cannot be printed: fmt, JSON, slog and every other encoder get the mask of its name. The zero Secret
// holds nothing.
type Secret struct {
	name string
	// value is a function because fmt follows pointers in unexported fields, and never calls what it finds there.
	value func() string
}

// NewSecret keeps a value under a name.
func NewSecret(name, value string) Secret { return Secret{name, func() string { return value }} }

// Name is the alias, without brackets.
func (s Secret) Name() string { return s.name }

// Mask is what stands for the value in all that leaves: <NAME>.
func (s Secret) Mask() string { return "<" + s.Name() + ">" }

// Empty reports whether there is no value.
func (s Secret) Empty() bool { return s.plain() == "" }

// Same reports whether two secrets hold the same value.
func (s Secret) Same(o Secret) bool { return s.plain() == o.plain() }

// Renamed is the same value under another name.
func (s Secret) Renamed(name string) Secret { return Secret{name, s.value} }

// Use hands the value to what types, sends, stores or masks it. It is the only way to it; fn must not keep it, nor put it
// into an error.
func (s Secret) Use(fn func(value string) error) error { return fn(s.plain()) }

func (s Secret) plain() string {
	if s.value == nil {
		return ""
	}
	return s.value()
}

func (s Secret) String() string               { return s.Mask() }
func (s Secret) GoString() string             { return s.Mask() }
func (s Secret) Format(f fmt.State, _ rune)   { _, _ = io.WriteString(f, s.Mask()) }
func (s Secret) LogValue() slog.Value         { return slog.StringValue(s.Mask()) }
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.Mask()), nil }

// MarshalBinary keeps encoders that write fields, such as gob, from the value.
func (s Secret) MarshalBinary() ([]byte, error) { return []byte(s.Mask()), nil }
