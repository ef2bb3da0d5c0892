package page

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"chaperone/browser"
	"chaperone/browser/pagejs"
)

// ClickOptions are those of a click.
type ClickOptions struct {
	Button    string   // "left" (default), "right", "middle"
	Count     int      // 0: one
	Modifiers []string // "Shift", "Control", "Alt", "Meta"
}

var reachable = map[string]any{"events": true, "enabled": true}

// Click presses the mouse on an element or a place.
func Click(ctx context.Context, t *browser.Tab, target Target, o ClickOptions) (Acted, error) {
	mods, err := modifiers(o.Modifiers)
	if err != nil {
		return Acted{}, err
	}
	return act(ctx, t, &target, func(ctx context.Context, a *Acted) (*resolved, error) {
		p, r, err := reach(ctx, t, target, reachable)
		if err != nil {
			return nil, err
		}
		if r != nil && r.Tag == "option" && r.Select != 0 {
			// The list of a native menu is no part of the page: nothing in it can be clicked.
			a.Warnings = append(a.Warnings, "an option of a native menu cannot be clicked; it was selected")
			_, err := selectIn(ctx, t, Target{Ref: fmt.Sprintf("e%d", r.Select)}, []string{r.Name}, a)
			return r, err
		}
		return r, press(ctx, t, r, click(p, o.Button, max(o.Count, 1), mods)[1:])
	})
}

// How long a frame in another process may take to get what the browser says it has got.
const (
	moveLimit    = 80 * time.Millisecond
	releaseLimit = 500 * time.Millisecond
)

// press sends steps of the mouse that end with letting go, and waits until they have reached the frame of their target.
func press(ctx context.Context, t *browser.Tab, r *resolved, steps []browser.MouseEvent) error {
	if err := t.Mouse(ctx, steps...); err != nil {
		return err
	}
	there, err := arrived(ctx, r, true, releaseLimit)
	if err == nil && !there {
		return &ElementError{Code: pagejs.NotStable, Words: "the mouse was pressed and let go, but the frame of the element did not get it"}
	}
	return err
}

// arrived reports whether the mouse has come to an element's point, or was let go there. Only frames in other processes have to
// be asked.
func arrived(ctx context.Context, r *resolved, released bool, limit time.Duration) (bool, error) {
	w := watchOf(ctx)
	if r == nil || w == nil || !r.frame.OutOfProcess() || r.frame.Document() != w.docs[r.frame] {
		return true, nil
	}
	var out struct {
		Arrived bool `json:"arrived"`
	}
	err := r.frame.Call(ctx, "mouseArrived", map[string]any{"watch": w.id, "released": released, "limit": limit.Milliseconds()}, &out)
	if errors.Is(err, browser.ErrDocumentGone) {
		return true, nil
	}
	return out.Arrived, err
}

// moveTo moves the mouse to a resolved element. Just after a page was scrolled the browser does not know yet which frame is
// where: then the move is sent again once frames have been drawn.
func moveTo(ctx context.Context, t *browser.Tab, p Point, r *resolved) error {
	until := limitOf(ctx)
	for {
		if err := t.Mouse(ctx, browser.MouseEvent{Type: "move", X: p.X, Y: p.Y}); err != nil {
			return err
		}
		there, err := arrived(ctx, r, false, moveLimit)
		if err != nil || there {
			return err
		}
		if time.Now().After(until) {
			return &ElementError{Code: pagejs.Covered, Words: "the mouse does not reach the frame of the element: something lies over it, or it keeps moving"}
		}
		if err := t.MainFrame().Call(ctx, "tick", map[string]any{"frames": 1}, nil); err != nil && !errors.Is(err, browser.ErrDocumentGone) {
			return err
		}
	}
}

func click(p Point, button string, count int, mods browser.Modifiers) []browser.MouseEvent {
	steps := []browser.MouseEvent{{Type: "move", X: p.X, Y: p.Y, Modifiers: mods}}
	for n := 1; n <= count; n++ {
		steps = append(steps,
			browser.MouseEvent{Type: "down", X: p.X, Y: p.Y, Button: button, Clicks: n, Modifiers: mods},
			browser.MouseEvent{Type: "up", X: p.X, Y: p.Y, Button: button, Clicks: n, Modifiers: mods})
	}
	return steps
}

