package desk

import (
	"sync"

	"chaperone/browser"
	"chaperone/internal/settings"
	"chaperone/server"
	"chaperone/server/gate"
	"chaperone/server/journal"
	"chaperone/server/question"
	"chaperone/server/tool"
	"chaperone/ui"
	"chaperone/ui/model"
	"chaperone/vault/keeper"
)

// Config is what a desk is made of. Every field must be set.
type Config struct {
	Questions *question.Broker
	Answers   *question.Answerer
	Journal   *journal.Journal
	Gate      *gate.Gate
	Browsers  *browser.Browser
	Settings  *settings.Store
	Connect   ui.Connect                // what the program knows of clients and their files
	Tools     func(tool.Capability) int // how many tools a capability adds
	Clients   func() int                // how many clients are connected
	Closed    func(session string)      // told when the person closed a browser
	Exports   string                    // folder for exported activity
	Keeper    *keeper.Keeper            // what the person keeps
	Vaults    Vaults                    // where else codes and sign-ins may come from
	Uses      func() []server.Use       // where secrets were typed, the oldest first
	Hidden    func() map[string]int     // how often each secret was kept out of results, by alias
}

// Desk is the window's view of the program.
type Desk struct {
	cfg Config

	mu       sync.Mutex
	past     []question.Card // ended, newest first
	glances  map[uint64]glance
	watchers map[int]func(model.Topic)
	next     int
	stops    []func()
}

// New returns the desk and begins to listen for changes. From then on questions count as shown to a person.
func New(cfg Config) *Desk {
	d := &Desk{cfg: cfg, glances: map[uint64]glance{}, watchers: map[int]func(model.Topic){}}
	d.stops = append(d.stops,
		cfg.Answers.Attend(),
		cfg.Questions.Subscribe(func(e question.Event) {
			d.remember(e.Card)
			d.tell(model.Questions)
		}),
		cfg.Journal.Subscribe(func(journal.Entry) {
			d.tell(model.Activity)
			d.tell(model.Agents)
		}),
		cfg.Gate.Subscribe(func() {
			for _, t := range []model.Topic{model.Browsers, model.Capabilities, model.Agents, model.Connect, model.Leases} {
				d.tell(t)
			}
		}),
		cfg.Settings.Subscribe(func(string) {
			d.tell(model.Settings)
			d.tell(model.Capabilities)
		}),
	)
	d.stops = append(d.stops, cfg.Keeper.Subscribe(func() { d.tell(model.Secrets) }))
	cfg.Browsers.Watch(func() { d.tell(model.Browsers) })
	return d
}

// UI is the desk in the form the window takes.
func (d *Desk) UI() ui.Desk {
	return ui.Desk{
		Changes: d, Questions: d, Activity: d, Browsers: browsers{d}, Capabilities: d, Agents: d, Connect: d.cfg.Connect, Settings: d, Wishes: d, Leases: d,
		Vault: place{d}, Items: items{d}, Codes: d, Providers: d,
	}
}

// Close stops listening.
func (d *Desk) Close() {
	for _, stop := range d.stops {
		stop()
	}
}

// Watch implements ui.Changes.
func (d *Desk) Watch(f func(model.Topic)) (stop func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	id := d.next
	d.next++
	d.watchers[id] = f
	return func() {
		d.mu.Lock()
		delete(d.watchers, id)
		d.mu.Unlock()
	}
}

// Tell has the window read a part again.
func (d *Desk) Tell(t model.Topic) { d.tell(t) }

func (d *Desk) tell(t model.Topic) {
	d.mu.Lock()
	list := make([]func(model.Topic), 0, len(d.watchers))
	for _, f := range d.watchers {
		list = append(list, f)
	}
	d.mu.Unlock()
	for _, f := range list {
		f(t)
	}
}
