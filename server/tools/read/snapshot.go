package read

import (
	"context"

	"chaperone/browser/page"
	"chaperone/server/tool"
)

type snapshotArgs struct {
	tool.InSession
	tool.Timed
	Scope         string   `json:"scope,omitempty" jsonschema:"only below this ref"`
	MaxNodes      int      `json:"maxNodes,omitempty" jsonschema:"more of a long page" min:"1" max:"200000"`
	After         string   `json:"after,omitempty" jsonschema:"go on behind this ref"`
	Omit          []string `json:"omit,omitempty" jsonschema:"roles to leave out, as img"`
	Frame         string   `json:"frame,omitempty" jsonschema:"only this frame: its id, or its iframe's ref"`
	IncludeShadow *bool    `json:"includeShadow,omitempty" jsonschema:"default true"`
}

func snapshot(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "snapshot", Title: "Read the page",
		Does: "Returns the page as indented text: roles, names, states, and refs (e12) to act on; frames and shadow roots included. " +
			"Refs stay while their element does. For one thing, find is shorter." + untrusted,
		Needs: tool.Read, Effect: tool.Reads, Pages: true, Site: true,
	}, func(ctx context.Context, a snapshotArgs) (tool.Result, error) {
		t, err := d.Open.Tab(a.Session)
		if err != nil {
			return tool.Result{}, err
		}
		text, err := page.Snapshot(ctx, t, page.SnapshotOptions{
			Scope: a.Scope, After: a.After, MaxNodes: a.MaxNodes, Omit: a.Omit, Frame: a.Frame, IncludeShadow: a.IncludeShadow,
		})
		return tool.Result{Text: text}, err
	})
}
