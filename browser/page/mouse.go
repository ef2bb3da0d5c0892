package page

import (
	"context"
	"fmt"
	"math"
	"strings"

	"chaperone/browser"
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
	return act(ctx, t, func(ctx context.Context, a *Acted) (*resolved, error) {
		p, r, err := reach(ctx, t, target, reachable)
		if err != nil {
			return nil, err
		}
		if r != nil && r.Tag == "option" && r.Select != 0 {
			// The list of a native menu is no part of the page: nothing in it can be clicked.
			a.Warnings = append(a.Warnings, "an option of a native menu cannot be clicked; it was selected")
			s := &state{}
			err := call(ctx, r.frame, "selectOptions", map[string]any{"ref": r.Select, "values": []string{r.Name}, "limit": 1000}, s)
			if err == nil {
				a.Element = s.element()
			}
			return r, named(target, err)
		}
		return r, t.Mouse(ctx, click(p, o.Button, max(o.Count, 1), mods)[1:]...)
	})
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
		if err := t.Mouse(ctx, browser.MouseEvent{Type: "move", X: p.X, Y: p.Y}); err != nil {
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
	if target.Point != nil {
		return *target.Point, nil, nil
	}
	r, err := resolve(ctx, t, target, needs)
	if err != nil {
		return Point{}, nil, err
	}
	return Point{r.X, r.Y}, r, nil
}

// Hover moves the mouse over an element or a place and leaves it there.
func Hover(ctx context.Context, t *browser.Tab, target Target) (Acted, error) {
	return act(ctx, t, func(ctx context.Context, _ *Acted) (*resolved, error) {
		p, r, err := pointOf(ctx, t, target, map[string]any{"events": true})
		if err != nil {
			return nil, err
		}
		return r, t.Mouse(ctx, browser.MouseEvent{Type: "move", X: p.X, Y: p.Y})
	})
}

// Drag presses the mouse on one target, moves it to another in steps, and lets it go there.
func Drag(ctx context.Context, t *browser.Tab, from, to Target, steps int) (Acted, error) {
	if steps <= 0 {
		steps = 8
	}
	return act(ctx, t, func(ctx context.Context, _ *Acted) (*resolved, error) {
		start, r, err := pointOf(ctx, t, from, map[string]any{"events": true})
		if err != nil {
			return nil, err
		}
		end, _, err := pointOf(ctx, t, to, map[string]any{})
		if err != nil {
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
		return r, t.Mouse(ctx, browser.MouseEvent{Type: "up", X: end.X, Y: end.Y})
	})
}
