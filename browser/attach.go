package browser

import (
	"strings"

	"chaperone/browser/internal/cdp"
	"chaperone/browser/pagejs"

	protocolcdp "github.com/chromedp/cdproto/cdp"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
)

// worldName is the isolated world of our page code.
const worldName = "chaperone"

// attached prepares a target that the browser has attached and, mostly, paused. It runs on the read loop, so it sends
// everything in order, the resume last, and waits for nothing: a paused target answers only when it runs again.
// parent is the tab whose session reported it, nil for the browser's own.
func (s *Session) attached(parent *Tab, params jsonv2.Value) {
	ev, err := cdp.Decode[target.EventAttachedToTarget](params)
	if err != nil || ev.TargetInfo == nil {
		return
	}
	info := ev.TargetInfo
	switch {
	case info.Type == "page" && info.Subtype == "" && !strings.HasPrefix(info.URL, "devtools://"):
		s.attachPage(ev)
	case info.Type == "iframe" && parent != nil:
		parent.attachFrame(ev)
	default:
		s.attachOther(parent, ev)
	}
}

func (s *Session) attachPage(ev target.EventAttachedToTarget) {
	info := ev.TargetInfo
	s.mu.Lock()
	if old := s.byTarget[info.TargetID]; old != nil {
		s.mu.Unlock()
		return
	}
	s.nextTab++
	t := newTab(s, s.nextTab, info)
	s.mu.Unlock()
	t.cdp = s.conn.Attach(ev.SessionID, func(method string, params jsonv2.Value) { t.handle(t.cdp, method, params) })
	t.root.sess = t.cdp
	s.mu.Lock()
	opener := s.byTarget[info.OpenerID]
	s.tabs = append(s.tabs, t)
	s.byTarget[info.TargetID] = t
	if s.current == nil {
		s.current = t
	}
	s.mu.Unlock()
	s.prepare(t, t.cdp, t.root)
	if opener != nil {
		opener.openedTab(t)
	}
	s.notify()
	s.browser.changed()
}

// prepare sends what every page and out-of-process frame needs, in an order that never waits for a paused target.
func (s *Session) prepare(t *Tab, sess *cdp.Session, f *Frame) {
	sess.Send("Target.setAutoAttach", autoAttach)
	sess.Send("Page.enable", nil)
	sess.Send("Page.addScriptToEvaluateOnNewDocument", page.AddScriptToEvaluateOnNewDocumentParams{
		Source: pagejs.Bundle(), WorldName: worldName, RunImmediately: new(true),
	})
	sess.Send("Page.setLifecycleEventsEnabled", map[string]any{"enabled": true})
	sess.Send("Runtime.enable", nil)
	s.watchNetwork(sess)
	sess.Send("Log.enable", nil)
	sess.Send("Fetch.enable", authPatterns)
	if s.opts.Headless && sess == t.cdp {
		sess.Send("Emulation.setDeviceMetricsOverride", t.metrics())
	}
	// Every page counts as focused, so that focus, blur and caret behave as they do in front of a person, also while the
	// person works in another window. It raises nothing.
	sess.Send("Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true})
	sess.SendThen("Page.getFrameTree", nil, func(raw jsonv2.Value, err error) {
		if err == nil {
			t.adoptTree(sess, raw)
		}
	})
	sess.SendThen("Runtime.runIfWaitingForDebugger", nil, func(jsonv2.Value, error) { f.markReady() })
}

// keptBodies bounds what the browser keeps of answers for one target, in all and of one, where they are to outlive the page.
var keptBodies = map[string]any{"maxTotalBufferSize": 32 << 20, "maxResourceBufferSize": 8 << 20}

func (s *Session) watchNetwork(sess *cdp.Session) {
	sess.Send("Network.enable", nil)
	if s.opts.KeepBodies {
		sess.Send("Network.configureDurableMessages", keptBodies)
	}
}

// attachOther resumes workers and other targets that we only let live.
func (s *Session) attachOther(parent *Tab, ev target.EventAttachedToTarget) {
	var sess *cdp.Session
	shared := s.newSharedWorker(ev.TargetInfo)
	sess = s.conn.Attach(ev.SessionID, func(method string, params jsonv2.Value) {
		switch method {
		case "Target.attachedToTarget":
			s.attached(parent, params)
		case "Target.detachedFromTarget":
			s.detached(params)
		default:
			if parent != nil {
				parent.handleWorker(sess, method, params)
			} else if shared != nil {
				shared.handle(method, params)
			}
		}
	})
	if (parent != nil || shared != nil) && strings.Contains(ev.TargetInfo.Type, "worker") {
		sess.Send("Target.setAutoAttach", autoAttach)
		s.watchNetwork(sess)
	}
	sess.Send("Runtime.runIfWaitingForDebugger", nil)
}

// authPatterns holds up the requests that can lead to a server's question for a password, for one message each: without
// this a visible browser opens a native box that nobody but a person can close.
var authPatterns = map[string]any{"handleAuthRequests": true, "patterns": []any{
	map[string]any{"urlPattern": "http*", "resourceType": "Document"},
	map[string]any{"urlPattern": "http*", "resourceType": "XHR"},
	map[string]any{"urlPattern": "http*", "resourceType": "Fetch"},
}}

func (s *Session) detached(params jsonv2.Value) {
	ev, err := cdp.Decode[target.EventDetachedFromTarget](params)
	if err != nil {
		return
	}
	s.conn.Detach(ev.SessionID)
	s.mu.Lock()
	var lost *Tab
	for i, t := range s.tabs {
		if t.cdp != nil && t.cdp.ID() == ev.SessionID {
			lost = t
			s.tabs = append(s.tabs[:i:i], s.tabs[i+1:]...)
			delete(s.byTarget, t.targetID)
			if s.current == t {
				s.current = nil
			}
			break
		}
	}
	tabs := s.tabs
	s.mu.Unlock()
	if lost != nil {
		lost.gone(ErrTabGone)
		s.notify()
		s.browser.changed()
		return
	}
	for _, t := range tabs {
		t.frameSessionGone(ev.SessionID)
	}
}

func (s *Session) targetChanged(params jsonv2.Value) {
	ev, err := cdp.Decode[target.EventTargetInfoChanged](params)
	if err != nil || ev.TargetInfo == nil || ev.TargetInfo.Type != "page" {
		return
	}
	s.mu.Lock()
	t := s.byTarget[ev.TargetInfo.TargetID]
	s.mu.Unlock()
	if t != nil && t.setInfo(ev.TargetInfo.URL, ev.TargetInfo.Title) {
		s.browser.changed()
	}
}

func (s *Session) targetCrashed(params jsonv2.Value) {
	ev, err := cdp.Decode[target.EventTargetCrashed](params)
	if err != nil {
		return
	}
	s.mu.Lock()
	t := s.byTarget[ev.TargetID]
	s.mu.Unlock()
	if t != nil {
		t.setCrashed(true)
	}
}

// tabOfFrame finds the tab in which a frame lives.
func (s *Session) tabOfFrame(id protocolcdp.FrameID) *Tab {
	s.mu.Lock()
	tabs := s.tabs
	s.mu.Unlock()
	for _, t := range tabs {
		if t.frame(id) != nil {
			return t
		}
	}
	return nil
}
