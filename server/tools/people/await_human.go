package people

import (
	"context"
	"errors"
	"strings"
	"time"

	"chaperone/assets"
	"chaperone/server/client"
	"chaperone/server/question"
	"chaperone/server/tool"
)

type awaitArgs struct {
	tool.InSession
	tool.Timed
	Kind      string   `json:"kind,omitempty" jsonschema:"acknowledge (default): until done; pick_element: they click one" enum:"acknowledge,confirm,choose,input,pick_element"`
	Prompt    string   `json:"prompt,omitempty" jsonschema:"what the person reads"`
	Choices   []string `json:"choices,omitempty" jsonschema:"for choose"`
	RequestID string   `json:"requestId,omitempty" jsonschema:"of a pending result, to fetch it; alone"`
}

// PicksUp is the earlier call that this one fetches.
func (a *awaitArgs) PicksUp() string { return a.RequestID }

// Words say what the call is aimed at.
func (a *awaitArgs) Words() string { return a.Prompt }

const (
	defaultWait   = 5 * time.Minute
	longestPrompt = 2000
	mostChoices   = 20
)

func awaitHuman(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "await_human", Title: "Ask the person",
		Does: "Asks the person at this computer and waits: for sign-ins, decisions, approvals, codes. " +
			"Returns {kind, value, timedOut}; pending:true means not yet: call again with its requestId.",
		Needs: tool.Human, Effect: tool.Changes, Limit: tool.Unlimited,
	}, func(ctx context.Context, a awaitArgs) (tool.Result, error) {
		q, err := questionOf(ctx, a)
		if err != nil {
			return tool.Result{}, err
		}
		if t, err := d.Open.Tab(a.Session); err == nil {
			q.Site = siteOf(t.URL())
			if q.Kind == question.PickElement {
				if d.Pick == nil {
					return tool.Result{}, errors.New("elements cannot be picked in this build")
				}
				q.Pick = func(ctx context.Context) (string, error) { return d.Pick(ctx, t) }
			}
		} else if q.Kind == question.PickElement {
			return tool.Result{}, err
		}
		answer, err := d.Ask.Ask(ctx, q)
		if errors.Is(err, question.ErrTimedOut) {
			return tool.Result{Value: awaited{Kind: string(q.Kind), TimedOut: true}}, nil
		}
		if err != nil {
			return tool.Result{}, err
		}
		if q.Kind == question.Input && answer.Secret && !answer.Declined {
			return d.secretAnswer(a.Session, q, answer)
		}
		return tool.Result{Value: awaitedOf(q.Kind, answer)}, nil
	})
}

func questionOf(ctx context.Context, a awaitArgs) (question.Question, error) {
	if a.Kind == "" {
		a.Kind = string(question.Acknowledge)
	}
	wrong := &tool.ArgumentError{Tool: "await_human", Valid: []string{"kind", "prompt", "choices", "timeoutMs", "requestId", "session"}}
	switch {
	case strings.TrimSpace(a.Prompt) == "":
		wrong.Problems = append(wrong.Problems, "prompt is missing: it is what the person reads (or give requestId to fetch an earlier result)")
	case len(a.Prompt) > longestPrompt:
		wrong.Problems = append(wrong.Problems, "prompt is too long for a person to read: at most 2000 bytes")
	}
	if n := len(a.Choices); a.Kind == "choose" && (n < 2 || n > mostChoices) {
		wrong.Problems = append(wrong.Problems, "choose needs from 2 to 20 choices")
	}
	if len(wrong.Problems) > 0 {
		return question.Question{}, wrong
	}
	c, _ := client.From(ctx)
	q := question.Question{
		Kind: question.Kind(a.Kind), Ask: assets.Say("server.ask." + a.Kind), Quote: a.Prompt, Session: a.Session, Tool: "await_human", Client: c,
		Timeout: defaultWait,
	}
	if a.Kind == "choose" {
		q.Choices = a.Choices
	}
	if a.TimeoutMs > 0 {
		q.Timeout = time.Duration(a.TimeoutMs) * time.Millisecond
	}
	return q, nil
}

// awaited is what the person said.
type awaited struct {
	Kind     string `json:"kind"`
	Value    any    `json:"value"`
	TimedOut bool   `json:"timedOut"`
	Declined bool   `json:"declined,omitempty"`
	Note     string `json:"note,omitempty"`
	Repeat   bool   `json:"repeat,omitempty"`
	Hint     string `json:"hint,omitempty"`
}

func awaitedOf(kind question.Kind, a question.Answer) awaited {
	r := awaited{Kind: string(kind), Declined: a.Declined, Note: a.Note, Repeat: a.Repeat}
	if a.Repeat {
		r.Hint = "The person said no to the same a moment ago and was not asked again."
	}
	if kind == question.Confirm {
		r.Value = a.Yes && !a.Declined
		return r
	}
	if a.Declined {
		r.Hint = "The person does not want to answer this. Do not ask the same again."
		return r
	}
	switch kind {
	case question.Choose:
		r.Value = a.Choice
	case question.Input:
		r.Value = a.Text
	case question.PickElement:
		r.Value = a.Ref
	}
	return r
}
