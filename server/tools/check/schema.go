package check

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"chaperone/browser/page"
)

// schema is the part of JSON Schema that data can be taken by.
type schema struct {
	types    []string // without null
	null     bool     // null is allowed
	enum     []json.RawMessage
	required map[string]bool
	fields   map[string]*schema
	item     *schema
	from     source
}

// source is the member x-browx-source.
type source struct {
	Selector   string          `json:"selector"`
	Attr       string          `json:"attr"`
	Prop       string          `json:"prop"`
	Collection json.RawMessage `json:"collection"` // true, or the selector of one item
}

// Limits of a schema.
const (
	deepest    = 8
	mostFields = 200
)

// schemaMembers are those that mean something here, or do no harm.
var schemaMembers = map[string]bool{
	"type": true, "properties": true, "items": true, "required": true, "enum": true, "x-browx-source": true,
	"title": true, "description": true, "$schema": true, "$id": true, "examples": true, "default": true, "additionalProperties": true, "format": true, "$comment": true,
}

type reader struct {
	problems []string
	fields   int
}

func (r *reader) wrong(at, format string, args ...any) {
	if len(r.problems) < 8 {
		r.problems = append(r.problems, strings.TrimPrefix(at+": ", ": ")+fmt.Sprintf(format, args...))
	}
}

// readSchema reads a schema. What cannot be meant in one way only is a problem.
func readSchema(raw json.RawMessage) (*schema, []string) {
	r := &reader{}
	s := r.read(raw, "schema", 0)
	return s, r.problems
}

func (r *reader) read(raw json.RawMessage, at string, depth int) *schema {
	s := &schema{required: map[string]bool{}}
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) != nil || object == nil {
		r.wrong(at, "is no object")
		return s
	}
	if depth > deepest {
		r.wrong(at, "is more than %d levels deep", deepest)
		return s
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if !schemaMembers[name] {
			r.wrong(at, "%q is not understood; what is: type, properties, items, required, enum, x-browx-source", name)
		}
	}
	r.types(s, object["type"], at)
	if raw := object["x-browx-source"]; raw != nil {
		r.source(s, raw, at)
	}
	if raw := object["enum"]; raw != nil && json.Unmarshal(raw, &s.enum) != nil {
		r.wrong(at, "enum is no list")
	}
	var required []string
	if raw := object["required"]; raw != nil && json.Unmarshal(raw, &required) != nil {
		r.wrong(at, "required is no list of names")
	}
	for _, name := range required {
		s.required[name] = true
	}
	if raw := object["properties"]; raw != nil {
		var properties map[string]json.RawMessage
		if json.Unmarshal(raw, &properties) != nil {
			r.wrong(at, "properties is no object")
		}
		s.fields = map[string]*schema{}
		for _, name := range slices.Sorted(maps.Keys(properties)) {
			if r.fields++; r.fields > mostFields {
				r.wrong(at, "there are more than %d properties", mostFields)
				break
			}
			s.fields[name] = r.read(properties[name], at+"."+name, depth+1)
		}
	}
	if raw := object["items"]; raw != nil {
		s.item = r.read(raw, at+"[]", depth+1)
	}
	r.shape(s, object["type"] != nil, at)
	return s
}

func (r *reader) types(s *schema, raw json.RawMessage, at string) {
	if raw == nil {
		return
	}
	var list []string
	var one string
	if json.Unmarshal(raw, &one) == nil {
		list = []string{one}
	} else if json.Unmarshal(raw, &list) != nil {
		r.wrong(at, "type is neither a name nor a list of names")
		return
	}
	for _, name := range list {
		switch name {
		case "null":
			s.null = true
		case "string", "number", "integer", "boolean", "object", "array":
			s.types = append(s.types, name)
		default:
			r.wrong(at, "there is no type %q; the types are string, number, integer, boolean, object, array, null", name)
		}
	}
	if len(s.types) > 1 {
		r.wrong(at, "several types are ambiguous; give one, besides null")
	}
}

func (r *reader) source(s *schema, raw json.RawMessage, at string) {
	at += ".x-browx-source"
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		r.wrong(at, "is no object")
		return
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if name != "selector" && name != "attr" && name != "prop" && name != "collection" {
			r.wrong(at, "there is no member %q; there are selector, attr, prop, collection", name)
		}
	}
	if json.Unmarshal(raw, &s.from) != nil {
		r.wrong(at, "selector, attr and prop are texts")
	}
	if s.from.Attr != "" && s.from.Prop != "" {
		r.wrong(at, "give either attr or prop")
	}
}

// shape completes what the other members say about the type, and checks that they fit together.
func (r *reader) shape(s *schema, typed bool, at string) {
	if len(s.types) == 0 && !(typed && s.null) {
		switch {
		case s.fields != nil:
			s.types = []string{"object"}
		case s.item != nil:
			s.types = []string{"array"}
		default:
			s.types = []string{"string"}
		}
	}
	if len(s.types) == 0 {
		s.types = []string{"string"}
	}
	collects := len(s.from.Collection) > 0 && string(s.from.Collection) != "false" && string(s.from.Collection) != "null"
	switch s.types[0] {
	case "object":
		if s.fields == nil {
			r.wrong(at, "an object needs properties")
		}
	case "array":
		if s.item == nil {
			r.wrong(at, "an array needs items")
		}
		if s.from.Selector == "" && s.items() == "" {
			r.wrong(at, "an array needs x-browx-source with the selector of its items")
		}
	}
	if s.types[0] == "array" || s.types[0] == "object" {
		if s.from.Attr != "" || s.from.Prop != "" {
			r.wrong(at, "attr and prop are for single values; put them at the items or properties")
		}
	}
	if collects && s.types[0] != "array" {
		r.wrong(at, "collection is for arrays")
	}
	for name := range s.required {
		if s.types[0] == "object" && s.fields[name] == nil {
			r.wrong(at, "%q is required and no property", name)
		}
	}
}

// items is the selector of one item, where collection gives one.
func (s *schema) items() string {
	var selector string
	if json.Unmarshal(s.from.Collection, &selector) != nil {
		return ""
	}
	return selector
}

// plan is where in the page the data of the schema stand.
func (s *schema) plan() page.Source {
	p := page.Source{Kind: "value", Selector: s.from.Selector, Attr: s.from.Attr, Prop: s.from.Prop}
	switch s.types[0] {
	case "object":
		p.Kind, p.Fields = "object", map[string]page.Source{}
		for name, f := range s.fields {
			p.Fields[name] = f.plan()
		}
	case "array":
		item := s.item.plan()
		p.Kind, p.Items, p.Item = "list", s.items(), &item
	}
	return p
}
