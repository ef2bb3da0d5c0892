package listen

import (
	"errors"

	"golang.org/x/sys/windows"
)

// portInUse: Windows has numbers of its own for an address that is taken or reserved.
func portInUse(err error) bool {
	return errors.Is(err, windows.WSAEADDRINUSE) || errors.Is(err, windows.WSAEACCES)
}
