package check

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"chaperone/browser/page"
	"chaperone/server/tool"
)

// waits is said of each check.
const waits = " Waits until it holds, at most timeoutMs; a miss is ok:false with failure {source, kind, expected, actual}, and an error to the client."

type visibleArgs struct {
	tool.InSession
	tool.Timed
	tool.Element
}

func verifyVisible(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "verify_visible", Title: "Check that it is visible", Does: "Checks that an element is visible." + waits,
		Needs: tool.Read, Effect: tool.Reads, Pages: true, Site: true,
	}, func(ctx context.Context, a visibleArgs) (tool.Result, error) {
		t, target, err := d.on(a.Session, a.Target())
		if err != nil {
			return tool.Result{}, err
		}
		f, ok, err := watchFor(ctx, t, target, "", "", func(f *page.Facts) bool { return f.Visible })
		if err != nil {
			return tool.Result{}, err
		}
		if ok {
			return held(f), nil
		}
		if r, is := absent(f, target, "visible"); is {
			return r, nil
		}
		return missed(f, notVisible, "visible", "hidden", f.What+" is not visible"), nil
	})
}

type textArgs struct {
	tool.InSession
	tool.Timed
	tool.Element
	Text       string `json:"text" jsonschema:"white space counts as one space"`
	Match      string `json:"match,omitempty" jsonschema:"default contains; regex is RE2" enum:"contains,exact,regex"`
	IgnoreCase bool   `json:"ignoreCase,omitempty" jsonschema:"in any letter case"`
}

// mostActual is how much of a text a miss tells.
const mostActual = 500

func verifyText(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "verify_text", Title: "Check a text", Does: "Checks what an element says." + waits + untrusted,
		Needs: tool.Read, Effect: tool.Reads, Pages: true, Site: true,
	}, func(ctx context.Context, a textArgs) (tool.Result, error) {
		t, target, err := d.on(a.Session, a.Target())
		if err != nil {
			return tool.Result{}, err
		}
		m, err := newMatch("verify_text", a.Match, "contains", wantedText(a), "text (required)", "match", "ignoreCase", "ref", "selector", "named", "contextRef", "timeoutMs", "session")
		if err != nil {
			return tool.Result{}, err
		}
		says := ""
		f, ok, err := watchFor(ctx, t, target, page.WantText, "", func(f *page.Facts) bool {
			if !f.Found || f.Protected {
				return f.Protected
			}
			says = d.shown(f.Text)
			if a.IgnoreCase && m.re == nil {
				return m.holds(strings.ToLower(says))
			}
			return m.holds(says)
		})
		if err != nil {
			return tool.Result{}, err
		}
		m.wanted = a.Text
		if r, is := absent(f, target, m.expected()); is {
			return r, nil
		}
		if f.Protected {
			return withheld(f, "its text"), nil
		}
		if ok {
			return held(f), nil
		}
		words := f.What + " says something else"
		if f.More {
			words += fmt.Sprintf(" in its first %d characters, which is all that was looked at; name a smaller part", len(f.Text))
		}
		return missed(f, textMismatch, m.expected(), d.short(f.Text, mostActual), words), nil
	})
}

func wantedText(a textArgs) string {
	switch {
	case a.Match == "regex" && a.IgnoreCase:
		return "(?i)" + a.Text
	case a.Match == "regex":
		return a.Text
	case a.IgnoreCase:
		return strings.ToLower(strings.Join(strings.Fields(a.Text), " "))
	default:
		return strings.Join(strings.Fields(a.Text), " ")
	}
}

type valueArgs struct {
	tool.InSession
	tool.Timed
	tool.Element
	Value string `json:"value" jsonschema:"of a menu: its chosen label or value; <ALIAS> asks for a secret; of a protected field also filled, or empty"`
	Match string `json:"match,omitempty" jsonschema:"default exact; regex is RE2" enum:"exact,contains,regex"`
}

