package mask

import (
	"bytes"
	"encoding/binary"
	"strings"
	"sync"
	"unicode/utf8"
)

// filter tells in one pass over a text whether it may hold a form of a value. It reads letters and digits only, in small
// letters, so that blanks, quotes, commas and invisible characters make no difference. Each form has a key: a piece of it
// that no common encoding changes. Of the squeezed text every stride-th group of four is looked up among the groups of the
// keys.
type filter struct {
	keys   map[uint32][]string // group → what stands from it on in the key
	bitmap *[1 << gramBits / 64]uint64
	stride int
	// joints are all groups of the keys of what a person reads: forwards and backwards. They tell a value whose pieces stand
	// apart from one that does not, by the few characters around each joint.
	joints    map[uint32][]inKey
	jointBits *[1 << jointBits / 64]uint64
	// plainShort: no value in short changes when it is written as JSON.
	plainShort bool
	// tells are the bytes whose escapes make a text worth unescaping.
	tells [256]bool
	// rare are values with too few letters and digits for a key; each is told by bytes that must all be there.
	rare []string
	// short are values that are searched as typed only; pairs are their first two bytes.
	short map[[2]byte][]string
	one   [256]bool
	pairs []uint64
	ones  bool
}

const (
	longestKey  = 24
	longestStep = 5
	gramBits    = 18
	jointBits   = 16
)

func newFilter() *filter {
	f := &filter{keys: map[uint32][]string{}, joints: map[uint32][]inKey{}, jointBits: new([1 << jointBits / 64]uint64), plainShort: true}
	for c := range 256 {
		f.tells[c] = !punctuation(byte(c)) && c < utf8.RuneSelf
	}
	return f
}

// keep gives for a byte what is kept of it, and step how many bits that are.
var keep, step = func() (k, s [256]uint8) {
	for c := range utf8.RuneSelf {
		if !punctuation(byte(c)) {
			k[c], s[c] = lower(byte(c)), 8
		}
	}
	return k, s
}()

// build sets the tables up.
func (f *filter) build(keys []string) {
	if len(keys) == 0 {
		return
	}
	shortest := longestKey
	for _, k := range keys {
		shortest = min(shortest, len(k))
	}
	f.stride = min(max(shortest-3, 1), longestStep)
	f.bitmap = new([1 << gramBits / 64]uint64)
	seen := map[string]bool{}
	for _, k := range keys {
		if seen[k] {
			continue
		}
		seen[k] = true
		for i := 0; i < f.stride && i+4 <= len(k); i++ {
			g := binary.LittleEndian.Uint32([]byte(k[i:]))
			f.keys[g] = append(f.keys[g], k[i:])
			h := g * gramPrime >> (32 - gramBits)
			f.bitmap[h/64] |= 1 << (h % 64)
		}
	}
}

const gramPrime = 0x9e3779b1

const block = 4096

// buffer is what a pass over a text needs.
type buffer struct {
	bytes [block + 2*longestKey]byte
}

var buffers = sync.Pool{New: func() any { return new(buffer) }}

// in reports whether a key may stand in text.
func (f *filter) in(text []byte, b *buffer) bool {
	if f.bitmap == nil {
		return false
	}
	have := 0
	for len(text) > 0 {
		n := min(len(text), block)
		have += squeezeInto(b.bytes[have:], text[:n])
		text = text[n:]
		if f.squeezedIn(b.bytes[:have]) {
			return true
		}
		keep := min(have, longestKey-1)
		copy(b.bytes[:], b.bytes[have-keep:have])
		have = keep
	}
	return false
}

