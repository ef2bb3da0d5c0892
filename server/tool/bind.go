package tool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
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

// object reads an object, also one that a client sent as a text.
func (b *binding) object(raw json.RawMessage, what string) (map[string]json.RawMessage, bool) {
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
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) != nil {
		b.wrong("%s cannot be read as JSON", what)
		return nil, false
	}
	return object, true
}

// fill sets the fields of v. at is the path of the object, "" for the arguments themselves.
func (b *binding) fill(st *structType, object map[string]json.RawMessage, v reflect.Value, at string) {
	before := len(b.problems)
	given := make([]bool, len(st.args))
	b.take(st, object, v, at, given)
	if raw, has := object["target"]; has && st.targeted && st.find("target") == nil && !isNull(raw) {
		b.take(st, b.target(raw, at+"target"), v, at+"target.", given)
	}
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

// take sets the fields of v that object names.
func (b *binding) take(st *structType, object map[string]json.RawMessage, v reflect.Value, at string, given []bool) {
	taken := 0
	for i, a := range st.args {
		raw, has := object[a.name]
		if !has {
			continue
		}
		taken++
		if isNull(raw) {
			continue
		}
		if given[i] {
			b.wrong("%s stands beside %s: give it once", at+a.name, a.name)
			continue
		}
		given[i] = true
		b.set(a.valueType, raw, v.FieldByIndex(a.index), at+a.name)
	}
	if taken == len(object) {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if st.find(name) != nil || name == "target" && st.targeted && !strings.HasSuffix(at, "target.") {
			continue
		}
		b.wrong("there is no argument %q%s", clip(at+name), DidYouMean(name, st.names()))
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
func (b *binding) target(raw json.RawMessage, at string) map[string]json.RawMessage {
	if raw = bytes.TrimSpace(raw); len(raw) > 0 && raw[0] == '"' {
		var s string
		if json.Unmarshal(raw, &s) == nil && !strings.HasPrefix(strings.TrimSpace(s), "{") {
			if s = strings.TrimSpace(s); s == "" {
				return nil
			}
			return map[string]json.RawMessage{targetFields(s): json.RawMessage(quote(s))}
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
