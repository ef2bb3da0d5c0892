package mask

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// view is a text as it is searched: low is the same in small letters. Byte i came from source[start[i]:end[i]].
type view struct {
	text, low  []byte
	start, end []int32
}

func newView(size int) *view {
	return &view{make([]byte, 0, size), make([]byte, 0, size), make([]int32, 0, size), make([]int32, 0, size)}
}

func (v *view) add(text, low []byte, start, end int32) {
	v.text, v.low = append(v.text, text...), append(v.low, low...)
	for range text {
		v.start, v.end = append(v.start, start), append(v.end, end)
	}
}

// level is a text after some rounds of unescaping. start is nil in the text itself.
type level struct {
	text       []byte
	start, end []int32
}

func (l level) from(i int) int32 {
	if l.start == nil {
		return int32(i)
	}
	return l.start[i]
}

func (l level) to(i int) int32 {
	if l.end == nil {
		return int32(i) + 1
	}
	return l.end[i]
}

// next unescapes once more; false: there is nothing to unescape.
func (l level) next() (level, bool) {
	if bytes.IndexByte(l.text, '%') < 0 && bytes.IndexByte(l.text, '&') < 0 && bytes.IndexByte(l.text, '\\') < 0 {
		return l, false
	}
	out := level{make([]byte, 0, len(l.text)), make([]int32, 0, len(l.text)), make([]int32, 0, len(l.text))}
	changed := false
	for i := 0; i < len(l.text); {
		if c := l.text[i]; c == '%' || c == '&' || c == '\\' {
			if is, n := unescape(l.text, i); n > 0 {
				changed = true
				for j := range len(is) {
					out.text, out.start, out.end = append(out.text, is[j]), append(out.start, l.from(i)), append(out.end, l.to(i+n-1))
				}
				i += n
				continue
			}
		}
		out.text, out.start, out.end = append(out.text, l.text[i]), append(out.start, l.from(i)), append(out.end, l.to(i))
		i++
	}
	return out, changed
}

// fold reads a level without what nobody sees: blanks, control and format characters; letters with marks are taken apart.
func (l level) fold() *view {
	v := newView(len(l.text))
	var text, low [32]byte
	for i := 0; i < len(l.text); {
		c := l.text[i]
		if c < utf8.RuneSelf {
			if c > ' ' && c != 0x7f {
				v.text, v.low = append(v.text, c), append(v.low, lower(c))
				v.start, v.end = append(v.start, l.from(i)), append(v.end, l.to(i))
			}
			i++
			continue
		}
		r, n := utf8.DecodeRune(l.text[i:])
		if r == utf8.RuneError && n <= 1 {
			v.add(l.text[i:i+1], l.text[i:i+1], l.from(i), l.to(i))
			i++
			continue
		}
		if !unseen(r) {
			apart := norm.NFD.Append(text[:0], l.text[i:i+n]...)
			small := low[:0]
			for _, r := range string(apart) {
				if s := unicode.ToLower(r); utf8.RuneLen(s) == utf8.RuneLen(r) {
					r = s
				}
				small = utf8.AppendRune(small, r)
			}
			v.add(apart, small, l.from(i), l.to(i+n-1))
		}
		i += n
	}
	return v
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c | 0x20
	}
	return c
}

// unseen are characters that can stand between those of a value without a person noticing.
func unseen(r rune) bool {
	switch {
	case unicode.IsSpace(r), unicode.Is(unicode.Cc, r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Z, r):
		return true
	case r == 0x034f, r >= 0xfe00 && r <= 0xfe0f, r == 0x115f, r == 0x1160, r == 0x3164, r == 0xffa0, r == 0x2800, r == 0x17b4, r == 0x17b5, r >= 0xe0100 && r <= 0xe01ef, r >= 0x180b && r <= 0x180d:
		return true
	}
	return false
}

// without is a view that leaves bytes out.
func (v *view) without(drop func(i int) bool) *view {
	out := newView(len(v.text))
	for i := range v.text {
		if !drop(i) {
			out.text, out.low = append(out.text, v.text[i]), append(out.low, v.low[i])
			out.start, out.end = append(out.start, v.start[i]), append(out.end, v.end[i])
		}
	}
	return out
}

// alnum is a view of letters and digits only.
func (v *view) alnum() *view {
	return v.without(func(i int) bool { return punctuation(v.text[i]) })
}

func punctuation(c byte) bool {
	return c < utf8.RuneSelf && !(c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z')
}

// unlisted is a view in which quoted texts that follow each other are one: "h","u". nil: nothing is quoted.
func (v *view) unlisted() *view {
	if !bytes.ContainsAny(v.text, "\"'`") {
		return nil
	}
	glue := make([]bool, len(v.text))
	for i := 0; i < len(v.text); {
		j, quoted := i, false
		for j < len(v.text) && listing[v.text[j]] != 0 {
			quoted = quoted || listing[v.text[j]] == 2
			j++
		}
		if quoted {
			for k := i; k < j; k++ {
				glue[k] = true
			}
		}
		i = max(j, i+1)
	}
	return v.without(func(i int) bool { return glue[i] })
}

// listing are the characters of lists; 2: quotes.
var listing = [256]byte{',': 1, '[': 1, ']': 1, '+': 1, '\\': 1, ';': 1, '"': 2, '\'': 2, '`': 2}

func unquoted(s string) string {
	return string((&view{text: []byte(s), low: []byte(s), start: make([]int32, len(s)), end: make([]int32, len(s))}).without(func(i int) bool { return listing[s[i]] != 0 }).text)
}

// folded is a value as it stands in a view: as it is, and in small letters.
func folded(s string) (text, low string) {
	v := level{text: []byte(s)}.fold()
	return string(v.text), string(v.low)
}
