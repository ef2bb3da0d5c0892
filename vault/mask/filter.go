package mask

import (
	"bytes"
	"encoding/binary"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
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

// keysOf are the keys of a value.
func (f *filter) keysOf(value string) []string {
	var out []string
	add := func(s string) bool {
		k := squeezed(s)
		if len(k) < 4 {
			return false
		}
		out = append(out, k[:min(len(k), longestKey)])
		return true
	}
	for _, v := range spellings(value) {
		c := norm.NFC.String(v)
		f.typed(v, c, add)
		// A value may hold what reads as an escape.
		for d, n := []byte(c), 0; n < deepest; n++ {
			next := decoded(d)
			if string(next) == string(d) {
				break
			}
			f.typed(v, string(next), add)
			d = next
		}
		v = v[:min(len(v), 4*longestKey)] // enough for a key
		ok := true
		for _, b := range binaries(v) {
			ok = add(joined(b, "", func(c byte) string { const d = "0123456789abcdef"; return string([]byte{d[c>>4], d[c&15]}) })) && ok
		}
		ok = add(joined(v, "0x", func(c byte) string { const d = "0123456789abcdef"; return string([]byte{d[c>>4], d[c&15]}) })) && ok
		ok = add(joined(v, "", decimal)) && ok
		for _, w := range wrapped(v) {
			for _, q := range base64Forms(w) {
				ok = add(q.low) && ok
			}
		}
		if !ok {
			f.rare = append(f.rare, "")
		}
	}
	return out
}

// typed adds the keys of a value that is written in its own characters, c.
func (f *filter) typed(v, c string, add func(string) bool) {
	run := longestRun(c)
	if len(run) < shortestEncoded {
		ascii := true
		for i := range len(c) {
			ascii = ascii && c[i] < utf8.RuneSelf
			f.tells[c[i]] = true
		}
		if run = squeezed(c); len(run) < 4 || !ascii {
			f.rare = append(f.rare, v)
			return
		}
	}
	run = run[:min(len(run), longestKey)]
	for _, r := range []string{run, backwards(run)} {
		add(r)
		for i := 0; i+4 <= len(r); i++ {
			g := binary.LittleEndian.Uint32([]byte(r[i:]))
			f.joints[g] = append(f.joints[g], inKey{r, i})
			h := g * gramPrime >> (32 - jointBits)
			f.jointBits[h/64] |= 1 << (h % 64)
		}
	}
}

func decimal(c byte) string {
	var b [3]byte
	i := len(b)
	for {
		i--
		b[i] = '0' + c%10
		if c /= 10; c == 0 {
			return string(b[i:])
		}
	}
}

// longestRun is the longest run of ASCII letters and digits, in small letters. No usual encoding touches these.
func longestRun(s string) string {
	best, start := "", -1
	for i := 0; i <= len(s); i++ {
		if i < len(s) && s[i] < utf8.RuneSelf && !punctuation(s[i]) {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 {
			end := i
			// A mark behind a letter belongs to it; it may come as one character.
			if i < len(s) && s[i] >= utf8.RuneSelf {
				if r, _ := utf8.DecodeRuneInString(s[i:]); unicode.Is(unicode.M, r) {
					end--
				}
			}
			if end-start > len(best) {
				best = s[start:end]
			}
		}
		start = -1
	}
	return strings.ToLower(best)
}

func squeezed(s string) string {
	out := make([]byte, 0, len(s))
	for i := range len(s) {
		if k := keep[s[i]]; k != 0 {
			out = append(out, k)
		}
	}
	return string(out)
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
