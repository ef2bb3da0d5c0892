package listen

import (
	"bytes"
	"context"
	"io"
	"log/slog"

	"github.com/mark3labs/mcp-go/mcp"
)

// outbox writes the messages to one client, one after another. Nobody waits for a slow reader but the calls of that client.
type outbox struct {
	w       io.Writer
	log     *slog.Logger
	scan    func([]byte) []byte
	notes   <-chan mcp.JSONRPCNotification
	filter  func(*mcp.JSONRPCNotification) bool // whether the client wants it; may add to it
	replies chan []byte
	stop    chan struct{} // closed to have the outbox end when it has written what it has
	done    chan struct{}
	broken  context.CancelCauseFunc // called when the client can no longer be written to
}

// send queues a message. It waits while the client does not read, and gives up with the connection.
func (o *outbox) send(ctx context.Context, message any) {
	line, err := encode(message)
	if err != nil {
		o.log.Error("a reply is lost", "error", err)
		return
	}
	select {
	case o.replies <- line:
	case <-ctx.Done():
	case <-o.done:
	}
}

func (o *outbox) run() {
	defer close(o.done)
	ok := true
	for ok {
		select {
		case n := <-o.notes:
			ok = o.note(n)
		case line := <-o.replies:
			ok = o.drain() && o.write(line)
		case <-o.stop:
			for ok {
				select {
				case line := <-o.replies:
					ok = o.drain() && o.write(line)
				default:
					return
				}
			}
		}
	}
}

// drain writes the notifications that were sent before a reply, because the reply ends what they are about.
func (o *outbox) drain() bool {
	for {
		select {
		case n := <-o.notes:
			if !o.note(n) {
				return false
			}
		default:
			return true
		}
	}
}

func (o *outbox) note(n mcp.JSONRPCNotification) bool {
	if !o.filter(&n) {
		return true
	}
	line, err := encode(n)
	if err != nil {
		o.log.Error("a notification is lost", "error", err)
		return true
	}
	return o.write(line)
}

func (o *outbox) write(line []byte) bool {
	if o.scan != nil {
		line = append(o.scan(bytes.TrimSuffix(line, []byte{'\n'})), '\n')
	}
	if _, err := o.w.Write(line); err != nil {
		o.broken(err)
		return false
	}
	return true
}
