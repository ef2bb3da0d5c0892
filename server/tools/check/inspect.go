package check

import (
	"context"
	"fmt"
	"strings"

	"chaperone/browser/page"
	"chaperone/server/tool"
)

type inspectArgs struct {
	tool.InSession
	tool.Timed
	tool.Element
	Styles []string `json:"styles,omitempty" jsonschema:"CSS properties, as color or --gap; ::before and ::after for what styles put there; by default the usual ones"`
}

// mostStyles bounds what one call asks for.
const mostStyles = 100

type inspected struct {
	OK          bool                         `json:"ok"`
	Found       bool                         `json:"found"`
	Ref         string                       `json:"ref,omitempty"`
	Role        string                       `json:"role,omitempty"`
	Name        string                       `json:"name,omitempty"`
	Tag         string                       `json:"tag,omitempty"`
	Box         *box                         `json:"box,omitempty"`
	Styles      map[string]string            `json:"styles,omitempty"`
	Pseudo      map[string]map[string]string `json:"pseudo,omitempty"`
	Overflowing *overflow                    `json:"overflowing,omitempty"`
	Visible     bool                         `json:"visible"`
	ChildCount  int                          `json:"childCount"`
	Warnings    []string                     `json:"warnings,omitempty"`
}

type box struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

type overflow struct {
	X bool `json:"x"`
	Y bool `json:"y"`
}

// mostStyle is how much of one style is told: pictures may stand in them whole.
const mostStyle = 1000

func inspect(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "inspect", Title: "Inspect an element",
		Does:  "Returns an element's box in the viewport, computed styles, whether it is visible and whether its content overflows. It waits for nothing: found says whether it is there." + untrusted,
		Needs: tool.Read, Effect: tool.Reads, Pages: true, Site: true,
	}, func(ctx context.Context, a inspectArgs) (tool.Result, error) {
		if len(a.Styles) > mostStyles {
			return tool.Result{}, &tool.ArgumentError{Tool: "inspect", Problems: []string{fmt.Sprintf("styles has %d entries; give at most %d", len(a.Styles), mostStyles)}, Valid: []string{"styles", "ref", "selector", "named", "contextRef", "timeoutMs", "session"}}
		}
		t, target, err := d.on(a.Session, a.Target())
		if err != nil {
			return tool.Result{}, err
		}
		i, err := page.Inspect(ctx, t, target, a.Styles)
		if err != nil {
			return tool.Result{}, err
		}
		if !i.Found {
			return tool.Result{Value: &inspected{OK: true}}, nil
		}
		r := &inspected{OK: true, Found: true, Ref: i.Ref(), Role: i.Role, Name: i.Name, Tag: i.Tag, Styles: i.Styles, Pseudo: i.Pseudo, Overflowing: &overflow{i.Overflowing.X, i.Overflowing.Y}, Visible: i.Visible, ChildCount: i.ChildCount}
		if b := i.Box; b != nil {
			r.Box = &box{b[0], b[1], b[2], b[3]}
		}
		for k, v := range r.Styles {
			r.Styles[k] = d.short(v, mostStyle)
		}
		r.Warnings = first(i.Matched)
		if len(i.Unknown) > 0 {
			r.Warnings = append(r.Warnings, "there are no such properties: "+strings.Join(i.Unknown, ", "))
		}
		if i.Protected {
			r.Warnings = append(r.Warnings, "it is a protected field: what would tell how long its value is, is left out")
		}
		return tool.Result{Value: r}, nil
	})
}

type probeArgs struct {
	tool.InSession
	tool.Timed
	Coords tool.Point `json:"coords" jsonschema:"place in viewport"`
	Crop   bool       `json:"crop,omitempty" jsonschema:"with a picture of what is around it"`
}

// Words say what the call is aimed at.
func (a *probeArgs) Words() string { return fmt.Sprintf("(%g, %g)", a.Coords.X, a.Coords.Y) }

// cropSide is the side of the picture, in CSS pixels; mostWords how much of a text is told.
const (
	cropSide  = 240
	mostWords = 200
)

type crop struct {
	MIME   string  `json:"mimeType"`
	X      float64 `json:"x"` // of its corner in the viewport
	Y      float64 `json:"y"`
	Width  int     `json:"width"`
	Height int     `json:"height"`
	Scale  float64 `json:"scale"`
	Note   string  `json:"note,omitempty"`
}

