package check

import (
	"context"
	"encoding/json"
	"regexp"

	"chaperone/browser/page"
	"chaperone/server/tool"
	"chaperone/server/tools/acted"
)

type extractArgs struct {
	tool.InSession
	tool.Timed
	Schema   json.RawMessage `json:"schema" jsonschema:"JSON Schema: type, properties, items, required, enum; x-browx-source {selector, attr, prop, collection} says where a value stands, inside of what holds it" type:"object"`
	Ref      string          `json:"ref,omitempty" jsonschema:"only inside this ref"`
	Scope    string          `json:"scope,omitempty" jsonschema:"only inside this ref, or what a selector names"`
	MaxItems int             `json:"maxItems,omitempty" jsonschema:"of each array, default 200" min:"1" max:"5000"`
	Skip     int             `json:"skip,omitempty" jsonschema:"items to pass over in an array at the root" min:"0"`
}

// Words say what the call is aimed at.
func (a *extractArgs) Words() string {
	if a.Ref != "" {
		return a.Ref
	}
	return a.Scope
}

var refForm = regexp.MustCompile(`^e[0-9]+$`)

func extract(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "extract", Title: "Take data out of the page",
		Does: "Reads data in the shape of a JSON Schema. Each value is the text, attribute or property that its x-browx-source names; arrays take one item per match. " +
			"Nothing is guessed: what is missing or ambiguous is listed in misses and left out." + untrusted,
		Needs: tool.Read, Effect: tool.Reads, Pages: true, Site: true,
	}, func(ctx context.Context, a extractArgs) (tool.Result, error) {
		valid := []string{"schema (required)", "ref", "scope", "maxItems", "skip", "timeoutMs", "session"}
		if a.Ref != "" && a.Scope != "" {
			return tool.Result{}, &tool.ArgumentError{Tool: "extract", Problems: []string{"give either ref or scope"}, Valid: valid}
		}
		s, problems := readSchema(a.Schema)
		if len(problems) > 0 {
			return tool.Result{}, &tool.ArgumentError{Tool: "extract", Problems: problems, Valid: valid}
		}
		t, err := d.Open.Tab(a.Session)
		if err != nil {
			return tool.Result{}, err
		}
		var target *page.Target
		if g := (tool.Target{Ref: a.Ref}); a.Ref != "" || a.Scope != "" {
			switch {
			case a.Scope != "" && refForm.MatchString(a.Scope):
				g.Ref = a.Scope
			case a.Scope != "":
				g.Selector = a.Scope
			}
			one, err := acted.Target(t, g)
			if err != nil {
				return tool.Result{}, err
			}
			target = &one
		}
		if a.MaxItems == 0 {
			a.MaxItems = 200
		}
		found, err := page.Gather(ctx, t, target, s.plan(), a.MaxItems, a.Skip)
		if err != nil {
			return tool.Result{}, err
		}
		k := &taking{d: d, misses: []absence{}}
		data, _ := k.build(s, found, "", true)
		return tool.Result{Value: struct {
			OK        bool         `json:"ok"`
			Data      any          `json:"data"`
			Misses    []absence    `json:"misses"`
			More      int          `json:"moreMisses,omitempty"`
			Parts     []collection `json:"partial,omitempty"`
			Ambiguous []string     `json:"firstOfSeveral,omitempty"` // the selector names several elements, and this is of the first
			Hint      string       `json:"hint,omitempty"`
		}{true, data, k.misses, k.more, k.parts, k.ambiguous, partHint(k.parts)}}, nil
	})
}

func partHint(parts []collection) string {
	for _, p := range parts {
		if p.Skipped+p.Returned < p.Total {
			return "Arrays under partial are longer than what was read: maxItems reads more, skip goes on in an array at the root, scope reads a part."
		}
	}
	return ""
}
