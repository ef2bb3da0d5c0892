package browser

import (
	"errors"
	"time"
)

// NavKind says how a page's address changed.
type NavKind string

// The kinds of navigation.
const (
	NavNone     NavKind = ""
	NavFullLoad NavKind = "full_load"
	NavSPA      NavKind = "spa"  // history.pushState and the like
	NavHash     NavKind = "hash" // only the part after #
)

// Effects is what a tab did while an action ran and settled.
type Effects struct {
	From, To        string // addresses before and after
	Navigation      NavKind
	Requests        []Request
	Mutations       []Mutation // answered writes, with the shape of their answers
	ConsoleErrors   []string
	ConsoleWarnings int
	PageErrors      []string
	Dialogs         []Dialog
	NewTabs         []*Tab
	Downloads       []Download
	SocketFrames    []SocketFrame
	FileChooser     *FileChooser
	Auth            []AuthPrompt
	TabClosed       bool
	Crashed         bool
	Unsettled       string // what was still going on when the wait ended; empty when all was quiet
	Took            time.Duration
}

// Mutation is a request that changes something on the server, answered with a 2xx status.
type Mutation struct {
	Request
	Shape []string // top-level keys of a JSON answer, at most 20
}

// window collects effects while it is open. All fields are under the tab's lock.
type window struct {
	tab      *Tab
	effects  Effects
	requests []*Request
	began    time.Time
	expect   time.Time // a new tab was announced and has not come
	download time.Time // a document ended without a page, or a link that downloads was clicked: a download may follow
	chooser  time.Time // a file input was clicked and its dialog has not been reported
}

func (t *Tab) openWindow() *window {
	t.mu.Lock()
	defer t.mu.Unlock()
	w := &window{tab: t, began: time.Now()}
	w.effects.From, w.effects.To = t.url, t.url
	if t.raised != nil {
		w.effects.Dialogs = append(w.effects.Dialogs, *t.raised)
		t.raised = nil
	}
	w.effects.FileChooser, t.lateChooser = t.lateChooser, nil
	t.windows = append(t.windows, w)
	return w
}

func (w *window) close() Effects {
	t := w.tab
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, one := range t.windows {
		if one == w {
			t.windows = append(t.windows[:i:i], t.windows[i+1:]...)
			break
		}
	}
	w.effects.Requests = copies(w.requests)
	w.effects.Crashed = t.crashed
	w.effects.TabClosed = errors.Is(t.err, ErrTabGone)
	w.effects.Took = time.Since(w.began)
	return w.effects
}

func (t *Tab) forWindows(f func(*window)) {
	t.mu.Lock()
	for _, w := range t.windows {
		f(w)
	}
	t.notifyLocked()
	t.mu.Unlock()
}

// unsettled notes what still went on at the end. What was noted first stays.
func (t *Tab) unsettled(w *window, what string) {
	t.mu.Lock()
	if w.effects.Unsettled == "" {
		w.effects.Unsettled = what
	}
	t.mu.Unlock()
}

func (w *window) expectTab() {
	if len(w.effects.NewTabs) == 0 {
		w.expect = time.Now()
	}
}

// ExpectFileChooser says that the running action clicked a file input: its dialog is waited for.
func (t *Tab) ExpectFileChooser() {
	t.forWindows(func(w *window) {
		if w.effects.FileChooser == nil {
			w.chooser = time.Now()
		}
	})
}

// expectDownload notes that a link that downloads was clicked: nothing else tells before the download itself.
func (t *Tab) expectDownload() {
	t.forWindows(func(w *window) {
		if len(w.effects.Downloads) == 0 {
			w.download = time.Now()
		}
	})
}

func (w *window) navigated(from, to string, kind NavKind) {
	if w.effects.Navigation == NavNone || kind == NavFullLoad {
		w.effects.Navigation = kind
	}
	w.effects.To = to
}

// openedTab notes that this tab opened another one.
func (t *Tab) openedTab(child *Tab) {
	t.forWindows(func(w *window) {
		w.expect = time.Time{}
		w.effects.NewTabs = append(w.effects.NewTabs, child)
	})
}
