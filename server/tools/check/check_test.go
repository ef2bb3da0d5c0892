package check

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"chaperone/browser/page"
)

func TestNumber(t *testing.T) {
	for in, want := range map[string]string{
		"12": "12", "-3.5": "-3.5", "+7": "7", "1e3": "1e3", "0": "0", "0.125": "0.125", "12.5": "12.5", "1.2345": "1.2345", "1,5": "1.5", "0,125": "0.125", "1,234,567": "1234567", "1.234.567": "1234567",
		"1,234.50": "1234.50", "1.234,50": "1234.50", "1 234,5": "1234.5", "1\u00a0234": "1234", "1'234.50": "1234.50", "$12.50": "12.50", "12,50 €": "12.50", "-$5": "-5", "USD 7": "7", "\u22124": "-4",
		"1,234": "ambiguous-number", "1.234": "ambiguous-number", "12%": "type-mismatch", "12 kg": "type-mismatch", "0012": "leading-zero", "": "type-mismatch", "$": "type-mismatch", "1,23,4": "type-mismatch", "1.234,567.8": "type-mismatch",
		"--5": "type-mismatch", "$-5": "-5", "-$-5": "type-mismatch", "1,234.567,8": "type-mismatch", "NaN": "type-mismatch", "Infinity": "type-mismatch", "0x10": "type-mismatch", "1e999": "type-mismatch", "12 34": "type-mismatch",
	} {
		n, reason := number(in, true)
		if got := n + reason; got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
		if n != "" && !json.Valid([]byte(n)) {
			t.Errorf("%q: %q is no JSON", in, n)
		}
	}
	if n, _ := number("1.234", false); n != "1.234" {
		t.Errorf("an attribute: %q", n)
	}
	if _, reason := number("1,234", false); reason != "ambiguous-number" {
		t.Errorf("an attribute with a comma: %q", reason)
	}
}

func TestCoerce(t *testing.T) {
	for _, c := range []struct{ kind, raw, from, want string }{
		{"string", `"a"`, "text", "a"}, {"string", `7`, "prop", "7"}, {"integer", `"3.0"`, "attr", "3"}, {"integer", `"3.5"`, "attr", "type-mismatch"}, {"number", `2.5`, "prop", "2.5"},
		{"boolean", `true`, "prop", "true"}, {"boolean", `"FALSE"`, "text", "false"}, {"boolean", `"yes"`, "text", "type-mismatch"}, {"boolean", `"1"`, "text", "type-mismatch"}, {"number", `true`, "prop", "type-mismatch"},
		{"integer", `"99999999999999999999.0"`, "attr", "type-mismatch"},
	} {
		v, reason := coerce(c.kind, json.RawMessage(c.raw), c.from)
		got := reason
		if reason == "" {
			got = fmt.Sprint(v)
		}
		if got != c.want {
			t.Errorf("%s %s: %q, want %q", c.kind, c.raw, got, c.want)
		}
	}
}

// hidden finds values as the mask does.
type hidden map[string]string

func (h hidden) Holds(text string) bool {
	for v := range h {
		if strings.Contains(text, v) {
			return true
		}
	}
	return false
}

func (h hidden) Hide() page.Hide {
	return func(texts []string) (list []int, names []string) {
		for i, s := range texts {
			for v, name := range h {
				if strings.Contains(s, v) {
					list, names = append(list, i), append(names, name)
				}
			}
		}
		return list, names
	}
}

func TestShown(t *testing.T) {
	d := Deps{Hidden: hidden{"hunter2!x": "PW", "abcdefgh": "A", "efghijkl": "B"}}
	for in, want := range map[string]string{
		"":                         "",
		"nothing in it":            "nothing in it",
		"it is hunter2!x.":         "it is <PW>.",
		"hunter2!x and hunter2!x":  "<PW> and <PW>",
		"prehunter2!xpost and on":  "<PW> and on",
		"abcdefghijkl":             "<A>",
		"é hunter2!x é abcdefgh é": "é <PW> é <A> é",
	} {
		if got := d.shown(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	if got := d.short("12345 hunter2!x", 10); strings.Contains(got, "hunt") || len([]rune(got)) > 10 {
		t.Errorf("%q", got)
	}
	if got := (Deps{}).short("abcdef", 4); got != "abc…" {
		t.Errorf("%q", got)
	}
}

func TestSchemaProblems(t *testing.T) {
	for raw, word := range map[string]string{
		`[]`: "no object", `{"type":"strng"}`: "no type", `{"type":"array","items":{}}`: "selector of its items", `{"type":"object"}`: "needs properties",
		`{"properties":{"a":{"pattern":"x"}}}`: "pattern", `{"x-browx-source":{"collection":true}}`: "for arrays", `{"properties":{"a":{}},"required":["b"]}`: "no property",
		strings.Repeat(`{"properties":{"a":`, 12) + `{}` + strings.Repeat(`}}`, 12): "levels deep",
	} {
		if _, problems := readSchema(json.RawMessage(raw)); !strings.Contains(strings.Join(problems, "; "), word) {
			t.Errorf("%.60s: %q", raw, problems)
		}
	}
}
