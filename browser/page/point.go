package page

import (
	"context"

	"chaperone/browser"
)

// resolved is what the page code found out about an element that can be acted on.
type resolved struct {
	given
	Ref      int        `json:"ref"`
	Select   int        `json:"select"` // of an option: its menu
	Matched  int        `json:"matched"`
	X        float64    `json:"x"`
	Y        float64    `json:"y"`
	Box      [4]float64 `json:"box"`
	Role     string     `json:"role"`
	Name     string     `json:"name"`
	Tag      string     `json:"tag"`
	Type     string     `json:"type"`
	Editable bool       `json:"editable"`
	frame    *browser.Frame
}

// resolve finds the element of a target and waits until it can be acted on. Its point is in the main frame's viewport.
func resolve(ctx context.Context, t *browser.Tab, target Target, needs map[string]any) (*resolved, error) {
	r := &resolved{}
	f, err := onTarget(ctx, t, target, "resolve", needs, r)
	if err != nil {
		return nil, err
	}
	r.frame = f
	look, _ := needs["events"].(bool)
	p, err := toMain(ctx, f, Point{r.X, r.Y}, look)
	if err != nil {
		return nil, named(target, err)
	}
	r.X, r.Y = p.X, p.Y
	return r, nil
}

// toMain translates a point of a frame's viewport into the main frame's, frame by frame outwards. With look it checks that the
// point is really seen there.
func toMain(ctx context.Context, f *browser.Frame, p Point, look bool) (Point, error) {
	for f.Parent() != nil {
		ref, err := ownerRef(ctx, f)
		if err != nil {
			return Point{}, err
		}
		parent := f.Parent()
		var at struct{ X, Y float64 }
		if err := parent.Call(ctx, "frameAt", map[string]any{"ref": ref, "x": p.X, "y": p.Y, "look": look}, &at); err != nil {
			return Point{}, err
		}
		p, f = Point{at.X, at.Y}, parent
	}
	return p, nil
}

// ownerRef is the ref of a frame's element, which the table of refs has to know too.
func ownerRef(ctx context.Context, f *browser.Frame) (int, error) {
	n, err := f.OwnerRef(ctx)
	if err != nil {
		return 0, err
	}
	if _, known := refsOf(f.Tab()).find(n); !known {
		parent := f.Parent()
		refsOf(f.Tab()).note(parent, parent.Document(), n, n+1)
	}
	return n, nil
}
