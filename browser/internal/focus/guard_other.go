//go:build !linux

package focus

import "time"

// Guard does nothing here.
type Guard struct{}

// Watch returns a Guard that does nothing.
func Watch(int) *Guard { return nil }

// Arm does nothing.
func (g *Guard) Arm(time.Duration) {}

// Close does nothing.
func (g *Guard) Close() {}
