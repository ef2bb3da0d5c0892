package listen

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"syscall"
	"time"

	"chaperone/server/client"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// HTTP says how the HTTP endpoint is served.
type HTTP struct {
	Addr  string        // loopback address and port; the next free port is taken where this one is in use
	Token func() string // of this moment
}

const (
	// mcpPath is where the endpoint is.
	mcpPath = "/mcp"
	// portsTried is how far up from the wished port a free one is looked for.
	portsTried = 50
	// idleSession is after how long without a request a session over HTTP is forgotten. A call may wait for a person for an hour.
	idleSession = 12 * time.Hour
)

// ListenHTTP serves Streamable HTTP until the server closes, and returns the URL of the endpoint.
func (s *Server) ListenHTTP(o HTTP) (url string, err error) {
	l, err := listenLoopback(o.Addr)
	if err != nil {
		return "", err
	}
	port := strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
	web := newWeb(s)
	mux := http.NewServeMux()
	mux.Handle(mcpPath, web)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		refuse(w, http.StatusNotFound, fmt.Sprintf("there is nothing at %s", r.URL.Path), "The MCP endpoint is "+mcpPath+".")
	})
	h := &http.Server{
		Handler:           &guard{port: port, token: o.Token, next: mux},
		ReadHeaderTimeout: 10 * time.Second,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          nil,
		BaseContext:       func(net.Listener) context.Context { return s.ctx },
		ConnContext:       withPeer,
	}
	if err := s.own(closer(func() error { return web.close(h) })); err != nil {
		return "", errors.Join(err, l.Close())
	}
	go func() {
		if err := h.Serve(l); err != nil && !errors.Is(err, http.ErrServerClosed) {
			s.log.Error("the HTTP endpoint is closed", "error", err)
		}
	}()
	return "http://" + l.Addr().String() + mcpPath, nil
}

type closer func() error

func (c closer) Close() error { return c() }

// listenLoopback opens the wished port, or the next free one.
func listenLoopback(addr string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("the HTTP address %q is not of the form 127.0.0.1:7420: %w", addr, err)
	}
	n, err := strconv.Atoi(port)
	if err != nil || n < 0 || n > 65535 {
		return nil, fmt.Errorf("the HTTP address %q has no port from 0 to 65535", addr)
	}
	if host == "localhost" {
		host = "127.0.0.1"
	}
	if ip, err := netip.ParseAddr(host); err != nil || !ip.IsLoopback() {
		return nil, fmt.Errorf("the HTTP address %q is not on this machine only: other machines must not reach it; use 127.0.0.1", addr)
	}
	for try := 0; ; try++ {
		l, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(n+try)))
		switch {
		case err == nil:
			return l, nil
		case !errors.Is(err, syscall.EADDRINUSE) && !portInUse(err):
			return nil, fmt.Errorf("the HTTP address %s cannot be listened on: %w", addr, err)
		case try == portsTried || n+try == 65535:
			return nil, fmt.Errorf("the ports %d to %d are all in use: set BROWX_HTTP_ADDR to a free one", n, n+try)
		}
	}
}

// web is the endpoint behind the guard.
type web struct {
	srv      *Server
	mcp      *server.StreamableHTTPServer
	sessions *sessions
}

func newWeb(s *Server) *web {
	w := &web{srv: s, sessions: newSessions(s)}
	w.mcp = server.NewStreamableHTTPServer(s.cfg.MCP,
		server.WithSessionIdManagerResolver(w.sessions),
		server.WithHTTPContextFunc(w.identify),
		server.WithSessionIdleTTL(idleSession),
		server.WithHeartbeatInterval(30*time.Second),
		server.WithStreamableHTTPLogger(s.log),
	)
	return w
}

// ServeHTTP reads the message, which says who it is from, and hands it to the library.
func (w *web) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	if !w.srv.begin() {
		refuse(rw, http.StatusServiceUnavailable, "Chaperone is ending", "Start it again.")
		return
	}
	defer w.srv.wg.Done()
	// The end of the server is not the end of the client's connection, but it ends the calls of both.
	ctx, cancel := context.WithCancelCause(r.Context())
	defer cancel(nil)
	ask := &asked{peer: peerFrom(ctx)}
	if r.Method == http.MethodPost {
		body, err := io.ReadAll(http.MaxBytesReader(rw, r.Body, w.srv.cfg.MaxBody))
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			refuse(rw, http.StatusRequestEntityTooLarge, "the message is longer than "+megabytes(int(w.srv.cfg.MaxBody)), "Send less in one call.")
			return
		}
		if err != nil {
			return
		}
		ask.name, ask.version = nameIn(body)
		ask.modern = mcp.IsModernProtocol(r.Header.Get(mcp.HeaderProtocolVersion))
		if ask.modern && isCancel(body) {
			// Without sessions the library cannot tell one client's request from another's of the same id. Such a client ends a
			// call by closing its stream.
			rw.WriteHeader(http.StatusAccepted)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	w.mcp.ServeHTTP(&scanned{ResponseWriter: rw, scan: w.srv.cfg.Scan}, r.WithContext(context.WithValue(ctx, askedKey{}, ask)))
}

// identify puts the client behind a request into its context.
func (w *web) identify(ctx context.Context, r *http.Request) context.Context {
	ask, ok := r.Context().Value(askedKey{}).(*asked)
	if !ok {
		return ctx
	}
	if who := w.sessions.client(ask, r.Header.Get(server.HeaderKeySessionID)); who != nil {
		return client.With(ctx, who)
	}
	return ctx
}

// close ends the open streams, and then the connections.
func (w *web) close(h *http.Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), farewell)
	defer cancel()
	_ = w.mcp.Shutdown(ctx)
	w.sessions.close()
	return h.Close()
}

// isCancel reports whether a message is the notification that a request is no longer wanted.
func isCancel(body []byte) bool {
	if !bytes.Contains(body, []byte("notifications/cancelled")) {
		return false
	}
	e, refusal := open(bytes.TrimSpace(body))
	return refusal == nil && e.Method == "notifications/cancelled"
}

// scanned passes what goes out through the last line of defence. The library writes a message in one piece.
type scanned struct {
	http.ResponseWriter
	scan func([]byte) []byte
}

func (s *scanned) Write(p []byte) (int, error) {
	out := p
	if s.scan != nil {
		out = s.scan(p)
	}
	if _, err := s.ResponseWriter.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (s *scanned) Flush() {
	if f, ok := s.ResponseWriter.(http.Flusher); ok {
		f.Flush()
	}
}

func (s *scanned) Unwrap() http.ResponseWriter { return s.ResponseWriter }
