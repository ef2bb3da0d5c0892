package mask

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// unescape reads the escape that begins at s[i]: percent-encoding, an HTML entity, or an escape of JSON, JavaScript or C. It
// gives what the escape stands for and how long it is; 0: there is none.
func unescape(s []byte, i int) (string, int) {
	switch s[i] {
	case '%':
		if c, ok := hexByte(s, i+1); ok {
			return string([]byte{c}), 3
		}
		if i+1 < len(s) && s[i+1]|0x20 == 'u' {
			if r, ok := hexRune(s[i+2:], 4); ok {
				return string(r), 6
			}
		}
	case '&':
		return entity(s[i:])
	case '\\':
		return backslash(s, i)
	}
	return "", 0
}

// longestEntity is the length of &CounterClockwiseContourIntegral; and, for numbers, room for leading zeros.
const longestEntity = 40

// common entities are read without the library, also where the semicolon is missing.
var common = [...]struct{ name, is string }{{"amp", "&"}, {"lt", "<"}, {"gt", ">"}, {"quot", `"`}, {"nbsp", "\u00a0"}}

func entity(s []byte) (string, int) {
	if len(s) < 3 {
		return "", 0
	}
	if s[1] == '#' {
		n, base, i := 0, 10, 2
		if s[2]|0x20 == 'x' {
			base, i = 16, 3
		}
		first := i
		for i < len(s) && i < longestEntity && n <= unicode.MaxRune {
			d := digit(s[i])
			if d >= base {
				break
			}
			n, i = n*base+d, i+1
		}
		if i == first || n > unicode.MaxRune {
			return "", 0
		}
		if i < len(s) && s[i] == ';' {
			i++
		}
		if n >= 0x80 && n < 0xa0 {
			return html.UnescapeString(string(s[:i])), i
		}
		return string(rune(n)), i
	}
	for _, c := range common {
		if n := 1 + len(c.name); len(s) > n && s[n] == ';' && string(s[1:n]) == c.name {
			return c.is, n + 1
		}
	}
	i := 1
	for i < len(s) && i < longestEntity && (s[i] >= '0' && s[i] <= '9' || s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z') {
		i++
	}
	if i < len(s) && s[i] == ';' && i > 1 {
		name := string(s[:i+1])
		if r := html.UnescapeString(name); r != name && !strings.HasSuffix(r, ";") {
			return r, i + 1
		}
	}
	for _, c := range common {
		if len(s) > len(c.name) && string(s[1:1+len(c.name)]) == c.name {
			return c.is, 1 + len(c.name)
		}
	}
	return "", 0
}

func backslash(s []byte, i int) (string, int) {
	if i+1 >= len(s) {
		return "", 0
	}
	rest := s[i+2:]
	switch c := s[i+1]; c {
	case 'u', 'U':
		if len(rest) > 2 && rest[0] == '{' {
			n, j := 0, 1
			for j < len(rest) && j < 10 && digit(rest[j]) < 16 && n <= unicode.MaxRune {
				n, j = n*16+digit(rest[j]), j+1
			}
			if j > 1 && j < len(rest) && rest[j] == '}' && n <= unicode.MaxRune {
				return string(rune(n)), j + 3
			}
			return "", 0
		}
		if c == 'U' {
			if r, ok := hexRune(rest, 8); ok {
				return string(r), 10
			}
		}
		r, ok := hexRune(rest, 4)
		if !ok {
			return "", 0
		}
		if utf16.IsSurrogate(r) && len(rest) >= 10 && rest[4] == '\\' && rest[5] == 'u' {
			if low, ok := hexRune(rest[6:], 4); ok {
				if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
					return string(both), 12
				}
			}
		}
		return string(r), 6
	case 'x', 'X':
		if b, ok := hexByte(s, i+2); ok {
			if b < utf8.RuneSelf {
				return string([]byte{b}), 4
			}
			// In JavaScript a character, in C a byte: a byte that follows another belongs to a character of several.
			if near(s, i-4) || near(s, i+4) {
				return string([]byte{b}), 4
			}
			return string(rune(b)), 4
		}
		return "", 0
	case 'n':
		return "\n", 2
	case 't':
		return "\t", 2
	case 'r':
		return "\r", 2
	case 'b':
		return "\b", 2
	case 'f':
		return "\f", 2
	case 'v':
		return "\v", 2
	case '0', '1', '2', '3':
		if len(rest) >= 2 && rest[0] >= '0' && rest[0] <= '7' && rest[1] >= '0' && rest[1] <= '7' {
			return string([]byte{(c-'0')<<6 | (rest[0]-'0')<<3 | (rest[1] - '0')}), 4
		}
		if c == '0' {
			return "\x00", 2
		}
		return string(c), 2
	case '\n':
		return "", 2 // a line that goes on
	default:
		if c >= utf8.RuneSelf {
			return "", 0
		}
		return string(c), 2
	}
}

// near reports whether a hex escape of a byte over 7F, such as \xC3, stands at i.
func near(s []byte, i int) bool {
	if i < 0 || i+4 > len(s) || s[i] != '\\' || s[i+1]|0x20 != 'x' {
		return false
	}
	b, ok := hexByte(s, i+2)
	return ok && b >= utf8.RuneSelf
}

func digit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return 99
}

func hexByte(s []byte, i int) (byte, bool) {
	if i+1 >= len(s) {
		return 0, false
	}
	h, l := digit(s[i]), digit(s[i+1])
	return byte(h<<4 | l), h < 16 && l < 16
}

func hexRune(s []byte, n int) (rune, bool) {
	if len(s) < n {
		return 0, false
	}
	r := rune(0)
	for _, c := range s[:n] {
		d := digit(c)
		if d > 15 {
			return 0, false
		}
		r = r<<4 | rune(d)
	}
	return r, r >= 0 && r <= unicode.MaxRune
}

// deepest is how often a text is unescaped: JSON in JSON in JSON, or a double percent-encoding in HTML.
const deepest = 4

// decoded is s with each escape read once.
func decoded(s []byte) []byte {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		if c := s[i]; c == '%' || c == '&' || c == '\\' {
			if is, n := unescape(s, i); n > 0 {
				out, i = append(out, is...), i+n
				continue
			}
		}
		out, i = append(out, s[i]), i+1
	}
	return out
}
