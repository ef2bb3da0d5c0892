package listen

import (
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"chaperone/server/client"

	"github.com/mark3labs/mcp-go/server"
)

// asked is what a request over HTTP says of itself, besides the message.
type asked struct {
	peer          *peer
	name, version string // where the message tells them
	modern        bool   // of the protocol without sessions
	opened        *client.Client
}

type askedKey struct{}

// sessions are the clients over HTTP. With the older protocols a client is a session; with the newer one, which has none, it is
// a program under a name.
type sessions struct {
	srv *Server

	mu       sync.Mutex
	open     map[string]*client.Client // by session id
	programs map[string]*program
}

type program struct {
	who  *client.Client
	last time.Time
}

func newSessions(s *Server) *sessions {
	return &sessions{srv: s, open: map[string]*client.Client{}, programs: map[string]*program{}}
}

// client returns who is behind a request; nil while that is not known.
func (s *sessions) client(a *asked, id string) *client.Client {
	if a.opened != nil {
		return a.opened
	}
	if a.modern {
		return s.program(a)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open[id]
}

// program returns the client without a session that a request comes from.
func (s *sessions) program(a *asked) *client.Client {
	from := a.peer.client()
	key := fmt.Sprintf("%d %q %q", from.PID, a.name, a.version)
	s.mu.Lock()
	now := time.Now()
	p := s.programs[key]
	var gone []string
	if p == nil {
		for old, q := range s.programs {
			if now.Sub(q.last) > idleSession {
				delete(s.programs, old)
				gone = append(gone, q.who.ID)
			}
		}
		p = &program{who: s.named(from, a)}
		s.programs[key] = p
	}
	fresh := p.last.IsZero()
	p.last = now
	s.mu.Unlock()
	for _, id := range gone {
		s.srv.left(id)
	}
	if fresh {
		s.arrived(p.who)
	}
	return p.who
}

func (s *sessions) named(from client.Client, a *asked) *client.Client {
	from.ID, from.Transport, from.Name, from.Version = s.srv.newID(), "http", a.name, a.version
	return &from
}

func (s *sessions) arrived(who *client.Client) {
	s.srv.arrived(who.ID, func() client.Client { return *who })
}

// close forgets everybody.
func (s *sessions) close() {
	s.mu.Lock()
	var ids []string
	for _, who := range s.open {
		ids = append(ids, who.ID)
	}
	for _, p := range s.programs {
		ids = append(ids, p.who.ID)
	}
	clear(s.open)
	clear(s.programs)
	s.mu.Unlock()
	for _, id := range ids {
		s.srv.left(id)
	}
}

// ResolveSessionIdManager gives the library a manager that knows the request. It asks with nil to end a session.
func (s *sessions) ResolveSessionIdManager(r *http.Request) server.SessionIdManager {
	m := manager{sessions: s}
	if r != nil {
		m.asked, _ = r.Context().Value(askedKey{}).(*asked)
	}
	return m
}

type manager struct {
	sessions *sessions
	asked    *asked
}

// Generate opens a session for the client whose handshake this is.
func (m manager) Generate() string {
	id := rand.Text()
	a := m.asked
	if a == nil {
		a = &asked{}
	}
	who := m.sessions.named(a.peer.client(), a)
	a.opened = who
	m.sessions.mu.Lock()
	m.sessions.open[id] = who
	m.sessions.mu.Unlock()
	m.sessions.arrived(who)
	return id
}

var errNoSession = errors.New("there is no such session")

// Validate implements server.SessionIdManager.
func (m manager) Validate(id string) (ended bool, err error) {
	m.sessions.mu.Lock()
	defer m.sessions.mu.Unlock()
	if m.sessions.open[id] == nil {
		return false, errNoSession
	}
	return false, nil
}

// Terminate implements server.SessionIdManager.
func (m manager) Terminate(id string) (refused bool, err error) {
	m.sessions.mu.Lock()
	who := m.sessions.open[id]
	delete(m.sessions.open, id)
	m.sessions.mu.Unlock()
	if who != nil {
		m.sessions.srv.left(who.ID)
	}
	return false, nil
}
