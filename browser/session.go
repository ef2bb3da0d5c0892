package browser

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"chaperone/browser/internal/cdp"
	"chaperone/browser/internal/focus"

	protocol "github.com/chromedp/cdproto/browser"
	protocolcdp "github.com/chromedp/cdproto/cdp"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/target"
)

// Session is one Chromium process with its tabs.
type Session struct {
	browser  *Browser
	opts     Options
	proc     *process
	conn     *cdp.Conn
	dir      string
	private  *scratch // the folder of a profile that is not kept
	temp     *scratch // the temporary folder of the browser
	openedAt time.Time

	mu        sync.Mutex
	tabs      []*Tab
	byTarget  map[target.ID]*Tab
	byFrame   map[protocolcdp.FrameID]*Tab // out-of-process frames, to route nested ones
	current   *Tab
	nextTab   int
	policy    DialogPolicy
	reason    string
	lastUse   time.Time
	changes   chan struct{} // closed and replaced when tabs change
	downloads map[string]*Download
	taken     bool // the person has taken over
	focus     *focus.Guard

	endOnce sync.Once
	ending  chan struct{} // closed when the session begins to end: no call uses it any more
	ended   chan struct{} // closed when its processes are gone
}

func newSession(b *Browser, o Options, proc *process, dir string, private, temp *scratch) *Session {
	if o.Policy.Mode == "" {
		o.Policy.Mode = DialogRaise
	}
	if o.Deadline == 0 {
		o.Deadline = 5 * time.Second
	}
	if len(o.TestAttrs) == 0 {
		o.TestAttrs = []string{"data-testid", "data-test", "data-cy", "data-qa"}
	}
	now := time.Now()
	return &Session{
		browser: b, opts: o, proc: proc, dir: dir, private: private, temp: temp, openedAt: now, lastUse: now, policy: o.Policy,
		byTarget: map[target.ID]*Tab{}, byFrame: map[protocolcdp.FrameID]*Tab{},
		changes: make(chan struct{}), ending: make(chan struct{}), ended: make(chan struct{}), downloads: map[string]*Download{},
	}
}

// setUp connects, attaches to everything, and waits for the first tab.
func (s *Session) setUp(ctx context.Context) error {
	s.conn = cdp.Open(s.proc.pipe, s.handleBrowser)
	go s.watchProcess()
	root := s.conn.Root()
	root.Send(target.CommandSetAutoAttach, autoAttach)
	root.Send(target.CommandSetDiscoverTargets, target.SetDiscoverTargetsParams{Discover: true, Filter: targetFilter})
	s.setDownloads(root)
	if !s.opts.Headless {
		s.focus = focus.Watch(s.PID())
		root.Send(target.CommandCreateTarget, map[string]any{"url": "about:blank", "newWindow": true, "background": true})
	}
	tab, err := s.awaitTab(ctx)
	if err != nil {
		return err
	}
	return tab.awaitReady(ctx)
}

// targetFilter leaves out what is not a page of a person or a part of one.
var targetFilter = target.Filter{
	{Type: "browser", Exclude: true}, {Type: "tab", Exclude: true}, {Type: "browser_ui", Exclude: true}, {},
}

var autoAttach = target.SetAutoAttachParams{AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: new(true), Filter: targetFilter}

