package mask

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
)

// match is a place in a text where a value stands in some form.
type match struct {
	start, end int
	whose      int // index of the secret
	size       int // of its value, in characters
	tail       bool
	group      *int // the same in all pieces of a match that is split
}

// search finds patterns in one kind of view.
type search struct {
	patterns []pattern
	heads    map[uint32][]int32 // first four bytes → patterns
	bitmap   [1 << searchBits / 64]uint64
}

const searchBits = 16

func newSearch(list []pattern) *search {
	s := &search{heads: map[uint32][]int32{}}
	seen := map[pattern]bool{}
	for _, p := range list {
		if len(p.low) < 4 || seen[p] {
			continue
		}
		seen[p] = true
		g := binary.LittleEndian.Uint32([]byte(p.low))
		s.heads[g] = append(s.heads[g], int32(len(s.patterns)))
		h := g * gramPrime >> (32 - searchBits)
		s.bitmap[h/64] |= 1 << (h % 64)
		s.patterns = append(s.patterns, p)
	}
	return s
}

// longPattern is the length from which a pattern is searched in time that grows with the text only.
const longPattern = 512

// in adds the matches in v.
func (s *search) in(v *view, out []match) []match {
	if v == nil || len(s.patterns) == 0 {
		return out
	}
	var done map[int32]bool
	for i := 0; i+4 <= len(v.low); i++ {
		g := binary.LittleEndian.Uint32(v.low[i:])
		h := g * gramPrime >> (32 - searchBits)
		if s.bitmap[h/64]>>(h%64)&1 == 0 {
			continue
		}
		for _, n := range s.heads[g] {
			p := &s.patterns[n]
			if len(p.low) > len(v.low)-i {
				continue
			}
			if len(p.low) > longPattern {
				if !done[n] && string(v.low[i:i+64]) == p.low[:64] {
					if done == nil {
						done = map[int32]bool{}
					}
					done[n] = true
					for _, j := range occurrences(v.low[i:], p.low) {
						out = s.add(out, v, p, i+j)
					}
				}
				continue
			}
			if string(v.low[i:i+len(p.low)]) == p.low {
				out = s.add(out, v, p, i)
			}
		}
	}
	return out
}

func (s *search) add(out []match, v *view, p *pattern, i int) []match {
	j := i + len(p.low)
	if p.text != "" && string(v.text[i:j]) != p.text {
		return out
	}
	if p.left && i > 0 && base64Char(v.text[i-1]) {
		i--
	}
	if p.right && j < len(v.text) && base64Char(v.text[j]) {
		j++
	}
	for n := 0; p.padded && n < 2 && j < len(v.text) && v.text[j] == '='; n++ {
		j++
	}
	return append(out, match{start: int(v.start[i]), end: int(v.end[j-1]), whose: p.whose, size: p.size})
}

func base64Char(c byte) bool {
	return !punctuation(c) && c < 0x80 || c == '+' || c == '/' || c == '-' || c == '_'
}

// occurrences are all places of p in s, also those that overlap (Knuth, Morris, Pratt).
func occurrences(s []byte, p string) (out []int) {
	fail := make([]int32, len(p)+1)
	fail[0] = -1
	k := int32(-1)
	for i := range len(p) {
		for k >= 0 && p[k] != p[i] {
			k = fail[k]
		}
		k++
		fail[i+1] = k
	}
	k = 0
	for i := range s {
		for k >= 0 && p[k] != s[i] {
			k = fail[k]
		}
		if k++; int(k) == len(p) {
			out = append(out, i+1-len(p))
			k = fail[k]
		}
	}
	return out
}

// find gives all matches in s, those of values that are too short for other forms only if short.
func (m *Mask) find(s []byte, short bool) []match {
	var out []match
	if short {
		for _, v := range m.short {
			if m.foreign(v.whose) {
				continue
			}
			out = exactly(out, s, v.text, v, nil)
		}
	}
	l := level{text: s}
	for range deepest + 1 {
		v := l.fold()
		out = m.folded.in(v, out)
		out = m.alnum.in(v.alnum(), out)
		out = m.unlisted.in(v.unlisted(), out)
		for _, t := range m.thin {
			out = exactly(out, l.text, t.text, t, &l)
		}
		next, ok := l.next()
		if !ok {
			break
		}
		l = next
	}
	return out
}

// exactly adds the places where a value stands as it was typed.
func exactly(out []match, s []byte, v string, p pattern, l *level) []match {
	if len(v) > len(s) {
		return out
	}
	if len(v) > longPattern {
		if bytes.Contains(s, []byte(v)) {
			for _, i := range occurrences(s, v) {
				out = append(out, placed(i, len(v), p, l))
			}
		}
		return out
	}
	for at := 0; ; {
		i := bytes.Index(s[at:], []byte(v))
		if i < 0 {
			return out
		}
		out = append(out, placed(at+i, len(v), p, l))
		at += i + 1
	}
}

func placed(i, n int, p pattern, l *level) match {
	x := match{start: i, end: i + n, whose: p.whose, size: p.size}
	if l != nil {
		x.start, x.end = int(l.from(i)), int(l.to(i+n-1))
	}
	return x
}

// piece is a part of a text that is read together with others.
type piece struct {
	leaf, start, end int // where it comes from
	at               int // where it stands in the text that the pieces make
}

