package listen

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"chaperone/server/client"

	"github.com/mark3labs/mcp-go/server"
)

// Config sets up a Server.
type Config struct {
	MCP *server.MCPServer
	Log *slog.Logger // nil: nothing is logged
	// Scan sees every message before it is written, as the last line of defence, and returns what is written. nil: no scan.
	Scan func([]byte) []byte
	// Gone is told when a client's connection has ended and its calls with it. nil: nobody is.
	Gone func(clientID string)
	// Changed is called when a client came, went or said its name. It must not block. nil: nobody is.
	Changed func()
	// MaxMessage is the longest message taken over lines; 0: 64 MB.
	MaxMessage int
	// MaxBody is the longest message taken over HTTP; 0: 16 MB.
	MaxBody int64
}

const (
	defaultMaxMessage = 64 << 20
	defaultMaxBody    = 16 << 20
	// mostAtOnce is how many requests of one client may be worked on at a time. An agent has a handful; a loop gone wild has more.
	mostAtOnce = 256
)

// errClosed is why calls end when the server does.
var errClosed = errors.New("Chaperone is ending")

// Server serves MCP to clients. Its methods may be called from any goroutine.
type Server struct {
	cfg Config
	log *slog.Logger

	ctx    context.Context // ends with Close; every connection's is below it
	cancel context.CancelCauseFunc
	wg     sync.WaitGroup // connections
	ids    atomic.Int64

	mu      sync.Mutex
	clients map[string]func() client.Client
	closers []io.Closer
	closed  bool
}

// New returns a server that nobody can reach yet.
func New(cfg Config) *Server {
	s := &Server{cfg: cfg, log: cfg.Log, clients: map[string]func() client.Client{}}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.log = s.log.With("part", "listen")
	if s.cfg.MaxMessage == 0 {
		s.cfg.MaxMessage = defaultMaxMessage
	}
	if s.cfg.MaxBody == 0 {
		s.cfg.MaxBody = defaultMaxBody
	}
	s.ctx, s.cancel = context.WithCancelCause(context.Background())
	return s
}

// Clients returns who is connected now, in the order in which they came.
func (s *Server) Clients() []client.Client {
	s.mu.Lock()
	list := make([]client.Client, 0, len(s.clients))
	for _, who := range s.clients {
		list = append(list, who())
	}
	s.mu.Unlock()
	slices.SortFunc(list, func(a, b client.Client) int {
		if len(a.ID) != len(b.ID) {
			return len(a.ID) - len(b.ID)
		}
		return strings.Compare(a.ID, b.ID)
	})
	return list
}

// Close ends every connection and every call, and returns when all is done.
func (s *Server) Close() {
	s.mu.Lock()
	s.closed = true
	closers := s.closers
	s.closers = nil
	s.mu.Unlock()
	for _, c := range slices.Backward(closers) {
		_ = c.Close()
	}
	s.cancel(errClosed)
	s.wg.Wait()
}

// begin counts a connection, unless the server has closed.
func (s *Server) begin() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.wg.Add(1)
	return true
}

// own has Close close c.
func (s *Server) own(c io.Closer) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errors.Join(errClosed, c.Close())
	}
	s.closers = append(s.closers, c)
	return nil
}

func (s *Server) newID() string { return fmt.Sprintf("c%d", s.ids.Add(1)) }

func (s *Server) arrived(id string, who func() client.Client) {
	s.mu.Lock()
	s.clients[id] = who
	s.mu.Unlock()
	s.changed()
}

func (s *Server) left(id string) {
	s.mu.Lock()
	delete(s.clients, id)
	s.mu.Unlock()
	if s.cfg.Gone != nil {
		s.cfg.Gone(id)
	}
	s.changed()
}

func (s *Server) changed() {
	if s.cfg.Changed != nil {
		s.cfg.Changed()
	}
}
