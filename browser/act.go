package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"chaperone/browser/internal/cdp"
)

// Act runs one action on the tab and waits until what it caused has settled: navigations it began, requests it made, tabs
// it opened. Actions on one tab run one after the other. Effects are returned also when the action failed.
//
// The wait ends by facts, not after a time: an action that changes nothing costs a round trip. It is bounded by ctx and by
// SettleLimit; what still went on then is named in Effects.Unsettled.
func (t *Tab) Act(ctx context.Context, action func(context.Context) error) (Effects, error) {
	if err := t.begin(ctx); err != nil {
		return Effects{}, err
	}
	defer func() { <-t.acting }()
	if err := t.Err(); err != nil {
		return Effects{}, err
	}
	p := feel(t.cdp)
	defer p.end()
	t.interceptFiles(ctx, true)
	w := t.openWindow()
	err := action(ctx)
	if err != nil && errors.Is(err, cdp.ErrSessionGone) && errors.Is(t.Err(), ErrTabGone) {
		// The action closed its own tab: that is an effect, not a failure.
		err = nil
	}
	if err == nil {
		t.settle(ctx, w, p)
	}
	err = t.reason(ctx, p, err)
	effects := w.close()
	if err == nil && ctx.Err() == nil {
		t.addShapes(ctx, &effects)
		if effects.Navigation != NavNone {
			t.readTitle(ctx)
		}
		for _, child := range effects.NewTabs {
			child.readTitle(ctx)
		}
	}
	return effects, err
}

// begin waits until no other action runs on the tab.
func (t *Tab) begin(ctx context.Context) error {
	select {
	case t.acting <- struct{}{}:
		return nil
	case <-t.closed:
		return t.Err()
	case <-ctx.Done():
		return fmt.Errorf("another action on this tab is still running: %w", context.Cause(ctx))
	}
}

// reason is why an action came to nothing, or to an end with its page: what has become of the page or the browser goes before
// what a call of the protocol said of it.
func (t *Tab) reason(ctx context.Context, p *pulse, err error) error {
	gone := t.Err()
	switch {
	case errors.Is(gone, ErrBrowserGone), errors.Is(gone, ErrTabCrashed):
		return gone
	case err == nil || ctx.Err() == nil:
		return err
	}
	if d := t.openDialog(); d != nil {
		return fmt.Errorf("%w (%s): %w", ErrDialogOpen, d.Type, err)
	}
	if held := t.held(ctx, p); held != nil {
		return held
	}
	return err
}

// SettleLimit bounds the wait after an action.
const SettleLimit = 5 * time.Second

// newTabLimit is how long an announced tab may take to appear.
const newTabLimit = 2 * time.Second

func (t *Tab) settle(ctx context.Context, w *window, p *pulse) {
	limit := SettleLimit
	if deadline, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(deadline)*9/10)
	}
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for range 4 {
		// Two turns of the page's event loop: what the handlers started, and what they posted, has begun then, and its
		// events have reached us before this reply.
		if err := t.root.tick(bounded, 0); err != nil && bounded.Err() != nil {
			if held := t.held(bounded, p); held != nil {
				t.unsettled(w, held.Error())
			}
			return
		}
		what, waited := t.awaitQuiet(bounded, w)
		if what != "" {
			t.unsettled(w, what)
			return
		}
		if !waited {
			return
		}
		if err := t.root.tick(bounded, 2); err != nil && bounded.Err() != nil {
			return
		}
	}
}

// tick lets the page's event loop turn twice, or draw that many frames. A frame that is just being replaced needs none.
func (f *Frame) tick(ctx context.Context, frames int) error {
	f.tab.mu.Lock()
	w := f.world
	f.tab.mu.Unlock()
	if w == nil {
		return nil
	}
	// A dialog that waits for the person holds the page's event loop.
	tickCtx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan error, 1)
	go func() {
		var reply struct {
			FileInput bool `json:"fileInput"` // a file input was clicked since the last tick
			Download  bool `json:"download"`  // and so was a link that downloads
		}
		err := f.Call(tickCtx, "tick", map[string]any{"frames": frames}, &reply)
		if err == nil && reply.FileInput {
			f.tab.ExpectFileChooser()
		}
		if err == nil && reply.Download {
			f.tab.expectDownload()
		}
		done <- err
	}()
	for {
		f.tab.mu.Lock()
		ch, blocked := f.tab.change, f.tab.dialog != nil || f.tab.err != nil || f.tab.crashed
		f.tab.mu.Unlock()
		if blocked {
			return nil
		}
		select {
		case err := <-done:
			return err
		case <-ch:
		}
	}
}

