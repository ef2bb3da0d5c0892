package browser

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"chaperone/browser/internal/cdp"

	protocolcdp "github.com/chromedp/cdproto/cdp"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
)

// handle handles the events of the page's session and of its out-of-process frames, on the read loop.
func (t *Tab) handle(sess *cdp.Session, method string, params jsonv2.Value) {
	domain, name, _ := strings.Cut(method, ".")
	switch domain {
	case "Page":
		t.handlePage(sess, name, params)
	case "Runtime":
		t.handleRuntime(sess, name, params)
	case "Network":
		t.handleNetwork(sess, name, params)
	case "Log":
		t.handleLog(name, params)
	case "Target":
		switch name {
		case "attachedToTarget":
			t.session.attached(t, params)
		case "detachedFromTarget":
			t.session.detached(params)
		}
	case "Fetch":
		t.handleFetch(sess, name, params)
	case "Inspector":
		switch name {
		case "targetCrashed":
			if sess == t.cdp {
				t.setCrashed(true)
			} else {
				t.frameCrashed(sess)
			}
		case "targetReloadedAfterCrash":
			t.setCrashed(false)
		}
	}
}

func (t *Tab) handlePage(sess *cdp.Session, name string, params jsonv2.Value) {
	switch name {
	case "frameAttached":
		if ev, err := cdp.Decode[page.EventFrameAttached](params); err == nil {
			t.frameAttached(sess, ev.FrameID, ev.ParentFrameID)
		}
	case "frameDetached":
		if ev, err := cdp.Decode[page.EventFrameDetached](params); err == nil {
			t.frameDetached(sess, ev.FrameID, ev.Reason == page.FrameDetachedReasonSwap)
		}
	case "frameNavigated":
		if ev, err := cdp.Decode[page.EventFrameNavigated](params); err == nil && ev.Frame != nil {
			t.frameNavigated(sess, ev.Frame, ev.Type == page.NavigationTypeBackForwardCacheRestore)
		}
	case "navigatedWithinDocument":
		if ev, err := cdp.Decode[page.EventNavigatedWithinDocument](params); err == nil {
			t.navigatedWithin(ev.FrameID, ev.URL)
		}
	case "frameRequestedNavigation":
		if ev, err := cdp.Decode[page.EventFrameRequestedNavigation](params); err == nil {
			t.navigationRequested(ev)
		}
	case "frameStartedNavigating", "frameStartedLoading":
		t.loading(params, true)
	case "frameStoppedLoading":
		t.loading(params, false)
	case "lifecycleEvent":
		t.lifecycle(params)
	case "windowOpen":
		t.forWindows(func(w *window) { w.expectTab() })
	case "javascriptDialogOpening":
		t.dialogOpening(sess, params)
	case "javascriptDialogClosed":
		t.dialogClosed()
	case "fileChooserOpened":
		t.fileChooser(params)
	}
}

func (t *Tab) frameAttached(sess *cdp.Session, id, parent protocolcdp.FrameID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.frames[id] != nil {
		return
	}
	p := t.frames[parent]
	if p == nil {
		return
	}
	f := newFrame(t, id, p)
	f.sess, f.ready = sess, true
	p.children = append(p.children, f)
	t.frames[id] = f
	t.notifyLocked()
}

func (t *Tab) frameDetached(sess *cdp.Session, id protocolcdp.FrameID, swap bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.frames[id]
	if f == nil || f == t.root {
		return
	}
	if swap {
		// The frame goes on in another process; its new session may have come already.
		if f.sess == sess {
			f.dropWorldLocked("")
		}
		return
	}
	if f.sess != sess && f.parent != nil && f.parent.sess != sess {
		return
	}
	t.removeFrameLocked(f)
	t.notifyLocked()
}

func (t *Tab) removeFrameLocked(f *Frame) {
	for _, child := range append([]*Frame(nil), f.children...) {
		t.removeFrameLocked(child)
	}
	if f.parent != nil {
		for i, c := range f.parent.children {
			if c == f {
				f.parent.children = append(f.parent.children[:i:i], f.parent.children[i+1:]...)
				break
			}
		}
	}
	f.loading, f.pending = false, time.Time{}
	f.dropWorldLocked("")
	delete(t.frames, f.id)
}

