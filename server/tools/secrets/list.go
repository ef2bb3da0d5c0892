package secrets

import (
	"context"
	"slices"

	"chaperone/server/tool"
	"chaperone/vault/origin"
	"chaperone/vault/registry"
	"chaperone/vault/store"
)

type listArgs struct{ tool.InSession }

// listed is a secret as an agent sees it.
type listed struct {
	Name    string   `json:"name"`
	Origins []string `json:"origins"` // null: anywhere
	Ask     string   `json:"ask"`     // how often the person is asked
	Source  string   `json:"source"`
	Account string   `json:"account,omitempty"` // of a sign-in or a one-time code
}

// kept is what the person lends to all agents and is not in the list yet.
func (d Deps) kept(have []listed) (list []listed) {
	for _, it := range d.Vault.Kept() {
		if slices.ContainsFunc(have, func(l listed) bool { return l.Name == it.Alias }) {
			continue
		}
		one := listed{Name: it.Alias, Ask: string(it.Policy), Source: "person", Account: it.Account, Origins: it.Origins}
		if it.Kind == store.Code {
			one.Source = "one-time"
		}
		if len(it.Origins) == 0 {
			one.Ask, one.Origins = string(registry.AskEachTime), nil
		}
		list = append(list, one)
	}
	return list
}

func listSecrets(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "list_secrets", Title: "List secrets",
		Does:  "Lists the secrets of this session: names, origins they may be typed on, and how often the person is asked first. Never values.",
		Needs: tool.Secrets, Effect: tool.Reads, Local: true, Extra: true,
	}, func(_ context.Context, a listArgs) (tool.Result, error) {
		list := []listed{}
		for _, e := range d.Registry.List(a.Session) {
			one := listed{Name: e.Alias, Ask: string(e.Policy), Source: string(e.Source)}
			if e.Scoped {
				one.Origins = origin.Strings(e.Origins)
			}
			list = append(list, one)
		}
		if d.Vault != nil {
			list = append(list, d.kept(list)...)
		}
		return tool.Result{Value: map[string]any{"ok": true, "secrets": list}}, nil
	})
}
