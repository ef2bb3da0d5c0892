package check

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"chaperone/browser/page"
)

// absence is a value that was not found, or that is not what the schema wants.
type absence struct {
	Path     string `json:"path"`
	Reason   string `json:"reason"`
	Required bool   `json:"required,omitempty"`
	Found    string `json:"found,omitempty"` // what stands there instead
}

// mostAbsences bounds what is written out of misses; the rest is counted.
const mostAbsences = 100

// collection is a list that was read in part.
type collection struct {
	Path     string `json:"path"`
	Total    int    `json:"total"`
	Skipped  int    `json:"skipped,omitempty"`
	Returned int    `json:"returned"`
}

// taking builds data in the shape of a schema.
type taking struct {
	d         Deps
	misses    []absence
	more      int // misses that are not written out
	parts     []collection
	ambiguous []string // paths of values whose selector names several elements
}

func (k *taking) miss(at, reason, found string, required bool) {
	if len(k.misses) == mostAbsences {
		k.more++
		return
	}
	k.misses = append(k.misses, absence{at, reason, required, k.d.short(found, 200)})
}

// build returns the value that stands at a place; ok is false where there is none.
func (k *taking) build(s *schema, g page.Gathered, at string, required bool) (v any, ok bool) {
	if g.Matched > 1 && len(k.ambiguous) < 20 {
		k.ambiguous = append(k.ambiguous, at)
	}
	switch s.types[0] {
	case "object":
		if g.Fields == nil {
			k.miss(at, g.Why, "", required)
			return nil, s.null
		}
		object := map[string]any{}
		for _, name := range slices.Sorted(maps.Keys(s.fields)) {
			f := s.fields[name]
			if v, ok := k.build(f, g.Fields[name], dotted(at, name), s.required[name]); ok {
				object[name] = v
			}
		}
		return object, true
	case "array":
		list := []any{}
		if g.Total == 0 {
			k.miss(at, "no-match", "", required)
		}
		if g.Left > 0 || g.Skipped > 0 {
			k.parts = append(k.parts, collection{at, g.Total, g.Skipped, len(g.Items)})
		}
		for i, item := range g.Items {
			// One that is not there keeps its place.
			v, _ := k.build(s.item, item, at+"["+strconv.Itoa(i+g.Skipped)+"]", false)
			list = append(list, v)
		}
		return list, true
	}
	if g.Why != "" || len(g.Raw) == 0 {
		k.miss(at, g.Why, "", required)
		return nil, s.null
	}
	v, reason := coerce(s.types[0], g.Raw, g.From)
	if reason == "" && len(s.enum) > 0 && !k.among(s.enum, v) {
		reason = "not-in-enum"
	}
	if reason != "" {
		found := string(g.Raw)
		_ = json.Unmarshal(g.Raw, &found)
		k.miss(at, reason, found, required)
		return nil, s.null
	}
	return v, true
}

func (k *taking) among(enum []json.RawMessage, v any) bool {
	is, err := json.Marshal(v)
	if err != nil {
		return false
	}
	for _, e := range enum {
		var b bytes.Buffer
		if json.Compact(&b, e) == nil && bytes.Equal(b.Bytes(), is) {
			return true
		}
	}
	return false
}

func dotted(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}

// coerce turns what stands in the page into a type, where it can be meant in one way only. reason says why not.
func coerce(kind string, raw json.RawMessage, from string) (v any, reason string) {
	var any any
	if json.Unmarshal(raw, &any) != nil {
		return nil, "type-mismatch"
	}
	switch kind {
	case "string":
		switch any := any.(type) {
		case string:
			return any, ""
		default:
			return string(raw), ""
		}
	case "boolean":
		switch any := any.(type) {
		case bool:
			return any, ""
		case string:
			switch strings.ToLower(strings.TrimSpace(any)) {
			case "true":
				return true, ""
			case "false":
				return false, ""
			}
		}
		return nil, "type-mismatch"
	case "number", "integer":
		text := ""
		switch any := any.(type) {
		case float64:
			text = strconv.FormatFloat(any, 'f', -1, 64)
			from = "prop"
		case string:
			text = any
		default:
			return nil, "type-mismatch"
		}
		n, reason := number(text, from == "text")
		if reason != "" {
			return nil, reason
		}
		if kind == "integer" && !regexp.MustCompile(`^-?\d+$`).MatchString(n) {
			f, err := strconv.ParseFloat(n, 64)
			if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
				return nil, "type-mismatch"
			}
			n = strconv.FormatFloat(f, 'f', 0, 64)
		}
		return json.Number(n), ""
	}
	return nil, "type-mismatch"
}

