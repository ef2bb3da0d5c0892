package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"chaperone/browser"
	"chaperone/internal/settings"
	"chaperone/server/egress"
	"chaperone/server/gate"
	"chaperone/server/journal"
	"chaperone/server/question"
	"chaperone/server/secret"
	"chaperone/server/tool"
	"chaperone/server/tools"
	"chaperone/server/tools/act"
	"chaperone/vault/keeper"
	"chaperone/vault/provider"
	"chaperone/vault/registry"
	"chaperone/vault/store"

	mcpserver "github.com/mark3labs/mcp-go/server"
)

// Config sets up a Server.
type Config struct {
	Version   string
	Settings  *settings.Store
	Workspace string // folder; empty: no audit, and no files
	Browser   *browser.Browser
	Log       *slog.Logger
	// Vault is what the person keeps and lends; nil: nothing.
	Vault *keeper.Keeper
	// Credentials looks up codes and sign-ins, given what asks the person before a code of theirs is handed out; nil: nothing does.
	Credentials func(allow func(context.Context, store.Item) error) (*provider.Hook, error)
	// Pair has new programs ask the person to come in.
	Pair bool
	// Elicit lets clients put questions to their users where no window and no terminal is there: standalone stdio.
	Elicit bool
	// Sets are the tools; nil: all of ours.
	Sets []tool.Set
}

// Server is the MCP server, without its transports.
type Server struct {
	cfg       Config
	log       *slog.Logger
	mcp       *mcpserver.MCPServer
	gate      *gate.Gate
	egress    *egress.Egress
	masking   masking
	registry  *registry.Registry
	book      *secret.Book
	hook      *provider.Hook // nil: none is set up
	journal   *journal.Journal
	audit     *journal.Audit
	questions *question.Broker
	answerer  *question.Answerer
	sets      []tool.Set
	tools     map[string]tool.Tool
	names     []string
	defects   atomic.Int64
	warned    sync.Once // of secrets
	uses      uses      // of secrets
	hidden    counts
	now       func() time.Time
	unsubs    []func()

	mu       sync.Mutex
	waits    map[string]*wait
	switched map[string]map[string]bool // client id → set → on, as the client asked for
	open     map[string]bool            // sessions, when last looked
}

