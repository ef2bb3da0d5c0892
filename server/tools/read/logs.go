package read

import (
	"context"
	"strings"

	"chaperone/browser"
	"chaperone/browser/page"
	"chaperone/server/egress"
	"chaperone/server/tool"
	"chaperone/server/tools/acted"
	"chaperone/server/tools/glob"
)

type consoleArgs struct {
	tool.InSession
	Limit int `json:"limit,omitempty" jsonschema:"how many of the newest, by default 50" min:"1" max:"500"`
}

// line is one of a console.
type line struct {
	TS   int64  `json:"ts"`
	Type string `json:"type"`
	Text string `json:"text"`
}

func lines(list []browser.ConsoleMessage) []line {
	out := make([]line, len(list))
	for i, m := range list {
		out[i] = line{m.Time.UnixMilli(), m.Type, m.Text}
	}
	return out
}

func consoleRead(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "console_read", Title: "Read the console",
		Does:  "Returns the newest lines of the page's console and its uncaught errors." + untrusted,
		Needs: tool.Read, Effect: tool.Reads, Pages: true, Site: true,
	}, func(_ context.Context, a consoleArgs) (tool.Result, error) {
		t, err := d.Open.Tab(a.Session)
		if err != nil {
			return tool.Result{}, err
		}
		if a.Limit == 0 {
			a.Limit = 50
		}
		recent, pageErrors := t.Console(a.Limit)
		errors := []string{}
		for _, m := range recent {
			if m.Type == "error" || m.Type == "assert" {
				errors = append(errors, m.Text)
			}
		}
		return tool.Result{Value: map[string]any{"ok": true, "recent": lines(recent), "errors": errors, "pageErrors": lines(pageErrors)}}, nil
	})
}

type networkArgs struct {
	tool.InSession
	Limit      int    `json:"limit,omitempty" jsonschema:"how many of the newest, by default 50" min:"1" max:"500"`
	URLPattern string `json:"urlPattern,omitempty" jsonschema:"part of the address; * stands for anything"`
	Method     string `json:"method,omitempty" jsonschema:"such as POST"`
	Status     string `json:"status,omitempty" jsonschema:"such as 404, 4xx or failed"`
}

func networkRead(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "network_read", Title: "Read the network list",
		Does:  "Lists the page's newest requests with method, address (without query), status and time, and a summary." + untrusted,
		Needs: tool.Read, Effect: tool.Reads, Pages: true, Site: true,
	}, func(ctx context.Context, a networkArgs) (tool.Result, error) {
		t, err := d.Open.Tab(a.Session)
		if err != nil {
			return tool.Result{}, err
		}
		if a.Limit == 0 {
			a.Limit = 50
		}
		summary := acted.Summary{ByType: map[string]int{}}
		matching := []acted.Request{}
		for _, q := range t.Requests(0) {
			if !a.matches(ctx, q) {
				continue
			}
			summary.Count(q, d.OffList)
			matching = append(matching, acted.RequestOf(q))
		}
		if len(matching) > a.Limit {
			matching = matching[len(matching)-a.Limit:]
		}
		return tool.Result{Value: map[string]any{"ok": true, "summary": summary, "requests": matching}}, nil
	})
}

func (a networkArgs) matches(ctx context.Context, q browser.Request) bool {
	if a.Method != "" && !strings.EqualFold(a.Method, q.Method) {
		return false
	}
	// Only what an agent gets to see of an address can be looked for.
	if a.URLPattern != "" && !glob.Part(a.URLPattern, page.Shown(ctx, egress.URLs(q.URL))) {
		return false
	}
	switch s := strings.ToLower(a.Status); {
	case s == "":
		return true
	case s == "failed":
		return q.Failed != ""
	case len(s) == 3 && strings.HasSuffix(s, "xx"):
		return q.Status/100 == int(s[0]-'0')
	default:
		return s == number(q.Status)
	}
}
