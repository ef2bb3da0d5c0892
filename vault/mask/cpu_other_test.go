//go:build !linux

package mask

import "testing"

func cpu(b *testing.B, size int, fn func()) {
	b.ReportAllocs()
	b.SetBytes(int64(size))
	for b.Loop() {
		fn()
	}
}