// join reads pieces as one text and gives the matches that span several, per leaf.
func (m *Mask) join(text []byte, pieces []piece, add func(leaf int, x match)) {
	if len(pieces) < 2 {
		return
	}
	found := m.find(text, false)
	found = m.spare(text, found)
	for _, x := range found {
		i, _ := slices.BinarySearchFunc(pieces, x.start, func(p piece, at int) int {
			if p.at+p.end-p.start <= at {
				return -1
			}
			return 1
		})
		if i >= len(pieces) || x.end <= pieces[i].at+pieces[i].end-pieces[i].start {
			continue
		}
		tail, group := false, new(int)
		for ; i < len(pieces) && pieces[i].at < x.end; i++ {
			p := pieces[i]
			from, to := max(x.start, p.at), min(x.end, p.at+p.end-p.start)
			if from < to {
				add(p.leaf, match{p.start + from - p.at, p.start + to - p.at, x.whose, x.size, tail, group})
				tail = true
			}
		}
	}
}

// split adds the matches that are split over lines.
func (m *Mask) split(s []byte, out []match) []match {
	// The filter is not asked: where the key of a value stands in one line, the rest of it may stand in others.
	if bytes.IndexByte(s, '\n') < 0 {
		return out
	}
	var all [streams][]byte
	var pieces [streams][]piece
	eachLine(s, false, func(n, from, to int) bool {
		pieces[n] = append(pieces[n], piece{0, from, to, len(all[n])})
		all[n] = append(all[n], s[from:to]...)
		return false
	})
	for n := range streams {
		m.join(all[n], pieces[n], func(_ int, x match) { out = append(out, x) })
	}
	return out
}

// region is a part of a text that is replaced.
type region struct {
	start, end int
	whose      int
	tail       bool // of a value that is split: an earlier piece has the name
	hits       []int
}

// atoms are the masks of our own that stand in s already, also as JSON writes them.
func (m *Mask) atoms(s []byte) (out [][2]int) {
	for i := 0; i < len(s); {
		open, shut := 0, ""
		switch {
		case s[i] == '<':
			open, shut = 1, ">"
		case s[i] == '\\' && bytes.HasPrefix(s[i:], []byte(`\u003c`)):
			open, shut = 6, `\u003e`
		}
		if open == 0 {
			i++
			continue
		}
		j := i + open
		for j < len(s) && (s[j] >= 'A' && s[j] <= 'Z' || s[j] >= '0' && s[j] <= '9' || s[j] == '_') {
			j++
		}
		if m.names[string(s[i+open:j])] && bytes.HasPrefix(s[j:], []byte(shut)) {
			j += len(shut)
			out = append(out, [2]int{i, j})
			i = j
			continue
		}
		i++
	}
	return out
}

// spare keeps matches off the masks that stand in s: one within masks is none, and one that reaches into a mask takes all of
// it, if it is the person's. So each round leaves less text outside of masks, and doing it again changes nothing. One of an agent
// that takes in a part of a mask is none: a guess must not swallow masks.
func (m *Mask) spare(s []byte, found []match) []match {
	if len(found) == 0 {
		return found
	}
	atoms := m.atoms(s)
	if len(atoms) == 0 {
		return found
	}
	kept := found[:0]
	for _, x := range found {
		i, _ := slices.BinarySearchFunc(atoms, x.start, func(a [2]int, at int) int {
			if a[1] <= at {
				return -1
			}
			return 1
		})
		covered := x.start
		start, end := x.start, x.end
		for ; i < len(atoms) && atoms[i][0] < x.end; i++ {
			if atoms[i][0] <= covered {
				covered = max(covered, atoms[i][1])
			}
			start, end = min(start, atoms[i][0]), max(end, atoms[i][1])
		}
		if covered >= x.end || m.owner[x.whose] != "" && (start < x.start || end > x.end) {
			continue
		}
		x.start, x.end = start, end
		kept = append(kept, x)
	}
	return kept
}

// regions joins matches that overlap. A region has the name of the longest value in it, then of the one registered first.
func (m *Mask) regions(found []match) []region {
	slices.SortFunc(found, func(a, b match) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end)) })
	var out []region
	for i := 0; i < len(found); {
		j, end, best := i+1, found[i].end, found[i]
		tail := found[i].tail
		for j < len(found) && found[j].start < end {
			x := found[j]
			end = max(end, x.end)
			tail = tail && x.tail
			if x.size > best.size || x.size == best.size && x.whose < best.whose {
				best = x
			}
			j++
		}
		r := region{start: found[i].start, end: end, whose: best.whose, tail: tail, hits: []int{best.whose}}
		for _, x := range found[i:j] {
			if (x.start < best.start || x.end > best.end) && !slices.Contains(r.hits, x.whose) {
				r.hits = append(r.hits, x.whose)
			}
		}
		out = append(out, r)
		i = j
	}
	return out
}

// replace writes s with its regions replaced, and counts.
func (m *Mask) replace(s []byte, regions []region, count counts) []byte {
	out := make([]byte, 0, len(s))
	done := 0
	for _, r := range regions {
		out = append(out, s[done:r.start]...)
		before, behind := m.marksIn(s[r.start:r.end])
		out = append(out, before...)
		if !r.tail {
			out = append(out, m.masks[r.whose]...)
			for _, whose := range r.hits {
				count[whose]++
			}
		}
		out = append(out, behind...)
		done = r.end
	}
	return append(out, s[done:]...)
}

type counts map[int]int
