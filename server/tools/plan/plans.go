package plan

import (
	"crypto/rand"
	"sync"
	"time"

	"chaperone/browser"
)

// kept is a plan as the server keeps it: what a descriptor says is compared with it and never taken from the descriptor.
type kept struct {
	id, session string
	tab         *browser.Tab
	frame       *browser.Frame
	document    string
	ref, verb   string
	args        string // JSON, keys sorted
	expires     time.Time
}

// mostPlans bounds what is kept; the oldest go first. Those that have expired are kept for a while, so that it can be said.
const mostPlans = 500

type plans struct {
	mu   sync.Mutex
	of   map[string]kept
	list []string // oldest first
}

func (p *plans) add(k kept) string {
	k.id = "p-" + rand.Text()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.of[k.id] = k
	p.list = append(p.list, k.id)
	for len(p.list) > mostPlans {
		delete(p.of, p.list[0])
		p.list = p.list[1:]
	}
	return k.id
}

func (p *plans) find(id string) (kept, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	k, ok := p.of[id]
	return k, ok
}
