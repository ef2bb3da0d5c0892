//go:build unix && !linux && !darwin

package listen

import (
	"errors"
	"net"

	"chaperone/server/client"
)

// peerOf: the socket's permissions keep other users out; which program it is, is not known here.
func peerOf(net.Conn) (client.Client, error) { return client.Client{}, nil }

func lookAt(int) (process, error) {
	return process{}, errors.New("processes cannot be looked at on this system")
}
