package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"chaperone/browser/internal/cdp"
	"chaperone/browser/pagejs"

	protocol "github.com/chromedp/cdproto"
	protocolcdp "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
)

// Frame is one frame of a page, wherever its document lives: in the page's process or in one of its own.
type Frame struct {
	tab *Tab
	id  protocolcdp.FrameID

	// All below under the tab's lock.
	parent   *Frame
	children []*Frame
	sess     *cdp.Session
	url      string
	name     string
	origin   string
	loader   protocolcdp.LoaderID
	world    *world
	loading  bool
	// unreachable: what is shown is the browser's own page about a document that could not be fetched
	unreachable bool
	pending     time.Time // a navigation was asked for and has not begun to load
	ready       bool      // the target runs
	ownerRef    int
	ownerDoc    string
	loaded      map[string]protocolcdp.LoaderID // lifecycle event → loader that reached it
}

// world is our isolated world in one document.
type world struct {
	unique string
	id     runtime.ExecutionContextID
	sess   *cdp.Session
}

func newFrame(t *Tab, id protocolcdp.FrameID, parent *Frame) *Frame {
	return &Frame{tab: t, id: id, parent: parent, loaded: map[string]protocolcdp.LoaderID{}}
}

// ID is the browser's name of the frame.
func (f *Frame) ID() string { return string(f.id) }

// Tab is the tab the frame belongs to.
func (f *Frame) Tab() *Tab { return f.tab }

// Parent is the frame that holds this one, nil for the main frame.
func (f *Frame) Parent() *Frame {
	f.tab.mu.Lock()
	defer f.tab.mu.Unlock()
	return f.parent
}

// URL is the address of the frame's document.
func (f *Frame) URL() string {
	f.tab.mu.Lock()
	defer f.tab.mu.Unlock()
	return f.url
}

// Name is the frame's name attribute at the time it loaded.
func (f *Frame) Name() string {
	f.tab.mu.Lock()
	defer f.tab.mu.Unlock()
	return f.name
}

// Origin is the security origin of the frame's document, "://" or "null" where it has none.
func (f *Frame) Origin() string {
	f.tab.mu.Lock()
	defer f.tab.mu.Unlock()
	return f.origin
}

// Document names the document now in the frame; it changes with every navigation that loads.
func (f *Frame) Document() string {
	f.tab.mu.Lock()
	defer f.tab.mu.Unlock()
	if f.world == nil {
		return ""
	}
	return f.world.unique
}

// OutOfProcess reports whether the frame has a process and a session of its own.
func (f *Frame) OutOfProcess() bool {
	f.tab.mu.Lock()
	defer f.tab.mu.Unlock()
	return f.parent != nil && f.sess != nil && f.parent.sess != f.sess
}

// Session is the session in which the frame lives, for typed commands of the protocol.
func (f *Frame) Session() protocolcdp.Session {
	f.tab.mu.Lock()
	defer f.tab.mu.Unlock()
	return f.sess
}

func (f *Frame) markReady() {
	f.tab.mu.Lock()
	f.ready = true
	f.tab.notifyLocked()
	f.tab.mu.Unlock()
}

func (f *Frame) dropWorldLocked(unique string) {
	if f.world != nil && (unique == "" || f.world.unique == unique) {
		f.world = nil
	}
}

// worldLimit is how long a frame may take to have our world: it comes with the document, so this is for frames that die.
const worldLimit = 3 * time.Second

func (f *Frame) awaitWorld(ctx context.Context) (*world, error) {
	f.tab.mu.Lock()
	w := f.world
	stuck := time.Now().Before(f.tab.stuckTill)
	f.tab.mu.Unlock()
	if stuck {
		return nil, &StuckError{For: silence}
	}
	if w != nil {
		return w, nil
	}
	if err := f.tab.Err(); err != nil {
		return nil, err
	}
	limit, cancel := context.WithTimeoutCause(ctx, worldLimit, fmt.Errorf("%w: frame %s", ErrDocumentGone, f.id))
	defer cancel()
	err := f.tab.await(limit, func() bool {
		w = f.world
		return w != nil || f.tab.frames[f.id] != f || f.tab.crashed
	})
	switch {
	case err != nil:
		return nil, err
	case w == nil:
		if err := f.tab.Err(); err != nil {
			return nil, err
		}
		return nil, ErrDocumentGone
	}
	return w, nil
}

// callFn calls one of our page functions by name; the code itself is in package pagejs.
const callFn = `function(name, args) { return globalThis.chaperone[name](args) }`

// callFnOn is the same with an element as second argument.
const callFnOn = `function(name, args) { return globalThis.chaperone[name](args, this) }`

