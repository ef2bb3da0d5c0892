package otp

import (
	"encoding/base32"
	"fmt"
	"strings"
	"unicode"

	"chaperone/vault"
)

const (
	leastSeed = 8   // characters, 5 bytes; sites use 16 and more
	mostSeed  = 512 // characters
)

// ParseSeed reads a seed as sites show it and people type it: base32 in upper or lower case, with blanks, dashes and padding. The
// secret holds it in upper case without any of these. ErrSeed says what is wrong, and where, but not the seed.
func ParseSeed(name, typed string) (vault.Secret, error) {
	var seed strings.Builder
	n := 0
	body := strings.TrimRightFunc(typed, func(r rune) bool { return r == '=' || ignored(r) })
	for _, r := range body {
		if ignored(r) {
			continue
		}
		n++
		if r >= 'a' && r <= 'z' {
			r -= 'a' - 'A'
		}
		switch {
		case r >= 'A' && r <= 'Z', r >= '2' && r <= '7':
			seed.WriteRune(r)
		case r == '0' || r == '1' || r == '8' || r == '9':
			return vault.Secret{}, fmt.Errorf("%w: character %d is one of 0, 1, 8, 9, which no seed has; perhaps O, I or B is meant, or the seed is in another notation than base32", ErrSeed, n)
		case r == ':' || r == '/' || r == '?':
			return vault.Secret{}, fmt.Errorf("%w: it looks like a link; paste the whole otpauth:// link instead", ErrSeed)
		default:
			return vault.Secret{}, fmt.Errorf("%w: character %d is none of the letters A to Z and the digits 2 to 7", ErrSeed, n)
		}
	}
	switch {
	case n == 0:
		return vault.Secret{}, fmt.Errorf("%w: it is empty", ErrSeed)
	case n < leastSeed:
		return vault.Secret{}, fmt.Errorf("%w: it has %d characters, and seeds have %d or more; is it a code instead of the seed?", ErrSeed, n, leastSeed)
	case n > mostSeed:
		return vault.Secret{}, fmt.Errorf("%w: it has %d characters, and seeds have at most %d", ErrSeed, n, mostSeed)
	case n%8 == 1 || n%8 == 3 || n%8 == 6:
		return vault.Secret{}, fmt.Errorf("%w: it has %d characters, a number that no seed has; one is missing or too many", ErrSeed, n)
	}
	return vault.NewSecret(name, seed.String()), nil
}

func ignored(r rune) bool {
	return unicode.IsSpace(r) || unicode.Is(unicode.Pd, r) || r == 0x200b || r == 0xfeff || r == 0x2212
}

// encodeSeed writes bytes as ParseSeed would leave them.
func encodeSeed(raw []byte) string {
	return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(raw)
}
