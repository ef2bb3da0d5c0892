package page

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"chaperone/browser"
	"chaperone/browser/pagejs"
)

// Point is a place in the main frame's viewport, in CSS pixels.
type Point struct{ X, Y float64 }

// Target is what an action is aimed at: exactly one of Ref, Selector and Point.
type Target struct {
	Ref        string // "e12"
	Selector   string
	ContextRef string // limits Selector
	Point      *Point
}

// RefError means that a ref cannot be used.
type RefError struct {
	Ref  string
	Why  string
	Gone bool // it was one, of a page that is no longer there
}

func (e *RefError) Error() string { return fmt.Sprintf("the ref %s %s", e.Ref, e.Why) }

// Advice says what to do about it.
func (e *RefError) Advice() (hint, source string) {
	return "Take a new snapshot, or find the element again, and use the ref that it gives.", "app"
}

// refs knows in which document each number was given away.
type refs struct {
	mu     sync.Mutex
	blocks []block
}

type block struct {
	first, end int
	frame      *browser.Frame
	doc        string
}

type refsKey struct{}

func refsOf(t *browser.Tab) *refs {
	return t.Value(refsKey{}, func() any { return &refs{} }).(*refs)
}

// note keeps where the numbers from first to before end belong.
func (r *refs) note(f *browser.Frame, doc string, first, end int) {
	if end <= first {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := len(r.blocks); n > 0 && r.blocks[n-1].frame == f && r.blocks[n-1].doc == doc && r.blocks[n-1].end == first {
		r.blocks[n-1].end = end
		return
	}
	r.blocks = append(r.blocks, block{first, end, f, doc})
	if len(r.blocks) > 5000 {
		r.blocks = append([]block(nil), r.blocks[2500:]...)
	}
}

func (r *refs) find(n int) (block, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := len(r.blocks) - 1; i >= 0; i-- {
		if b := r.blocks[i]; n >= b.first && n < b.end {
			return b, true
		}
	}
	return block{}, false
}

// Number reads "e12".
func Number(ref string) (int, error) {
	n, err := strconv.Atoi(strings.TrimPrefix(ref, "e"))
	if err != nil || n < 1 || !strings.HasPrefix(ref, "e") {
		return 0, &RefError{Ref: clip(ref), Why: "is not a ref: refs look like e12"}
	}
	return n, nil
}

func clip(s string) string {
	if len(s) > 40 {
		return strings.ToValidUTF8(s[:40], "") + "…"
	}
	return s
}

// frameOf finds the frame of a ref. The element may have gone since; that its page call finds out.
func frameOf(t *browser.Tab, ref string) (*browser.Frame, int, error) {
	n, err := Number(ref)
	if err != nil {
		return nil, 0, err
	}
	b, ok := refsOf(t).find(n)
	if !ok {
		return nil, 0, &RefError{Ref: ref, Why: "was never given in this tab"}
	}
	if doc := b.frame.Document(); doc != "" && doc != b.doc {
		return nil, 0, &RefError{Ref: ref, Why: "belongs to a page that is no longer there", Gone: true}
	}
	return b.frame, n, nil
}

// refBlock is how many numbers one call may give away.
const refBlock = 50000

// call calls a page function that may give refs away. args gets the member next; out must read the member next.
func call(ctx context.Context, f *browser.Frame, fn string, args map[string]any, out interface{ next() int }) error {
	t := f.Tab()
	first, done := t.LendRefs(refBlock)
	args["next"] = first
	doc := f.Document()
	err := f.Call(ctx, fn, args, out)
	next := first
	if err == nil {
		next = max(first, out.next())
		if doc == "" {
			doc = f.Document()
		}
		refsOf(t).note(f, doc, first, next)
	}
	done(next)
	return err
}

// given is the part of an answer that says which numbers are used.
type given struct {
	Next int `json:"next"`
}

func (g given) next() int { return g.Next }

// targetArgs writes a target for page code. The frames to ask are one for a ref, and all for a selector, the main one first.
func targetArgs(ctx context.Context, t *browser.Tab, target Target) (frames []*browser.Frame, args func() map[string]any, err error) {
	if err := guardSelector(ctx, t, target.Selector); err != nil {
		return nil, nil, err
	}
	if target.Ref != "" {
		f, n, err := frameOf(t, target.Ref)
		if err != nil {
			return nil, nil, err
		}
		return []*browser.Frame{f}, func() map[string]any { return map[string]any{"ref": n} }, nil
	}
	if target.Selector == "" {
		return nil, nil, errors.New("an element is missing: give a ref or a selector")
	}
	if target.ContextRef != "" {
		f, n, err := frameOf(t, target.ContextRef)
		if err != nil {
			return nil, nil, err
		}
		return []*browser.Frame{f}, func() map[string]any { return map[string]any{"selector": target.Selector, "contextRef": n} }, nil
	}
	return t.Frames(), func() map[string]any { return map[string]any{"selector": target.Selector} }, nil
}

// onTarget calls a page function for a target. A selector is looked for in the main frame, then in the others, again and
// again until the deadline; the last look is the main frame's, whose error is told.
func onTarget(ctx context.Context, t *browser.Tab, target Target, fn string, more map[string]any, out interface{ next() int }) (*browser.Frame, error) {
	frames, args, err := targetArgs(ctx, t, target)
	if err != nil {
		return nil, err
	}
	deadline := limitOf(ctx)
	one := func(f *browser.Frame, limit time.Duration) error {
		a := args()
		for k, v := range more {
			a[k] = v
		}
		a["limit"] = max(0, limit.Milliseconds())
		watchOf(ctx).add(f, a)
		return call(ctx, f, fn, a, out)
	}
	if len(frames) == 1 {
		err := one(frames[0], time.Until(deadline))
		return frames[0], named(target, err)
	}
	for {
		var first error
		for _, f := range t.Frames() {
			err := one(f, 0)
			switch {
			case err == nil:
				return f, nil
			case pagejs.Is(err, pagejs.NotFound), errors.Is(err, browser.ErrDocumentGone):
				if first == nil {
					first = err
				}
				continue
			case pagejs.Is(err, pagejs.BadSelector):
				return nil, named(target, err)
			}
			// It is in this frame, and not ready yet.
			err = one(f, time.Until(deadline))
			return f, named(target, err)
		}
		if time.Now().After(deadline) {
			return nil, named(target, first)
		}
		select {
		case <-time.After(60 * time.Millisecond):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// limitOf is the moment by which page code must answer: a little before the call's own deadline, so that its reason arrives.
func limitOf(ctx context.Context) time.Time {
	deadline, ok := ctx.Deadline()
	if !ok {
		return time.Now().Add(5 * time.Second)
	}
	left := time.Until(deadline)
	return deadline.Add(-min(left/5, 400*time.Millisecond))
}

// ElementError says why an element could not be acted on, in terms of what the caller gave.
type ElementError struct {
	Code   string // of package pagejs
	Target Target
	Words  string
}

func (e *ElementError) Error() string {
	switch {
	case e.Target.Ref != "" && e.Code == pagejs.Stale:
		return e.Words
	case e.Target.Ref != "":
		return fmt.Sprintf("%s: %s", e.Target.Ref, e.Words)
	default:
		return e.Words
	}
}

// Advice says what to do about it.
func (e *ElementError) Advice() (hint, source string) {
	switch e.Code {
	case pagejs.Stale:
		return "Take a new snapshot, or find the element again, and use the ref that it gives.", "app"
	case pagejs.BadSelector:
		return `Correct the selector: CSS, role=button[name="Save"], text=Save, xpath=//…, joined with >>; or use a ref from snapshot or find.`, "unknown"
	case pagejs.NotFound:
		return "Look at the page with snapshot or find; it may have changed, or not have loaded yet (wait_for).", "app"
	case pagejs.Covered:
		return "Deal with what covers it first: close the banner or dialog, or scroll.", "app"
	case pagejs.NotVisible, pagejs.OutOfView:
		return "Make it visible first: open the menu, tab or section that holds it, or scroll.", "app"
	case pagejs.NotStable:
		return "It keeps moving; wait_for what the page is doing, then try again, perhaps with a longer timeoutMs.", "app"
	case pagejs.NotEnabled:
		return "The page has it disabled: fill in what it waits for, or wait_for it.", "app"
	case pagejs.Reverted:
		return "The page decides what this field holds: look at what it wants, or choose from what it offers.", "app"
	case pagejs.NotEditable, pagejs.BadValue, pagejs.NoOption:
		return "Use what the error names.", "unknown"
	default:
		return "Look at the page again with snapshot.", "unknown"
	}
}

// named puts the caller's target into an error of the page code.
func named(target Target, err error) error {
	var e *pagejs.Error
	if errors.As(err, &e) {
		return &ElementError{Code: e.Code, Target: target, Words: e.Message}
	}
	return err
}

// Alive reports a ref that stands for no element of the page.
func Alive(ctx context.Context, t *browser.Tab, ref string) error {
	f, n, err := frameOf(t, ref)
	if err != nil {
		return err
	}
	return named(Target{Ref: ref}, f.Call(ctx, "alive", map[string]any{"ref": n}, nil))
}

// Home is the frame that holds the element of a ref, and its document.
func Home(t *browser.Tab, ref string) (f *browser.Frame, document string, err error) {
	f, _, err = frameOf(t, ref)
	if err != nil {
		return nil, "", err
	}
	return f, f.Document(), nil
}
