package tool

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
)

type field struct {
	Element
	Value string `json:"value" jsonschema:"what to type"`
}

type sample struct {
	InSession
	Timed
	Target `bind:"optional"`
	Name   string          `json:"name,omitempty" jsonschema:"a name"`
	Count  int             `json:"count,omitempty" jsonschema:"how many" min:"1" max:"5"`
	Scale  float64         `json:"scale,omitempty" jsonschema:"how big"`
	On     *bool           `json:"on,omitempty" jsonschema:"on or off"`
	Mode   string          `json:"mode,omitempty" jsonschema:"which" enum:"fast,slow"`
	Keys   []string        `json:"keys,omitempty" jsonschema:"keys"`
	Fields []field         `json:"fields,omitempty" jsonschema:"fields"`
	From   *Target         `json:"from,omitempty" jsonschema:"start"`
	Any    json.RawMessage `json:"any,omitempty" jsonschema:"anything"`
	Object json.RawMessage `json:"object,omitempty" jsonschema:"an object" type:"object"`
}

var sampleTool = New(Info{Name: "sample"}, func(context.Context, sample) (Result, error) { return Result{}, nil })

type needy struct {
	Element
	URL string `json:"url" jsonschema:"where to go"`
}

var needyTool = New(Info{Name: "needy"}, func(context.Context, needy) (Result, error) { return Result{}, nil })

func TestBindAccepts(t *testing.T) {
	yes := true
	for _, test := range []struct {
		name, raw string
		want      sample
	}{
		{"nothing", ``, sample{}},
		{"null", `null`, sample{}},
		{"empty", `{}`, sample{}},
		{"empty text", `""`, sample{}},
		{"null optionals", `{"name":null,"count":null,"keys":null,"ref":null,"target":null}`, sample{}},
		{"arguments as text", `"{\"count\":2}"`, sample{Count: 2}},
		{"plain", `{"session":"s","timeoutMs":100,"name":"n","count":3,"scale":1.5,"on":true,"mode":"slow"}`,
			sample{InSession: InSession{"s"}, Timed: Timed{100}, Name: "n", Count: 3, Scale: 1.5, On: &yes, Mode: "slow"}},
		{"deadlines out of range", `{"timeoutMs":0}`, sample{Timed: Timed{1}}},
		{"deadlines far out of range", `{"timeoutMs":99999999}`, sample{Timed: Timed{3600000}}},
		{"numbers as text", `{"count":"3","scale":" 1.5 ","timeoutMs":"7"}`, sample{Count: 3, Scale: 1.5, Timed: Timed{7}}},
		{"whole float", `{"count":3.0}`, sample{Count: 3}},
		{"truth as text", `{"on":"True"}`, sample{On: &yes}},
		{"number for text", `{"name":4821}`, sample{Name: "4821"}},
		{"number for text keeps its digits", `{"name":12345678901234567890.10}`, sample{Name: "12345678901234567890.10"}},
		{"list as text", `{"keys":"[\"a\",\"b\"]"}`, sample{Keys: []string{"a", "b"}}},
		{"one for a list", `{"keys":"a"}`, sample{Keys: []string{"a"}}},
		{"numbers in a list of texts", `{"keys":[1,"b"]}`, sample{Keys: []string{"1", "b"}}},
		{"target flat", `{"ref":"e1"}`, sample{Target: Target{Ref: "e1"}}},
		{"target object", `{"target":{"ref":"e1"}}`, sample{Target: Target{Ref: "e1"}}},
		{"target text", `{"target":"e12"}`, sample{Target: Target{Ref: "e12"}}},
		{"target selector text", `{"target":"#go"}`, sample{Target: Target{Selector: "#go"}}},
		{"target object as text", `{"target":"{\"named\":\"x\"}"}`, sample{Target: Target{Named: "x"}}},
		{"coords", `{"coords":{"x":"1","y":2}}`, sample{Target: Target{Coords: &Point{1, 2}}}},
		{"coords as text", `{"coords":"{\"x\":1,\"y\":2}"}`, sample{Target: Target{Coords: &Point{1, 2}}}},
		{"target of a field", `{"fields":[{"target":"e1","value":"a"},{"ref":"e2","value":5}]}`,
			sample{Fields: []field{{Element{Ref: "e1"}, "a"}, {Element{Ref: "e2"}, "5"}}}},
		{"one struct for a list", `{"fields":{"ref":"e2","value":"v"}}`, sample{Fields: []field{{Element{Ref: "e2"}, "v"}}}},
		{"a target as text", `{"from":"e3"}`, sample{From: &Target{Ref: "e3"}}},
		{"anything", `{"any":[1,{"a":null}]}`, sample{Any: json.RawMessage(`[1,{"a":null}]`)}},
		{"object", `{"object":{"a":1}}`, sample{Object: json.RawMessage(`{"a":1}`)}},
		{"object as text", `{"object":"{\"a\":1}"}`, sample{Object: json.RawMessage(`{"a":1}`)}},
		{"the last of two", `{"count":1,"count":2}`, sample{Count: 2}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := sampleTool.Bind(json.RawMessage(test.raw))
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got.Args, &test.want) {
				t.Errorf("got %+v, want %+v", got.Args, test.want)
			}
		})
	}
}

