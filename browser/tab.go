package browser

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"time"

	"chaperone/browser/internal/cdp"

	protocolcdp "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/target"
)

// Tab is one page target: what a person sees as a tab or a popup window.
type Tab struct {
	session  *Session
	id       string
	targetID target.ID
	openerID target.ID
	cdp      *cdp.Session

	acting chan struct{} // held by the one action that runs
	closed chan struct{}

	mu          sync.Mutex
	change      chan struct{} // closed and replaced when something happens that a wait may be for
	frames      map[protocolcdp.FrameID]*Frame
	root        *Frame
	url         string
	title       string
	crashed     bool
	err         error // why the tab is gone
	nextRef     int
	width       int
	height      int
	scale       float64
	windows     []*window
	dialog      *Dialog // open now, waiting for a person
	dialogs     int     // opened one after the other
	same        int     // of them, those that were the same at the end
	flooded     bool    // by the document that is there now
	felled      bool    // its process was ended by us
	lastDialog  time.Time
	lastWords   string
	committed   time.Time    // when the document came that is there now
	stuckTill   time.Time    // calls to the page are refused till then
	raised      *Dialog      // dismissed while no action ran; the next action reports it
	lateChooser *FileChooser // asked for while no action ran; the next action reports it
	inflight    map[network.RequestID]*Request
	requests    ring[*Request]
	byID        map[string]*Request
	nextReq     int
	console     ring[ConsoleMessage]
	pageErrs    ring[ConsoleMessage]
	sockets     map[network.RequestID]string
	streams     map[network.RequestID]*eventStream // read by other means than EventSource
	frameLog    ring[SocketFrame]
	values      map[any]any
	filesTill   time.Time
}

func newTab(s *Session, n int, info *target.Info) *Tab {
	t := &Tab{
		session: s, id: fmt.Sprintf("t%d", n), targetID: info.TargetID, openerID: info.OpenerID, url: info.URL, title: ownTitle(info.URL, info.Title),
		acting: make(chan struct{}, 1), closed: make(chan struct{}), change: make(chan struct{}),
		frames: map[protocolcdp.FrameID]*Frame{}, nextRef: 1,
		inflight: map[network.RequestID]*Request{}, byID: map[string]*Request{}, sockets: map[network.RequestID]string{}, streams: map[network.RequestID]*eventStream{},
		requests: newRing[*Request](ringSize), console: newRing[ConsoleMessage](ringSize), pageErrs: newRing[ConsoleMessage](ringSize), frameLog: newRing[SocketFrame](ringSize),
		values: map[any]any{}, width: s.opts.Width, height: s.opts.Height, scale: 1,
	}
	if t.width == 0 || t.height == 0 {
		t.width, t.height = 1280, 720
	}
	// A page's main frame has the id of its target.
	t.root = newFrame(t, protocolcdp.FrameID(info.TargetID), nil)
	t.root.url = info.URL
	t.frames[t.root.id] = t.root
	return t
}

// ID is the tab's name in its session: "t1".
func (t *Tab) ID() string { return t.id }

// Session is the session the tab belongs to.
func (t *Tab) Session() *Session { return t.session }

// URL is the address of the page, as it was last seen.
func (t *Tab) URL() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.url
}

// Title is the title of the page, as it was last seen.
func (t *Tab) Title() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.title
}

// Crashed reports whether the page's process has crashed.
func (t *Tab) Crashed() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.crashed
}

// Closed is closed when the tab is gone.
func (t *Tab) Closed() <-chan struct{} { return t.closed }

// MainFrame is the frame of the page itself.
func (t *Tab) MainFrame() *Frame { return t.root }

// Frames lists the frames of the page, the main one first, parents before children.
func (t *Tab) Frames() []*Frame {
	t.mu.Lock()
	defer t.mu.Unlock()
	var list []*Frame
	var walk func(*Frame)
	walk = func(f *Frame) {
		list = append(list, f)
		for _, child := range f.children {
			walk(child)
		}
	}
	walk(t.root)
	return list
}

func (t *Tab) frame(id protocolcdp.FrameID) *Frame {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.frames[id]
}

// Value returns what package page keeps with the tab under key, made by make on first use.
func (t *Tab) Value(key any, make func() any) any {
	t.mu.Lock()
	defer t.mu.Unlock()
	v, ok := t.values[key]
	if !ok {
		v = make()
		t.values[key] = v
	}
	return v
}

