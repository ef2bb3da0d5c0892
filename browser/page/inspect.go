package page

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	"chaperone/browser"
)

// Inspected is how an element is laid out and drawn.
type Inspected struct {
	given
	Found       bool                         `json:"found"`
	Matched     int                          `json:"matched"`
	Number      int                          `json:"ref"`
	Role        string                       `json:"role"`
	Name        string                       `json:"name"`
	Tag         string                       `json:"tag"`
	Box         *[4]float64                  `json:"box"` // nil where it would tell the length of a protected field's value
	Styles      map[string]string            `json:"styles"`
	Pseudo      map[string]map[string]string `json:"pseudo"`
	Unknown     []string                     `json:"unknown"` // names that are no properties
	Overflowing struct {
		X bool `json:"x"`
		Y bool `json:"y"`
	} `json:"overflowing"`
	Visible    bool `json:"visible"`
	Protected  bool `json:"protected"`
	ChildCount int  `json:"childCount"`
}

// Ref is the element's ref.
func (i *Inspected) Ref() string { return fmt.Sprintf("e%d", i.Number) }

// Inspect says how an element is laid out and drawn. An element that is not there is no error.
func Inspect(ctx context.Context, t *browser.Tab, target Target, styles []string) (*Inspected, error) {
	frames, args, err := targetArgs(ctx, t, target)
	if err != nil {
		return nil, err
	}
	for _, f := range frames {
		a := args()
		if len(styles) > 0 {
			a["styles"] = styles
		}
		out := &Inspected{}
		err := call(ctx, f, "inspectElement", a, out)
		if err != nil && f.Parent() != nil && passing(ctx, err) && len(frames) > 1 {
			continue
		}
		if err != nil {
			return nil, named(target, err)
		}
		if !out.Found {
			continue
		}
		// Boxes are told in the main frame's viewport.
		if out.Box != nil && f.Parent() != nil {
			place, err := placeOf(ctx, f)
			if err != nil {
				return nil, err
			}
			*out.Box = place.box(*out.Box)
		}
		return out, nil
	}
	return &Inspected{}, nil
}

// place is where a frame's viewport lies in the main frame's.
type place struct{ x, y, zoomX, zoomY float64 }

func (p place) box(b [4]float64) [4]float64 {
	return [4]float64{p.x + b[0]*p.zoomX, p.y + b[1]*p.zoomY, b[2] * p.zoomX, b[3] * p.zoomY}
}

// placeOf measures where a frame lies, from two of its points.
func placeOf(ctx context.Context, f *browser.Frame) (place, error) {
	from, err := toMain(ctx, f, Point{}, false)
	if err != nil {
		return place{}, err
	}
	to, err := toMain(ctx, f, Point{100, 100}, false)
	if err != nil {
		return place{}, err
	}
	return place{from.X, from.Y, (to.X - from.X) / 100, (to.Y - from.Y) / 100}, nil
}

// Probed is an element at a point.
type Probed struct {
	Ref           string     `json:"ref"`
	Tag           string     `json:"tag"`
	ID            string     `json:"id"`
	TestID        *string    `json:"testId"`
	Role          string     `json:"role"`
	Name          string     `json:"name"`
	Classes       []string   `json:"classes"`
	TextContent   string     `json:"textContent"`
	AncestorText  string     `json:"ancestorText"`
	PointerEvents string     `json:"pointerEvents"`
	Visibility    string     `json:"visibility"`
	ZIndex        string     `json:"zIndex"`
	Cursor        string     `json:"cursor"`
	BBox          [4]float64 `json:"bbox"` // in the main frame's viewport
	Frame         string     `json:"frame,omitempty"`
}

// ScrollBox is what scrolls at a point.
type ScrollBox struct {
	Ref          string `json:"ref"`
	Tag          string `json:"tag"`
	ScrollTop    int    `json:"scrollTop"`
	ScrollLeft   int    `json:"scrollLeft"`
	ScrollHeight int    `json:"scrollHeight"`
	ScrollWidth  int    `json:"scrollWidth"`
}

// Clickable is what a click at a point is meant for.
type Clickable struct {
	Ref      string `json:"ref"`
	Tag      string `json:"tag"`
	Role     string `json:"role"`
	Name     string `json:"name"`
	Distance int    `json:"distance"` // how many elements outwards from the topmost
}

// Stack is what lies at a point, the topmost first.
type Stack struct {
	Elements []Probed
	Left     int // elements that are not listed
	Scroll   *ScrollBox
	Click    *Clickable
	Note     string
}

// mostProbed is how many elements at a point are told of one frame.
const mostProbed = 20