func TestBindRefuses(t *testing.T) {
	for _, test := range []struct {
		name string
		tool Tool
		raw  string
		want []string
	}{
		{"unknown", sampleTool, `{"nmae":"x"}`, []string{`no argument "nmae"`, "did you mean name?", "sample:", "timeoutMs"}},
		{"unknown in a field", sampleTool, `{"fields":[{"ref":"e1","valeu":"x"}]}`, []string{`"fields[0].valeu"`, "did you mean value?", "fields[0].value is missing"}},
		{"unknown in a target", sampleTool, `{"target":{"rfe":"e1"}}`, []string{`"target.rfe"`, "did you mean ref?"}},
		{"missing", needyTool, `{"ref":"e1"}`, []string{"url is missing (where to go)", "url (required)"}},
		{"missing, no arguments", needyTool, ``, []string{"url is missing"}},
		{"null for a required one", needyTool, `{"ref":"e1","url":null}`, []string{"url is missing"}},
		{"no element", needyTool, `{"url":"u"}`, []string{"give one of ref, selector or named"}},
		{"coords where none go", needyTool, `{"url":"u","coords":{"x":1,"y":1}}`, []string{`no argument "coords"`}},
		{"two targets", sampleTool, `{"ref":"e1","selector":"a"}`, []string{"only one of ref, selector, named or coords"}},
		{"a target twice", sampleTool, `{"ref":"e1","target":"e2"}`, []string{"target.ref stands beside ref"}},
		{"a target in a target", sampleTool, `{"target":{"target":"e1"}}`, []string{`no argument`}},
		{"context without selector", sampleTool, `{"ref":"e1","contextRef":"e2"}`, []string{"contextRef limits selector"}},
		{"text for a number", sampleTool, `{"count":"many"}`, []string{"count must be a whole number, not a string"}},
		{"fraction", sampleTool, `{"count":1.5}`, []string{"count must be a whole number"}},
		{"too big", sampleTool, `{"count":6}`, []string{"count must be from 1 to 5"}},
		{"endless", sampleTool, `{"scale":1e999}`, []string{"scale must be a number"}},
		{"text NaN", sampleTool, `{"scale":"NaN"}`, []string{"scale must be a number"}},
		{"hex", sampleTool, `{"scale":"0x10"}`, []string{"scale must be a number"}},
		{"empty text for a number", sampleTool, `{"count":""}`, []string{"count must be a whole number"}},
		{"number for truth", sampleTool, `{"on":1}`, []string{"on must be true or false, not a number"}},
		{"object for text", sampleTool, `{"name":{}}`, []string{"name must be a string, not an object"}},
		{"truth for text", sampleTool, `{"name":true}`, []string{"name must be a string, not true or false"}},
		{"enum", sampleTool, `{"mode":"fats"}`, []string{"mode must be one of fast, slow", "did you mean fast?"}},
		{"list", sampleTool, `{"keys":{"a":1}}`, []string{"keys must be a list, not an object"}},
		{"null in a list", sampleTool, `{"keys":[null]}`, []string{"keys[0] must not be null"}},
		{"object", sampleTool, `{"object":[1]}`, []string{"object must be an object, not a list"}},
		{"arguments are a list", sampleTool, `[1]`, []string{"the arguments must be an object, not a list"}},
		{"arguments are a text", sampleTool, `"x"`, []string{"the arguments must be an object, not a string"}},
		{"half a coordinate", sampleTool, `{"coords":{"x":1}}`, []string{"coords.y is missing"}},
		{"broken", sampleTool, `{"name":`, []string{"cannot be read as JSON"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := test.tool.Bind(json.RawMessage(test.raw))
			var wrong *ArgumentError
			if !errors.As(err, &wrong) {
				t.Fatalf("err = %v", err)
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is not in %q", want, err)
				}
			}
		})
	}
}

