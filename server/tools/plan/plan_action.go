package plan

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"chaperone/browser/page"
	"chaperone/server/tool"
)

type planArgs struct {
	tool.InSession
	tool.Timed
	Query    string          `json:"query" jsonschema:"the element in words, as: save button"`
	Verb     string          `json:"verb" jsonschema:"what is to be done with it" enum:"click,fill,hover,press,select"`
	VerbArgs json.RawMessage `json:"verbArgs,omitempty" jsonschema:"fill: {value}, press: {key}, select: {values}, click: {button, clickCount, modifiers}; a value or key may be <ALIAS>" type:"object"`
	TTLMs    int             `json:"ttlMs,omitempty" jsonschema:"how long it can be executed, default 60000" min:"1" max:"3600000"`
}

// Words say what the call is aimed at.
func (a *planArgs) Words() string { return a.Verb + " " + a.Query }

// descriptor is a plan as an agent has it.
type descriptor struct {
	OK        bool           `json:"ok"`
	ID        string         `json:"id"`
	Ref       string         `json:"ref"`
	Verb      string         `json:"verb"`
	Args      map[string]any `json:"args"`
	Evidence  evidence       `json:"evidence"`
	ExpiresAt int64          `json:"expiresAt"`
}

// evidence says why this element was taken.
type evidence struct {
	Query        string        `json:"query"`
	SelectorHint string        `json:"selectorHint"`
	SelectorTier int           `json:"selectorTier"`
	Stability    string        `json:"stability"`
	Role         string        `json:"role"`
	Name         string        `json:"name"`
	TestID       *string       `json:"testId"`
	Score        float64       `json:"score"`
	Actionable   any           `json:"actionable"`
	Warnings     []string      `json:"warnings"`
	Alternatives []alternative `json:"alternatives"`
}

type alternative struct {
	Ref          string  `json:"ref"`
	Role         string  `json:"role"`
	Name         string  `json:"name"`
	SelectorHint string  `json:"selectorHint"`
	Score        float64 `json:"score"`
}

// nearly is how near the next best candidate comes before it is warned of.
const nearly = 0.05

func planAction(d Deps, plans *plans) tool.Tool {
	return tool.New(tool.Info{
		Name: "plan", Title: "Prepare an action",
		Does: "Finds the element for an action and returns a descriptor with the reasons, for execute. Nothing is done yet. " +
			"It holds for this tab and document until expiresAt (ms since 1970), and may be executed more than once." + untrusted,
		Needs: tool.Read, Effect: tool.Reads, Pages: true, Site: true, Keeps: []string{"query", "verb", "ttlMs", "timeoutMs", "session"},
	}, func(ctx context.Context, a planArgs) (tool.Result, error) {
		v := verbs[a.Verb]
		args, problem := v.check(a.Verb, a.VerbArgs)
		if problem != "" {
			return tool.Result{}, &tool.ArgumentError{Tool: "plan", Problems: []string{problem}, Valid: []string{"query (required)", "verb (required)", "verbArgs", "ttlMs", "timeoutMs", "session"}}
		}
		t, err := d.Open.Tab(a.Session)
		if err != nil {
			return tool.Result{}, err
		}
		found, err := page.Find(ctx, t, page.FindOptions{Query: a.Query, Max: 5})
		if err != nil {
			return tool.Result{}, err
		}
		if len(found.Candidates) == 0 {
			return tool.Result{}, &page.ElementError{Code: "not-found", Words: fmt.Sprintf("nothing in the page fits %q", a.Query)}
		}
		best, others, fits := v.choose(found.Candidates)
		frame, document, err := page.Home(t, best.Ref)
		if err != nil {
			return tool.Result{}, err
		}
		ttl := time.Duration(a.TTLMs) * time.Millisecond
		if ttl == 0 {
			ttl = time.Minute
		}
		k := kept{session: a.Session, tab: t, frame: frame, document: document, ref: best.Ref, verb: a.Verb, args: normal(args), expires: time.Now().Add(ttl)}
		e := evidence{
			Query: a.Query, SelectorHint: best.SelectorHint, SelectorTier: best.SelectorTier, Stability: best.Stability, Role: best.Role, Name: best.Name,
			TestID: best.TestID, Score: best.Score, Actionable: best.Actionable, Warnings: append([]string{}, found.Warnings...), Alternatives: []alternative{},
		}
		if !fits {
			e.Warnings = append(e.Warnings, fmt.Sprintf("%s is meant for %s; this is a %s", a.Verb, oneOf(v.roles), best.Role))
		}
		if word, ok := best.Actionable.(string); ok {
			e.Warnings = append(e.Warnings, "it cannot be acted on as it is now: "+word)
		}
		if i := slices.IndexFunc(others, func(c page.Candidate) bool { return best.Score-c.Score < nearly }); i >= 0 {
			e.Warnings = append(e.Warnings, fmt.Sprintf("%s fits nearly as well", others[i].Ref))
		}
		for _, c := range others {
			e.Alternatives = append(e.Alternatives, alternative{c.Ref, c.Role, c.Name, c.SelectorHint, c.Score})
		}
		return tool.Result{Value: descriptor{OK: true, ID: plans.add(k), Ref: best.Ref, Verb: a.Verb, Args: args, Evidence: e, ExpiresAt: k.expires.UnixMilli()}}, nil
	})
}

func oneOf(list []string) string {
	s := list[0]
	for i, w := range list[1:] {
		if i == len(list)-2 {
			s += " or " + w
		} else {
			s += ", " + w
		}
	}
	return s
}