// New returns a server. Nothing is started; the transports of package listen serve what MCP returns.
func New(cfg Config) (*Server, error) {
	if cfg.Settings == nil {
		return nil, errors.New("server: settings are missing")
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	s := &Server{
		cfg: cfg, log: cfg.Log.With("part", "server"), tools: map[string]tool.Tool{}, now: time.Now,
		waits: map[string]*wait{}, switched: map[string]map[string]bool{}, open: map[string]bool{},
	}
	s.masking.words = sync.OnceValue(s.vocabulary)
	s.registry = registry.New(s.masking.build, s.masking.set)
	s.egress = egress.New(egress.Config{Mask: s.masking.now, Hit: s.hidden.add, KeepURLs: func() bool { return !cfg.Settings.Bool("urlSanitizer") }})
	s.questions, s.answerer = question.New(question.Config{})
	s.gate = gate.New(gate.Config{Settings: cfg.Settings, Ask: s.questions, Where: s.where, Pair: cfg.Pair, Log: cfg.Log})
	var audit func(journal.Entry)
	if cfg.Workspace != "" {
		var err error
		if s.audit, err = journal.OpenAudit(filepath.Join(cfg.Workspace, "audit"), s.log); err != nil {
			return nil, err
		}
		audit = s.audit.Write
	}
	s.book = secret.New(secret.Config{
		Registry: s.registry, Ask: s.questions, Vault: cfg.Vault, On: func() bool { return s.gate.Has(tool.Secrets) }, Receiver: s.receiver,
	})
	if cfg.Credentials != nil {
		var err error
		if s.hook, err = cfg.Credentials(s.book.AllowItem); err != nil {
			return nil, err
		}
	}
	s.journal = journal.New(journal.Config{Audit: audit})
	s.sets = cfg.Sets
	if s.sets == nil {
		s.sets = tools.All(s.deps())
	}
	for _, set := range s.sets {
		for _, t := range set.Tools {
			if _, twice := s.tools[t.Name]; twice {
				return nil, fmt.Errorf("server: the tool %s is declared twice", t.Name)
			}
			s.tools[t.Name] = t
			s.names = append(s.names, t.Name)
		}
	}
	slices.Sort(s.names)
	s.mcp = s.adapt()
	s.unsubs = append(s.unsubs, cfg.Settings.Subscribe(func(key string) {
		if key == "capabilities" || key == "toolsets" {
			s.listChanged()
		}
	}))
	if cfg.Browser != nil {
		cfg.Browser.Watch(s.sessionsChanged)
		ctx, cancel := context.WithCancel(context.Background())
		s.unsubs = append(s.unsubs, cancel)
		go s.closeIdle(ctx)
	}
	return s, nil
}

// deps are what the tools need of the server.
func (s *Server) deps() tools.Deps {
	d := tools.Deps{
		Browser: s.cfg.Browser, Gate: s.gate, Ask: s.questions, Settings: s.cfg.Settings, Workspace: s.cfg.Workspace,
		Call: s.inner, Sets: s, Registry: s.registry, Secrets: s.book, SecretsWarn: s.warnSecrets, Hidden: &s.masking, SecretTyped: s.secretTyped, SecretsOn: s.book.On, PolicyOf: s.book.PolicyOf,
	}
	if s.hook != nil {
		d.Credentials = s.hook
	}
	return d
}

// inner calls a tool for another one, such as batch, by the same flow.
func (s *Server) inner(ctx context.Context, name string, args json.RawMessage) act.Reply {
	r := s.call(ctx, request{tool: name, args: args})
	return act.Reply{JSON: r.JSON, Text: r.Text, Images: r.Images, Failed: r.Failed}
}

// where is the address of the page that a session shows.
func (s *Server) where(session string) string {
	if s.cfg.Browser == nil {
		return ""
	}
	for _, open := range s.cfg.Browser.Sessions() {
		if open.ID() != session {
			continue
		}
		if tab, err := open.Current(); err == nil {
			return tab.URL()
		}
	}
	return ""
}

func (s *Server) isOpen(session string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open[session]
}

// sessionsChanged forgets what was kept for sessions that have closed.
func (s *Server) sessionsChanged() {
	now := map[string]bool{}
	for _, open := range s.cfg.Browser.Sessions() {
		now[open.ID()] = true
	}
	s.mu.Lock()
	var closed []string
	for id := range s.open {
		if !now[id] {
			closed = append(closed, id)
		}
	}
	s.open = now
	s.mu.Unlock()
	for _, id := range closed {
		s.gate.SessionClosed(id)
		s.book.SessionClosed(id)
		s.cfg.Settings.ResetSession(id)
	}
}

// ClientGone is told by the transports when the connection of a client has ended: its calls end, its questions are dead, and
// its browsers close if the person wants that.
func (s *Server) ClientGone(id string) {
	s.mu.Lock()
	open := s.open
	delete(s.switched, id)
	var left []*wait
	for key, w := range s.waits {
		if w.owner == id {
			left = append(left, w)
			delete(s.waits, key)
		}
	}
	s.mu.Unlock()
	for _, w := range left {
		w.cancel(context.Canceled)
	}
	if s.cfg.Browser != nil && s.cfg.Settings.Bool("closeWithClient") {
		for session := range open {
			if _, owner := s.gate.Owner(session); owner == id && !s.gate.Taken(session) {
				go func() { _ = s.cfg.Browser.CloseSession(context.Background(), session) }()
			}
		}
	}
	s.gate.ClientGone(id, func(session string) bool { return open[session] })
}

// MCP is what the transports serve.
func (s *Server) MCP() *mcpserver.MCPServer { return s.mcp }

// Questions are those of the person.
func (s *Server) Questions() *question.Broker { return s.questions }

// Answerer is the one handle that answers questions. It is for the window or the terminal, and for nothing else.
func (s *Server) Answerer() *question.Answerer { return s.answerer }

// Journal is what agents did.
func (s *Server) Journal() *journal.Journal { return s.journal }

// Gate is what agents may do.
func (s *Server) Gate() *gate.Gate { return s.gate }

// Close stops every call and lets none in any more. It does not close the browsers.
func (s *Server) Close(context.Context) error {
	for _, unsub := range s.unsubs {
		unsub()
	}
	s.gate.Close()
	s.mu.Lock()
	waits := s.waits
	s.waits = map[string]*wait{}
	s.mu.Unlock()
	for _, w := range waits {
		w.cancel(context.Canceled)
	}
	if s.audit != nil {
		return s.audit.Close()
	}
	return nil
}

// ToolsNeeding is how many tools a capability adds.
func (s *Server) ToolsNeeding(c tool.Capability) int {
	n := 0
	for _, t := range s.tools {
		if t.Needs == c {
			n++
		}
	}
	return n
}
