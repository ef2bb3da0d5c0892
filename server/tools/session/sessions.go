package session

import (
	"context"
	"strings"
	"time"

	"chaperone/browser"
	"chaperone/server/client"
	"chaperone/server/tool"
)

// sessionState is a session in a list.
type sessionState struct {
	ID       string `json:"id"`
	Mode     string `json:"mode"`
	Headless bool   `json:"headless"`
	URL      string `json:"url"`
	Pages    int    `json:"pages"`
	OpenedAt string `json:"openedAt"`
	IdleMs   int64  `json:"idleMs"`
	Owner    string `json:"owner"`
	Yours    bool   `json:"yours"`
}

func stateOf(d Deps, s *browser.Session) sessionState {
	state := sessionState{
		ID: s.ID(), Mode: string(s.Mode()), Headless: s.Headless(), Pages: len(s.Tabs()), OpenedAt: s.OpenedAt().UTC().Format(time.RFC3339),
		IdleMs: time.Since(s.LastUse()).Milliseconds(), Yours: true,
	}
	state.Owner, _ = d.Gate.Owner(s.ID())
	if t, err := s.Current(); err == nil {
		state.URL = t.URL()
	}
	return state
}

type sessionArgs struct {
	tool.InSession
}

func listSessions(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "list_sessions", Title: "List browsers",
		Does:  "Lists the open browser sessions with their page, age and owner.",
		Needs: tool.Read, Effect: tool.Reads, Local: true, AnySession: true,
	}, func(ctx context.Context, _ sessionArgs) (tool.Result, error) {
		c, _ := client.From(ctx)
		list := []sessionState{}
		for _, s := range d.Open.Browser.Sessions() {
			state := stateOf(d, s)
			state.Yours = d.Gate.Owns(c, s.ID())
			if !state.Yours {
				// Where another agent is, is not this one's business.
				state.URL = ""
			}
			list = append(list, state)
		}
		return tool.Result{Value: map[string]any{"ok": true, "sessions": list}}, nil
	})
}

func closeSession(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "close_session", Title: "Close a browser",
		Does:  "Closes a browser session with all its tabs. A persistent profile stays for the next time.",
		Needs: tool.Navigation, Effect: tool.Destroys, Limit: 15 * time.Second,
	}, func(ctx context.Context, a sessionArgs) (tool.Result, error) {
		if err := d.Open.Browser.CloseSession(ctx, a.Session); err != nil {
			return tool.Result{}, err
		}
		return tool.Result{Value: map[string]any{"ok": true, "closed": []string{a.Session}}}, nil
	})
}

type closeManyArgs struct {
	tool.InSession
	Prefix string `json:"prefix,omitempty" jsonschema:"close those whose name begins so"`
	All    bool   `json:"all,omitempty" jsonschema:"close all of yours"`
	IdleMs int    `json:"idleMs,omitempty" jsonschema:"close those not used for so long" min:"0"`
}

func closeSessions(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "close_sessions", Title: "Close several browsers",
		Does:  "Closes several of your own sessions: all, those with a prefix, or those not used for a while.",
		Needs: tool.Navigation, Effect: tool.Destroys, Limit: 30 * time.Second, AnySession: true,
	}, func(ctx context.Context, a closeManyArgs) (tool.Result, error) {
		if !a.All && a.Prefix == "" && a.IdleMs == 0 {
			return tool.Result{}, &tool.ArgumentError{Tool: "close_sessions", Problems: []string{"say which: all, prefix or idleMs"}, Valid: []string{"prefix", "all", "idleMs", "session"}}
		}
		c, _ := client.From(ctx)
		closed := []string{}
		for _, s := range d.Open.Browser.Sessions() {
			idle := a.IdleMs == 0 || time.Since(s.LastUse()) >= time.Duration(a.IdleMs)*time.Millisecond
			if !d.Gate.Owns(c, s.ID()) || !strings.HasPrefix(s.ID(), a.Prefix) || !idle {
				continue
			}
			if err := d.Open.Browser.CloseSession(ctx, s.ID()); err == nil {
				closed = append(closed, s.ID())
			}
		}
		return tool.Result{Value: map[string]any{"ok": true, "closed": closed}}, nil
	})
}
