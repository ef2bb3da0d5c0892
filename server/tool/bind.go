package tool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// ArgumentError says, argument by argument, what is wrong with a call, and which arguments there are.
type ArgumentError struct {
	Tool     string
	Problems []string
	Valid    []string
}

func (e *ArgumentError) Error() string {
	valid := "it takes no arguments"
	if len(e.Valid) > 0 {
		valid = "its arguments are " + strings.Join(e.Valid, ", ")
	}
	return fmt.Sprintf("%s: %s; %s", e.Tool, strings.Join(e.Problems, "; "), valid)
}

// bind reads raw into v. Missing arguments and null are an empty object, and an optional null is absent.
func (st *structType) bind(raw json.RawMessage, v reflect.Value) *ArgumentError {
	b := &binding{}
	object, ok := b.object(raw, "the arguments")
	if ok {
		b.fill(st, object, v, "")
	}
	if len(b.problems) == 0 {
		return nil
	}
	return &ArgumentError{Problems: b.problems, Valid: st.signature()}
}

// signature lists the arguments with a mark on those that must be given.
func (st *structType) signature() []string {
	list := st.names()
	for i, a := range st.args {
		if a.required {
			list[i] += " (required)"
		}
	}
	return list
}

// mostProblems bounds an answer to garbage.
const mostProblems = 8

type binding struct{ problems []string }

func (b *binding) wrong(format string, args ...any) {
	if len(b.problems) < mostProblems {
		b.problems = append(b.problems, fmt.Sprintf(format, args...))
	}
}

// pair is one argument as it came, in the order in which it came.
type pair struct {
	name  string
	value json.RawMessage
}

// object reads an object, also one that a client sent as a text.
func (b *binding) object(raw json.RawMessage, what string) ([]pair, bool) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return nil, true
	}
	if raw[0] == '"' {
		var s string
		if json.Unmarshal(raw, &s) == nil {
			if inner := strings.TrimSpace(s); inner == "" {
				return nil, true
			} else if inner[0] == '{' {
				raw = json.RawMessage(inner)
			}
		}
	}
	if raw[0] != '{' {
		b.wrong("%s must be an object, not %s", what, show(raw))
		return nil, false
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	if _, err := d.Token(); err != nil {
		b.wrong("%s cannot be read as JSON", what)
		return nil, false
	}
	var pairs []pair
	for d.More() {
		key, err := d.Token()
		if err != nil {
			b.wrong("%s cannot be read as JSON", what)
			return nil, false
		}
		name, _ := key.(string)
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			b.wrong("%s cannot be read as JSON", what)
			return nil, false
		}
		if i := slices.IndexFunc(pairs, func(p pair) bool { return p.name == name }); i >= 0 {
			pairs[i].value = value
			continue
		}
		pairs = append(pairs, pair{name, value})
	}
	if _, err := d.Token(); err != nil {
		b.wrong("%s cannot be read as JSON", what)
		return nil, false
	}
	if d.More() {
		b.wrong("%s are followed by something else", what)
		return nil, false
	}
	return pairs, true
}

// fill sets the fields of v. at is the path of the object, "" for the arguments themselves.
func (b *binding) fill(st *structType, object []pair, v reflect.Value, at string) {
	before := len(b.problems)
	given := make([]bool, len(st.args))
	var set func([]pair, string)
	set = func(object []pair, at string) {
		for _, p := range object {
			if p.name == "target" && st.targeted && st.find("target") == nil {
				set(b.target(p.value, at+"target"), at+"target.")
				continue
			}
			i := slices.IndexFunc(st.args, func(a argument) bool { return a.name == p.name })
			if i < 0 {
				b.wrong("there is no argument %q%s", clip(at+p.name), DidYouMean(p.name, st.names()))
				continue
			}
			if isNull(p.value) {
				continue
			}
			given[i] = true
			b.set(st.args[i].valueType, p.value, v.FieldByIndex(st.args[i].index), at+p.name)
		}
	}
	set(object, at)
	for i, a := range st.args {
		if a.required && !given[i] {
			b.wrong("%s is missing (%s)", at+a.name, a.words)
		}
	}
	if st.targeted && len(b.problems) == before {
		if problem := st.targetOf(v).check(st.optional, st.coords); problem != "" {
			if at != "" {
				problem = strings.TrimSuffix(at, ".") + ": " + problem
			}
			b.wrong("%s", problem)
		}
	}
}

func (st *structType) targetOf(v reflect.Value) Target {
	switch t := v.FieldByIndex(st.targetIdx).Interface().(type) {
	case Target:
		return t
	case Element:
		return t.Target()
	}
	return Target{}
}

// target takes apart a target that was given as an object or as one text, where only the flat form is advertised.
func (b *binding) target(raw json.RawMessage, at string) []pair {
	if isNull(raw) {
		return nil
	}
	if raw = bytes.TrimSpace(raw); raw[0] == '"' {
		var s string
		if json.Unmarshal(raw, &s) == nil && !strings.HasPrefix(strings.TrimSpace(s), "{") {
			if s = strings.TrimSpace(s); s == "" {
				return nil
			}
			return []pair{{targetFields(s), json.RawMessage(quote(s))}}
		}
	}
	object, _ := b.object(raw, at)
	return object
}

func isNull(raw json.RawMessage) bool { return string(bytes.TrimSpace(raw)) == "null" }

// show names a value in an error without repeating it: it may be meant for a field and be private.
func show(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return "nothing"
	}
	switch raw[0] {
	case '"':
		return "a string"
	case '{':
		return "an object"
	case '[':
		return "a list"
	case 't', 'f':
		return "true or false"
	case 'n':
		return "null"
	default:
		return "a number"
	}
}

func clip(s string) string {
	if r := []rune(s); len(r) > longestName {
		return string(r[:longestName]) + "…"
	}
	return s
}
