package secrets

import (
	"context"

	"chaperone/server/tool"
	"chaperone/vault/origin"
)

type listArgs struct{ tool.InSession }

// listed is a secret as an agent sees it.
type listed struct {
	Name    string   `json:"name"`
	Origins []string `json:"origins"` // null: anywhere
	Ask     string   `json:"ask"`     // how often the person is asked
	Source  string   `json:"source"`
}

func listSecrets(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "list_secrets", Title: "List secrets",
		Does:  "Lists the secrets of this session: names, origins they may be typed on, and how often the person is asked first. Never values.",
		Needs: tool.Secrets, Effect: tool.Reads, Local: true,
	}, func(_ context.Context, a listArgs) (tool.Result, error) {
		list := []listed{}
		for _, e := range d.Registry.List(a.Session) {
			one := listed{Name: e.Alias, Ask: string(e.Policy), Source: string(e.Source)}
			if e.Scoped {
				one.Origins = origin.Strings(e.Origins)
			}
			list = append(list, one)
		}
		return tool.Result{Value: map[string]any{"ok": true, "secrets": list}}, nil
	})
}