func pointProbe(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "point_probe", Title: "What is at a point",
		Does:  "Lists the elements at a point of the viewport, the topmost first, through shadow roots and frames; what scrolls there, and what a click there is meant for. crop adds a picture." + untrusted,
		Needs: tool.Read, Effect: tool.Reads, Pages: true, Site: true,
	}, func(ctx context.Context, a probeArgs) (tool.Result, error) {
		t, err := d.Open.Tab(a.Session)
		if err != nil {
			return tool.Result{}, err
		}
		view, err := t.Viewport(ctx)
		if err != nil {
			return tool.Result{}, err
		}
		if a.Coords.X < 0 || a.Coords.Y < 0 || a.Coords.X >= view.Width || a.Coords.Y >= view.Height {
			return tool.Result{}, &page.ElementError{Code: "out-of-view", Words: fmt.Sprintf("(%g, %g) is outside the viewport, which is %g by %g", a.Coords.X, a.Coords.Y, view.Width, view.Height)}
		}
		s, err := page.Probe(ctx, t, page.Point{X: a.Coords.X, Y: a.Coords.Y})
		if err != nil {
			return tool.Result{}, err
		}
		for i := range s.Elements {
			e := &s.Elements[i]
			e.Name, e.TextContent, e.AncestorText = d.short(e.Name, mostWords), d.short(e.TextContent, mostWords), d.short(e.AncestorText, mostWords)
		}
		r := struct {
			OK       bool            `json:"ok"`
			Point    tool.Point      `json:"point"`
			Stack    []page.Probed   `json:"stack"`
			Left     int             `json:"left,omitempty"`
			Scroll   *page.ScrollBox `json:"scrollContainer"`
			Click    *page.Clickable `json:"clickableAncestor"`
			Crop     *crop           `json:"crop,omitempty"`
			Warnings []string        `json:"warnings,omitempty"`
		}{OK: true, Point: a.Coords, Stack: s.Elements, Left: s.Left, Scroll: s.Scroll, Click: s.Click}
		if s.Note != "" {
			r.Warnings = append(r.Warnings, s.Note)
		}
		result := tool.Result{}
		if a.Crop {
			o := page.ScreenshotOptions{Part: around(a.Coords, view.Width, view.Height)}
			if d.Hidden != nil {
				o.Hide = d.Hidden.Hide()
			}
			p, err := page.Screenshot(ctx, t, o)
			if err != nil {
				return tool.Result{}, err
			}
			r.Crop = &crop{p.MIME, p.X, p.Y, p.Width, p.Height, p.Scale, p.Note}
			result.Images = []tool.Image{{MIME: p.MIME, Data: p.Data}}
			if len(p.Names) > 0 {
				r.Warnings = append(r.Warnings, "texts that hold <"+strings.Join(p.Names, ">, <")+"> are covered in the picture")
			}
			if o.Hide != nil {
				r.Warnings = append(r.Warnings, "what is drawn in canvas, video and images is not looked at for secrets")
			}
		}
		result.Value = r
		return result, nil
	})
}

// around is the part of a viewport around a point.
func around(p tool.Point, width, height float64) *page.Part {
	w, h := min(cropSide, width), min(cropSide, height)
	return &page.Part{X: max(0, min(p.X-w/2, width-w)), Y: max(0, min(p.Y-h/2, height-h)), Width: w, Height: h}
}

type shadowArgs struct {
	tool.InSession
	tool.Timed
	Ref      string `json:"ref,omitempty" jsonschema:"only below this ref"`
	MaxHosts int    `json:"maxHosts,omitempty" jsonschema:"default 50" min:"1" max:"2000"`
}

// Words say what the call is aimed at.
func (a *shadowArgs) Words() string { return a.Ref }

func shadowTrees(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "shadow_trees", Title: "List shadow trees",
		Does:  "Lists the shadow roots of the page and its frames, closed ones too, with their hosts and first elements. snapshot shows what stands in them, and refs work there." + untrusted,
		Needs: tool.Read, Effect: tool.Reads, Pages: true, Site: true,
	}, func(ctx context.Context, a shadowArgs) (tool.Result, error) {
		t, err := d.Open.Tab(a.Session)
		if err != nil {
			return tool.Result{}, err
		}
		if a.MaxHosts == 0 {
			a.MaxHosts = 50
		}
		s, err := page.ShadowRoots(ctx, t, a.Ref, a.MaxHosts)
		if err != nil {
			return tool.Result{}, err
		}
		var warnings []string
		if s.Total > len(s.Trees) {
			warnings = append(warnings, fmt.Sprintf("%d more are left out; maxHosts lists more, ref those below an element", s.Total-len(s.Trees)))
		}
		return tool.Result{Value: struct {
			OK       bool              `json:"ok"`
			Trees    []page.ShadowTree `json:"trees"`
			Total    int               `json:"total"`
			Closed   bool              `json:"closedShadowAvailable"`
			Warnings []string          `json:"warnings,omitempty"`
		}{true, s.Trees, s.Total, true, warnings}}, nil
	})
}

type locatorArgs struct {
	tool.InSession
	tool.Timed
	tool.Element
}

func generateLocator(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "generate_locator", Title: "Write a Playwright locator",
		Does:  "Writes a Playwright expression for an element, by role and name, label, placeholder, text, test id or CSS, checked to name nothing else in the page as it is now." + untrusted,
		Needs: tool.Read, Effect: tool.Reads, Pages: true, Site: true,
	}, func(ctx context.Context, a locatorArgs) (tool.Result, error) {
		t, target, err := d.on(a.Session, a.Target())
		if err != nil {
			return tool.Result{}, err
		}
		if target.Ref == "" {
			f, err := page.Look(ctx, t, target, "", "")
			if err != nil {
				return tool.Result{}, err
			}
			if !f.Found {
				return tool.Result{}, &page.ElementError{Code: "not-found", Target: target, Words: fmt.Sprintf("no element matches %q", target.Selector)}
			}
			target.Ref = f.Ref()
		}
		l, err := page.LocatorFor(ctx, t, target.Ref)
		if err != nil {
			return tool.Result{}, err
		}
		return tool.Result{Value: struct {
			OK       bool     `json:"ok"`
			Ref      string   `json:"ref"`
			Locator  string   `json:"locator"`
			Kind     string   `json:"kind"`
			Others   []string `json:"alternatives,omitempty"`
			Warnings []string `json:"warnings,omitempty"`
		}{true, target.Ref, l.Expression, l.Kind, l.Others, l.Warnings}}, nil
	})
}
