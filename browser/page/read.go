package page

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"chaperone/browser"
)

// FindOptions narrow a search for elements.
type FindOptions struct {
	Query       string
	Max         int // 0: 5
	ContextRef  string
	VisibleOnly *bool
	Floor       float64
	Frame       string
}

// Candidate is an element that fits a description.
type Candidate struct {
	Ref          string           `json:"ref"`
	Role         string           `json:"role"`
	Name         string           `json:"name"`
	TestID       *string          `json:"testId"`
	Stability    string           `json:"stability"`
	SelectorHint string           `json:"selectorHint"`
	SelectorTier int              `json:"selectorTier"`
	BBox         [4]int           `json:"bbox"`
	Clipped      bool             `json:"clipped"`
	Actionable   any              `json:"actionable"`
	Score        float64          `json:"score"`
	Context      CandidateContext `json:"context"`
	Scored       []string         `json:"scored,omitempty"` // what its score is by, while some of it may be hidden
}

// CandidateContext is the row or item that a candidate stands in.
type CandidateContext struct {
	Collection string `json:"collection,omitempty"`
	RowKey     string `json:"rowKey,omitempty"`
	Column     string `json:"column,omitempty"`
	RowText    string `json:"rowText,omitempty"`
}

// Found is the outcome of a search.
type Found struct {
	given
	Candidates []Candidate `json:"candidates"`
	Warnings   []string    `json:"warnings"`
}

// Find returns the elements that fit a description best, from all frames.
func Find(ctx context.Context, t *browser.Tab, o FindOptions) (Found, error) {
	if o.Max <= 0 {
		o.Max = 5
	}
	frames := t.Frames()
	args := map[string]any{"query": o.Query, "max": o.Max, "testAttributes": t.Session().TestAttrs()}
	hide := hideOf(ctx)
	if o.VisibleOnly != nil {
		args["visibleOnly"] = *o.VisibleOnly
	}
	if o.Floor > 0 {
		args["floor"] = o.Floor
	}
	if hide != nil {
		args["max"], args["floor"], args["scored"] = mostWeighed, -1, true // what holds secrets is weighed anew, by what may be shown of it
	}
	if o.Frame != "" {
		f, err := frameByID(t, o.Frame)
		if err != nil {
			return Found{}, err
		}
		frames = []*browser.Frame{f}
	}
	if o.ContextRef != "" {
		f, n, err := frameOf(t, o.ContextRef)
		if err != nil {
			return Found{}, err
		}
		frames, args["contextRef"] = []*browser.Frame{f}, n
	}
	all := Found{Candidates: []Candidate{}}
	err := eachFrame(ctx, frames, "find", args, func() *Found { return &Found{} }, func(one *Found) {
		all.Candidates = append(all.Candidates, one.Candidates...)
		all.Warnings = append(all.Warnings, one.Warnings...)
	})
	if hide != nil {
		all.weigh(hide, o)
	}
	slices.SortStableFunc(all.Candidates, func(a, b Candidate) int { return cmp.Compare(b.Score, a.Score) })
	if len(all.Candidates) > o.Max {
		all.Candidates = all.Candidates[:o.Max]
	}
	return all, err
}

// eachFrame calls a page function in several frames. A frame that goes away meanwhile is passed over; the main one is not.
func eachFrame[T interface{ next() int }](ctx context.Context, frames []*browser.Frame, fn string, args map[string]any, fresh func() T, take func(T)) error {
	for i, f := range frames {
		a := map[string]any{}
		for k, v := range args {
			a[k] = v
		}
		out := fresh()
		err := call(ctx, f, fn, a, out)
		if err != nil {
			if i > 0 && (errors.Is(err, browser.ErrDocumentGone) || ctx.Err() == nil && f.Parent() != nil) {
				continue
			}
			return named(Target{}, err)
		}
		take(out)
	}
	return nil
}

// SearchOptions narrow a search for text.
type SearchOptions struct {
	Text          string
	Exact         bool
	Scope         string
	IncludeHidden bool
	Max           int // 0: 20
}

// Match is a place where a text stands.
type Match struct {
	Ref     string `json:"ref"`
	Role    string `json:"role"`
	Text    string `json:"text"`
	Context string `json:"context"`
	BBox    [4]int `json:"bbox"`
	Clipped bool   `json:"clipped"`
	Hidden  bool   `json:"hidden,omitempty"`
}

// Matches is the outcome of a search for text.
type Matches struct {
	given
	Count   int     `json:"count"`
	Matches []Match `json:"matches"`
}

// TextSearch finds where a text stands, in all frames.
func TextSearch(ctx context.Context, t *browser.Tab, o SearchOptions) (Matches, error) {
	if o.Max <= 0 {
		o.Max = 20
	}
	args := map[string]any{"text": o.Text, "exact": o.Exact, "includeHidden": o.IncludeHidden, "max": o.Max}
	if hideOf(ctx) != nil {
		args["max"] = mostWeighed
	}
	frames := t.Frames()
	if o.Scope != "" {
		f, n, err := frameOf(t, o.Scope)
		if err != nil {
			return Matches{}, err
		}
		frames, args["scope"] = []*browser.Frame{f}, n
	}
	all := Matches{Matches: []Match{}}
	err := eachFrame(ctx, frames, "searchText", args, func() *Matches { return &Matches{} }, func(one *Matches) {
		all.Count += one.Count
		all.Matches = append(all.Matches, one.Matches...)
	})
	all.withoutSecrets(hideOf(ctx), o)
	if len(all.Matches) > o.Max {
		all.Matches = all.Matches[:o.Max]
	}
	return all, err
}
