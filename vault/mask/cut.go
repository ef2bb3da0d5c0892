package mask

import (
	"bytes"
	"unicode/utf8"
)

// Pages and tools shorten texts before they get here, and say so by an ellipsis. What stands next to one may be the head or the
// tail of a value that was cut.

var ellipsis = []byte("…")

// longestCut is how much of a value, in bytes, is compared with what stands next to an ellipsis.
const longestCut = 1024

// addCuts adds the runs of shortestEncoded characters of a value, in small letters.
func (f *filter) addCuts(value string) {
	_, low := folded(value)
	if len(low) > 2*longestCut {
		f.addRuns(low[:longestCut])
		low = low[len(low)-longestCut:]
	}
	f.addRuns(low)
}

func (f *filter) addRuns(s string) {
	if f.runs == nil {
		f.runs = map[string]bool{}
	}
	for i := range s {
		if n := runes(s[i:], shortestEncoded); n > 0 {
			f.runs[s[i:i+n]] = true
		}
	}
}

// runes is the length of the first n characters of s; 0: it has fewer.
func runes(s string, n int) int {
	i := 0
	for ; n > 0; n-- {
		if i >= len(s) {
			return 0
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		i += size
	}
	return i
}

// cutIn reports whether the head or the tail of a value may stand next to an ellipsis.
func (f *filter) cutIn(text []byte) bool {
	if len(f.runs) == 0 {
		return false
	}
	const near = 64
	for at := 0; ; {
		i := bytes.Index(text[at:], ellipsis)
		if i < 0 {
			return false
		}
		i += at
		at = i + len(ellipsis)
		before, behind := text[max(0, i-near):i], text[at:min(len(text), at+near)]
		head, tail, sure := nearest(before, behind)
		if f.runs[string(head[:])] || f.runs[string(tail[:])] {
			return true
		}
		if sure {
			continue
		}
		if f.ranBy(before, behind) {
			return true
		}
		if bytes.IndexByte(before, '\\') >= 0 || bytes.IndexByte(behind, '\\') >= 0 {
			if f.ranBy(ends(before), ends(behind)) {
				return true
			}
		}
	}
}

// nearest are the six characters on each side of an ellipsis, in small letters. They are sure if all are plain ASCII.
func nearest(before, behind []byte) (head, tail [shortestEncoded]byte, sure bool) {
	sure = true
	n := len(head)
	for i := len(before) - 1; i >= 0 && n > 0; i-- {
		if c := before[i]; c > ' ' && c != 0x7f {
			n--
			head[n] = lower(c)
			sure = sure && c < utf8.RuneSelf && c != '\\'
		}
	}
	n = 0
	for i := 0; i < len(behind) && n < len(tail); i++ {
		if c := behind[i]; c > ' ' && c != 0x7f {
			tail[n] = lower(c)
			n++
			sure = sure && c < utf8.RuneSelf && c != '\\'
		}
	}
	return head, tail, sure
}

// ranBy reports whether a run ends before or begins behind an ellipsis.
func (f *filter) ranBy(before, behind []byte) bool {
	b, a := level{text: before}.fold().low, level{text: behind}.fold().low
	if n := runes(string(a), shortestEncoded); n > 0 && f.runs[string(a[:n])] {
		return true
	}
	n := len(b)
	for k := 0; k < shortestEncoded && n > 0; k++ {
		_, size := utf8.DecodeLastRune(b[:n])
		n -= size
	}
	return f.runs[string(b[n:])]
}

// cuts adds the heads and tails of values that stand next to an ellipsis.
func (m *Mask) cuts(s []byte, out []match) []match {
	if !m.filter.cutIn(s) {
		return out
	}
	const room = 4 * longestCut
	for at := 0; ; {
		i := bytes.Index(s[at:], ellipsis)
		if i < 0 {
			return out
		}
		i += at
		at = i + len(ellipsis)
		from := max(0, i-room)
		before, behind := level{text: s[from:i]}.fold(), level{text: s[at:min(len(s), at+room)]}.fold()
		for _, p := range m.whole {
			want, has, back := p.low, before.low, behind.low
			if p.text != "" {
				want, has, back = p.text, before.text, behind.text
			}
			for n := min(len(has), len(want)-1, longestCut); n >= shortestEncoded; n-- {
				if string(has[len(has)-n:]) == want[:n] && utf8.RuneCountInString(want[:n]) >= shortestEncoded {
					out = append(out, match{start: from + int(before.start[len(has)-n]), end: i, whose: p.whose, size: p.size})
					break
				}
			}
			for n := min(len(back), len(want)-1, longestCut); n >= shortestEncoded; n-- {
				if tail := want[len(want)-n:]; string(back[:n]) == tail && utf8.RuneCountInString(tail) >= shortestEncoded {
					out = append(out, match{start: at, end: at + int(behind.end[n-1]), whose: p.whose, size: p.size})
					break
				}
			}
		}
	}
}
