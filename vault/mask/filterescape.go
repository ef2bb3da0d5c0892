package mask

import (
	"bytes"
	"unicode/utf8"
)

// around is how much of a text is unescaped on each side of an escape that tells: room for a key.
const around = 96

// escapedIn reports whether a value may stand in what the escapes of text stand for. Where an escape stands for something that
// may be in a key, the text around it is unescaped. Where it stands for a blank or something unseen, it is a joint.
func (f *filter) escapedIn(text []byte, b *buffer) bool {
	if f.bitmap == nil {
		return false
	}
	var at [len(introducers)]int
	none := true
	for k := range at {
		at[k] = bytes.IndexByte(text, introducers[k])
		none = none && at[k] < 0
	}
	if none {
		return false
	}
	from, to := 0, 0 // what is to be unescaped
	last := 0        // behind the last joint
	j := joint{f: f}
	quotes := !f.tells['"']
	for {
		k := -1
		for n, i := range at {
			if i >= 0 && (k < 0 || i < at[k]) {
				k = n
			}
		}
		if k < 0 {
			break
		}
		i := at[k]
		next := i + 1
		kind, n := nothing, 0
		if !quotes || k != backslashes || next == len(text) || text[next] != '"' {
			kind, n = f.tell(text, i, deepest)
		}
		switch kind {
		case telling:
			if to == 0 || i-around > to {
				if f.unescapedIn(text[from:to], b) {
					return true
				}
				from = max(0, i-around)
			}
			to = min(len(text), i+around)
		case gap:
			if j.add(text[min(last, i):i]) {
				return true
			}
			last = i + n
			next = last
		case nothing:
			if k == backslashes {
				next++
			}
		}
		at[k] = -1
		if next < len(text) {
			if d := bytes.IndexByte(text[next:], introducers[k]); d >= 0 {
				at[k] = next + d
			}
		}
	}
	if last > 0 && j.add(text[last:]) {
		return true
	}
	return f.unescapedIn(text[from:to], b)
}

// introducers begin an escape.
const (
	introducers = `%&\`
	backslashes = 2
)

func (f *filter) unescapedIn(text []byte, b *buffer) bool {
	for range deepest {
		next := decoded(text)
		if len(next) == len(text) {
			return false
		}
		if text = next; f.in(text, b) {
			return true
		}
	}
	return false
}

// What an escape is to the search.
type escapeKind int

const (
	nothing escapeKind = iota
	gap                // a blank, or something unseen
	telling            // a character that may be in a key
)

// tell reads the escape at i and says how long it is.
func (f *filter) tell(text []byte, i, depth int) (escapeKind, int) {
	if i+1 >= len(text) {
		return nothing, 1
	}
	is, n := "", 0
	switch c := text[i+1]; text[i] {
	case '%':
		if c|0x20 == 'u' {
			is, n = unescape(text, i)
			break
		}
		b, ok := hexByte(text, i+1)
		if !ok {
			return nothing, 1
		}
		if b >= utf8.RuneSelf {
			if b < 0xc0 || !unseenLead(b) {
				return nothing, 3
			}
			// A character of several bytes.
			var raw [4]byte
			k := 0
			for n = 0; k < len(raw) && i+n+2 < len(text) && text[i+n] == '%'; n += 3 {
				b, ok := hexByte(text, i+n+1)
				if !ok || k > 0 && b&0xc0 != 0x80 {
					break
				}
				raw[k] = b
				k++
			}
			if r, _ := utf8.DecodeRune(raw[:k]); r != utf8.RuneError && unseen(r) {
				return gap, n
			}
			return nothing, 3
		}
		return f.means(text, rune(b), i, 3, depth)
	case '&':
		if c != '#' && (c|0x20 < 'a' || c|0x20 > 'z') {
			return nothing, 1
		}
		is, n = entity(text[i:])
	default:
		switch c {
		case '"', '/', '\'':
			return f.means(text, rune(c), i, 2, 0)
		case 'n', 'r', 't', 'b', 'f', 'v', '\n':
			return gap, 2
		case '\\':
			return f.means(text, '\\', i, 2, depth)
		}
		is, n = backslash(text, i)
		if n == 2 && c > '3' {
			return nothing, 2
		}
	}
	if n == 0 {
		return nothing, 1
	}
	r, size := utf8.DecodeRuneInString(is)
	if size < len(is) {
		return nothing, n
	}
	return f.means(text, r, i, n, depth)
}

// means says what an escape of r is, which is text[i:i+n].
func (f *filter) means(text []byte, r rune, i, n, depth int) (escapeKind, int) {
	switch {
	case r >= utf8.RuneSelf:
		if unseen(r) {
			return gap, n
		}
		return nothing, n
	case r <= ' ' || r == 0x7f:
		return gap, n
	case f.tells[r]:
		return telling, n
	case (r == '%' || r == '&' || r == '\\') && depth > 0:
		// With what stands behind it, it may make another escape.
		var again [longestEntity]byte
		again[0] = byte(r)
		m := 1 + copy(again[1:], text[i+n:])
		if kind, _ := f.tell(again[:m], 0, depth-1); kind != nothing {
			return telling, n
		}
	}
	return nothing, n
}

// unseenLead are the first bytes of invisible characters in UTF-8.
func unseenLead(b byte) bool {
	return b == 0xc2 || b == 0xcd || b == 0xd8 || b == 0xdb || b == 0xdc || b == 0xe1 || b == 0xe2 || b == 0xe3 || b == 0xef || b == 0xf3 || b == 0xf0
}
