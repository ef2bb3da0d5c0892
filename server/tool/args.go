package tool

import (
	"fmt"
	"regexp"
	"time"
)

// DefaultSession is the session of a call that names none.
const DefaultSession = "default"

// InSession gives a tool the optional argument session. Every tool has it, also where it means nothing, so that a client may
// add it to every call.
type InSession struct {
	Session string `json:"session,omitempty" jsonschema:"browser session"`
}

func (s *InSession) session() *string { return &s.Session }

// Timed gives a tool the optional argument timeoutMs.
type Timed struct {
	TimeoutMs int `json:"timeoutMs,omitempty" jsonschema:"deadline" min:"1" max:"3600000" clamp:"true"`
}

func (t *Timed) deadline() time.Duration { return time.Duration(t.TimeoutMs) * time.Millisecond }

// Point is a place in the viewport, in CSS pixels.
type Point struct {
	X float64 `json:"x" jsonschema:"CSS pixels"`
	Y float64 `json:"y" jsonschema:"CSS pixels"`
}

// Target says which element, or which place, a tool works on: exactly one of the first four. Embedded with the tag
// bind:"optional" it may also be left out.
type Target struct {
	Ref        string `json:"ref,omitempty" jsonschema:"eN from snapshot or find"`
	Selector   string `json:"selector,omitempty" jsonschema:"CSS, text=Save, role=button[name=Save], xpath=…"`
	Named      string `json:"named,omitempty" jsonschema:"given with name_ref"`
	Coords     *Point `json:"coords,omitempty" jsonschema:"place in viewport"`
	ContextRef string `json:"contextRef,omitempty" jsonschema:"ref to look inside of"`
}

// Element is a Target that cannot be a mere place.
type Element struct {
	Ref        string `json:"ref,omitempty" jsonschema:"eN from snapshot or find"`
	Selector   string `json:"selector,omitempty" jsonschema:"CSS, text=Save, role=button[name=Save], xpath=…"`
	Named      string `json:"named,omitempty" jsonschema:"given with name_ref"`
	ContextRef string `json:"contextRef,omitempty" jsonschema:"ref to look inside of"`
}

// Target is the element as a Target.
func (e Element) Target() Target {
	return Target{Ref: e.Ref, Selector: e.Selector, Named: e.Named, ContextRef: e.ContextRef}
}

// Zero reports whether nothing was named.
func (t Target) Zero() bool {
	return t.Ref == "" && t.Selector == "" && t.Named == "" && t.Coords == nil
}

// String names the target for people.
func (t Target) String() string {
	switch {
	case t.Ref != "":
		return t.Ref
	case t.Named != "":
		return "“" + t.Named + "”"
	case t.Selector != "":
		return t.Selector
	case t.Coords != nil:
		return fmt.Sprintf("(%g, %g)", t.Coords.X, t.Coords.Y)
	default:
		return ""
	}
}

func (t *Target) target() string  { return t.String() }
func (e *Element) target() string { return e.Target().String() }

// check reports what is wrong with the way a target was named, or "".
func (t Target) check(optional, coords bool) string {
	n := 0
	for _, given := range []bool{t.Ref != "", t.Selector != "", t.Named != "", t.Coords != nil} {
		if given {
			n++
		}
	}
	ways := "ref, selector or named"
	if coords {
		ways = "ref, selector, named or coords"
	}
	switch {
	case n > 1:
		return "give only one of " + ways
	case n == 0 && !optional:
		return "an element is missing: give one of " + ways
	case n == 0 && t.ContextRef != "", t.ContextRef != "" && t.Selector == "":
		return "contextRef limits selector, which is missing"
	default:
		return ""
	}
}

var refForm = regexp.MustCompile(`^e[0-9]+$`)

// targetFields reads a target that was given as one text.
func targetFields(s string) (field string) {
	if refForm.MatchString(s) {
		return "ref"
	}
	return "selector"
}