func (t *Tab) frameNavigated(sess *cdp.Session, fr *protocolcdp.Frame, restored bool) {
	t.mu.Lock()
	f := t.ensureFrameLocked(sess, fr)
	if f == nil {
		t.mu.Unlock()
		return
	}
	f.sess = sess
	f.url, f.name, f.origin, f.loader = fr.URL+fr.URLFragment, fr.Name, fr.SecurityOrigin, fr.LoaderID
	f.unreachable = fr.UnreachableURL != ""
	if f.unreachable {
		f.url = fr.UnreachableURL
	}
	if restored {
		// It was loaded when it was put away.
		for _, stage := range stages {
			f.loaded[stage] = fr.LoaderID
		}
	}
	f.pending = time.Time{}
	for _, child := range append([]*Frame(nil), f.children...) {
		t.removeFrameLocked(child)
	}
	from := t.url
	if f == t.root {
		t.url, t.title = f.url, ""
		t.crashed, t.flooded, t.felled, t.dialogs = false, false, false, 0
		t.committed = time.Now()
		for _, w := range t.windows {
			w.navigated(from, f.url, NavFullLoad)
			w.download = time.Time{}
		}
		for id, r := range t.inflight {
			if r.loader != fr.LoaderID {
				delete(t.inflight, id)
			}
		}
	}
	t.notifyLocked()
	t.mu.Unlock()
	if f == t.root {
		t.session.browser.changed()
	}
}

// ensureFrameLocked finds or makes the frame of an event; frames can be told of by a navigation before they are attached.
func (t *Tab) ensureFrameLocked(sess *cdp.Session, fr *protocolcdp.Frame) *Frame {
	if f := t.frames[fr.ID]; f != nil {
		return f
	}
	if fr.ParentID == "" {
		if sess == t.cdp {
			// The main frame was replaced (a prerendered or restored page): its number is another.
			delete(t.frames, t.root.id)
			t.root.id = fr.ID
			t.frames[fr.ID] = t.root
			return t.root
		}
		return nil
	}
	p := t.frames[fr.ParentID]
	if p == nil {
		return nil
	}
	f := newFrame(t, fr.ID, p)
	f.sess, f.ready = sess, true
	p.children = append(p.children, f)
	t.frames[fr.ID] = f
	return f
}

func (t *Tab) navigatedWithin(id protocolcdp.FrameID, url string) {
	t.mu.Lock()
	f := t.frames[id]
	if f == nil {
		t.mu.Unlock()
		return
	}
	from := f.url
	f.url = url
	f.pending = time.Time{}
	if f == t.root {
		t.url = url
		kind := NavSPA
		if before, _, _ := strings.Cut(from, "#"); strings.Contains(url, "#") || strings.Contains(from, "#") {
			if after, _, _ := strings.Cut(url, "#"); before == after {
				kind = NavHash
			}
		}
		for _, w := range t.windows {
			w.navigated(from, url, kind)
		}
	}
	t.notifyLocked()
	t.mu.Unlock()
	if f == t.root {
		t.session.browser.changed()
	}
}

func (t *Tab) navigationRequested(ev page.EventFrameRequestedNavigation) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch ev.Disposition {
	case page.ClientNavigationDispositionNewTab, page.ClientNavigationDispositionNewWindow:
		for _, w := range t.windows {
			w.expectTab()
		}
	case page.ClientNavigationDispositionCurrentTab:
		if f := t.frames[ev.FrameID]; f != nil && !strings.HasPrefix(ev.URL, "javascript:") {
			f.pending = time.Now()
		}
	}
	t.notifyLocked()
}

func (t *Tab) loading(params jsonv2.Value, on bool) {
	var ev struct {
		FrameID protocolcdp.FrameID `json:"frameId"`
	}
	if json.Unmarshal(params, &ev) != nil {
		return
	}
	t.mu.Lock()
	if f := t.frames[ev.FrameID]; f != nil {
		f.loading = on
		f.pending = time.Time{}
	}
	t.notifyLocked()
	t.mu.Unlock()
}

// stages are those of a page's loading that are waited for.
var stages = []string{"commit", "DOMContentLoaded", "load", "networkIdle"}

