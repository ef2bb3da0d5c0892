package tool

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// set reads one value into v, which is a field or a list element. Clients send numbers, truth values, lists and objects as
// texts, or numbers for texts: what can be meant in one way only is taken.
func (b *binding) set(t valueType, raw json.RawMessage, v reflect.Value, at string) {
	raw = bytes.TrimSpace(raw)
	if v.Kind() == reflect.Pointer {
		fresh := reflect.New(v.Type().Elem())
		n := len(b.problems)
		b.set(t, raw, fresh.Elem(), at)
		if len(b.problems) == n {
			v.Set(fresh)
		}
		return
	}
	switch t.kind {
	case kindString:
		b.setString(t, raw, v, at)
	case kindBool:
		switch strings.ToLower(strings.TrimSpace(unquoted(raw))) {
		case "true":
			v.SetBool(true)
		case "false":
			v.SetBool(false)
		default:
			b.wrong("%s must be true or false, not %s", at, show(raw))
		}
	case kindInt, kindFloat:
		b.setNumber(t, raw, v, at)
	case kindList:
		b.setList(t, raw, v, at)
	case kindStruct:
		b.setStruct(t, raw, v, at)
	case kindObject:
		if s := strings.TrimSpace(unquoted(raw)); strings.HasPrefix(s, "{") && json.Valid([]byte(s)) {
			v.SetBytes([]byte(s))
			return
		}
		b.wrong("%s must be an object, not %s", at, show(raw))
	case kindAny:
		v.SetBytes(slices.Clone(raw))
	}
}

func (b *binding) setString(t valueType, raw json.RawMessage, v reflect.Value, at string) {
	var s string
	switch {
	case raw[0] == '"':
		if json.Unmarshal(raw, &s) != nil {
			b.wrong("%s cannot be read", at)
			return
		}
	case raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9':
		s = string(raw)
	default:
		b.wrong("%s must be a string, not %s", at, show(raw))
		return
	}
	if len(t.enum) > 0 && s != "" && !slices.Contains(t.enum, s) {
		b.wrong("%s must be one of %s%s", at, strings.Join(t.enum, ", "), DidYouMean(s, t.enum))
		return
	}
	v.SetString(s)
}

// mostExact is the greatest whole number up to which every one has a float64 of its own.
const mostExact = 1 << 53

func (b *binding) setNumber(t valueType, raw json.RawMessage, v reflect.Value, at string) {
	text := strings.TrimSpace(unquoted(raw))
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) || raw[0] == '{' || raw[0] == '[' || !json.Valid([]byte(text)) {
		b.wrong("%s must be %s, not %s", at, kindWords[t.kind][0], show(raw))
		return
	}
	if t.kind == kindInt && (f != math.Trunc(f) || math.Abs(f) > mostExact) {
		b.wrong("%s must be a whole number", at)
		return
	}
	if t.clamp {
		f = min(max(f, *t.min), *t.max)
	}
	if t.min != nil && f < *t.min || t.max != nil && f > *t.max {
		b.wrong("%s must be %s", at, rangeWords(t))
		return
	}
	if t.kind == kindInt {
		v.SetInt(int64(f))
		return
	}
	v.SetFloat(f)
}

func rangeWords(t valueType) string {
	switch {
	case t.min == nil:
		return "at most " + number(*t.max)
	case t.max == nil:
		return "at least " + number(*t.min)
	default:
		return "from " + number(*t.min) + " to " + number(*t.max)
	}
}

func (b *binding) setList(t valueType, raw json.RawMessage, v reflect.Value, at string) {
	var items []json.RawMessage
	text := []byte(strings.TrimSpace(unquoted(raw)))
	switch {
	case len(text) > 0 && text[0] == '[' && json.Unmarshal(text, &items) == nil:
	case t.elem.kind == kindString && raw[0] == '"':
		items = []json.RawMessage{raw}
	case t.elem.kind == kindStruct && raw[0] == '{':
		items = []json.RawMessage{raw}
	default:
		b.wrong("%s must be a list, not %s", at, show(raw))
		return
	}
	list := reflect.MakeSlice(v.Type(), len(items), len(items))
	for i, item := range items {
		where := at + "[" + strconv.Itoa(i) + "]"
		if isNull(item) {
			b.wrong("%s must not be null", where)
			continue
		}
		b.set(*t.elem, item, list.Index(i), where)
	}
	v.Set(list)
}

func (b *binding) setStruct(t valueType, raw json.RawMessage, v reflect.Value, at string) {
	// A whole argument that is a target may come as one text.
	if t.fields.targeted && raw[0] == '"' {
		b.fill(t.fields, b.target(raw, at), v, at+".")
		return
	}
	if object, ok := b.object(raw, at); ok {
		b.fill(t.fields, object, v, at+".")
	}
}

// unquoted is the content of a JSON text, or the value itself.
func unquoted(raw json.RawMessage) string {
	if raw[0] == '"' {
		var s string
		if json.Unmarshal(raw, &s) == nil {
			return s
		}
	}
	return string(raw)
}
