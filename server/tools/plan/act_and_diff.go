package plan

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"chaperone/browser/page"
	"chaperone/server/client"
	"chaperone/server/tool"
	"chaperone/server/tools/acted"
)

type diffArgs struct {
	tool.InSession
	Action diffedAction `json:"action" jsonschema:"what to do"`
	Scope  string       `json:"scope,omitempty" jsonschema:"compare only inside this ref, or what a selector names"`
}

type diffedAction struct {
	Tool string          `json:"tool" jsonschema:"name of the tool" enum:"click,double_click,hover,drag,fill,fill_form,press,select,choose_option,scroll,execute"`
	Args json.RawMessage `json:"args,omitempty" jsonschema:"its arguments" type:"object"`
}

// Words say what the call is aimed at.
func (a *diffArgs) Words() string { return a.Action.Tool }

var refForm = regexp.MustCompile(`^e[0-9]+$`)

// looking is how long the page may take to be compared, before and after.
const looking = 10 * time.Second

type diffed struct {
	OK       bool            `json:"ok"`
	Action   json.RawMessage `json:"action"`
	Diff     *page.Diff      `json:"diff"`
	Warnings []string        `json:"warnings,omitempty"`
	Error    string          `json:"error,omitempty"`
	Hint     string          `json:"hint,omitempty"`
}

func actAndDiff(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "act_and_diff", Title: "Act, and compare",
		Does: "Does one action and says which elements changed their classes, styles (some computed ones, and inline) and attributes, and which came and went. " +
			"Frames in other processes are compared only when scope names something in one." + untrusted,
		Needs: tool.Action, Effect: tool.Changes, Pages: true, Site: true, Limit: tool.Unlimited, Keeps: []string{"scope", "session"},
	}, func(ctx context.Context, a diffArgs) (tool.Result, error) {
		t, err := d.Open.Tab(a.Session)
		if err != nil {
			return tool.Result{}, err
		}
		args, problem := inSession(a.Action.Args, a.Session)
		if problem != "" {
			return tool.Result{}, &tool.ArgumentError{Tool: "act_and_diff", Problems: []string{problem}, Valid: []string{"action (required)", "scope", "session"}}
		}
		var scope *page.Target
		if a.Scope != "" {
			g := tool.Target{Selector: a.Scope}
			if refForm.MatchString(a.Scope) {
				g = tool.Target{Ref: a.Scope}
			}
			one, err := acted.Target(t, g)
			if err != nil {
				return tool.Result{}, err
			}
			scope = &one
		}
		before, err := within(ctx, func(ctx context.Context) (*page.Baseline, error) { return page.Stand(ctx, t, scope) })
		if err != nil {
			return tool.Result{Private: true}, err
		}
		reply := d.Call(ctx, a.Action.Tool, args)
		r := &diffed{OK: !reply.Failed, Action: reply.JSON}
		if reply.JSON == nil {
			r.Action, _ = json.Marshal(reply.Text)
		}
		result := tool.Result{Value: r, Images: reply.Images, Failed: reply.Failed, Private: true}
		if reply.Failed {
			var said struct{ Error, Hint string }
			_ = json.Unmarshal(reply.JSON, &said)
			r.Error, r.Hint = "the action did not work: "+said.Error, said.Hint
		}
		c, _ := client.From(ctx)
		if d.Shows != nil && !d.Shows(c, t.Session().ID(), t.URL()) {
			r.Warnings = append(r.Warnings, "the page is now at a site that is not on the person's list, so nothing of it is told")
			return result, nil
		}
		diff, err := within(ctx, func(ctx context.Context) (page.Diff, error) { return before.Diff(ctx), nil })
		if err != nil {
			return result, err
		}
		r.Diff = &diff
		r.Warnings = append(r.Warnings, diff.Warnings...)
		for _, what := range []string{"changed", "added", "removed"} {
			if n := diff.Left[what]; n > 0 {
				r.Warnings = append(r.Warnings, fmt.Sprintf("%d more %s elements are left out; scope names a smaller part", n, what))
			}
		}
		return result, nil
	})
}

// within gives a look at the page its time.
func within[T any](ctx context.Context, look func(context.Context) (T, error)) (T, error) {
	limited, cancel := context.WithTimeoutCause(ctx, looking, fmt.Errorf("the page was not compared within %d ms", looking.Milliseconds()))
	defer cancel()
	return look(limited)
}

// inSession has the action work on the session whose page is compared.
func inSession(raw json.RawMessage, session string) (json.RawMessage, string) {
	object := map[string]json.RawMessage{}
	if len(raw) > 0 && json.Unmarshal(raw, &object) != nil {
		return nil, "action.args is no object"
	}
	var named string
	if raw, has := object["session"]; has && string(raw) != "null" && (json.Unmarshal(raw, &named) != nil || !slices.Contains([]string{session, ""}, strings.TrimSpace(named))) {
		return nil, "action.args names another session; give session beside action"
	}
	object["session"], _ = json.Marshal(session)
	out, err := json.Marshal(object)
	if err != nil {
		return nil, "action.args cannot be read"
	}
	return out, ""
}
