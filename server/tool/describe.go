package tool

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

type kind int

const (
	kindString kind = iota
	kindBool
	kindInt
	kindFloat
	kindList
	kindStruct
	kindObject // any JSON object
	kindAny    // any JSON value
)

// words for kinds in errors and schemas.
var kindWords = map[kind][2]string{
	kindString: {"a string", "string"}, kindBool: {"true or false", "boolean"}, kindInt: {"a whole number", "integer"}, kindFloat: {"a number", "number"},
	kindList: {"a list", "array"}, kindStruct: {"an object", "object"}, kindObject: {"an object", "object"}, kindAny: {"a value", ""},
}

// valueType is the type of one argument, or of the elements of a list.
type valueType struct {
	kind     kind
	types    []string // of a kindAny: what it may be
	enum     []string
	min, max *float64
	clamp    bool        // a number out of range is taken for the nearest in it
	elem     *valueType  // of a list
	fields   *structType // of a struct
}

type argument struct {
	name     string
	index    []int
	required bool
	words    string
	valueType
}

// structType is an arguments struct, read once.
type structType struct {
	typ  reflect.Type
	args []argument
	// An embedded Target or Element.
	targeted  bool
	optional  bool
	coords    bool
	targetIdx []int
}

var rawType = reflect.TypeFor[json.RawMessage]()

func describe(t reflect.Type, where string) (*structType, error) {
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("%s: arguments are a struct, not %s", where, t)
	}
	st := &structType{typ: t}
	return st, st.add(t, nil, where)
}

func (st *structType) add(t reflect.Type, index []int, where string) error {
	if t == reflect.TypeFor[Target]() || t == reflect.TypeFor[Element]() {
		st.targeted, st.coords, st.targetIdx = true, t == reflect.TypeFor[Target](), index
	}
	for i := range t.NumField() {
		f := t.Field(i)
		at := append(append([]int{}, index...), i)
		if f.Anonymous {
			if f.Tag.Get("bind") == "optional" {
				st.optional = true
			}
			if err := st.add(f.Type, at, where); err != nil {
				return err
			}
			continue
		}
		if !f.IsExported() {
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			return fmt.Errorf("%s.%s has no json name", where, f.Name)
		}
		if name == "-" {
			continue
		}
		a := argument{name: name, index: at, required: !strings.Contains(options, "omitempty"), words: f.Tag.Get("jsonschema")}
		if a.words == "" {
			return fmt.Errorf("%s.%s has no words (tag jsonschema)", where, name)
		}
		for _, other := range st.args {
			if other.name == name {
				return fmt.Errorf("%s.%s stands there twice", where, name)
			}
		}
		var err error
		if a.valueType, err = typeOf(f.Type, f.Tag, where+"."+name); err != nil {
			return err
		}
		st.args = append(st.args, a)
	}
	return nil
}

func typeOf(t reflect.Type, tag reflect.StructTag, where string) (valueType, error) {
	var v valueType
	if t == rawType {
		v.kind = kindAny
		switch types := tag.Get("type"); types {
		case "":
		case "object":
			v.kind = kindObject
		default:
			v.types = strings.Split(types, ",")
		}
		return v, nil
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.String:
		v.kind = kindString
		if e := tag.Get("enum"); e != "" {
			v.enum = strings.Split(e, ",")
		}
	case reflect.Bool:
		v.kind = kindBool
	case reflect.Int, reflect.Int64:
		v.kind = kindInt
	case reflect.Float64:
		v.kind = kindFloat
	case reflect.Slice:
		v.kind = kindList
		elem, err := typeOf(t.Elem(), tag, where+"[]")
		if err != nil {
			return v, err
		}
		v.elem = &elem
		return v, nil
	case reflect.Struct:
		v.kind = kindStruct
		fields, err := describe(t, where)
		if err != nil {
			return v, err
		}
		v.fields = fields
		return v, nil
	default:
		return v, fmt.Errorf("%s: %s cannot be an argument", where, t)
	}
	v.clamp = tag.Get("clamp") != ""
	for name, into := range map[string]**float64{"min": &v.min, "max": &v.max} {
		if s := tag.Get(name); s != "" {
			f, err := strconv.ParseFloat(s, 64)
			if err != nil {
				return v, fmt.Errorf("%s: %s: %w", where, name, err)
			}
			*into = &f
		}
	}
	return v, nil
}

// names lists the valid arguments, as errors do.
func (st *structType) names() []string {
	names := make([]string, 0, len(st.args))
	for _, a := range st.args {
		names = append(names, a.name)
	}
	return names
}

func (st *structType) find(name string) *argument {
	for i := range st.args {
		if st.args[i].name == name {
			return &st.args[i]
		}
	}
	return nil
}
