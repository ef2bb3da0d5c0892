// Package long puts long texts into results. They go into a result whole, and are cut behind the mask: a cut before it could keep
// the head of a secret.
package long

import (
	"unicode/utf8"

	"chaperone/server/tool"
)

// most is how much of a result one text may take, as JSON writes it: the limit of a result is 256 KiB, and the rest of it has to
// fit in too.
const most = 244 << 10

// Cut is the cut that has the text at a path of a result fit into it, and whether anything falls off.
func Cut(path, s string) (cuts []tool.Cut, truncated bool) {
	n := fits(s)
	if n >= len(s) {
		return nil, false
	}
	return []tool.Cut{{Path: path, Tokens: n / 4}}, true
}

// longest is what goes to the mask at most. It is far beyond what is left of a text behind it, so that the end of what is kept here
// is never seen.
const longest = 8 << 20

// Head is the part of a text that is looked at, and whether there is more.
func Head(s string) (head string, more bool) {
	if len(s) <= longest {
		return s, false
	}
	n := longest
	for !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n], true
}

// fits is how many bytes of s fit.
func fits(s string) int {
	if len(s)*6 <= most {
		return len(s)
	}
	size := 0
	for i, c := range s {
		switch {
		case c == '"' || c == '\\' || c == '\n' || c == '\r' || c == '\t' || c == '\b' || c == '\f':
			size += 2
		case c < ' ' || c == '\u2028' || c == '\u2029':
			size += 6
		case c == utf8.RuneError:
			size += 6
		default:
			size += utf8.RuneLen(c)
		}
		if size > most {
			return i
		}
	}
	return len(s)
}
