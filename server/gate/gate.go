package gate

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"

	"chaperone/internal/settings"
	"chaperone/server/client"
	"chaperone/server/question"
	"chaperone/server/tool"
)

// Asker asks the person; the broker of package question.
type Asker interface {
	Ask(context.Context, question.Question) (question.Answer, error)
}

// Config sets up a Gate.
type Config struct {
	Settings *settings.Store
	Ask      Asker
	// Where returns the address of the page that a session shows, "" where there is none.
	Where func(session string) string
	// Pair has new programs ask to come in. It concerns clients of the local socket and of HTTP, not one that started us.
	Pair bool
	Log  *slog.Logger
}

// Gate is the gate. Its methods may be called from any goroutine.
type Gate struct {
	cfg Config
	log *slog.Logger

	mu      sync.Mutex
	change  chan struct{} // closed and replaced when a hold ends
	paused  bool
	ending  bool
	taken   map[string]bool
	resumed uint64            // how often agents were resumed
	seen    map[string]uint64 // client id → resumed, when it last called
	handed  map[string]bool   // sessions that were handed back since their last call
	running map[uint64]*Pass
	nextRun uint64
	caps    map[tool.Capability]bool
	sites   *sites
	owners  map[string]*owner
	grants  []*grant
	here    map[string]string // session → site that a person allowed once
	subs    map[int]func()
	nextSub int
	unsub   func()
}

// New returns a gate. Close it when the program ends.
func New(cfg Config) *Gate {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	if cfg.Where == nil {
		cfg.Where = func(string) string { return "" }
	}
	g := &Gate{
		cfg: cfg, log: cfg.Log.With("part", "gate"), change: make(chan struct{}), taken: map[string]bool{}, seen: map[string]uint64{}, handed: map[string]bool{},
		running: map[uint64]*Pass{}, owners: map[string]*owner{}, here: map[string]string{}, subs: map[int]func(){},
	}
	g.caps = g.capabilitiesSet()
	g.sites = readSites(cfg.Settings)
	g.unsub = cfg.Settings.Subscribe(g.settingChanged)
	return g
}

// Call is what the gate needs to know of a call.
type Call struct {
	Tool    tool.Info
	Client  *client.Client
	Session string   // as the caller named it
	Visits  []string // addresses that it would open
	Words   string   // what it is aimed at, for the person
	Pickup  bool     // it only fetches the result of an earlier call: pause does not hold it
}

// Pass lets one call through. Its context ends when the person stops the call.
type Pass struct {
	Context context.Context
	Session string // the session that the call works on
	Notice  string // what the agent should know before it goes on

	gate   *Gate
	id     uint64
	call   Call
	since  time.Time
	cancel context.CancelCauseFunc
}

// Enter lets a call through, or says why not, as a *Refusal. It may wait for the person. Leave must be called at the end.
func (g *Gate) Enter(ctx context.Context, c Call) (*Pass, error) {
	if c.Client == nil {
		c.Client = &client.Client{ID: "local", Name: "local", Transport: "stdio"}
	}
	if err := g.capability(c.Tool); err != nil {
		return nil, err
	}
	if err := g.visitable(c.Visits); err != nil {
		return nil, err
	}
	if err := g.paired(ctx, c.Client); err != nil {
		return nil, err
	}
	session, err := g.claim(ctx, c)
	if err != nil {
		return nil, err
	}
	p, err := g.register(ctx, c, session)
	if err != nil {
		return nil, err
	}
	if err := g.allowed(p); err != nil {
		cause := context.Cause(p.Context)
		p.Leave()
		if cause != nil {
			return nil, cause
		}
		return nil, err
	}
	return p, nil
}

