//go:build !linux

package listen

import "net/netip"

// pidOf: which program has a TCP connection open is not looked for on this system; the token is what counts.
func pidOf(_, _ netip.AddrPort) int { return 0 }
