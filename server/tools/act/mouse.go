package act

import (
	"context"

	"chaperone/browser/page"
	"chaperone/server/tool"
	"chaperone/server/tools/acted"
)

type clickArgs struct {
	tool.InSession
	tool.Timed
	tool.Target
	acted.Shows
	Button     string   `json:"button,omitempty" jsonschema:"default left" enum:"left,right,middle"`
	ClickCount int      `json:"clickCount,omitempty" jsonschema:"default 1" min:"1" max:"3"`
	Modifiers  []string `json:"modifiers,omitempty" jsonschema:"keys held meanwhile" enum:"Shift,Control,Alt,Meta"`
}

func click(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "click", Title: "Click an element",
		Does: "Clicks an element once it is visible, still, enabled and not covered, and waits for what that causes. " +
			"The result says what changed." + acted.Untrusted,
		Needs: tool.Action, Effect: tool.Changes, Pages: true, Site: true,
	}, func(ctx context.Context, a clickArgs) (tool.Result, error) {
		return d.clicked(ctx, a.Session, "click", a.Target, a.Shows, page.ClickOptions{Button: a.Button, Count: a.ClickCount, Modifiers: a.Modifiers})
	})
}

func (d Deps) clicked(ctx context.Context, session, kind string, g tool.Target, show acted.Shows, o page.ClickOptions) (tool.Result, error) {
	t, err := d.Open.Tab(session)
	if err != nil {
		return tool.Result{}, err
	}
	target, err := acted.Target(t, g)
	if err != nil {
		return tool.Result{}, err
	}
	return d.Do.Do(ctx, t, acted.Of(kind, g, ""), show, func(ctx context.Context) (page.Acted, error) {
		return page.Click(ctx, t, target, o)
	})
}

type doubleClickArgs struct {
	tool.InSession
	tool.Timed
	tool.Target
	acted.Shows
}

func doubleClick(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "double_click", Title: "Double-click an element", Does: "Double-clicks an element.",
		Needs: tool.Action, Effect: tool.Changes, Pages: true, Site: true,
	}, func(ctx context.Context, a doubleClickArgs) (tool.Result, error) {
		return d.clicked(ctx, a.Session, "double_click", a.Target, a.Shows, page.ClickOptions{Count: 2})
	})
}

type hoverArgs struct {
	tool.InSession
	tool.Timed
	tool.Target
	acted.Shows
}

func hover(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "hover", Title: "Hover over an element", Does: "Moves the mouse over an element and leaves it there, for menus and hints that open then.",
		Needs: tool.Action, Effect: tool.Changes, Pages: true, Site: true,
	}, func(ctx context.Context, a hoverArgs) (tool.Result, error) {
		t, err := d.Open.Tab(a.Session)
		if err != nil {
			return tool.Result{}, err
		}
		target, err := acted.Target(t, a.Target)
		if err != nil {
			return tool.Result{}, err
		}
		return d.Do.Do(ctx, t, acted.Of("hover", a.Target, ""), a.Shows, func(ctx context.Context) (page.Acted, error) {
			return page.Hover(ctx, t, target)
		})
	})
}

type dragArgs struct {
	tool.InSession
	tool.Timed
	acted.Shows
	From  tool.Target `json:"from" jsonschema:"where to press"`
	To    tool.Target `json:"to" jsonschema:"where to let go"`
	Steps int         `json:"steps,omitempty" jsonschema:"moves, default 8" min:"1" max:"100"`
}

// Words say what the call is aimed at.
func (a *dragArgs) Words() string { return a.From.String() + " → " + a.To.String() }

func drag(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "drag", Title: "Drag an element", Does: "Presses the mouse on one element or place, moves it to another, and lets go there.",
		Needs: tool.Action, Effect: tool.Changes, Pages: true, Site: true,
	}, func(ctx context.Context, a dragArgs) (tool.Result, error) {
		t, err := d.Open.Tab(a.Session)
		if err != nil {
			return tool.Result{}, err
		}
		from, err := acted.Target(t, a.From)
		if err != nil {
			return tool.Result{}, err
		}
		to, err := acted.Target(t, a.To)
		if err != nil {
			return tool.Result{}, err
		}
		return d.Do.Do(ctx, t, acted.Of("drag", a.From, a.To.String()), a.Shows, func(ctx context.Context) (page.Acted, error) {
			return page.Drag(ctx, t, from, to, a.Steps)
		})
	})
}