// A value of the wrong type may be a secret that was meant for a field: the error names the argument only.
func TestBindErrorsRepeatNoValue(t *testing.T) {
	for _, raw := range []string{`{"count":"hunter2"}`, `{"on":"hunter2"}`, `{"keys":{"hunter2":1}}`, `{"mode":"hunter2"}`, `"hunter2"`, `{"object":"hunter2"}`} {
		_, err := sampleTool.Bind(json.RawMessage(raw))
		if err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", raw, err)
		}
	}
}

func FuzzBind(f *testing.F) {
	for _, seed := range []string{``, `{}`, `null`, `{"target":"e1"}`, `{"fields":[{"ref":"e1","value":"v"}]}`, `{"keys":"[\"a\"]"}`, `{"coords":{"x":1,"y":"2"}}`, `{"zzz":1}`, `"{\"count\":2}"`, `{"from":{"target":"e1"}}`} {
		f.Add(seed)
	}
	valid := map[string]bool{"target": true}
	for _, n := range sampleTool.args.names() {
		valid[n] = true
	}
	f.Fuzz(func(t *testing.T, raw string) {
		_, err := sampleTool.Bind(json.RawMessage(raw))
		if err != nil {
			if len(err.Error()) > 8000 {
				t.Errorf("an error of %d bytes", len(err.Error()))
			}
			return
		}
		var object map[string]json.RawMessage
		if json.Unmarshal([]byte(raw), &object) != nil {
			return
		}
		for name := range object {
			if !valid[name] {
				t.Errorf("%q was accepted in %s", name, raw)
			}
		}
	})
}

func TestSessionAndDeadline(t *testing.T) {
	b, err := sampleTool.Bind(json.RawMessage(`{"session":"work","timeoutMs":1500,"target":"e4"}`))
	if err != nil {
		t.Fatal(err)
	}
	if b.Session() != "work" || b.Deadline().Milliseconds() != 1500 || b.Words() != "e4" {
		t.Errorf("session %q, deadline %v, words %q", b.Session(), b.Deadline(), b.Words())
	}
	b.SetSession("other")
	if b.Session() != "other" {
		t.Errorf("session %q after SetSession", b.Session())
	}
	if b, _ := sampleTool.Bind(nil); b.Session() != DefaultSession || b.Deadline() != 0 {
		t.Errorf("session %q, deadline %v without arguments", b.Session(), b.Deadline())
	}
}

func TestSchema(t *testing.T) {
	want := `{"type":"object","properties":{"ref":{"type":"string","description":"eN from snapshot or find"},` +
		`"selector":{"type":"string","description":"CSS, text=Save, role=button[name=Save], xpath=…"},"named":{"type":"string","description":"given with name_ref"},` +
		`"contextRef":{"type":"string","description":"ref to look inside of"},"url":{"type":"string","description":"where to go"}},"required":["url"],"additionalProperties":false}`
	if got := string(needyTool.Schema); got != want {
		t.Errorf("schema\n%s\nwant\n%s", got, want)
	}
	empty := New(Info{Name: "empty"}, func(context.Context, struct{}) (Result, error) { return Result{}, nil })
	if got := string(empty.Schema); got != `{"type":"object","properties":{},"additionalProperties":false}` {
		t.Errorf("schema without arguments: %s", got)
	}
	if !json.Valid(sampleTool.Schema) {
		t.Errorf("not JSON: %s", sampleTool.Schema)
	}
}

func TestDidYouMean(t *testing.T) {
	for name, want := range map[string]string{"timeout_ms": "timeoutMs", "timeoutMS": "timeoutMs", "refs": "ref", "zzzzzz": "", "url": ""} {
		if got := nearest(name, []string{"ref", "timeoutMs", "selector"}); got != want {
			t.Errorf("nearest(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestCapabilities(t *testing.T) {
	got, err := ParseCapabilities([]string{" read", "eval ", "", "read"})
	if err != nil || !reflect.DeepEqual(got, []Capability{Read, Eval}) {
		t.Errorf("%v, %v", got, err)
	}
	_, err = ParseCapabilities([]string{"readd"})
	if err == nil || !strings.Contains(err.Error(), `"readd" (did you mean read?)`) || !strings.Contains(err.Error(), "device-emulation") {
		t.Errorf("an unknown name: %v", err)
	}
	for _, c := range DefaultCapabilities() {
		if info, _ := CapabilityOf(c); info.Risky() {
			t.Errorf("%s is on by default and risky", c)
		}
	}
}
