package act

import (
	"context"
	"strings"

	"chaperone/browser/page"
	"chaperone/server/tool"
	"chaperone/server/tools/acted"
)

type fillArgs struct {
	tool.InSession
	tool.Timed
	tool.Element
	acted.Shows
	Value string `json:"value" jsonschema:"dates as 2031-02-03; empty clears"`
}

// Typings are what the call would put into a page.
func (a *fillArgs) Typings() []tool.Typing {
	target := a.Target()
	return []tool.Typing{{Text: a.Value, Target: &target}}
}

func fill(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "fill", Title: "Fill a field",
		Does:  "Puts a value into a field or editable text, in place of what it holds. The result says what it really holds then." + acted.Untrusted,
		Needs: tool.Action, Effect: tool.Sets, Pages: true, Site: true, Types: true,
	}, func(ctx context.Context, a fillArgs) (tool.Result, error) {
		t, err := d.Open.Tab(a.Session)
		if err != nil {
			return tool.Result{}, err
		}
		target, err := acted.Target(t, a.Target())
		if err != nil {
			return tool.Result{}, err
		}
		return d.Do.Do(ctx, t, acted.Of("fill", a.Target(), a.Value), a.Shows, func(ctx context.Context) (page.Acted, error) {
			if s, ok := d.secret(ctx, a.Session, a.Value); ok {
				return page.FillSecret(ctx, t, target, s)
			}
			return page.Fill(ctx, t, target, a.Value)
		})
	})
}

type fillFormArgs struct {
	tool.InSession
	tool.Timed
	acted.Shows
	Fields []formField `json:"fields" jsonschema:"fields and their values"`
	Submit bool        `json:"submit,omitempty" jsonschema:"press Enter in the last field"`
}

type formField struct {
	tool.Element
	Value string `json:"value" jsonschema:"what it is to hold"`
}

// Words say what the call is aimed at.
func (a *fillFormArgs) Words() string {
	names := make([]string, len(a.Fields))
	for i, f := range a.Fields {
		names[i] = f.Target().String()
	}
	return strings.Join(names, ", ")
}

// Typings are what the call would put into a page.
func (a *fillFormArgs) Typings() []tool.Typing {
	list := make([]tool.Typing, len(a.Fields))
	for i, f := range a.Fields {
		target := f.Target()
		list[i] = tool.Typing{Text: f.Value, Target: &target}
	}
	return list
}

func fillForm(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "fill_form", Title: "Fill a form",
		Does:  "Fills several fields. All are found and checked before anything is typed." + acted.Untrusted,
		Needs: tool.Action, Effect: tool.Changes, Pages: true, Site: true, Types: true,
	}, func(ctx context.Context, a fillFormArgs) (tool.Result, error) {
		if len(a.Fields) == 0 {
			return tool.Result{}, &tool.ArgumentError{Tool: "fill_form", Problems: []string{"fields is empty"}, Valid: []string{"fields (required)", "submit", "session"}}
		}
		t, err := d.Open.Tab(a.Session)
		if err != nil {
			return tool.Result{}, err
		}
		fields := make([]page.Field, len(a.Fields))
		for i, f := range a.Fields {
			if fields[i].Target, err = acted.Target(t, f.Target()); err != nil {
				return tool.Result{}, err
			}
			fields[i].Value = f.Value
			if s, ok := d.secret(ctx, a.Session, f.Value); ok {
				fields[i].Value, fields[i].Secret = "", &s
			}
		}
		return d.Do.Do(ctx, t, acted.Action{Type: "fill_form"}, a.Shows, func(ctx context.Context) (page.Acted, error) {
			return page.FillForm(ctx, t, fields, a.Submit)
		})
	})
}

type pressArgs struct {
	tool.InSession
	tool.Timed
	tool.Element `bind:"optional"`
	acted.Shows
	Key string `json:"key" jsonschema:"as Enter, Tab, ArrowDown, a, Control+A"`
}

// Typings are what the call would put into a page.
func (a *pressArgs) Typings() []tool.Typing {
	if target := a.Target(); !target.Zero() {
		return []tool.Typing{{Text: a.Key, Target: &target}}
	}
	return []tool.Typing{{Text: a.Key}}
}

func press(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "press", Title: "Press a key", Does: "Presses a key or a chord on an element, or on whatever has the focus." + acted.Untrusted,
		Needs: tool.Action, Effect: tool.Changes, Pages: true, Site: true,
	}, func(ctx context.Context, a pressArgs) (tool.Result, error) {
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
		return d.Do.Do(ctx, t, acted.Of("press", a.Target(), a.Key), a.Shows, func(ctx context.Context) (page.Acted, error) {
			if s, ok := d.secret(ctx, a.Session, a.Key); ok {
				return page.PressSecret(ctx, t, target, s)
			}
			return page.Press(ctx, t, target, a.Key)
		})
	})
}

type selectArgs struct {
	tool.InSession
	tool.Timed
	tool.Element
	acted.Shows
	Values []string `json:"values" jsonschema:"labels or values; others are unchosen"`
}

// Typings are what the call would put into a page.
func (a *selectArgs) Typings() []tool.Typing {
	list := make([]tool.Typing, len(a.Values))
	for i, v := range a.Values {
		list[i] = tool.Typing{Text: v, Never: "a menu's options are the page's own words"}
	}
	return list
}

func selectValues(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "select", Title: "Choose in a menu", Does: "Chooses options of a native menu (select). For others use choose_option." + acted.Untrusted,
		Needs: tool.Action, Effect: tool.Sets, Pages: true, Site: true,
	}, func(ctx context.Context, a selectArgs) (tool.Result, error) {
		t, err := d.Open.Tab(a.Session)
		if err != nil {
			return tool.Result{}, err
		}
		target, err := acted.Target(t, a.Target())
		if err != nil {
			return tool.Result{}, err
		}
		return d.Do.Do(ctx, t, acted.Of("select", a.Target(), strings.Join(a.Values, ", ")), a.Shows, func(ctx context.Context) (page.Acted, error) {
			return page.Select(ctx, t, target, a.Values)
		})
	})
}

type chooseArgs struct {
	tool.InSession
	tool.Timed
	tool.Element
	acted.Shows
	Option string `json:"option" jsonschema:"the option's words"`
}

// Typings are what the call would put into a page.
func (a *chooseArgs) Typings() []tool.Typing {
	return []tool.Typing{{Text: a.Option, Never: "what a list offers is the page's own words"}}
}

func chooseOption(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "choose_option", Title: "Choose an option",
		Does:  "Opens a combobox or suggestion list, waits for the option, also when it loads late, and chooses it." + acted.Untrusted,
		Needs: tool.Action, Effect: tool.Changes, Pages: true, Site: true,
	}, func(ctx context.Context, a chooseArgs) (tool.Result, error) {
		t, err := d.Open.Tab(a.Session)
		if err != nil {
			return tool.Result{}, err
		}
		target, err := acted.Target(t, a.Target())
		if err != nil {
			return tool.Result{}, err
		}
		return d.Do.Do(ctx, t, acted.Of("choose_option", a.Target(), a.Option), a.Shows, func(ctx context.Context) (page.Acted, error) {
			return page.ChooseOption(ctx, t, target, a.Option)
		})
	})
}
