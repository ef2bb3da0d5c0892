package navigate

import (
	"context"

	"chaperone/browser/page"
	"chaperone/server/tool"
	"chaperone/server/tools/acted"
)

type scrollArgs struct {
	tool.InSession
	tool.Timed
	tool.Element `bind:"optional"`
	acted.Shows
	To string  `json:"to,omitempty" jsonschema:"an edge to scroll to" enum:"top,bottom,left,right"`
	By *offset `json:"by,omitempty" jsonschema:"how far to scroll"`
}

// offset is a distance in CSS pixels.
type offset struct {
	X float64 `json:"x,omitempty" jsonschema:"CSS pixels to the right"`
	Y float64 `json:"y,omitempty" jsonschema:"CSS pixels down"`
}

func scroll(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "scroll", Title: "Scroll",
		Does:  "Scrolls the page or an element to an edge or by a distance, or an element into view. Actions scroll by themselves." + acted.Untrusted,
		Needs: tool.Navigation, Effect: tool.Changes, Pages: true, Site: true,
	}, func(ctx context.Context, a scrollArgs) (tool.Result, error) {
		t, err := d.Open.Tab(a.Session)
		if err != nil {
			return tool.Result{}, err
		}
		var target *page.Target
		if g := a.Target(); !g.Zero() {
			one, err := acted.Target(t, g)
			if err != nil {
				return tool.Result{}, err
			}
			target = &one
		}
		if target == nil && a.To == "" && a.By == nil {
			return tool.Result{}, &tool.ArgumentError{Tool: "scroll", Problems: []string{"say where: an element, to, or by"}, Valid: []string{"ref", "selector", "named", "to", "by", "session"}}
		}
		o := page.ScrollOptions{To: a.To}
		if a.By != nil {
			o.By, o.X, o.Y = true, a.By.X, a.By.Y
		}
		var at page.Scrolled
		result, err := d.Do.Do(ctx, t, acted.Of("scroll", a.Target(), a.To), a.Shows, func(ctx context.Context) (done page.Acted, err error) {
			done, at, err = page.Scroll(ctx, t, target, o)
			return done, err
		})
		if r, ok := result.Value.(*acted.Result); ok && err == nil {
			r.Element = map[string]any{"ref": a.Ref, "scroll": map[string]any{"x": at.X, "y": at.Y, "width": at.Width, "height": at.Height, "atEnd": at.AtEnd}}
		}
		return result, err
	})
}
