package listen

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"time"

	"chaperone/server/client"
)

// Socket says how the local socket is served.
type Socket struct {
	Path    string // of a Unix socket, or the name of a Windows pipe
	Version string // told to those who join
	// Show brings the window to the front. nil: there is none.
	Show func()
}

// helloTime is how long a process that connects may take to say what it wants.
const helloTime = 10 * time.Second

// ListenSocket lets processes of this user in, over a socket that only they can open, until the server closes.
func (s *Server) ListenSocket(o Socket) error {
	l, err := listenLocal(o.Path)
	if err != nil {
		return err
	}
	if err := s.own(l); err != nil {
		return err
	}
	go s.accept(l, o)
	return nil
}

func (s *Server) accept(l net.Listener, o Socket) {
	for {
		c, err := l.Accept()
		if err != nil {
			if !errors.Is(err, net.ErrClosed) && s.ctx.Err() == nil {
				s.log.Error("the socket is closed", "error", err)
			}
			return
		}
		go s.local(c, o)
	}
}

// local serves one connection over the socket.
func (s *Server) local(c net.Conn, o Socket) {
	defer c.Close()
	who, err := peerOf(c)
	if err != nil {
		s.log.Warn("a connection is refused", "error", err)
		return
	}
	who.Transport = "socket"
	r := bufio.NewReader(c)
	_ = c.SetReadDeadline(time.Now().Add(helloTime))
	first, err := readLine(r, s.cfg.MaxMessage)
	if err != nil {
		return
	}
	_ = c.SetReadDeadline(time.Time{})
	here := Hello{Chaperone: Welcome, Version: o.Version, PID: os.Getpid()}
	var in io.Reader = r
	h, ours := ParseHello(first)
	switch {
	case !ours:
		in = io.MultiReader(bytes.NewReader(append(first, 10)), r)
	case h.Chaperone == Join:
		if _, err := c.Write(here.Line()); err != nil {
			return
		}
	case h.Chaperone == Show:
		here.Chaperone = NoWindow
		if o.Show != nil {
			o.Show()
			here.Chaperone = Shown
		}
		_, _ = c.Write(here.Line())
		return
	default:
		_, _ = c.Write(here.Line())
		return
	}
	s.serveConn(c, in, who)
}

// serveConn speaks MCP over a connection whose end also ends a write that hangs.
func (s *Server) serveConn(c net.Conn, in io.Reader, who client.Client) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	closed := make(chan struct{})
	defer context.AfterFunc(s.ctx, func() {
		defer close(closed)
		if errors.Is(context.Cause(s.ctx), errClosed) {
			_ = c.SetWriteDeadline(time.Now().Add(farewell))
		}
	})()
	w := &lastLine{w: c}
	err := s.Serve(ctx, in, w, who)
	if errors.Is(err, errClosed) {
		<-closed
		w.bye()
		return
	}
	if err != nil && !errors.Is(err, io.EOF) {
		s.log.Info("a client is gone", "pid", who.PID, "program", who.Program, "reason", err)
	}
}

// lastLine is a connection to whose end our own word can be put between two messages.
type lastLine struct {
	mu sync.Mutex
	w  net.Conn
}

func (l *lastLine) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

// bye tells a bridge that the program has ended on purpose, so that it does not start it again by itself.
func (l *lastLine) bye() { _, _ = l.Write(Hello{Chaperone: Bye}.Line()) }
