package page

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"chaperone/browser"
)

// watch is what an action changes, in the frames that it has to do with.
type watch struct {
	id   int64
	tab  *browser.Tab
	mode Mode

	mu     sync.Mutex
	frames []*browser.Frame
	docs   map[*browser.Frame]string
}

type watchKey struct{}

var watches atomic.Int64

func newWatch(t *browser.Tab, m Mode) *watch {
	return &watch{id: watches.Add(1), tab: t, mode: m, docs: map[*browser.Frame]string{}}
}

// watchOf is the watch of the action that ctx belongs to, nil outside of one.
func watchOf(ctx context.Context) *watch {
	w, _ := ctx.Value(watchKey{}).(*watch)
	return w
}

// add writes into the arguments of a page function that it is to begin the watch in its frame.
func (w *watch) add(f *browser.Frame, args map[string]any) {
	if w == nil {
		return
	}
	args["watch"], args["mode"], args["testAttributes"] = w.id, string(w.mode), w.tab.Session().TestAttrs()
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, known := w.docs[f]; !known {
		w.frames = append(w.frames, f)
		w.docs[f] = f.Document()
	}
}

// mostWatched bounds the frames in which an action without a target is watched.
const mostWatched = 8

// begin begins the watch where the action itself will not: the functions that look for a target begin it in the frames that
// they ask.
func (w *watch) begin(ctx context.Context, first *Target) error {
	main := w.tab.MainFrame()
	frames := []*browser.Frame{main}
	if first == nil || first.Point != nil {
		all := w.tab.Frames()
		frames = all[:min(len(all), mostWatched)]
	} else if list, _, err := targetArgs(context.Background(), w.tab, *first); err == nil && list[0] == main {
		return nil
	}
	for _, f := range frames {
		args := map[string]any{}
		w.add(f, args)
		err := call(ctx, f, "observeStart", args, &given{})
		if err != nil && f == main && !errors.Is(err, browser.ErrDocumentGone) {
			return err
		}
	}
	return nil
}

// abandon ends the watch without asking what changed.
func (w *watch) abandon(ctx context.Context) {
	quick, cancel := context.WithTimeout(context.WithoutCancel(ctx), 500*time.Millisecond)
	defer cancel()
	for _, f := range w.frames {
		if w.tab.Err() == nil && f.Document() == w.docs[f] {
			_ = f.Call(quick, "observeEnd", map[string]any{"watch": w.id, "mode": "none", "most": 0, "next": 1}, nil)
		}
	}
}

// mostNodes is how many elements that came or went an action names.
const mostNodes = 12

type observed struct {
	given
	Changed   bool    `json:"changed"`
	Appeared  []Node  `json:"appeared"`
	Removed   []Node  `json:"removed"`
	Tree      string  `json:"tree"`
	Scope     int     `json:"scope"`
	Truncated bool    `json:"truncated"`
	Elements  []state `json:"elements"`
}

// end ends the watch: what changed in all its frames, and what has become of the action's elements. In a document that is gone
// an element is no longer attached.
func (w *watch) end(ctx context.Context, fields []filled) (*Change, []state) {
	states := make([]state, len(fields))
	for i, f := range fields {
		states[i].Ref = f.r.Ref
	}
	var trees []string
	c := &Change{}
	changed := 0
	for _, f := range w.frames {
		if f.Document() != w.docs[f] {
			continue
		}
		var asked []map[string]any
		var places []int
		for i, field := range fields {
			if field.r.frame == f {
				one := map[string]any{"ref": field.r.Ref}
				if field.value != nil {
					one["requested"] = *field.value
				}
				asked, places = append(asked, one), append(places, i)
			}
		}
		o := &observed{}
		args := map[string]any{"watch": w.id, "mode": string(w.mode), "maxBytes": changeBytes, "most": mostNodes, "testAttributes": w.tab.Session().TestAttrs(), "fields": asked}
		if call(ctx, f, "observeEnd", args, o) != nil {
			continue
		}
		for i, place := range places {
			if i < len(o.Elements) {
				states[place] = o.Elements[i]
			}
		}
		if !o.Changed {
			continue
		}
		changed++
		c.Appeared, c.Removed = append(c.Appeared, o.Appeared...), append(c.Removed, o.Removed...)
		c.Truncated = c.Truncated || o.Truncated
		if o.Tree != "" {
			trees = append(trees, o.Tree)
		}
		c.Scope = ""
		if o.Scope > 0 && changed == 1 {
			c.Scope = fmt.Sprintf("e%d", o.Scope)
		}
	}
	if changed == 0 {
		return nil, states
	}
	c.Tree = strings.Join(trees, "\n")
	return c, states
}
