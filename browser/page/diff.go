package page

import (
	"context"
	"fmt"
	"sync/atomic"

	"chaperone/browser"
)

// Changed is an element whose class, style or attributes differ.
type Changed struct {
	Ref        string            `json:"ref"`
	Path       string            `json:"path"`
	Tag        string            `json:"tag"`
	TestID     *string           `json:"testId"`
	ClassDelta *ClassDelta       `json:"classDelta,omitempty"`
	StyleDelta map[string]FromTo `json:"styleDelta,omitempty"` // computed; under inline that of the attribute style
	AttrDelta  map[string]FromTo `json:"attrDelta,omitempty"`
}

// ClassDelta is how the classes of an element changed.
type ClassDelta struct {
	Added   []string `json:"added"`
	Removed []string `json:"removed"`
}

// FromTo is a value before and after; null where there was none.
type FromTo struct {
	Before *string `json:"before"`
	After  *string `json:"after"`
}

// AddedOrRemoved is an element that came or went, with what stands in it.
type AddedOrRemoved struct {
	Ref      string  `json:"ref,omitempty"`
	Path     string  `json:"path"`
	Tag      string  `json:"tag"`
	TestID   *string `json:"testId"`
	Role     string  `json:"role,omitempty"`
	Text     string  `json:"text,omitempty"`
	Elements int     `json:"elements,omitempty"` // how many it is, with those in it
}

// Diff is how the elements of a part of the page differ.
type Diff struct {
	Changed  []Changed        `json:"changed"`
	Added    []AddedOrRemoved `json:"added"`
	Removed  []AddedOrRemoved `json:"removed"`
	Left     map[string]int   `json:"left,omitempty"` // how many more there are
	Warnings []string         `json:"-"`
}

// Baseline is how the elements of a part of the page stood.
type Baseline struct {
	id     int64
	tab    *browser.Tab
	frames []sampled
	out    int // frames in other processes that are not compared
}

var baselines atomic.Int64

// mostDiffed bounds the frames that are compared, and mostChanged what is told of each kind of change in one.
const (
	mostDiffed  = 8
	mostChanged = 80
)

// Stand notes how the elements of a part of the page stand; without a target those of the page and its frames in the same process.
func Stand(ctx context.Context, t *browser.Tab, scope *Target) (*Baseline, error) {
	b := &Baseline{id: baselines.Add(1), tab: t}
	if scope != nil {
		frames, args, err := targetArgs(ctx, t, *scope)
		if err != nil {
			return nil, err
		}
		var first error
		for _, f := range frames {
			a := args()
			a["id"] = b.id
			err := call(ctx, f, "diffStart", a, &given{})
			if err == nil {
				b.frames = []sampled{{frame: f, doc: f.Document()}}
				return b, nil
			}
			if first == nil {
				first = named(*scope, err)
			}
		}
		return nil, first
	}
	for i, f := range t.Frames() {
		if f.Session() != t.MainFrame().Session() || len(b.frames) >= mostDiffed {
			b.out++
			continue
		}
		if err := call(ctx, f, "diffStart", map[string]any{"id": b.id}, &given{}); err != nil {
			if i == 0 {
				return nil, err
			}
			b.out++
			continue
		}
		b.frames = append(b.frames, sampled{frame: f, doc: f.Document()})
	}
	return b, nil
}

// Diff compares with how the elements stand now.
func (b *Baseline) Diff(ctx context.Context) Diff {
	d := Diff{Changed: []Changed{}, Added: []AddedOrRemoved{}, Removed: []AddedOrRemoved{}}
	gone := 0
	for _, w := range b.frames {
		var out struct {
			given
			Diff
			Known bool `json:"known"`
			More  bool `json:"more"`
		}
		if b.tab.Err() != nil || w.frame.Document() != w.doc ||
			call(ctx, w.frame, "diffEnd", map[string]any{"id": b.id, "most": mostChanged, "testAttributes": b.tab.Session().TestAttrs()}, &out) != nil || !out.Known {
			gone++
			continue
		}
		d.Changed, d.Added, d.Removed = append(d.Changed, out.Changed...), append(d.Added, out.Added...), append(d.Removed, out.Removed...)
		for k, n := range out.Left {
			if n > 0 {
				if d.Left == nil {
					d.Left = map[string]int{}
				}
				d.Left[k] += n
			}
		}
		if out.More {
			d.Warnings = append(d.Warnings, "the part is larger than what is compared; scope names a smaller one")
		}
	}
	if gone > 0 {
		d.Warnings = append(d.Warnings, "the page or a frame of it was left by the action, so its elements are not compared")
	}
	if b.out > 0 {
		d.Warnings = append(d.Warnings, fmt.Sprintf("%d frames in other processes, or beyond the first %d, are not compared; scope with a ref in one compares that frame", b.out, mostDiffed))
	}
	return d
}