// LendRefs reserves n numbers for references, from first on; done is told the first that was not used. Calls to several frames
// overlap, so numbers that stay unused while others were lent behind them are lost: a gap does no harm.
func (t *Tab) LendRefs(n int) (first int, done func(next int)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	first = t.nextRef
	end := first + n
	t.nextRef = end
	return first, func(next int) {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.nextRef == end && next >= first && next < end {
			t.nextRef = next
		}
	}
}

// Err says why the tab cannot be used, or nil.
func (t *Tab) Err() error {
	if t.session.lost() {
		return ErrBrowserGone
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err != nil {
		return t.err
	}
	if t.crashed {
		return t.crashLocked()
	}
	return nil
}

func (t *Tab) gone(err error) {
	t.mu.Lock()
	if t.err != nil {
		t.mu.Unlock()
		return
	}
	t.err = err
	t.notifyLocked()
	for _, f := range t.frames {
		f.dropWorldLocked("")
	}
	t.mu.Unlock()
	close(t.closed)
}

func (t *Tab) setInfo(address, title string) (changed bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if title = ownTitle(address, title); title == "" && t.url == address {
		title = t.title // the page has been asked itself, and knows better
	}
	changed = t.url != address || t.title != title
	t.url, t.title = address, title
	return changed
}

// ownTitle is a page's title, or empty where the browser puts the address in its place: an address is told as such only, and
// shortened.
func ownTitle(address, title string) string {
	u, err := url.Parse(address)
	if err != nil || title == "" {
		return ""
	}
	rest, isPrefix := strings.CutPrefix(title, u.Scheme+"://")
	if u.Host != "" && (strings.HasPrefix(rest, u.Host) || isPrefix) || title == address {
		return ""
	}
	return title
}

// setCrashed notes that the process of the page has crashed, or that another one has taken its place. Calls that wait for the
// crashed one end.
func (t *Tab) setCrashed(crashed bool) {
	t.mu.Lock()
	news := crashed && !t.crashed
	t.crashed = crashed
	if news {
		for id := range t.inflight {
			delete(t.inflight, id)
		}
		for _, f := range t.frames {
			f.loading, f.pending = false, time.Time{}
			f.dropWorldLocked("")
		}
	}
	why := t.crashLocked()
	t.notifyLocked()
	t.mu.Unlock()
	if news {
		t.cdp.Fail(why)
	}
}

// frameCrashed notes that the process of some frames has crashed; the page itself lives on.
func (t *Tab) frameCrashed(sess *cdp.Session) {
	t.mu.Lock()
	for _, f := range t.frames {
		if f.sess == sess {
			f.loading, f.pending = false, time.Time{}
			f.dropWorldLocked("")
		}
	}
	t.notifyLocked()
	t.mu.Unlock()
	sess.Fail(ErrDocumentGone)
}

func (t *Tab) crashLocked() error {
	if t.flooded {
		return fmt.Errorf("%w: it opened one dialog after the other without end, so it was stopped; navigate elsewhere", ErrTabCrashed)
	}
	return fmt.Errorf("%w; reload it or navigate", ErrTabCrashed)
}

// notifyLocked wakes everything that waits for something of this tab.
func (t *Tab) notifyLocked() {
	close(t.change)
	t.change = make(chan struct{})
}

// await waits until done says so; done runs under the tab's lock.
func (t *Tab) await(ctx context.Context, done func() bool) error {
	for {
		t.mu.Lock()
		ok, ch, err := done(), t.change, t.err
		t.mu.Unlock()
		if ok {
			return nil
		}
		if err != nil {
			return err
		}
		select {
		case <-ch:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (t *Tab) awaitReady(ctx context.Context) error {
	return t.await(ctx, func() bool { return t.root.ready && t.root.world != nil })
}

// SetViewport gives the page a size of its own, in CSS pixels.
func (t *Tab) SetViewport(ctx context.Context, width, height int) error {
	t.mu.Lock()
	t.width, t.height = width, height
	t.mu.Unlock()
	return t.cdp.Call(ctx, "Emulation.setDeviceMetricsOverride", t.metrics(), nil)
}

func (t *Tab) metrics() map[string]any {
	t.mu.Lock()
	defer t.mu.Unlock()
	return map[string]any{"width": t.width, "height": t.height, "deviceScaleFactor": 0, "mobile": false}
}