// squeezeInto writes what is kept of text; out is longer by eight.
func squeezeInto(out, text []byte) int {
	n := 0
	for len(text) >= 8 && n+8 <= len(out) {
		w := binary.LittleEndian.Uint64(text)
		text = text[8:]
		c := byte(w)
		kept, bits := uint64(keep[c]), step[c]
		c = byte(w >> 8)
		kept, bits = kept|uint64(keep[c])<<(bits&63), bits+step[c]
		c = byte(w >> 16)
		kept, bits = kept|uint64(keep[c])<<(bits&63), bits+step[c]
		c = byte(w >> 24)
		kept, bits = kept|uint64(keep[c])<<(bits&63), bits+step[c]
		c = byte(w >> 32)
		kept, bits = kept|uint64(keep[c])<<(bits&63), bits+step[c]
		c = byte(w >> 40)
		kept, bits = kept|uint64(keep[c])<<(bits&63), bits+step[c]
		c = byte(w >> 48)
		kept, bits = kept|uint64(keep[c])<<(bits&63), bits+step[c]
		c = byte(w >> 56)
		kept, bits = kept|uint64(keep[c])<<(bits&63), bits+step[c]
		binary.LittleEndian.PutUint64(out[n:], kept)
		n += int(bits >> 3)
	}
	for _, c := range text {
		out[n] = keep[c]
		n += int(step[c] >> 3)
	}
	return n
}

func (f *filter) squeezedIn(s []byte) bool {
	bitmap, stride := f.bitmap, f.stride
	for i := 0; i+4 <= len(s); i += stride {
		g := binary.LittleEndian.Uint32(s[i:])
		h := g * gramPrime >> (32 - gramBits)
		if bitmap[h/64%(1<<gramBits/64)]>>(h%64)&1 != 0 && f.keyAt(s, i, g) {
			return true
		}
	}
	return false
}

func (f *filter) keyAt(s []byte, i int, g uint32) bool {
	for _, k := range f.keys[g] {
		if len(s)-i >= len(k) && string(s[i:i+len(k)]) == k {
			return true
		}
	}
	return false
}

// may reports whether text may hold a value in one of its forms; short: also values that are too short for any but the first.
func (f *filter) may(text []byte, short bool) bool {
	if short && f.shortIn(text) {
		return true
	}
	b := buffers.Get().(*buffer)
	defer buffers.Put(b)
	return f.in(text, b) || f.rareIn(text) || f.escapedIn(text, b) || f.splitIn(text, false)
}

func (f *filter) rareIn(text []byte) bool {
	if len(f.rare) == 0 {
		return false
	}
	for _, c := range []byte(`%&\`) {
		if bytes.IndexByte(text, c) >= 0 {
			return true
		}
	}
values:
	for _, v := range f.rare {
		for i := range len(v) {
			if c := v[i]; c > ' ' && c < utf8.RuneSelf && punctuation(c) && bytes.IndexByte(text, c) < 0 {
				continue values
			} else if c >= utf8.RuneSelf && !nonASCII(text) {
				continue values
			}
		}
		return true
	}
	return false
}

func nonASCII(text []byte) bool {
	for len(text) >= 8 {
		if binary.LittleEndian.Uint64(text)&0x8080808080808080 != 0 {
			return true
		}
		text = text[8:]
	}
	for _, c := range text {
		if c >= utf8.RuneSelf {
			return true
		}
	}
	return false
}

// addShort adds a value that is searched as typed only.
func (f *filter) addShort(v string) {
	for i := range len(v) {
		c := v[i]
		f.plainShort = f.plainShort && c >= ' ' && c < 0x7f && strings.IndexByte(`"\/<>&`, c) < 0
	}
	if len(v) == 1 {
		f.one[v[0]], f.ones = true, true
		return
	}
	if f.short == nil {
		f.short, f.pairs = map[[2]byte][]string{}, make([]uint64, 1<<16/64)
	}
	p := [2]byte{v[0], v[1]}
	f.short[p] = append(f.short[p], v)
	h := uint(v[0])<<8 | uint(v[1])
	f.pairs[h/64] |= 1 << (h % 64)
}

func (f *filter) shortIn(text []byte) bool {
	if f.ones {
		for _, c := range text {
			if f.one[c] {
				return true
			}
		}
	}
	if f.short == nil || len(text) < 2 {
		return false
	}
	if len(f.short) == 1 {
		for _, list := range f.short {
			for _, v := range list {
				if bytes.Contains(text, []byte(v)) {
					return true
				}
			}
		}
		return false
	}
	h := uint(text[0])
	for i, c := range text[1:] {
		h = (h<<8 | uint(c)) & 0xffff
		if f.pairs[h/64]>>(h%64)&1 != 0 {
			for _, v := range f.short[[2]byte{text[i], c}] {
				if len(text)-i >= len(v) && string(text[i:i+len(v)]) == v {
					return true
				}
			}
		}
	}
	return false
}