// aliasForm is how an argument names a secret.
var aliasForm = regexp.MustCompile(`^<[A-Z][A-Z0-9_]*>$`)

func verifyValue(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "verify_value", Title: "Check a field's value",
		Does:  `Checks what a field holds. Of a password or code field, or one that received a secret, only "filled", "" and "<ALIAS>" can be asked.` + waits + untrusted,
		Needs: tool.Read, Effect: tool.Reads, Pages: true, Site: true, Types: true,
	}, func(ctx context.Context, a valueArgs) (tool.Result, error) {
		t, target, err := d.on(a.Session, a.Target())
		if err != nil {
			return tool.Result{}, err
		}
		m, err := newMatch("verify_value", a.Match, "exact", a.Value, "value (required)", "match", "ref", "selector", "named", "contextRef", "timeoutMs", "session")
		if err != nil {
			return tool.Result{}, err
		}
		var secret page.Secret
		asks := false
		if d.Secrets != nil {
			secret, asks = d.Secrets.Secret(a.Session, a.Value)
		}
		simple := m.how == "exact" && (a.Value == "filled" || a.Value == "")
		refused := func(f *page.Facts) bool {
			return f.Found && (!f.Field || f.Protected && !asks && !simple)
		}
		var f *page.Facts
		var ok bool
		if asks {
			f, ok, err = page.HoldsSecret(ctx, t, target, secret)
		} else {
			f, ok, err = watchFor(ctx, t, target, page.WantValue, "", func(f *page.Facts) bool {
				switch {
				case !f.Found:
					return false
				case refused(f):
					return true
				case f.Protected:
					return f.Filled == (a.Value == "filled")
				}
				return f.Value != nil && m.holds(d.shown(*f.Value)) || f.Values != nil && m.holds(d.shown(*f.Values))
			})
		}
		if err != nil {
			return tool.Result{Private: asks}, err
		}
		if r, is := absent(f, target, m.expected()); is {
			return r, nil
		}
		switch {
		case !f.Field:
			r := missed(f, noState, m.expected(), nil, f.What+" holds no value")
			r.Value.(*verdict).Hint = "verify_predicate asks whether it is checked or selected, verify_text what it says."
			return r, nil
		case f.Protected && !asks && aliasForm.MatchString(a.Value):
			return d.unknown(f, a), nil
		case refused(f):
			return withheld(f, "its value"), nil
		case ok:
			r := held(f)
			r.Private = f.Protected
			return r, nil
		case asks:
			r := missed(f, valueMismatch, a.Value, filled(f), f.What+" does not hold "+a.Value)
			r.Private = true
			return r, nil
		case f.Protected:
			r := missed(f, valueMismatch, a.Value, filled(f), f.What+" is "+map[bool]string{true: "filled", false: "empty"}[f.Filled])
			r.Private = true
			return r, nil
		}
		var actual any
		if f.Value != nil {
			actual = d.short(*f.Value, mostActual)
		}
		return missed(f, valueMismatch, m.expected(), actual, f.What+" holds something else"), nil
	})
}

func filled(f *page.Facts) string {
	if f.Filled {
		return "filled"
	}
	return ""
}

// unknown refuses an alias that stands for nothing.
func (d Deps) unknown(f *page.Facts, a valueArgs) tool.Result {
	r := withheld(f, "its value")
	v := r.Value.(*verdict)
	v.Error = fmt.Sprintf("%s is no secret that is known here, and what %s holds is not compared", a.Value, f.What)
	if d.Secrets != nil {
		if names := d.Secrets.Names(a.Session); len(names) > 0 {
			v.Hint = "The secrets known here are <" + strings.Join(names, ">, <") + ">."
		}
	}
	return r
}