func (s *Session) awaitTab(ctx context.Context) (*Tab, error) {
	for {
		s.mu.Lock()
		tab, ch := s.current, s.changes
		s.mu.Unlock()
		if tab != nil {
			return tab, nil
		}
		select {
		case <-ch:
		case <-s.ending:
			return nil, ErrBrowserGone
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

func (s *Session) notify() {
	s.mu.Lock()
	close(s.changes)
	s.changes = make(chan struct{})
	s.mu.Unlock()
}

// watchProcess ends the session when its process or its connection ends by itself.
func (s *Session) watchProcess() {
	select {
	case <-s.proc.exited:
		s.end("it was closed or has crashed", 0)
	case <-s.conn.Done():
		s.end("its connection broke", 2*time.Second)
	case <-s.ending:
	}
}

// Close ends the browser the polite way, so that its profile is written, and kills what is left after a moment.
func (s *Session) Close(ctx context.Context) {
	if s.alive() && s.conn != nil {
		limit, cancel := context.WithTimeout(ctx, 2*time.Second)
		_ = s.conn.Root().Call(limit, protocol.CommandClose, nil, nil)
		cancel()
	}
	s.end("it was closed", 3*time.Second)
}

func (s *Session) end(reason string, grace time.Duration) {
	s.endOnce.Do(func() {
		s.mu.Lock()
		s.reason = reason
		tabs := s.tabs
		s.tabs, s.current = nil, nil
		s.mu.Unlock()
		close(s.ending)
		for _, t := range tabs {
			t.gone(ErrBrowserGone)
		}
		if grace == 0 {
			_ = s.proc.pipe.Close()
		}
		s.proc.stop(grace)
		_ = s.proc.pipe.Close()
		s.focus.Close()
		s.private.remove()
		s.temp.remove()
		close(s.ended)
		s.browser.changed()
	})
	<-s.ended
}

func (s *Session) alive() bool {
	select {
	case <-s.ending:
		return false
	default:
		return s.conn == nil || !s.lost()
	}
}

// lost reports whether the connection has ended, of which the session learns a moment later.
func (s *Session) lost() bool {
	select {
	case <-s.conn.Done():
		return true
	default:
		return false
	}
}

func (s *Session) endReason() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reason
}

// Ended is closed when the browser has ended and its processes are gone.
func (s *Session) Ended() <-chan struct{} { return s.ended }

// ID is the session's name.
func (s *Session) ID() string { return s.opts.ID }

// Mode says what becomes of the session's data.
func (s *Session) Mode() Mode { return s.opts.Mode }

// Headless reports whether the browser has no window.
func (s *Session) Headless() bool { return s.opts.Headless }

// OpenedAt is when the session was opened.
func (s *Session) OpenedAt() time.Time { return s.openedAt }

// LastUse is when an agent last used the session.
func (s *Session) LastUse() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lastUse
}

// PID is the process id of the browser.
func (s *Session) PID() int { return s.proc.cmd.Process.Pid }

// TestAttrs are the attributes that name elements for tests.
func (s *Session) TestAttrs() []string { return s.opts.TestAttrs }

// Deadline is that of an action that names none.
func (s *Session) Deadline() time.Duration { return s.opts.Deadline }

// DialogPolicy returns the standing answer to dialogs.
func (s *Session) DialogPolicy() DialogPolicy {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.policy
}

// SetDialogPolicy changes the standing answer to dialogs.
func (s *Session) SetDialogPolicy(p DialogPolicy) {
	s.mu.Lock()
	s.policy = p
	s.mu.Unlock()
}

// SetTaken marks that the person has taken over (or handed back): while taken, file dialogs are the person's own.
func (s *Session) SetTaken(taken bool) {
	s.mu.Lock()
	s.taken = taken
	tabs := slices.Clone(s.tabs)
	s.mu.Unlock()
	if taken {
		for _, t := range tabs {
			t.interceptFiles(context.Background(), false)
		}
	}
}

// Tabs returns the open tabs, oldest first.
func (s *Session) Tabs() []*Tab {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.tabs)
}

// Current returns the selected tab.
func (s *Session) Current() (*Tab, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lastUse = time.Now()
	if s.current == nil {
		if !s.alive() {
			return nil, ErrBrowserGone
		}
		return nil, ErrNoTab
	}
	return s.current, nil
}

// Tab returns the tab of that id ("t2").
func (s *Session) Tab(id string) (*Tab, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.tabs {
		if t.id == id {
			return t, nil
		}
	}
	return nil, fmt.Errorf("%w: there is no tab %q in session %q", ErrTabGone, id, s.opts.ID)
}

// Select makes a tab the current one. It does not raise the window.
func (s *Session) Select(id string) (*Tab, error) {
	t, err := s.Tab(id)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.current = t
	s.mu.Unlock()
	s.notify()
	s.browser.changed()
	return t, nil
}

// NewTab opens an empty tab in the background and makes it the current one.
func (s *Session) NewTab(ctx context.Context) (*Tab, error) {
	var made struct {
		TargetID target.ID `json:"targetId"`
	}
	// Without a tab there is no window that could hold a new one.
	params := map[string]any{"url": "about:blank", "background": true, "newWindow": len(s.Tabs()) == 0}
	err := s.conn.Root().Call(ctx, target.CommandCreateTarget, params, &made)
	if err != nil {
		return nil, fmt.Errorf("a new tab: %w", err)
	}
	for {
		s.mu.Lock()
		t, ch := s.byTarget[made.TargetID], s.changes
		if t != nil {
			s.current = t
		}
		s.mu.Unlock()
		if t != nil {
			s.browser.changed()
			return t, t.awaitReady(ctx)
		}
		select {
		case <-ch:
		case <-s.ending:
			return nil, ErrBrowserGone
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// CloseTab closes a tab. The page's beforeunload question is not asked: closing was asked for.
func (s *Session) CloseTab(ctx context.Context, id string) error {
	t, err := s.Tab(id)
	if err != nil {
		return err
	}
	if err := s.conn.Root().Call(ctx, target.CommandCloseTarget, target.CloseTargetParams{TargetID: t.targetID}, nil); err != nil {
		return err
	}
	select {
	case <-t.closed:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Show brings the window of the current tab to the front. Only a person's wish to see it calls this.
func (s *Session) Show(ctx context.Context) error {
	t, err := s.Current()
	if err != nil {
		return err
	}
	s.focus.Arm(0)
	return t.cdp.Call(ctx, "Page.bringToFront", nil, nil)
}

// handleBrowser handles the events of the browser session, on the read loop.
func (s *Session) handleBrowser(method string, params jsonv2.Value) {
	switch method {
	case "Target.attachedToTarget":
		s.attached(nil, params)
	case "Target.detachedFromTarget":
		s.detached(params)
	case "Target.targetInfoChanged":
		s.targetChanged(params)
	case "Target.targetCrashed":
		s.targetCrashed(params)
	case "Browser.downloadWillBegin":
		s.downloadBegins(params)
	case "Browser.downloadProgress":
		s.downloadProgress(params)
	}
}

// Showing is the current tab, or nil; looking does not count as use.
func (s *Session) Showing() *Tab {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current
}
