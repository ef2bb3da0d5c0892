package mask

import (
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// cpu runs fn and reports what it took of a core, which a busy machine does not change much. size is that of the input; 0: none.
func cpu(b *testing.B, size int, fn func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	now := func() time.Duration {
		var t unix.Timespec
		_ = unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t)
		return time.Duration(t.Nano())
	}
	b.ReportAllocs()
	least, start := time.Duration(1<<62), now()
	last := start
	for b.Loop() {
		fn()
		if size > 1<<16 {
			t := now()
			least, last = min(least, t-last), t
		}
	}
	took := float64(now()-start) / float64(b.N)
	b.ReportMetric(took, "cpu-ns/op")
	if size > 0 {
		b.ReportMetric(float64(size)/took*1e3, "cpu-MB/s")
	}
	if size > 1<<16 {
		b.ReportMetric(float64(size)/float64(least)*1e3, "best-MB/s") // while the neighbours of the core were quiet
	}
}