// awaitQuiet waits until nothing that the window's action caused is going on. It returns what still was when ctx ended.
func (t *Tab) awaitQuiet(ctx context.Context, w *window) (what string, waited bool) {
	for {
		t.mu.Lock()
		busy, wake := t.busyLocked(w)
		ch, gone := t.change, t.err != nil || t.crashed || t.dialog != nil
		t.mu.Unlock()
		if busy == "" || gone {
			return "", waited
		}
		waited = true
		var timer <-chan time.Time
		if !wake.IsZero() {
			timer = time.After(max(time.Until(wake), time.Millisecond))
		}
		select {
		case <-ch:
		case <-timer:
		case <-w.newTabChange():
		case <-ctx.Done():
			return busy, waited
		}
	}
}

// newTabChange is the channel on which the first new tab tells that something happened, or nil.
func (w *window) newTabChange() <-chan struct{} {
	w.tab.mu.Lock()
	tabs := w.effects.NewTabs
	w.tab.mu.Unlock()
	if len(tabs) == 0 {
		return nil
	}
	child := tabs[len(tabs)-1]
	child.mu.Lock()
	defer child.mu.Unlock()
	return child.change
}

// downloadLimit is how long a download may take to begin after its request ended; chooserLimit, a file dialog to be reported.
const (
	downloadLimit = 500 * time.Millisecond
	chooserLimit  = time.Second
)

// pendingLimit is how long a navigation that was asked for may take to begin.
const pendingLimit = 1500 * time.Millisecond

func (t *Tab) busyLocked(w *window) (what string, wake time.Time) {
	now := time.Now()
	for _, f := range t.frames {
		if !f.pending.IsZero() {
			if now.Sub(f.pending) > pendingLimit {
				f.pending = time.Time{}
				continue
			}
			return "a navigation", f.pending.Add(pendingLimit)
		}
		if f.loading && (f == t.root || f.parent == t.root) {
			return "the page is loading", time.Time{}
		}
	}
	if !w.expect.IsZero() {
		if now.Sub(w.expect) < newTabLimit {
			return "a new tab is opening", w.expect.Add(newTabLimit)
		}
		w.expect = time.Time{}
	}
	if !w.download.IsZero() {
		if now.Sub(w.download) < downloadLimit {
			return "a download is beginning", w.download.Add(downloadLimit)
		}
		w.download = time.Time{}
	}
	if !w.chooser.IsZero() {
		if now.Sub(w.chooser) < chooserLimit {
			return "a file dialog is opening", w.chooser.Add(chooserLimit)
		}
		w.chooser = time.Time{}
	}
	for _, r := range w.requests {
		if !r.Done && awaited[r.Type] {
			if _, on := t.inflight[r.protocolID]; on {
				return r.Method + " " + r.URL, time.Time{}
			}
		}
	}
	for _, child := range w.effects.NewTabs {
		child.mu.Lock()
		busy := child.err == nil && !child.crashed && child.dialog == nil && (child.root.loading || !child.root.ready)
		child.mu.Unlock()
		if busy {
			return "the new tab is loading", time.Time{}
		}
	}
	return "", time.Time{}
}

// readTitle asks a new page itself for its title: the browser tells of it only a while later.
func (t *Tab) readTitle(ctx context.Context) {
	limit, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
	defer cancel()
	var title string
	if t.root.Call(limit, "title", map[string]any{}, &title) == nil {
		t.mu.Lock()
		t.title = title
		t.mu.Unlock()
	}
}

// addShapes asks for the bodies of the answered writes, to tell the top-level keys of what came back.
func (t *Tab) addShapes(ctx context.Context, e *Effects) {
	for _, r := range e.Requests {
		if !slices.Contains([]string{"POST", "PUT", "PATCH", "DELETE"}, r.Method) || r.Status < 200 || r.Status > 299 || !r.Done {
			continue
		}
		m := Mutation{Request: r}
		if strings.Contains(r.MIME, "json") {
			var body struct {
				Body string `json:"body"`
			}
			limit, cancel := context.WithTimeout(ctx, 500*time.Millisecond)
			err := r.sess.Call(limit, "Network.getResponseBody", map[string]any{"requestId": r.protocolID}, &body)
			cancel()
			if err == nil {
				m.Shape = topKeys(body.Body)
			}
		}
		e.Mutations = append(e.Mutations, m)
	}
}

func topKeys(body string) []string {
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(body), &object) != nil {
		return nil
	}
	keys := make([]string, 0, len(object))
	for k := range object {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	if len(keys) > 20 {
		keys = keys[:20]
	}
	return keys
}
