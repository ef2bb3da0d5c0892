package mask

import "testing"

func BenchmarkParts(b *testing.B) {
	m := many(32)
	s := []byte(clean(1 << 20)["snapshot"])
	var buf buffer
	b.Run("copy", func(b *testing.B) { out := make([]byte, len(s)); cpu(b, len(s), func() { copy(out, s) }) })
	b.Run("squeeze", func(b *testing.B) {
		cpu(b, len(s), func() {
			for t := s; len(t) > 0; {
				n := min(len(t), block)
				squeezeInto(buf.bytes[:], t[:n])
				t = t[n:]
			}
		})
	})
	b.Run("in", func(b *testing.B) { cpu(b, len(s), func() { m.filter.in(s, &buf) }) })
	b.Run("escaped", func(b *testing.B) { cpu(b, len(s), func() { m.filter.escapedIn(s, &buf) }) })
	b.Run("split", func(b *testing.B) { cpu(b, len(s), func() { m.filter.splitIn(s, false) }) })
}
