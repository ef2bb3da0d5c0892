package page

import (
	"context"
	"fmt"
	"time"

	"chaperone/browser"
	"chaperone/browser/pagejs"
)

// Acted is what an action did: to the tab, to its element, and to the page around it.
type Acted struct {
	Effects  browser.Effects
	Element  *Element
	Elements []*Element // of FillForm
	Change   *Change
	Warnings []string
	Typed    []Typed // secrets

	filled []filled
}

// Element is what is really in the page after an action, never an echo of what was asked for.
type Element struct {
	Ref            string        `json:"ref"`
	Role           string        `json:"role,omitempty"`
	Name           string        `json:"name,omitempty"`
	StillAttached  bool          `json:"stillAttached"`
	Focused        bool          `json:"focused"`
	Value          *string       `json:"value,omitempty"`
	ValueRequested *string       `json:"valueRequested,omitempty"`
	DisplayText    string        `json:"displayText,omitempty"`
	Checked        any           `json:"checked,omitempty"`
	Expanded       *bool         `json:"expanded,omitempty"`
	OwnerControl   *OwnerControl `json:"ownerControl,omitempty"`
	Container      *Container    `json:"container,omitempty"`
	Hit            *Hit          `json:"hit,omitempty"`
	Scroll         *Position     `json:"scroll,omitempty"`
}

// OwnerControl is the control whose list or menu an element is in, and what it shows.
type OwnerControl struct {
	Label   string `json:"label"`
	Before  string `json:"displayTextBefore"`
	After   string `json:"displayTextAfter"`
	Changed bool   `json:"changed"`
}

// Container is the row or item that an element stands in.
type Container struct {
	Kind    string `json:"kind"`
	RowKey  string `json:"rowKey"`
	RowText string `json:"rowText"`
	Changed bool   `json:"changed"`
}

// Hit is what the mouse was really pressed on, and what stands there afterwards.
type Hit struct {
	Before       string `json:"before"`
	After        string `json:"after"`
	FocusChanged bool   `json:"focusChanged"`
}

// Position is how far the page was scrolled by the action.
type Position struct {
	X int `json:"x"`
	Y int `json:"y"`
}

// state is an Element as the page code writes it.
type state struct {
	Element
	Ref  int    `json:"ref"`
	Kept string `json:"kept"` // "yes", "old" or "other", for a value that was asked for
}

func (s *state) element() *Element {
	e := s.Element
	e.Ref = fmt.Sprintf("e%d", s.Ref)
	return &e
}

// Node is an element that came or went.
type Node struct {
	Ref  string `json:"ref,omitempty"`
	Role string `json:"role"`
	Name string `json:"name"`
}

// Change is what became different in the page's text.
type Change struct {
	Appeared  []Node
	Removed   []Node
	Tree      string // of the part in which it happened
	Scope     string // its ref, empty for the whole page
	Truncated bool
}

// Mode says how much of the page an action shows afterwards.
type Mode string

// The modes.
const (
	ModeNone   Mode = "none"
	ModeScoped Mode = "scoped_snapshot"
	ModeFull   Mode = "full"
	ModeDiff   Mode = "tree_diff"
)

type modeKey struct{}

// WithMode has the actions under ctx show the page afterwards in that way.
func WithMode(ctx context.Context, m Mode) context.Context {
	return context.WithValue(ctx, modeKey{}, m)
}

func modeOf(ctx context.Context) Mode {
	if m, ok := ctx.Value(modeKey{}).(Mode); ok && m != "" {
		return m
	}
	return ModeScoped
}

// changeBytes is how much of the page is read after an action. It is cut to what the caller wants after it was masked.
const changeBytes = 12_000

// act runs an action: it notes what changes, does it, lets it settle, and reads what came of it. first is what the action is
// aimed at first, nil for an action without a target.
func act(ctx context.Context, t *browser.Tab, first *Target, do func(context.Context, *Acted) (*resolved, error)) (Acted, error) {
	var a Acted
	var r *resolved
	w := newWatch(t, modeOf(ctx))
	before := ""
	effects, err := t.Act(ctx, func(ctx context.Context) error {
		before = t.MainFrame().Document()
		ctx = context.WithValue(ctx, watchKey{}, w)
		if err := w.begin(ctx, first); err != nil {
			return err
		}
		var err error
		r, err = do(ctx, &a)
		return err
	})
	a.Effects = effects
	if r != nil && r.Matched > 1 {
		a.Warnings = append(a.Warnings, fmt.Sprintf("%d elements match; this is about the first visible one", r.Matched))
	}
	if err != nil || effects.TabClosed || effects.Crashed {
		w.abandon(ctx)
		return a, err
	}
	read, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
	defer cancel()
	fields := a.filled
	if r != nil && len(fields) == 0 {
		fields = []filled{{r: r}}
	}
	change, states := w.end(read, fields)
	for i, f := range fields {
		e := states[i].element()
		if !e.StillAttached {
			e.Role, e.Name = f.r.Role, f.r.Name
		}
		a.Elements = append(a.Elements, e)
		if why := f.lost(e, states[i].Kept); why != nil {
			if states[i].Kept == "old" && err == nil {
				err = why
			} else {
				a.Warnings = append(a.Warnings, why.Words)
			}
		}
	}
	if r != nil && len(a.Elements) == 1 {
		a.Element = a.Elements[0]
	}
	a.Change = change
	if main := t.MainFrame(); effects.Navigation == browser.NavFullLoad || main.Document() != before {
		a.Change = After(read, t, modeOf(ctx))
	}
	return a, err
}

// filled is a field into which an action put a value.
type filled struct {
	r     *resolved
	value *string
}

// lost says that a field does not hold what was put into it, nil when it does.
func (f filled) lost(e *Element, kept string) *ElementError {
	if kept != "old" && kept != "other" {
		return nil
	}
	now := "something else"
	if e.Value != nil && e.ValueRequested != nil {
		now = fmt.Sprintf("%q", *e.Value)
	}
	if kept == "old" {
		return &ElementError{Code: pagejs.Reverted, Words: fmt.Sprintf("the page put its old value back into %s: it reads %s", e.Ref, now)}
	}
	return &ElementError{Code: pagejs.Reverted, Words: fmt.Sprintf("the page changed what was put into %s: it reads %s", e.Ref, now)}
}

// After reads the page that is there now, as the change that a navigation made; nil in ModeNone.
func After(ctx context.Context, t *browser.Tab, m Mode) *Change {
	if m == ModeNone {
		return nil
	}
	main := t.MainFrame()
	args := map[string]any{"maxNodes": defaultMaxNodes, "maxBytes": changeBytes, "testAttributes": t.Session().TestAttrs()}
	p, err := capture(ctx, main, args)
	if err != nil {
		return nil
	}
	return &Change{Tree: graft(ctx, main, p, args, 0, newBudget(ctx, changeBytes)), Truncated: p.Stopped}
}
