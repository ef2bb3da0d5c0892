package people

import (
	"context"

	"chaperone/browser/page"
	"chaperone/server/tool"
	"chaperone/server/tools/opener"
)

type nameArgs struct {
	tool.InSession
	Name string `json:"name" jsonschema:"the name to give"`
	Ref  string `json:"ref" jsonschema:"element ref (eN) from snapshot or find"`
}

func nameRef(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "name_ref", Title: "Name an element",
		Does:  "Gives an element a name, so that later calls can say named instead of ref.",
		Needs: tool.Human, Effect: tool.Sets, Local: true, Pages: true,
	}, func(ctx context.Context, a nameArgs) (tool.Result, error) {
		t, err := d.Open.Tab(a.Session)
		if err != nil {
			return tool.Result{}, err
		}
		if err := page.Alive(ctx, t, a.Ref); err != nil {
			return tool.Result{}, err
		}
		if err := opener.NameRef(t, a.Name, a.Ref); err != nil {
			return tool.Result{}, err
		}
		return tool.Result{Value: map[string]any{"ok": true, "name": a.Name, "ref": a.Ref}}, nil
	})
}

func listNamedRefs(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "list_named_refs", Title: "List names",
		Does:  "Lists the names given with name_ref in the current tab.",
		Needs: tool.Human, Effect: tool.Reads, Local: true, Pages: true, Extra: true,
	}, func(_ context.Context, a listArgs) (tool.Result, error) {
		t, err := d.Open.Tab(a.Session)
		if err != nil {
			return tool.Result{}, err
		}
		list := opener.Named(t)
		if list == nil {
			list = []opener.NamedRef{}
		}
		return tool.Result{Value: map[string]any{"ok": true, "named": list}}, nil
	})
}
