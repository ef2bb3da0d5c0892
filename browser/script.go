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

// Looked is what a script of an agent came to.
type Looked struct {
	Value     json.RawMessage // null for undefined
	Type      string          // typeof, or "null" or "array"
	True      bool            // in the sense of JavaScript
	Truncated bool            // something was left out
	Dialogs   []Dialog        // that opened meanwhile
	From, To  string          // addresses of the page before and after
}

// ThrownError is what a script threw, or why it is none.
type ThrownError struct {
	Name    string // of the error's class; empty for a thrown value that is no error
	Message string
	Stack   string
	Syntax  bool // it was not run: it is no JavaScript
}

func (e *ThrownError) Error() string {
	said := e.Message
	if e.Name != "" {
		said = e.Name + ": " + said
	}
	if e.Syntax {
		return "the script cannot be read: " + said
	}
	return "the script threw " + said
}

// Advice says what to do about it.
func (e *ThrownError) Advice() (hint, source string) {
	if e.Syntax {
		return "Give one expression, or statements, the last of which is the value; await and return may be used.", "app"
	}
	return "Look at the page with snapshot, or correct the script.", "app"
}

// UnendedError says that a script did not end in its time.
type UnendedError struct {
	After   time.Duration
	Stopped bool // it ran without a pause and was stopped; otherwise what it awaits has not come
}

func (e *UnendedError) Error() string {
	if e.Stopped {
		return fmt.Sprintf("the script did not end within %d ms and was stopped", e.After.Milliseconds())
	}
	return fmt.Sprintf("what the script awaits did not come within %d ms", e.After.Milliseconds())
}

// Advice says what to do about it.
func (e *UnendedError) Advice() (hint, source string) {
	if e.Stopped {
		return "The page works on, with whatever the script had changed. Have the script do less at once, or give it a greater timeoutMs.", "app"
	}
	return "Nobody waits for it any more; what the script began goes on. Ask with poll_eval for what is to come, or give it a greater timeoutMs.", "app"
}

// NoScriptsError says that no scripts run in a frame.
type NoScriptsError struct{ Frame string }

func (e *NoScriptsError) Error() string { return "no scripts run in frame " + e.Frame }

// Advice says what to do about it.
func (e *NoScriptsError) Advice() (hint, source string) {
	return "It may be sandboxed, or still be loading. frames_list lists the frames; without frame the page itself is meant.", "app"
}

// mainsKey is the key of a tab's own worlds of documents, by frame. They are noted under the tab's lock.
type mainsKey struct{}

