package page

import (
	"context"
	"errors"
	"fmt"
	"time"

	"chaperone/browser"
)

// Acted is what an action did: to the tab, to its element, and to the page around it.
type Acted struct {
	Effects  browser.Effects
	Element  *Element
	Elements []*Element // of FillForm
	Change   *Change
	Warnings []string
}

// Element is what is really in the page after an action, never an echo of what was asked for.
type Element struct {
	Ref            string     `json:"ref"`
	Role           string     `json:"role,omitempty"`
	Name           string     `json:"name,omitempty"`
	StillAttached  bool       `json:"stillAttached"`
	Focused        bool       `json:"focused"`
	Value          *string    `json:"value,omitempty"`
	ValueRequested *string    `json:"valueRequested,omitempty"`
	DisplayText    string     `json:"displayText,omitempty"`
	Checked        any        `json:"checked,omitempty"`
	Expanded       *bool      `json:"expanded,omitempty"`
	Container      *Container `json:"container,omitempty"`
}

// Container is the row or item that an element stands in.
type Container struct {
	Kind    string `json:"kind"`
	RowText string `json:"rowText"`
}

// state is an Element as the page code writes it.
type state struct {
	given
	Ref            int        `json:"ref"`
	StillAttached  bool       `json:"stillAttached"`
	Focused        bool       `json:"focused"`
	Value          *string    `json:"value"`
	ValueRequested *string    `json:"valueRequested"`
	DisplayText    string     `json:"displayText"`
	Checked        any        `json:"checked"`
	Expanded       *bool      `json:"expanded"`
	Container      *Container `json:"container"`
	Role           string     `json:"role"`
	Name           string     `json:"name"`
	Matched        int        `json:"matched"`
	Reverted       bool       `json:"reverted"`
}

func (s *state) element() *Element {
	return &Element{
		Ref: fmt.Sprintf("e%d", s.Ref), Role: s.Role, Name: s.Name, StillAttached: s.StillAttached, Focused: s.Focused, Value: s.Value,
		ValueRequested: s.ValueRequested, DisplayText: s.DisplayText, Checked: s.Checked, Expanded: s.Expanded, Container: s.Container,
	}
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

// mostNodes is how many elements that came or went an action names.
const mostNodes = 12

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

// act runs an action: it notes what changes, does it, lets it settle, and reads what came of it.
func act(ctx context.Context, t *browser.Tab, do func(context.Context, *Acted) (*resolved, error)) (Acted, error) {
	var a Acted
	var r *resolved
	docs := map[*browser.Frame]string{}
	observed := []*browser.Frame{t.MainFrame()}
	effects, err := t.Act(ctx, func(ctx context.Context) error {
		main := t.MainFrame()
		docs[main] = main.Document()
		if err := main.Call(ctx, "observeStart", map[string]any{}, nil); err != nil && !errors.Is(err, browser.ErrDocumentGone) {
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
		endObserving(ctx, observed)
		return a, err
	}
	read, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
	defer cancel()
	if r != nil && a.Element == nil {
		a.Element = elementAfter(read, t, r)
	}
	a.Change = changeAfter(read, t, modeOf(ctx), effects, docs[t.MainFrame()])
	return a, nil
}

func endObserving(ctx context.Context, frames []*browser.Frame) {
	quick, cancel := context.WithTimeout(context.WithoutCancel(ctx), 500*time.Millisecond)
	defer cancel()
	for _, f := range frames {
		if f.Tab().Err() == nil {
			_ = f.Call(quick, "observeEnd", map[string]any{"mode": "none", "most": 0, "next": 1}, nil)
		}
	}
}

// elementAfter reads the element of an action again. In a document that is gone it is no longer attached.
func elementAfter(ctx context.Context, t *browser.Tab, r *resolved) *Element {
	gone := &Element{Ref: fmt.Sprintf("e%d", r.Ref), Role: r.Role, Name: r.Name}
	b, ok := refsOf(t).find(r.Ref)
	if !ok || b.doc != r.frame.Document() {
		return gone
	}
	s := &state{}
	if err := r.frame.Call(ctx, "elementState", map[string]any{"ref": r.Ref, "next": r.Ref}, s); err != nil {
		return gone
	}
	e := s.element()
	e.Role, e.Name = r.Role, r.Name
	return e
}

type observed struct {
	given
	Changed   bool   `json:"changed"`
	Appeared  []Node `json:"appeared"`
	Removed   []Node `json:"removed"`
	Tree      string `json:"tree"`
	Scope     int    `json:"scope"`
	Truncated bool   `json:"truncated"`
}

// changeAfter reads what became different: the changed part of the page, or the new page.
func changeAfter(ctx context.Context, t *browser.Tab, m Mode, e browser.Effects, before string) *Change {
	main := t.MainFrame()
	if e.Navigation == browser.NavFullLoad || main.Document() != before {
		if m == ModeNone {
			return nil
		}
		p, err := capture(ctx, main, map[string]any{"maxNodes": defaultMaxNodes, "maxBytes": changeBytes, "testAttributes": t.Session().TestAttrs()})
		if err != nil {
			return nil
		}
		budget := changeBytes
		return &Change{Tree: graft(ctx, main, p, map[string]any{"maxBytes": changeBytes}, 0, &budget), Truncated: p.Stopped}
	}
	o := &observed{}
	args := map[string]any{"mode": string(m), "maxBytes": changeBytes, "most": mostNodes, "testAttributes": t.Session().TestAttrs()}
	if err := call(ctx, main, "observeEnd", args, o); err != nil || !o.Changed {
		return nil
	}
	c := &Change{Appeared: o.Appeared, Removed: o.Removed, Tree: o.Tree, Truncated: o.Truncated}
	if o.Scope > 0 {
		c.Scope = fmt.Sprintf("e%d", o.Scope)
	}
	if m == ModeDiff {
		c.Tree = diff(o)
	}
	return c
}

// diff writes what came and went as lines with + and -.
func diff(o *observed) string {
	var b []byte
	for _, n := range o.Removed {
		b = fmt.Appendf(b, "- %s %q\n", n.Role, n.Name)
	}
	for _, n := range o.Appeared {
		b = fmt.Appendf(b, "+ %s %q [ref=%s]\n", n.Role, n.Name, n.Ref)
	}
	return string(b)
}