// Probe says what lies at a point of the viewport: through shadow roots, and through frames.
func Probe(ctx context.Context, t *browser.Tab, at Point) (*Stack, error) {
	s := &Stack{Elements: []Probed{}}
	f := t.MainFrame()
	here := place{0, 0, 1, 1}
	for range 20 {
		var out struct {
			given
			Stack  []Probed   `json:"stack"`
			Left   int        `json:"left"`
			Scroll *ScrollBox `json:"scrollContainer"`
			Click  *Clickable `json:"clickableAncestor"`
			Inner  *struct {
				Ref                int `json:"ref"`
				X, Y, ZoomX, ZoomY float64
			} `json:"inner"`
		}
		args := map[string]any{"x": (at.X - here.x) / here.zoomX, "y": (at.Y - here.y) / here.zoomY, "most": mostProbed, "testAttributes": t.Session().TestAttrs()}
		if err := call(ctx, f, "probeAt", args, &out); err != nil {
			if f.Parent() != nil && passing(ctx, err) {
				s.Note = "the frame at this point cannot be read now"
				return s, nil
			}
			return nil, named(Target{}, err)
		}
		for i := range out.Stack {
			out.Stack[i].BBox = here.box(out.Stack[i].BBox)
			if f.Parent() != nil {
				out.Stack[i].Frame = f.ID()
			}
		}
		s.Elements, s.Left = append(out.Stack, s.Elements...), s.Left+out.Left
		if out.Scroll != nil {
			s.Scroll = out.Scroll
		}
		if out.Click != nil {
			s.Click = out.Click
		}
		if out.Inner == nil {
			return s, nil
		}
		inner, err := frameIn(ctx, t, f, out.Inner.Ref)
		if err != nil {
			var none *ElementError
			if errors.As(err, &none) || ctx.Err() == nil {
				s.Note = "the frame at this point cannot be read now"
				return s, nil
			}
			return nil, err
		}
		in := out.Inner
		here = place{here.x + in.X*here.zoomX, here.y + in.Y*here.zoomY, here.zoomX * in.ZoomX, here.zoomY * in.ZoomY}
		f = inner
	}
	s.Note = "there are more frames in one another than are looked into"
	return s, nil
}

// ShadowTree is one of them.
type ShadowTree struct {
	HostRef         string        `json:"hostRef"`
	HostTag         string        `json:"hostTag"`
	Mode            string        `json:"mode"` // "open" or "closed"
	DelegatesFocus  bool          `json:"delegatesFocus,omitempty"`
	Children        []ShadowChild `json:"children"`
	ChildCount      int           `json:"childCount"`
	DescendantCount int           `json:"descendantCount"`
}

// ShadowChild is an element right below a shadow root.
type ShadowChild struct {
	Ref  string `json:"ref"`
	Tag  string `json:"tag"`
	Role string `json:"role,omitempty"`
	Name string `json:"name,omitempty"`
}

// ShadowTrees are those of a page.
type ShadowTrees struct {
	given
	Trees []ShadowTree `json:"trees"`
	Total int          `json:"total"`
	Hosts int          `json:"hosts"`
}

// mostShadowChildren is how many elements right below a shadow root are named.
const mostShadowChildren = 12

// ShadowRoots lists the shadow trees below an element, or of the page and its frames; closed ones too.
func ShadowRoots(ctx context.Context, t *browser.Tab, ref string, most int) (ShadowTrees, error) {
	frames := t.Frames()
	args := map[string]any{"children": mostShadowChildren}
	if ref != "" {
		f, n, err := frameOf(t, ref)
		if err != nil {
			return ShadowTrees{}, err
		}
		frames, args["ref"] = []*browser.Frame{f}, n
	}
	all := ShadowTrees{Trees: []ShadowTree{}}
	for _, f := range frames {
		for round := 0; ; round++ {
			a := maps.Clone(args)
			a["most"] = max(0, most-len(all.Trees))
			out := &ShadowTrees{}
			err := call(ctx, f, "shadowTrees", a, out)
			if err != nil && f.Parent() != nil && ref == "" && passing(ctx, err) {
				break
			}
			if err != nil {
				return all, named(Target{Ref: ref}, err)
			}
			if out.Hosts > 0 && round < 4 && adoptClosedRoots(ctx, f) {
				continue
			}
			all.Trees, all.Total = append(all.Trees, out.Trees...), all.Total+out.Total
			break
		}
	}
	return all, nil
}

// Locator is what names an element for Playwright.
type Locator struct {
	Expression string
	Kind       string
	Others     []string
	Warnings   []string
}

// LocatorFor writes a Playwright expression that names the element of a ref, and nothing else in the page as it is now.
func LocatorFor(ctx context.Context, t *browser.Tab, ref string) (Locator, error) {
	f, n, err := frameOf(t, ref)
	if err != nil {
		return Locator{}, err
	}
	var out struct {
		given
		Locator  string   `json:"locator"`
		Kind     string   `json:"kind"`
		Others   []string `json:"others"`
		Warnings []string `json:"warnings"`
	}
	if err := call(ctx, f, "locatorFor", map[string]any{"ref": n, "testAttributes": t.Session().TestAttrs()}, &out); err != nil {
		return Locator{}, named(Target{Ref: ref}, err)
	}
	head := ""
	for ; f.Parent() != nil; f = f.Parent() {
		owner, err := ownerRef(ctx, f)
		if err != nil {
			return Locator{}, err
		}
		var frame struct {
			given
			CSS string `json:"css"`
		}
		if err := call(ctx, f.Parent(), "frameLocatorFor", map[string]any{"ref": owner}, &frame); err != nil {
			return Locator{}, named(Target{Ref: ref}, err)
		}
		head = ".frameLocator(" + quoted(frame.CSS) + ")" + head
	}
	l := Locator{Expression: "page" + head + "." + out.Locator, Kind: out.Kind, Warnings: out.Warnings}
	for _, o := range out.Others {
		l.Others = append(l.Others, "page"+head+"."+o)
	}
	return l, nil
}

// quoted writes a text as JavaScript does in single quotes.
func quoted(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`, "\r", `\r`).Replace(s) + "'"
}
