// Package script is the set of tools with which an agent runs JavaScript of its own in pages.
package script

import (
	"context"
	"encoding/json"
	"errors"

	"chaperone/browser"
	"chaperone/server/tool"
	"chaperone/server/tools/acted"
	"chaperone/server/tools/long"
	"chaperone/server/tools/opener"
)

// Deps are what the tools of this set need.
type Deps struct {
	Open *opener.Opener
}

// Set returns the tools.
func Set(d Deps) tool.Set {
	return tool.NewSet("script", "Run JavaScript in pages.", false, evalJS(d), pollEval(d))
}

// never is why no secret goes into a script.
const never = "a script can show or send what it is given"

// answer is what a script came to.
type answer struct {
	OK         bool                `json:"ok"`
	Type       string              `json:"type,omitempty"`
	Value      json.RawMessage     `json:"value,omitempty"`
	Truncated  bool                `json:"truncated"`
	Polls      int                 `json:"polls,omitempty"`
	ElapsedMs  *int64              `json:"elapsedMs,omitempty"`
	Thrown     *thrown             `json:"thrown,omitempty"`
	Dialogs    []acted.Dialog      `json:"dialogs,omitempty"`
	Navigation *acted.Navigation   `json:"navigation,omitempty"`
	Warnings   []string            `json:"warnings,omitempty"`
	Error      string              `json:"error,omitempty"`
	Hint       string              `json:"hint,omitempty"`
	Failure    *tool.FailureSource `json:"failure,omitempty"`
}

var _ tool.Failing = (*answer)(nil)

// Fail notes why there is no value, beside what is known.
func (a *answer) Fail(f tool.Failure) {
	a.OK, a.Error, a.Hint, a.Failure = false, f.Error, f.Hint, f.Failure
}

// thrown is what a script threw.
type thrown struct {
	Name    string `json:"name,omitempty"`
	Message string `json:"message"`
	Stack   string `json:"stack,omitempty"`
}

// take notes what came of one run.
func (a *answer) take(l browser.Looked, err error) {
	a.Type, a.Value, a.Truncated, a.Thrown = l.Type, l.Value, l.Truncated, nil
	for _, d := range l.Dialogs {
		a.Dialogs = append(a.Dialogs, acted.Dialog{Type: d.Type, Message: d.Message, Default: d.Default, Accepted: d.Accepted, Text: d.Text, By: d.By})
	}
	if l.From != l.To {
		a.Navigation = &acted.Navigation{Changed: true, From: l.From, To: l.To}
	}
	var e *browser.ThrownError
	if errors.As(err, &e) {
		a.Thrown = &thrown{e.Name, e.Message, e.Stack}
	}
}

// raised is the dialog of a run that has to be told as a failure, as an error.
func raised(l browser.Looked) error {
	if d := acted.Raised(browser.Effects{Dialogs: l.Dialogs}); d != nil {
		return &acted.RaisedError{Dialog: *d}
	}
	return nil
}

// result writes an answer. A text is cut behind the mask.
func (a *answer) result() tool.Result {
	r := tool.Result{Value: a}
	var s string
	if json.Unmarshal(a.Value, &s) == nil {
		var cut bool
		r.Cuts, cut = long.Cut("value", s)
		a.Truncated = a.Truncated || cut
	}
	return r
}

func (d Deps) run(ctx context.Context, session, frame, expr string) (browser.Looked, error) {
	f, err := d.Open.Frame(ctx, session, frame)
	if err != nil {
		return browser.Looked{}, err
	}
	return f.Eval(ctx, expr)
}
