package browser

import (
	"context"
	"sync"
	"time"

	"chaperone/browser/internal/cdp"
)

const (
	pulseAfter = 300 * time.Millisecond // calls that are done sooner cost nothing
	pulseEvery = 250 * time.Millisecond
	// silence is how long a page has to leave a question unanswered before it counts as stuck.
	silence = 500 * time.Millisecond
)

// pulse asks a page again and again whether it is there, so that a call that comes to nothing in its time can say whether the
// page was at fault.
type pulse struct {
	end  context.CancelFunc
	sess *cdp.Session

	mu    sync.Mutex
	asked time.Time // the question that has no answer yet
}

// feel begins to ask the page; end has to be called.
func feel(sess *cdp.Session) *pulse {
	ctx, cancel := context.WithCancel(context.Background())
	p := &pulse{end: cancel, sess: sess}
	go p.run(ctx)
	return p
}

func (p *pulse) run(ctx context.Context) {
	wait := time.NewTimer(pulseAfter)
	defer wait.Stop()
	for {
		select {
		case <-wait.C:
		case <-ctx.Done():
			return
		}
		p.note(time.Now())
		if ask(ctx, p.sess); ctx.Err() != nil {
			return
		}
		p.note(time.Time{})
		wait.Reset(pulseEvery)
	}
}

// ask asks a page for nothing, which it answers as soon as its thread is free.
func ask(ctx context.Context, sess *cdp.Session) error {
	return sess.Call(ctx, "Runtime.evaluate", map[string]any{"expression": "0", "returnByValue": true}, nil)
}

func (p *pulse) note(asked time.Time) {
	p.mu.Lock()
	p.asked = asked
	p.mu.Unlock()
}

// quiet is since when the page has left a question unanswered, zero when it has not.
func (p *pulse) quiet() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asked
}