func modifiers(names []string) (browser.Modifiers, error) {
	var m browser.Modifiers
	for _, n := range names {
		switch strings.ToLower(n) {
		case "shift":
			m |= browser.Shift
		case "control", "ctrl":
			m |= browser.Control
		case "alt":
			m |= browser.Alt
		case "meta", "cmd", "command":
			m |= browser.Meta
		default:
			return 0, fmt.Errorf("the modifier %q is unknown; the names are Shift, Control, Alt, Meta", clip(n))
		}
	}
	return m, nil
}

// reach moves the mouse to a target, and makes sure that it is there: what opened under the mouse before may close when it
// leaves, and move everything else.
func reach(ctx context.Context, t *browser.Tab, target Target, needs map[string]any) (Point, *resolved, error) {
	p, r, err := pointOf(ctx, t, target, needs)
	for try := 0; err == nil; try++ {
		if err := moveTo(ctx, t, p, r); err != nil {
			return p, r, err
		}
		if r == nil || r.Tag == "option" || try == 3 {
			break
		}
		var q Point
		q, again, err := pointOf(ctx, t, Target{Ref: fmt.Sprintf("e%d", r.Ref)}, needs)
		if err != nil {
			return p, r, err
		}
		again.Matched = r.Matched
		still := math.Abs(q.X-p.X) < 1 && math.Abs(q.Y-p.Y) < 1
		p, r = q, again
		if still {
			break
		}
	}
	return p, r, err
}

// pointOf is where a target can be reached with the mouse.
func pointOf(ctx context.Context, t *browser.Tab, target Target, needs map[string]any) (Point, *resolved, error) {
	if p := target.Point; p != nil {
		v, err := t.Viewport(ctx)
		if err != nil {
			return Point{}, nil, err
		}
		if p.X < 0 || p.Y < 0 || p.X >= v.Width || p.Y >= v.Height {
			return Point{}, nil, &ElementError{Code: pagejs.NotVisible, Words: fmt.Sprintf("the place %.0f,%.0f is outside of what the page shows, which is %.0f wide and %.0f high: scroll there first", p.X, p.Y, v.Width, v.Height)}
		}
		return *p, nil, nil
	}
	r, err := resolve(ctx, t, target, needs)
	if err != nil {
		return Point{}, nil, err
	}
	return Point{r.X, r.Y}, r, nil
}

// Hover moves the mouse over an element or a place and leaves it there.
func Hover(ctx context.Context, t *browser.Tab, target Target) (Acted, error) {
	return act(ctx, t, &target, func(ctx context.Context, _ *Acted) (*resolved, error) {
		p, r, err := pointOf(ctx, t, target, map[string]any{"events": true})
		if err != nil {
			return nil, err
		}
		return r, moveTo(ctx, t, p, r)
	})
}

// Drag presses the mouse on one target, moves it to another in steps, and lets it go there.
func Drag(ctx context.Context, t *browser.Tab, from, to Target, steps int) (Acted, error) {
	if steps <= 0 {
		steps = 8
	}
	return act(ctx, t, &from, func(ctx context.Context, _ *Acted) (*resolved, error) {
		start, r, err := pointOf(ctx, t, from, map[string]any{"events": true})
		if err != nil {
			return nil, err
		}
		end, _, err := pointOf(ctx, t, to, map[string]any{})
		if err != nil {
			return r, err
		}
		if err := shield(ctx, t); err != nil {
			return r, err
		}
		if r != nil {
			// Finding the other end may have scrolled, and moving the mouse may move the page.
			if start, r, err = reach(ctx, t, from, map[string]any{"events": true}); err != nil {
				return nil, err
			}
			if end, _, err = pointOf(ctx, t, to, map[string]any{}); err != nil {
				return r, err
			}
		}
		if err := t.Mouse(ctx, browser.MouseEvent{Type: "down", X: start.X, Y: start.Y}); err != nil {
			return r, err
		}
		// Each step is waited for: pages tell a drag from a click by the moves that they see.
		for n := 1; n <= steps; n++ {
			f := float64(n) / float64(steps)
			if err := t.Mouse(ctx, browser.MouseEvent{Type: "move", X: start.X + (end.X-start.X)*f, Y: start.Y + (end.Y-start.Y)*f, Held: "left"}); err != nil {
				return r, err
			}
		}
		return r, press(ctx, t, r, []browser.MouseEvent{{Type: "up", X: end.X, Y: end.Y}})
	})
}