type countArgs struct {
	tool.InSession
	tool.Timed
	tool.Element
	Count       *int `json:"count,omitempty" jsonschema:"exactly this many" min:"0"`
	Min         *int `json:"min,omitempty" jsonschema:"or at least" min:"0"`
	Max         *int `json:"max,omitempty" jsonschema:"and at most" min:"0"`
	VisibleOnly bool `json:"visibleOnly,omitempty" jsonschema:"count what is visible only"`
}

func verifyCount(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "verify_count", Title: "Check a number of elements", Does: "Checks how many elements a selector names, in all frames." + waits,
		Needs: tool.Read, Effect: tool.Reads, Pages: true, Site: true,
	}, func(ctx context.Context, a countArgs) (tool.Result, error) {
		if a.Count == nil && a.Min == nil && a.Max == nil || a.Count != nil && (a.Min != nil || a.Max != nil) {
			return tool.Result{}, &tool.ArgumentError{Tool: "verify_count", Problems: []string{"give either count, or min, max or both"}, Valid: []string{"count", "min", "max", "visibleOnly", "selector", "ref", "named", "contextRef", "timeoutMs", "session"}}
		}
		t, target, err := d.on(a.Session, a.Target())
		if err != nil {
			return tool.Result{}, err
		}
		n := 0
		ok, err := page.Until(ctx, t, func() (bool, error) {
			n, err = page.Count(ctx, t, target, a.VisibleOnly)
			return err == nil && (a.Count == nil || n == *a.Count) && (a.Min == nil || n >= *a.Min) && (a.Max == nil || n <= *a.Max), err
		})
		if err != nil {
			return tool.Result{}, err
		}
		if ok {
			return tool.Result{Value: &verdict{OK: true, Count: &n}}, nil
		}
		var expected any = map[string]any{"min": a.Min, "max": a.Max}
		if a.Count != nil {
			expected = *a.Count
		}
		return missed(nil, countMismatch, expected, n, fmt.Sprintf("there are %d elements", n)), nil
	})
}

type attributeArgs struct {
	tool.InSession
	tool.Timed
	tool.Element
	Name   string  `json:"name" jsonschema:"of the attribute, as aria-expanded"`
	Value  *string `json:"value,omitempty" jsonschema:"left out: that it is there"`
	Match  string  `json:"match,omitempty" jsonschema:"default exact; regex is RE2" enum:"exact,contains,regex"`
	Absent bool    `json:"absent,omitempty" jsonschema:"that it is not there"`
}

func verifyAttribute(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "verify_attribute", Title: "Check an attribute",
		Does:  "Checks an attribute of an element: its value, that it is there, or that it is not." + waits + untrusted,
		Needs: tool.Read, Effect: tool.Reads, Pages: true, Site: true, Types: true,
	}, func(ctx context.Context, a attributeArgs) (tool.Result, error) {
		valid := []string{"name (required)", "value", "match", "absent", "ref", "selector", "named", "contextRef", "timeoutMs", "session"}
		if a.Absent && a.Value != nil {
			return tool.Result{}, &tool.ArgumentError{Tool: "verify_attribute", Problems: []string{"give either value or absent"}, Valid: valid}
		}
		t, target, err := d.on(a.Session, a.Target())
		if err != nil {
			return tool.Result{}, err
		}
		m := match{}
		var expected any = "present"
		if a.Absent {
			expected = nil
		}
		if a.Value != nil {
			if m, err = newMatch("verify_attribute", a.Match, "exact", *a.Value, valid...); err != nil {
				return tool.Result{}, err
			}
			expected = m.expected()
		}
		f, ok, err := watchFor(ctx, t, target, page.WantAttribute, a.Name, func(f *page.Facts) bool {
			switch {
			case !f.Found || f.Withheld:
				return f.Withheld
			case a.Absent || a.Value == nil:
				return (f.Attribute == nil) == a.Absent
			}
			return f.Attribute != nil && m.holds(d.shown(*f.Attribute))
		})
		if err != nil {
			return tool.Result{}, err
		}
		if r, is := absent(f, target, expected); is {
			return r, nil
		}
		switch {
		case f.Withheld:
			return withheld(f, "the attribute value"), nil
		case ok:
			return held(f), nil
		case f.Attribute == nil:
			return missed(f, noAttribute, expected, nil, fmt.Sprintf("%s has no attribute %q", f.What, a.Name)), nil
		case a.Absent:
			return missed(f, unwanted, expected, d.short(*f.Attribute, mostActual), fmt.Sprintf("%s has the attribute %q", f.What, a.Name)), nil
		}
		return missed(f, attributeDiffers, expected, d.short(*f.Attribute, mostActual), fmt.Sprintf("the attribute %q of %s says something else", a.Name, f.What)), nil
	})
}

