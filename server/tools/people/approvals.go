package people

import (
	"context"
	"net/url"
	"time"

	"chaperone/server/client"
	"chaperone/server/gate"
	"chaperone/server/tool"
)

func siteOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

type approveArgs struct {
	tool.InSession
	Scopes     []string `json:"scopes" jsonschema:"what you ask leave for" enum:"navigate_off_allowlist,byob_action,file_download,file_upload"`
	TTLSeconds int      `json:"ttlSeconds,omitempty" jsonschema:"for how long, by default 3600" min:"1" max:"86400"`
}

func approveActions(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "approve_actions", Title: "Ask leave in advance",
		Does:  "Asks the person once for leave to do things they would otherwise be asked about each time, for a while. Only the person can grant it.",
		Needs: tool.Human, Effect: tool.Changes, Limit: tool.Unlimited, Local: true, AnySession: true,
	}, func(ctx context.Context, a approveArgs) (tool.Result, error) {
		if len(a.Scopes) == 0 {
			return tool.Result{}, &tool.ArgumentError{Tool: "approve_actions", Problems: []string{"scopes is empty"}, Valid: []string{"scopes (required)", "ttlSeconds", "session"}}
		}
		ttl := time.Hour
		if a.TTLSeconds > 0 {
			ttl = time.Duration(a.TTLSeconds) * time.Second
		}
		c, _ := client.From(ctx)
		leases, err := d.Gate.Approve(ctx, c, a.Session, a.Scopes, ttl)
		if err != nil {
			return tool.Result{}, err
		}
		return tool.Result{Value: map[string]any{"ok": true, "approvals": written(leases)}}, nil
	})
}

type listArgs struct {
	tool.InSession
}

func listApprovals(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "list_approvals", Title: "List leave given",
		Does:  "Lists what the person has given you leave for, until when, and how often you used it.",
		Needs: tool.Human, Effect: tool.Reads, Local: true, AnySession: true, Extra: true,
	}, func(ctx context.Context, _ listArgs) (tool.Result, error) {
		c, ok := client.From(ctx)
		if !ok {
			c = &client.Client{ID: "local"}
		}
		return tool.Result{Value: map[string]any{"ok": true, "approvals": written(d.Gate.Leases(c))}}, nil
	})
}

// lease is a gate.Lease as an agent sees it.
type lease struct {
	Scope       string `json:"scope"`
	GrantedAt   string `json:"grantedAt"`
	ExpiresAt   string `json:"expiresAt"`
	Uses        int    `json:"uses"`
	RemainingMs int64  `json:"remainingMs"`
}

func written(leases []gate.Lease) []lease {
	list := []lease{}
	for _, l := range leases {
		list = append(list, lease{l.Scope, l.GrantedAt.UTC().Format(time.RFC3339), l.ExpiresAt.UTC().Format(time.RFC3339), l.Uses, time.Until(l.ExpiresAt).Milliseconds()})
	}
	return list
}