// noteMain notes the world in which the scripts of a document itself run.
func (t *Tab) noteMain(sess *cdp.Session, c *runtime.ExecutionContextDescription) {
	var aux struct {
		FrameID protocolcdp.FrameID `json:"frameId"`
		Default bool                `json:"isDefault"`
	}
	if json.Unmarshal(c.AuxData, &aux) != nil || !aux.Default || aux.FrameID == "" {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	mains, _ := t.values[mainsKey{}].(map[protocolcdp.FrameID]*world)
	if mains == nil {
		mains = map[protocolcdp.FrameID]*world{}
		t.values[mainsKey{}] = mains
	}
	for id := range mains {
		if t.frames[id] == nil {
			delete(mains, id)
		}
	}
	mains[aux.FrameID] = &world{unique: c.UniqueID, id: c.ID, sess: sess}
	t.notifyLocked()
}

// main is the world of the document's own scripts. The one of a document that is gone is refused by the browser.
func (f *Frame) main(ctx context.Context) (*world, error) {
	if err := f.tab.Err(); err != nil {
		return nil, err
	}
	limit, cancel := context.WithTimeoutCause(ctx, worldLimit, &NoScriptsError{f.ID()})
	defer cancel()
	var w *world
	err := f.tab.await(limit, func() bool {
		mains, _ := f.tab.values[mainsKey{}].(map[protocolcdp.FrameID]*world)
		w = mains[f.id]
		if w != nil && w.sess != f.sess {
			w = nil // it was noted before the frame went to another process
		}
		return w != nil || f.tab.frames[f.id] != f || f.tab.crashed
	})
	if err == nil && w == nil {
		if err = f.tab.Err(); err == nil {
			err = ErrDocumentGone
		}
	}
	return w, err
}

// Eval runs an expression, or statements, of an agent's own in the document's own world, and waits for what comes of it. A script
// that does not end in the time of ctx is stopped, and the page works on.
func (f *Frame) Eval(ctx context.Context, code string) (Looked, error) {
	t := f.tab
	if t.openDialog() != nil {
		return Looked{}, ErrDialogOpen
	}
	began := time.Now()
	limit, cancel := sooner(ctx, 700*time.Millisecond)
	defer cancel()
	w, err := f.main(limit)
	if err != nil {
		return Looked{}, err
	}
	// A page that does not answer now never came to run the script: what holds it is its own.
	pulse := feel(w.sess)
	defer pulse.end()
	if err := ask(limit, w.sess); err != nil {
		if held := t.held(limit, pulse); held != nil {
			return Looked{}, held
		}
		return Looked{}, f.callError(err)
	}
	window := t.openWindow()
	done, err := f.eval(limit, w, code)
	if err != nil && limit.Err() != nil && t.Err() == nil {
		err = t.stopScript(ctx, limit, pulse, began, err)
	}
	effects := window.close()
	done.Dialogs, done.From, done.To = effects.Dialogs, effects.From, effects.To
	if effects.FileChooser != nil {
		// It is the next action's to tell.
		t.mu.Lock()
		t.lateChooser = effects.FileChooser
		t.mu.Unlock()
	}
	return done, err
}

// stopScript ends a script that did not end in its time. One that only waits for something is left alone: the termination would
// hit the page's own next script.
func (t *Tab) stopScript(ctx, limit context.Context, pulse *pulse, began time.Time, cause error) error {
	sess, quiet := pulse.sess, pulse.quiet()
	if t.openDialog() != nil {
		return ErrDialogOpen
	}
	if url := t.navigating(sess); url != "" {
		return &WaitingError{URL: url}
	}
	// The call may be over already, when its client gave up: the script is stopped all the same.
	after := context.WithoutCancel(ctx)
	answers := func(wait time.Duration) bool {
		limit, cancel := context.WithTimeout(after, wait)
		defer cancel()
		return ask(limit, sess) == nil
	}
	wait := silence
	if !quiet.IsZero() {
		wait -= time.Since(quiet)
	}
	stopped := wait <= 0 || !answers(wait)
	if stopped {
		sess.Send("Runtime.terminateExecution", nil)
		if !answers(250 * time.Millisecond) {
			return cause
		}
	}
	if !errors.Is(limit.Err(), context.DeadlineExceeded) {
		return cause
	}
	return &UnendedError{After: time.Since(began).Round(time.Millisecond), Stopped: stopped}
}

// evalReply is the protocol's answer to a script.
type evalReply struct {
	Result struct {
		Type           string          `json:"type"`
		Subtype        string          `json:"subtype"`
		Value          json.RawMessage `json:"value"`
		Unserializable string          `json:"unserializableValue"`
		ObjectID       string          `json:"objectId"`
	} `json:"result"`
	Exception *runtime.ExceptionDetails `json:"exceptionDetails"`
}

// eval finds out how the code is meant: as an expression, as the body of a function, or as statements.
func (f *Frame) eval(ctx context.Context, w *world, code string) (Looked, error) {
	const whole, body = "async () => (%s\n)", "async () => {%s\n}"
	wrong, err := f.compiles(ctx, w, fmt.Sprintf("("+whole+")", code))
	if err != nil {
		return Looked{}, err
	}
	if wrong == nil {
		return f.run(ctx, w, fmt.Sprintf("((run, look) => look(run))("+whole+", %s)", code, pagejs.Look()))
	}
	var reply evalReply
	// In a block, so that names in it neither meet nor become the page's.
	if err := f.evaluateIn(ctx, w, map[string]any{"expression": fmt.Sprintf("{%s\n}", code), "replMode": true, "awaitPromise": true, "objectGroup": "chaperone-eval"}, &reply); err != nil {
		return Looked{}, err
	}
	if d := reply.Exception; d != nil {
		if strings.Contains(describeThrown(d), "Illegal return statement") {
			if wrong, err = f.compiles(ctx, w, fmt.Sprintf("("+body+")", code)); err == nil && wrong == nil {
				return f.run(ctx, w, fmt.Sprintf("((run, look) => look(run))("+body+", %s)", code, pagejs.Look()))
			}
		}
		err := thrown(d)
		if d.Exception != nil && d.Exception.ObjectID != "" && !err.Syntax {
			return f.lookAt(ctx, w, "() => { throw value }", map[string]any{"objectId": d.Exception.ObjectID})
		}
		return Looked{}, err
	}
	argument := map[string]any{}
	switch {
	case reply.Result.ObjectID != "":
		argument["objectId"] = reply.Result.ObjectID
	case reply.Result.Unserializable != "":
		argument["unserializableValue"] = reply.Result.Unserializable
	case len(reply.Result.Value) > 0:
		argument["value"] = reply.Result.Value
	}
	return f.lookAt(ctx, w, "() => value", argument)
}

// lookAt describes a value that the browser holds.
func (f *Frame) lookAt(ctx context.Context, w *world, run string, argument map[string]any) (Looked, error) {
	defer w.sess.Send("Runtime.releaseObjectGroup", map[string]any{"objectGroup": "chaperone-eval"})
	return f.looked(ctx, w, "Runtime.callFunctionOn", map[string]any{
		"functionDeclaration": "function(value) { return (" + pagejs.Look() + ")(" + run + ") }", "arguments": []any{argument}, "uniqueContextId": w.unique,
		"awaitPromise": true, "returnByValue": true,
	})
}

// compiles returns what is wrong with code, without running it.
func (f *Frame) compiles(ctx context.Context, w *world, code string) (*runtime.ExceptionDetails, error) {
	var reply evalReply
	err := w.sess.Call(ctx, "Runtime.compileScript", map[string]any{"expression": code, "sourceURL": "", "persistScript": false}, &reply)
	if err != nil {
		return nil, f.callError(err)
	}
	return reply.Exception, nil
}

func (f *Frame) run(ctx context.Context, w *world, code string) (Looked, error) {
	return f.looked(ctx, w, "Runtime.evaluate", map[string]any{"expression": code, "uniqueContextId": w.unique, "awaitPromise": true, "returnByValue": true})
}

func (f *Frame) evaluateIn(ctx context.Context, w *world, params map[string]any, reply *evalReply) error {
	params["uniqueContextId"] = w.unique
	return f.scriptError(w.sess.Call(ctx, "Runtime.evaluate", params, reply))
}

func (f *Frame) looked(ctx context.Context, w *world, method string, params map[string]any) (Looked, error) {
	var reply evalReply
	if err := w.sess.Call(ctx, method, params, &reply); err != nil {
		return Looked{}, f.scriptError(err)
	}
	if reply.Exception != nil {
		return Looked{}, thrown(reply.Exception)
	}
	var said struct {
		Type      string          `json:"type"`
		Value     json.RawMessage `json:"value"`
		Truncated bool            `json:"truncated"`
		True      bool            `json:"true"`
		Thrown    *ThrownError    `json:"thrown"`
	}
	if err := json.Unmarshal(reply.Result.Value, &said); err != nil {
		return Looked{}, fmt.Errorf("the page's answer: %w", err)
	}
	if said.Thrown != nil {
		return Looked{}, said.Thrown
	}
	if len(said.Value) == 0 {
		said.Value = json.RawMessage("null")
	}
	return Looked{Value: said.Value, Type: said.Type, Truncated: said.Truncated, True: said.True}, nil
}

// scriptError names what became of a script that has no result.
func (f *Frame) scriptError(err error) error {
	var refused *protocol.Error
	if errors.As(err, &refused) {
		switch {
		case strings.Contains(refused.Message, "Promise was collected"):
			return &ThrownError{Message: "nothing: it awaits something that can never come"}
		case strings.Contains(refused.Message, "Object reference chain is too long"):
			return &ThrownError{Message: "nothing, but its value is nested too deeply to be shown; return a part of it"}
		}
	}
	if err == nil {
		return nil
	}
	return f.callError(err)
}

func describeThrown(d *runtime.ExceptionDetails) string {
	if d.Exception != nil && d.Exception.Description != "" {
		return d.Exception.Description
	}
	return d.Text
}

// thrown reads an exception that the browser caught.
func thrown(d *runtime.ExceptionDetails) *ThrownError {
	said := describeThrown(d)
	e := &ThrownError{Message: said}
	if d.Exception != nil && d.Exception.ClassName != "" && d.Exception.Description != "" {
		line, _, more := strings.Cut(said, "\n    at ")
		if name, message, ok := strings.Cut(line, ": "); ok && !strings.Contains(name, " ") {
			e.Name, e.Message = name, message
		} else {
			e.Message = line
		}
		if more {
			e.Stack = said
		}
		e.Syntax = e.Name == "SyntaxError" && !more
	} else if d.Exception != nil && len(d.Exception.Value) > 0 {
		e.Message = string(d.Exception.Value)
	}
	return e
}