// Call runs the page function fn on args in the document now in the frame, waits for a promise, and decodes its JSON value
// into out, which may be nil. When the document goes away meanwhile the error is ErrDocumentGone; an error that the function
// threw is a *pagejs.Error.
func (f *Frame) Call(ctx context.Context, fn string, args, out any) error {
	w, err := f.awaitWorld(ctx)
	if err != nil {
		return err
	}
	name, err := json.Marshal(fn)
	if err != nil {
		return err
	}
	raw, err := json.Marshal(args)
	if err != nil {
		return fmt.Errorf("%s: %w", fn, err)
	}
	params := fmt.Sprintf(`{"functionDeclaration":%s,"uniqueContextId":%q,"arguments":[{"value":%s},{"value":%s}],"returnByValue":true,"awaitPromise":true,"userGesture":false}`,
		callFnJSON, w.unique, name, raw)
	return f.evaluate(ctx, w, "Runtime.callFunctionOn", json.RawMessage(params), out)
}

var callFnJSON, callFnOnJSON = quote(callFn), quote(callFnOn)

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// CallOn is Call with a live object (the objectId of an element in this frame's world) as the function's second argument.
func (f *Frame) CallOn(ctx context.Context, object, fn string, args, out any) error {
	w, err := f.awaitWorld(ctx)
	if err != nil {
		return err
	}
	raw, err := json.Marshal(args)
	if err != nil {
		return fmt.Errorf("%s: %w", fn, err)
	}
	params := fmt.Sprintf(`{"functionDeclaration":%s,"objectId":%s,"arguments":[{"value":%s},{"value":%s}],"returnByValue":true,"awaitPromise":true}`,
		callFnOnJSON, quote(object), quote(fn), raw)
	return f.evaluate(ctx, w, "Runtime.callFunctionOn", json.RawMessage(params), out)
}

// Handle is Call for a function that returns an object of the page, such as an element: it returns the object's id.
func (f *Frame) Handle(ctx context.Context, fn string, args any) (string, error) {
	w, err := f.awaitWorld(ctx)
	if err != nil {
		return "", err
	}
	raw, err := json.Marshal(args)
	if err != nil {
		return "", fmt.Errorf("%s: %w", fn, err)
	}
	params := fmt.Sprintf(`{"functionDeclaration":%s,"uniqueContextId":%q,"arguments":[{"value":%s},{"value":%s}],"awaitPromise":true,"objectGroup":"chaperone"}`,
		callFnJSON, w.unique, quote(fn), raw)
	var reply struct {
		Result struct {
			ObjectID string `json:"objectId"`
		} `json:"result"`
		Exception *runtime.ExceptionDetails `json:"exceptionDetails"`
	}
	if err := w.sess.Call(ctx, "Runtime.callFunctionOn", json.RawMessage(params), &reply); err != nil {
		return "", f.callError(err)
	}
	if reply.Exception != nil {
		return "", pageError(reply.Exception)
	}
	if reply.Result.ObjectID == "" {
		return "", fmt.Errorf("%s found no object", fn)
	}
	return reply.Result.ObjectID, nil
}

// Adopt turns a node known to the protocol by its backend id into an object of this frame's world.
func (f *Frame) Adopt(ctx context.Context, backend protocolcdp.BackendNodeID) (string, error) {
	w, err := f.awaitWorld(ctx)
	if err != nil {
		return "", err
	}
	var reply struct {
		Object struct {
			ObjectID string `json:"objectId"`
		} `json:"object"`
	}
	params := map[string]any{"backendNodeId": backend, "executionContextId": w.id, "objectGroup": "chaperone"}
	if err := w.sess.Call(ctx, "DOM.resolveNode", params, &reply); err != nil {
		return "", f.callError(err)
	}
	return reply.Object.ObjectID, nil
}

func (f *Frame) evaluate(ctx context.Context, w *world, method string, params, out any) error {
	var reply struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		Exception *runtime.ExceptionDetails `json:"exceptionDetails"`
	}
	p := feel(w.sess)
	defer p.end()
	if err := w.sess.Call(ctx, method, params, &reply); err != nil {
		if held := f.tab.held(ctx, p); held != nil {
			return held
		}
		return f.callError(err)
	}
	if reply.Exception != nil {
		return pageError(reply.Exception)
	}
	if out == nil || len(reply.Result.Value) == 0 {
		return nil
	}
	if err := json.Unmarshal(reply.Result.Value, out); err != nil {
		return fmt.Errorf("the page's answer: %w", err)
	}
	return nil
}

// callError names what happened to a call that the browser refused because its document is no longer there.
func (f *Frame) callError(err error) error {
	var refused *protocol.Error
	if errors.As(err, &refused) {
		for _, words := range []string{"uniqueContextId not found", "Cannot find context", "context was destroyed", "navigated or closed", "Not attached to an active page", "Cannot find object with given id", "Could not find object"} {
			if strings.Contains(refused.Message, words) {
				return ErrDocumentGone
			}
		}
	}
	if errors.Is(err, cdp.ErrSessionGone) {
		if gone := f.tab.Err(); gone != nil {
			return gone
		}
		return ErrDocumentGone
	}
	return err
}

func pageError(d *runtime.ExceptionDetails) error {
	text := d.Text
	if d.Exception != nil && d.Exception.Description != "" {
		text = d.Exception.Description
	}
	return pagejs.ParseError(text)
}
