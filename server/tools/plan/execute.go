package plan

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"chaperone/browser"
	"chaperone/browser/page"
	"chaperone/server/tool"
	"chaperone/server/tools/acted"
)

type executeArgs struct {
	tool.InSession
	tool.Timed
	acted.Shows
	Descriptor json.RawMessage `json:"descriptor" jsonschema:"as plan returned it, unchanged" type:"object"`
}

// Words say what the call is aimed at.
func (a *executeArgs) Words() string {
	var said struct{ Verb, Ref string }
	_ = json.Unmarshal(a.Descriptor, &said)
	return said.Verb + " " + said.Ref
}

// The reasons for which a plan is not executed.
const (
	expired = "expired"
	refGone = "ref-gone"
	invalid = "invalid"
)

// refused is the result of a plan that is not executed.
type refused struct {
	OK     bool   `json:"ok"`
	Reason string `json:"reason"`
	Error  string `json:"error"`
	Hint   string `json:"hint"`
}

func refuse(reason, format string, args ...any) tool.Result {
	hint := "Nothing was done. Plan it again: call plan, and pass on what it returns."
	return tool.Result{Failed: true, Private: true, Value: &refused{Reason: reason, Error: fmt.Sprintf(format, args...), Hint: hint}}
}

func execute(d Deps, plans *plans) tool.Tool {
	return tool.New(tool.Info{
		Name: "execute", Title: "Do what was planned",
		Does: "Does what plan prepared, and returns what the action returns. A plan that has expired (reason expired), whose element is gone (ref-gone), " +
			"or that is not as it was given, or of another tab or session (invalid), is refused." + untrusted,
		Needs: tool.Action, Effect: tool.Changes, Limit: tool.Unlimited, Keeps: []string{"timeoutMs", "mode", "maxResultTokens", "session"},
	}, func(ctx context.Context, a executeArgs) (tool.Result, error) {
		t, err := d.Open.Tab(a.Session)
		if err != nil {
			return tool.Result{}, err
		}
		k, no := plans.check(ctx, a, t)
		if no != nil {
			return *no, nil
		}
		args := map[string]any{}
		if err := json.Unmarshal([]byte(k.args), &args); err != nil {
			return tool.Result{}, err
		}
		args["ref"], args["session"] = k.ref, a.Session
		if a.TimeoutMs > 0 {
			args["timeoutMs"] = a.TimeoutMs
		}
		if a.Mode != "" {
			args["mode"] = a.Mode
		}
		if a.MaxResultTokens > 0 {
			args["maxResultTokens"] = a.MaxResultTokens
		}
		raw, err := json.Marshal(args)
		if err != nil {
			return tool.Result{}, err
		}
		reply := d.Call(ctx, k.verb, raw)
		// The action has its own line in the journal, with what may be kept of its arguments.
		return tool.Result{Value: withoutEstimate(reply.JSON), Images: reply.Images, Failed: reply.Failed, Private: true}, nil
	})
}

// check compares a descriptor with the plan that it names.
func (p *plans) check(ctx context.Context, a executeArgs, t *browser.Tab) (kept, *tool.Result) {
	no := func(reason, format string, args ...any) (kept, *tool.Result) {
		r := refuse(reason, format, args...)
		return kept{}, &r
	}
	var said struct {
		ID        *string         `json:"id"`
		Ref       *string         `json:"ref"`
		Verb      *string         `json:"verb"`
		Args      json.RawMessage `json:"args"`
		ExpiresAt *int64          `json:"expiresAt"`
	}
	if json.Unmarshal(a.Descriptor, &said) != nil || said.ID == nil || said.Ref == nil || said.Verb == nil {
		return no(invalid, "the descriptor is none that plan returns: it has id, ref, verb, args, evidence and expiresAt")
	}
	k, known := p.find(*said.ID)
	if !known || k.session != a.Session {
		return no(invalid, "there is no such plan in this session")
	}
	args := map[string]any{}
	if len(said.Args) > 0 && json.Unmarshal(said.Args, &args) != nil || normal(args) != k.args ||
		*said.Ref != k.ref || *said.Verb != k.verb || said.ExpiresAt != nil && *said.ExpiresAt != k.expires.UnixMilli() {
		return no(invalid, "the descriptor is not as plan returned it")
	}
	switch {
	case !time.Now().Before(k.expires):
		return no(expired, "the plan has expired")
	case k.tab.Err() != nil:
		return no(refGone, "the tab of the plan is gone")
	case k.tab != t:
		return no(invalid, "the plan was made in tab %s, and the current one is %s", k.tab.ID(), t.ID())
	case k.frame.Document() != k.document:
		return no(refGone, "the page of %s is no longer there", k.ref)
	}
	limited, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	if err := page.Alive(limited, t, k.ref); err != nil && limited.Err() == nil {
		return no(refGone, "%s is no longer in the page", k.ref)
	}
	return k, nil
}

// withoutEstimate is a reply without its last member, which it gets anew.
func withoutEstimate(reply json.RawMessage) json.RawMessage {
	if i := bytes.LastIndex(reply, []byte(`"tokensEstimate":`)); i > 0 && !bytes.ContainsAny(reply[i+1:], "{[,") {
		return append(bytes.TrimRight(append([]byte(nil), reply[:i]...), ", \n\t"), '}')
	}
	return reply
}
