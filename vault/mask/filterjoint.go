package mask

import (
	"bytes"
)

// inKey is a place in a key.
type inKey struct {
	key string
	at  int
}

// joint reads pieces that follow each other as one text.
type joint struct {
	f    *filter
	tail uint32 // the last characters of what is kept, the last of all in the highest byte
	have int
	// past are the last pieces that something was kept of, each in its turn.
	past [32][]byte
	n    int
}

// jointAt is odd for a group that may be one of the joints.
func (f *filter) jointAt(g uint32) uint64 {
	h := g * gramPrime >> (32 - jointBits)
	return f.jointBits[h/64%(1<<jointBits/64)] >> (h % 64)
}

// add reports whether a key may stand across the joint before piece.
func (j *joint) add(piece []byte) bool {
	// Most pieces begin and end with letters.
	if z := len(piece); z >= 6 {
		a, b, c := uint32(keep[piece[0]]), uint32(keep[piece[1]]), uint32(keep[piece[2]])
		x, y, w := uint32(keep[piece[z-3]]), uint32(keep[piece[z-2]]), uint32(keep[piece[z-1]])
		if a != 0 && b != 0 && c != 0 && x != 0 && y != 0 && w != 0 {
			t := j.tail>>8 | a<<24
			found := j.f.jointAt(t)
			t = t>>8 | b<<24
			found |= j.f.jointAt(t)
			t = t>>8 | c<<24
			if found |= j.f.jointAt(t); found&1 == 0 || j.n == 0 {
				j.past[uint(j.n)%32] = piece
				j.n++
				j.tail = x<<8 | y<<16 | w<<24
				j.have += 6
				return false
			}
		}
	}
	n, i := 0, 0
	for ; i < len(piece) && n < 3; i++ {
		k := keep[piece[i]]
		if k == 0 {
			continue
		}
		n++
		j.tail = j.tail>>8 | uint32(k)<<24
		if j.have++; j.have >= 4 {
			if j.f.jointAt(j.tail)&1 != 0 && j.across(piece, i+1) {
				return true
			}
		}
	}
	if n == 0 {
		return false
	}
	j.past[uint(j.n)%32] = piece
	j.n++
	// Its end, for the next joint.
	var end [3]byte
	n = 0
	for k := len(piece) - 1; k >= i && n < 3; k-- {
		if c := keep[piece[k]]; c != 0 {
			end[n] = c
			n++
		}
	}
	for n--; n >= 0; n-- {
		j.tail = j.tail>>8 | uint32(end[n])<<24
		j.have++
	}
	return false
}

// across looks at more than four characters: j.tail ends at piece[:i].
func (j *joint) across(piece []byte, i int) bool {
	places := j.f.joints[j.tail]
	if len(places) == 0 {
		return false
	}
	var before, behind [longestKey]byte // before is backwards
	n, m := 0, 0
	gather := func(p []byte) {
		for k := len(p) - 1; k >= 0 && n < len(before); k-- {
			if c := keep[p[k]]; c != 0 {
				before[n] = c
				n++
			}
		}
	}
	gather(piece[:i])
	for k := j.n - 1; k >= 0 && k > j.n-32 && n < len(before); k-- {
		gather(j.past[uint(k)%32])
	}
	for _, c := range piece[i:] {
		if m == len(behind) {
			break
		}
		if c := keep[c]; c != 0 {
			behind[m] = c
			m++
		}
	}
places:
	for _, p := range places {
		if p.at+4 > n {
			continue
		}
		for k := range p.at {
			if before[4+k] != p.key[p.at-1-k] {
				continue places
			}
		}
		rest := p.key[p.at+4:]
		// What is not in this piece stands in those that follow, perhaps.
		if k := min(m, len(rest)); string(behind[:k]) == rest[:k] {
			return true
		}
	}
	return false
}

// splitIn reports whether a value may be split over the lines of an outline; written: of one within JSON.
func (f *filter) splitIn(text []byte, written bool) bool {
	if len(f.rare) > 0 && f.rareIn(text) {
		return true
	}
	if len(f.joints) == 0 || !written && bytes.IndexByte(text, '\n') < 0 {
		return false
	}
	joints := [streams]joint{{f: f}, {f: f}}
	for at := 0; at < len(text); {
		l := lineAt(text, at, written)
		at = l.next
		words, value := text[l.words[0]:l.words[1]], text[l.value[0]:l.value[1]]
		if written {
			words, value = ends(words), ends(value)
		}
		if joints[0].add(words) || len(value) > 0 && joints[1].add(value) {
			return true
		}
	}
	return false
}