type predicateArgs struct {
	tool.InSession
	tool.Timed
	tool.Element
	Is  string `json:"is" jsonschema:"what it is to be" enum:"visible,hidden,enabled,disabled,checked,unchecked,mixed,focused,editable,readonly,filled,empty,expanded,collapsed,selected,in-viewport"`
	Not bool   `json:"not,omitempty" jsonschema:"that it is not so"`
}

// predicates are the states that can be asked for: the page's name of the state, and the value that it is to have.
var predicates = map[string]struct {
	state string
	value any
}{
	"visible": {"visible", true}, "hidden": {"visible", false}, "enabled": {"enabled", true}, "disabled": {"enabled", false},
	"checked": {"checked", true}, "unchecked": {"checked", false}, "mixed": {"checked", "mixed"}, "focused": {"focused", true},
	"editable": {"editable", true}, "readonly": {"editable", false}, "filled": {"filled", true}, "empty": {"filled", false},
	"expanded": {"expanded", true}, "collapsed": {"expanded", false}, "selected": {"selected", true}, "in-viewport": {"inViewport", true},
}

func verifyPredicate(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "verify_predicate", Title: "Check a state",
		Does:  "Checks the state of an element, one of a fixed list: no script runs. An element without such a state is a miss of kind no-such-state." + waits,
		Needs: tool.Read, Effect: tool.Reads, Pages: true, Site: true,
	}, func(ctx context.Context, a predicateArgs) (tool.Result, error) {
		t, target, err := d.on(a.Session, a.Target())
		if err != nil {
			return tool.Result{}, err
		}
		p := predicates[a.Is]
		expected := a.Is
		if a.Not {
			expected = "not " + a.Is
		}
		// What is not there is not seen either.
		unseen := p.state == "visible" && p.value == a.Not
		f, ok, err := watchFor(ctx, t, target, page.WantStates, "", func(f *page.Facts) bool {
			if !f.Found {
				return unseen
			}
			is := f.States[p.state]
			return is != nil && (is == p.value) != a.Not
		})
		if err != nil {
			return tool.Result{}, err
		}
		if unseen && (f.Stale || !f.Found) {
			return tool.Result{Value: &verdict{OK: true}}, nil
		}
		if r, is := absent(f, target, expected); is {
			return r, nil
		}
		if ok {
			return held(f), nil
		}
		is := f.States[p.state]
		if is == nil {
			if f.Protected {
				return withheld(f, "that"), nil
			}
			return missed(f, noState, expected, nil, fmt.Sprintf("%s is neither %s nor the contrary", f.What, a.Is)), nil
		}
		return missed(f, predicateFalse, expected, stateWord(p.state, is), fmt.Sprintf("%s is %s", f.What, stateWord(p.state, is))), nil
	})
}

// stateWord is the word for a state that an element is in.
func stateWord(state string, is any) string {
	var words []string
	for word, p := range predicates {
		if p.state == state && p.value == is {
			words = append(words, word)
		}
	}
	if len(words) == 0 {
		return "not " + map[string]string{"focused": "focused", "selected": "selected", "inViewport": "in-viewport", "expanded": "expanded", "checked": "checked"}[state]
	}
	slices.Sort(words)
	return words[0]
}
