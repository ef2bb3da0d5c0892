package plan

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"chaperone/browser/page"
)

// verb is what can be planned: a tool and its arguments besides the target, and the roles that it is meant for.
type verb struct {
	required, optional []string
	roles              []string // empty: any
}

var verbs = map[string]verb{
	"click":  {optional: []string{"button", "clickCount", "modifiers"}},
	"fill":   {required: []string{"value"}, roles: []string{"textbox", "searchbox", "combobox", "spinbutton", "slider"}},
	"hover":  {},
	"press":  {required: []string{"key"}},
	"select": {required: []string{"values"}, roles: []string{"combobox", "listbox"}},
}

// check returns the arguments of a verb in their normal form, or says what is wrong with them.
func (v verb) check(name string, raw json.RawMessage) (args map[string]any, problem string) {
	args = map[string]any{}
	if len(raw) > 0 && json.Unmarshal(raw, &args) != nil {
		return nil, "verbArgs is no object"
	}
	valid := append(slices.Clone(v.required), v.optional...)
	for _, key := range slices.Sorted(maps.Keys(args)) {
		if args[key] == nil {
			delete(args, key)
			continue
		}
		if !slices.Contains(valid, key) {
			if len(valid) == 0 {
				return nil, fmt.Sprintf("%s takes no verbArgs", name)
			}
			return nil, fmt.Sprintf("verbArgs has %q; %s takes %s", key, name, strings.Join(valid, ", "))
		}
	}
	for _, key := range v.required {
		if args[key] == nil {
			return nil, fmt.Sprintf("%s needs verbArgs with %s", name, key)
		}
	}
	switch name {
	case "fill", "press":
		if _, ok := args[v.required[0]].(string); !ok {
			return nil, fmt.Sprintf("verbArgs.%s is no text", v.required[0])
		}
	case "select":
		if one, ok := args["values"].(string); ok {
			args["values"] = []any{one}
		}
		list, ok := args["values"].([]any)
		if !ok || slices.ContainsFunc(list, func(v any) bool { _, ok := v.(string); return !ok }) {
			return nil, "verbArgs.values is no list of texts"
		}
	}
	return args, ""
}

// choose takes the best candidate that the verb is meant for, the best of all where there is none.
func (v verb) choose(list []page.Candidate) (best page.Candidate, others []page.Candidate, fits bool) {
	at := 0
	fits = len(v.roles) == 0
	if !fits {
		if i := slices.IndexFunc(list, func(c page.Candidate) bool { return slices.Contains(v.roles, c.Role) }); i >= 0 {
			at, fits = i, true
		}
	}
	others = append(slices.Clone(list[:at]), list[at+1:]...)
	return list[at], others, fits
}

// normal writes arguments so that the same ones are the same text.
func normal(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(raw)
}
