//go:build unix

package listen

import (
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"
)

// listenLocal opens the socket for this user only. The mask is set around the call, because a socket that is closed to others
// afterwards was open to them for a moment; its folder is closed to them in any case.
func listenLocal(path string) (net.Listener, error) {
	old := syscall.Umask(0o177)
	l, err := net.Listen("unix", path)
	syscall.Umask(old)
	if err != nil {
		if errors.Is(err, syscall.EADDRINUSE) {
			return nil, fmt.Errorf("the socket %s is there already: another program has made it; remove it and start again", path)
		}
		return nil, fmt.Errorf("the socket %s cannot be opened: %w", path, err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		_ = l.Close()
		return nil, err
	}
	return l, nil
}

// Dial connects to the socket of the serving process.
func Dial(path string) (net.Conn, error) { return net.Dial("unix", path) }
