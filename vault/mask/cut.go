package mask

import (
	"bytes"
	"slices"
)

// Texts that are shortened before they get here keep, between two marks, some of what stood behind or before the cut. It is read
// like the rest, so that a value is found whole or not at all, and whoever writes a guess where a text is cut learns nothing. What
// is between the marks is taken out by the door.

// Cuts says between which marks a text holds what was cut off. Nobody else may know them.
func Cuts(open, shut string) Option {
	return func(m *Mask) { m.open, m.shut = []byte(open), []byte(shut) }
}

// longHead is how much of the head or the tail of a value, in bytes, is covered where the value is longer than what a cut keeps;
// longestCut is how much is compared.
const (
	longHead   = 200
	longestCut = 2048
)

// cutText is a text without its marks.
type cutText struct {
	text  []byte
	marks []cutMark
	off   [][2]int // what was cut off, in text
}

// cutMark is a mark that stood before text[at].
type cutMark struct{ at, size int }

// cut reads a text with marks; nil: it has none.
func (m *Mask) cut(s []byte) *cutText {
	if len(m.open) == 0 || !bytes.Contains(s, m.open) && !bytes.Contains(s, m.shut) {
		return nil
	}
	c := &cutText{text: make([]byte, 0, len(s))}
	from := -1
	for {
		i, open := m.nextMark(s)
		if i < 0 {
			break
		}
		c.text = append(c.text, s[:i]...)
		mark := m.shut
		if open {
			mark = m.open
		}
		c.marks = append(c.marks, cutMark{len(c.text), len(mark)})
		if !open && from >= 0 {
			c.off = append(c.off, [2]int{from, len(c.text)})
			from = -1
		} else if open && from < 0 {
			from = len(c.text)
		}
		s = s[i+len(mark):]
	}
	c.text = append(c.text, s...)
	if from >= 0 {
		c.off = append(c.off, [2]int{from, len(c.text)})
	}
	return c
}

func (m *Mask) nextMark(s []byte) (at int, open bool) {
	i, j := bytes.Index(s, m.open), bytes.Index(s, m.shut)
	if i >= 0 && (j < 0 || i < j) {
		return i, true
	}
	return j, false
}

// source is where a byte of the text stands in what it was read from.
func (c *cutText) source(i int) int {
	at := i
	for _, k := range c.marks {
		if k.at > i {
			break
		}
		at += k.size
	}
	return at
}

// may reports whether a text may hold a value.
func (m *Mask) may(s []byte, short bool) bool {
	if c := m.cut(s); c != nil {
		return m.long && len(c.off) > 0 || m.filter.may(c.text, short)
	}
	return m.filter.may(s, short)
}

// all gives the matches in a text: within it, over its lines, and over its cuts. What stands in what was cut off alone does not
// count.
func (m *Mask) all(s []byte, short bool) []match {
	c := m.cut(s)
	if c == nil {
		return m.split(s, m.find(s, short))
	}
	found := m.longCuts(c, m.split(c.text, m.find(c.text, short)))
	kept := found[:0]
	for _, x := range found {
		if slices.ContainsFunc(c.off, func(o [2]int) bool { return o[0] <= x.start && x.end <= o[1] }) {
			continue
		}
		x.start, x.end = c.source(x.start), c.source(x.end-1)+1
		kept = append(kept, x)
	}
	return kept
}

// longCuts adds long heads and tails of values that are longer than what a cut keeps.
func (m *Mask) longCuts(c *cutText, out []match) []match {
	if !m.long {
		return out
	}
	const room = 2 * longestCut
	for _, o := range c.off {
		from := max(0, o[1]-room)
		before, behind := level{text: c.text[from:o[1]]}.fold(), level{text: c.text[o[0]:min(len(c.text), o[0]+room)]}.fold()
		for _, p := range m.whole {
			want, has, back := p.low, before.low, behind.low
			if p.text != "" {
				want, has, back = p.text, before.text, behind.text
			}
			for n := min(len(has), len(want)-1, longestCut); n >= longHead; n-- {
				if string(has[len(has)-n:]) == want[:n] {
					out = append(out, match{start: from + int(before.start[len(has)-n]), end: o[1], whose: p.whose, size: p.size})
					break
				}
			}
			for n := min(len(back), len(want)-1, longestCut); n >= longHead; n-- {
				if string(back[:n]) == want[len(want)-n:] {
					out = append(out, match{start: o[0], end: o[0] + int(behind.end[n-1]), whose: p.whose, size: p.size})
					break
				}
			}
		}
	}
	return out
}

// marksIn are the marks that must stay when s is replaced: one that ends a cut which began before, and one that begins a cut which
// ends behind.
func (m *Mask) marksIn(s []byte) (before, behind []byte) {
	if len(m.open) == 0 {
		return nil, nil
	}
	opened := false
	for {
		i, open := m.nextMark(s)
		switch {
		case i < 0:
			if opened {
				behind = m.open
			}
			return before, behind
		case open:
			opened, s = true, s[i+len(m.open):]
		default:
			if !opened {
				before = m.shut
			}
			opened, s = false, s[i+len(m.shut):]
		}
	}
}
