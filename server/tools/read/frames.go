package read

import (
	"context"
	"strconv"

	"chaperone/browser/page"
	"chaperone/server/tool"
)

func number(n int) string { return strconv.Itoa(n) }

type framesArgs struct {
	tool.InSession
}

func framesList(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "frames_list", Title: "List frames",
		Does:  "Lists the frames of the page. snapshot shows their contents in place, and their refs work like others." + untrusted,
		Needs: tool.Read, Effect: tool.Reads, Pages: true, Site: true,
	}, func(ctx context.Context, a framesArgs) (tool.Result, error) {
		t, err := d.Open.Tab(a.Session)
		if err != nil {
			return tool.Result{}, err
		}
		frames, err := page.FramesList(ctx, t)
		if err != nil {
			return tool.Result{}, err
		}
		return tool.Result{Value: map[string]any{"ok": true, "frames": frames}}, nil
	})
}