// register holds a call while agents are paused, or its session is the person's, and then enters it among the running ones.
func (g *Gate) register(ctx context.Context, c Call, session string) (*Pass, error) {
	release := func() {}
	defer func() { release() }()
	held := false
	for {
		g.mu.Lock()
		if g.ending {
			g.mu.Unlock()
			return nil, ending()
		}
		words := ""
		switch {
		case c.Pickup:
		case g.paused:
			words = "the person has paused all agents; waiting until they resume"
		case g.taken[session] && (c.Tool.Pages || len(c.Visits) > 0):
			words = "the person has taken over this browser; waiting until they hand it back"
		}
		if words == "" {
			if !g.caps[c.Tool.Needs] && c.Tool.Needs != "" {
				g.mu.Unlock()
				return nil, capabilityOff(c.Tool)
			}
			defer g.mu.Unlock()
			return g.passLocked(ctx, c, session), nil
		}
		change := g.change
		g.mu.Unlock()
		if !held {
			held = true
			release = question.Waiting(ctx, words)
		}
		select {
		case <-change:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

func (g *Gate) passLocked(ctx context.Context, c Call, session string) *Pass {
	g.nextRun++
	p := &Pass{Session: session, gate: g, id: g.nextRun, call: c, since: time.Now(), Notice: g.noticeLocked(c, session)}
	p.Context, p.cancel = context.WithCancelCause(ctx)
	g.running[p.id] = p
	return p
}

// noticeLocked tells an agent once that a person was at the page.
func (g *Gate) noticeLocked(c Call, session string) string {
	before, known := g.seen[c.Client.ID]
	g.seen[c.Client.ID] = g.resumed
	handed := g.handed[session]
	if handed && c.Tool.Pages {
		delete(g.handed, session)
	}
	switch {
	case handed && c.Tool.Pages:
		return "The person had taken over this browser and has handed it back. The page may have changed: look at it again."
	case known && before < g.resumed:
		return "The person had paused all agents and has resumed them. The page may have changed: look at it again."
	default:
		return ""
	}
}

// Leave ends a pass.
func (p *Pass) Leave() {
	p.gate.mu.Lock()
	delete(p.gate.running, p.id)
	p.gate.mu.Unlock()
	p.cancel(nil)
}

// Running is one call that runs now.
type Running struct {
	Tool    tool.Info
	Client  *client.Client
	Session string
	Words   string
	Since   time.Time
}

// Running lists the calls that run now.
func (g *Gate) Running() []Running {
	g.mu.Lock()
	defer g.mu.Unlock()
	list := make([]Running, 0, len(g.running))
	for _, p := range g.running {
		list = append(list, Running{p.call.Tool, p.call.Client, p.Session, p.call.Words, p.since})
	}
	return list
}

// stopLocked cancels the running calls that match.
func (g *Gate) stopLocked(why error, match func(*Pass) bool) {
	for _, p := range g.running {
		if match(p) {
			p.cancel(why)
		}
	}
}

func (g *Gate) releaseLocked() {
	close(g.change)
	g.change = make(chan struct{})
}

// Subscribe has fn called when something of the gate's state has changed. It must not block.
func (g *Gate) Subscribe(fn func()) (cancel func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	id := g.nextSub
	g.nextSub++
	g.subs[id] = fn
	return func() {
		g.mu.Lock()
		delete(g.subs, id)
		g.mu.Unlock()
	}
}

func (g *Gate) tell() {
	g.mu.Lock()
	subs := make([]func(), 0, len(g.subs))
	for _, fn := range g.subs {
		subs = append(subs, fn)
	}
	g.mu.Unlock()
	for _, fn := range subs {
		fn()
	}
}

func ending() *Refusal {
	return &Refusal{Code: Ending, Why: "Chaperone is ending", Hint: "Start it again, then call again."}
}

// Close stops every call and lets none in any more.
func (g *Gate) Close() {
	g.unsub()
	g.mu.Lock()
	g.ending = true
	g.stopLocked(ending(), func(*Pass) bool { return true })
	g.releaseLocked()
	g.mu.Unlock()
}
