package session

import (
	"context"

	"chaperone/server/client"
	"chaperone/server/tool"
)

type toolsetsArgs struct {
	tool.InSession
	Set string `json:"set,omitempty" jsonschema:"set to switch; by default all sets are shown"`
	On  *bool  `json:"on,omitempty" jsonschema:"list the tools of the set, or no longer"`
}

func toolsets(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "toolsets", Title: "Sets of tools",
		Does:  "Shows all sets of tools, also those that are not listed, and switches listing of a set for you. A tool that is not listed can be called all the same when its capability is on.",
		Needs: tool.Read, Effect: tool.Sets, Local: true, AnySession: true,
	}, func(ctx context.Context, a toolsetsArgs) (tool.Result, error) {
		c, ok := client.From(ctx)
		if !ok {
			c = &client.Client{ID: "local"}
		}
		if a.Set != "" && a.On != nil {
			if err := d.Sets.Switch(c, a.Set, *a.On); err != nil {
				return tool.Result{}, err
			}
		}
		list := []SetState{}
		for _, s := range d.Sets.List(c) {
			if a.Set == "" || s.Name == a.Set {
				list = append(list, s)
			}
		}
		return tool.Result{Value: map[string]any{"ok": true, "sets": list}}, nil
	})
}
