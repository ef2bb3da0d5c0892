package main

import (
	"io"
	"os"
	"sync/atomic"
)

// lateWriter is stderr until there is something to hide in what is written there, and then what hides it.
type lateWriter struct{ w atomic.Pointer[io.Writer] }

func (l *lateWriter) become(w io.Writer) { l.w.Store(&w) }

func (l *lateWriter) Write(line []byte) (int, error) {
	if w := l.w.Load(); w != nil {
		return (*w).Write(line)
	}
	return os.Stderr.Write(line)
}