var (
	plainNumber = regexp.MustCompile(`^[+-]?(\d+)(\.\d+)?([eE][+-]?\d+)?$`)
	// Groups of three, by one separator, with another one before the decimals.
	pointed = regexp.MustCompile(`^[+-]?\d{1,3}(,\d{3})+\.\d+$`)
	comma   = regexp.MustCompile(`^[+-]?\d{1,3}(\.\d{3})+,\d+$`)
	groups  = regexp.MustCompile(`^[+-]?\d{1,3}([,.' ]\d{3}){2,}$`)
	spaced  = regexp.MustCompile(`^[+-]?\d{1,3}([' ]\d{3})+([.,]\d+)?$`)
	one     = regexp.MustCompile(`^[+-]?(\d+)([.,])(\d+)$`)
)

// number reads a number as JSON writes it. In text for people a point or a comma may part thousands or decimals; what can be either
// is no number. written: it is such text, and not the value of an attribute or a property.
func number(s string, written bool) (n, reason string) {
	s = strings.TrimSpace(strings.NewReplacer("\u00a0", " ", "\u202f", " ", "\u2009", " ", "\u2212", "-", "’", "'").Replace(s))
	if written {
		s = money(s)
	}
	if s == "" {
		return "", "type-mismatch"
	}
	strip := func(cut string) string { return strings.NewReplacer(cut, "", "'", "", " ", "").Replace(s) }
	switch {
	case pointed.MatchString(s):
		s = strip(",")
	case comma.MatchString(s):
		s = strings.Replace(strip("."), ",", ".", 1)
	case groups.MatchString(s) && oneSeparator(s):
		s = strings.NewReplacer(",", "", ".", "", "'", "", " ", "").Replace(s)
	case spaced.MatchString(s):
		s = strings.Replace(strip(" "), ",", ".", 1)
	default:
		if m := one.FindStringSubmatch(s); m != nil {
			thousands := len(m[3]) == 3 && len(m[1]) <= 3 && m[1] != "0"
			if thousands && (written || m[2] == ",") {
				return "", "ambiguous-number"
			}
			s = strings.Replace(s, ",", ".", 1)
		}
	}
	if !plainNumber.MatchString(s) {
		return "", "type-mismatch"
	}
	s = strings.TrimPrefix(s, "+")
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	// JSON has no leading zeros; a number that has them is a code.
	if len(s) > 1 && s[0] == '0' && s[1] >= '0' && s[1] <= '9' {
		return "", "leading-zero"
	}
	if f, err := strconv.ParseFloat(s, 64); err != nil || math.IsInf(f, 0) {
		return "", "type-mismatch"
	}
	return sign + s, ""
}

func oneSeparator(s string) bool {
	n := 0
	for _, sep := range []string{",", ".", "'", " "} {
		if strings.Contains(s, sep) {
			n++
		}
	}
	return n == 1
}

// money takes a sign of a currency off the one end of a text where it stands.
func money(s string) string {
	sign := ""
	if strings.HasPrefix(s, "-") || strings.HasPrefix(s, "+") {
		sign, s = s[:1], strings.TrimSpace(s[1:])
	}
	for _, c := range []string{"$", "€", "£", "¥", "₹", "USD", "EUR", "GBP", "CHF", "JPY"} {
		if head, ok := strings.CutSuffix(s, c); ok && head != "" {
			return sign + strings.TrimSpace(head)
		}
		if tail, ok := strings.CutPrefix(s, c); ok && tail != "" {
			tail = strings.TrimSpace(tail)
			if sign == "" || !strings.HasPrefix(tail, "-") {
				return sign + tail
			}
		}
	}
	return sign + s
}
