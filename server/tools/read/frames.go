package read

import (
	"context"
	"strconv"

	"chaperone/server/tool"
)

func number(n int) string { return strconv.Itoa(n) }

type framesArgs struct {
	tool.InSession
}

// frame is a frame of the page.
type frame struct {
	ID           string `json:"id"`
	Parent       string `json:"parent,omitempty"`
	URL          string `json:"url"`
	Name         string `json:"name,omitempty"`
	Origin       string `json:"origin"`
	OutOfProcess bool   `json:"outOfProcess,omitempty"`
}

func framesList(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "frames_list", Title: "List frames",
		Does:  "Lists the frames of the page. snapshot shows their contents in place; their refs work like others." + untrusted,
		Needs: tool.Read, Effect: tool.Reads, Pages: true, Site: true,
	}, func(_ context.Context, a framesArgs) (tool.Result, error) {
		t, err := d.Open.Tab(a.Session)
		if err != nil {
			return tool.Result{}, err
		}
		list := []frame{}
		for _, f := range t.Frames() {
			one := frame{ID: f.ID(), URL: f.URL(), Name: f.Name(), Origin: f.Origin(), OutOfProcess: f.OutOfProcess()}
			if p := f.Parent(); p != nil {
				one.Parent = p.ID()
			}
			list = append(list, one)
		}
		return tool.Result{Value: map[string]any{"ok": true, "frames": list}}, nil
	})
}
