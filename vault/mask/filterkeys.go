package mask

import (
	"encoding/binary"
	"golang.org/x/text/unicode/norm"
	"strings"
	"unicode"
	"unicode/utf8"
)

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
