package listen

import (
	"fmt"
	"net"
	"os/user"
	"time"

	"github.com/Microsoft/go-winio"
)

// listenLocal opens the pipe for this user only; without a descriptor of our own everybody could read from it.
func listenLocal(name string) (net.Listener, error) {
	me, err := user.Current()
	if err != nil {
		return nil, fmt.Errorf("the pipe %s cannot be closed to others: %w", name, err)
	}
	l, err := winio.ListenPipe(name, &winio.PipeConfig{SecurityDescriptor: "D:P(A;;GA;;;" + me.Uid + ")", InputBufferSize: 64 << 10, OutputBufferSize: 64 << 10})
	if err != nil {
		return nil, fmt.Errorf("the pipe %s cannot be opened: %w", name, err)
	}
	return l, nil
}

// Dial connects to the pipe of the serving process.
func Dial(name string) (net.Conn, error) {
	limit := 2 * time.Second
	return winio.DialPipe(name, &limit)
}