func (t *Tab) lifecycle(params jsonv2.Value) {
	var ev struct {
		FrameID  protocolcdp.FrameID  `json:"frameId"`
		LoaderID protocolcdp.LoaderID `json:"loaderId"`
		Name     string               `json:"name"`
	}
	if json.Unmarshal(params, &ev) != nil {
		return
	}
	if !slices.Contains(stages, ev.Name) {
		return
	}
	t.mu.Lock()
	if f := t.frames[ev.FrameID]; f != nil {
		f.loaded[ev.Name] = ev.LoaderID
	}
	t.notifyLocked()
	t.mu.Unlock()
}

// adoptTree takes in the frames that were there before we listened.
func (t *Tab) adoptTree(sess *cdp.Session, raw jsonv2.Value) {
	reply, err := cdp.Decode[page.GetFrameTreeResult](raw)
	if err != nil || reply.FrameTree == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	var walk func(*page.FrameTree)
	walk = func(tree *page.FrameTree) {
		if f := t.ensureFrameLocked(sess, tree.Frame); f != nil {
			if f.loader == "" {
				f.sess = sess
				f.url, f.name, f.origin, f.loader = tree.Frame.URL+tree.Frame.URLFragment, tree.Frame.Name, tree.Frame.SecurityOrigin, tree.Frame.LoaderID
				if f == t.root {
					t.url = f.url
				}
			}
			for _, child := range tree.ChildFrames {
				walk(child)
			}
		}
	}
	walk(reply.FrameTree)
	t.notifyLocked()
}

// attachFrame takes in a frame that lives in a process of its own.
func (t *Tab) attachFrame(ev target.EventAttachedToTarget) {
	id := protocolcdp.FrameID(ev.TargetInfo.TargetID)
	var sess *cdp.Session
	sess = t.session.conn.Attach(ev.SessionID, func(method string, params jsonv2.Value) { t.handle(sess, method, params) })
	t.mu.Lock()
	f := t.frames[id]
	if f == nil {
		p := t.frames[ev.TargetInfo.ParentFrameID]
		if p == nil {
			p = t.root
		}
		f = newFrame(t, id, p)
		p.children = append(p.children, f)
		t.frames[id] = f
	}
	f.sess, f.ready, f.loader = sess, false, ""
	f.dropWorldLocked("")
	t.notifyLocked()
	t.mu.Unlock()
	t.session.prepare(t, sess, f)
}

// frameSessionGone takes out what lived in a session that ended: the frame is gone, or went back to its parent's process.
func (t *Tab) frameSessionGone(id target.SessionID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, f := range t.frames {
		if f.sess != nil && f.sess.ID() == id && f != t.root {
			f.dropWorldLocked("")
			f.loading, f.pending = false, time.Time{}
			if f.parent != nil {
				f.sess = f.parent.sess
			}
			f.loader = ""
		}
	}
	t.notifyLocked()
}

func (t *Tab) handleRuntime(sess *cdp.Session, name string, params jsonv2.Value) {
	switch name {
	case "executionContextCreated":
		ev, err := cdp.Decode[runtime.EventExecutionContextCreated](params)
		if err != nil || ev.Context == nil {
			return
		}
		t.noteMain(sess, ev.Context)
		if ev.Context.Name != worldName {
			return
		}
		var aux struct {
			FrameID protocolcdp.FrameID `json:"frameId"`
		}
		if json.Unmarshal(ev.Context.AuxData, &aux) != nil {
			return
		}
		t.mu.Lock()
		if f := t.frames[aux.FrameID]; f != nil {
			f.world = &world{unique: ev.Context.UniqueID, id: ev.Context.ID, sess: sess}
		}
		t.notifyLocked()
		t.mu.Unlock()
	case "executionContextDestroyed":
		ev, err := cdp.Decode[runtime.EventExecutionContextDestroyed](params)
		if err != nil {
			return
		}
		t.mu.Lock()
		for _, f := range t.frames {
			f.dropWorldLocked(ev.ExecutionContextUniqueID)
		}
		t.notifyLocked()
		t.mu.Unlock()
	case "executionContextsCleared":
		t.mu.Lock()
		for _, f := range t.frames {
			if f.world != nil && f.world.sess == sess {
				f.world = nil
			}
		}
		t.notifyLocked()
		t.mu.Unlock()
	case "consoleAPICalled":
		t.consoleCalled(params)
	case "exceptionThrown":
		t.exceptionThrown(params)
	}
}
