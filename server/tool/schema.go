package tool

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strconv"
)

// schema writes the struct as a JSON Schema that every client takes: an object at the root, no combinators, each property
// described, nothing but the described allowed. Ranges are left to the binder, whose refusal names them: they cost every
// request and are hardly ever met.
func (st *structType) schema() json.RawMessage {
	var b bytes.Buffer
	st.write(&b)
	b.WriteString(`,"additionalProperties":false}`)
	return b.Bytes()
}

// nestedTarget is a whole argument that is a target: shorter than where the target is the tool's own.
const nestedTarget = `{"type":"object","properties":{"ref":{"type":"string","description":"eN"},"selector":{"type":"string","description":"CSS, text=…"},` +
	`"named":{"type":"string","description":"a name"},"coords":{"type":"object","description":"{x, y}"}}`

// write leaves the closing brace to its caller.
func (st *structType) write(b *bytes.Buffer) {
	b.WriteString(`{"type":"object","properties":{`)
	for i, a := range st.args {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(quote(a.name))
		b.WriteByte(':')
		a.valueType.write(b, a.words)
	}
	b.WriteString(`}`)
	first := true
	for _, a := range st.args {
		if !a.required {
			continue
		}
		if first {
			b.WriteString(`,"required":[`)
		} else {
			b.WriteByte(',')
		}
		first = false
		b.WriteString(quote(a.name))
	}
	if !first {
		b.WriteByte(']')
	}
}

func (v valueType) write(b *bytes.Buffer, words string) {
	switch {
	case v.kind == kindStruct && v.fields.typ == reflect.TypeFor[Target]():
		b.WriteString(nestedTarget)
	case v.kind == kindStruct:
		v.fields.write(b)
	default:
		b.WriteByte('{')
		switch t := kindWords[v.kind][1]; {
		case len(v.types) > 0:
			list, _ := json.Marshal(v.types)
			b.WriteString(`"type":`)
			b.Write(list)
		case t != "":
			b.WriteString(`"type":`)
			b.WriteString(quote(t))
		}
	}
	if v.kind == kindList {
		b.WriteString(`,"items":`)
		v.elem.write(b, "")
	}
	if len(v.enum) > 0 {
		list, _ := json.Marshal(v.enum)
		b.WriteString(`,"enum":`)
		b.Write(list)
	}
	if words != "" {
		if v.kind != kindAny || len(v.types) > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`"description":`)
		b.WriteString(quote(words))
	}
	b.WriteByte('}')
}

func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s)
	return string(bytes.TrimSpace(b.Bytes()))
}
