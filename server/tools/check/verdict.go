package check

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"chaperone/browser"
	"chaperone/browser/page"
	"chaperone/server/tool"
	"chaperone/server/tools/acted"
)

// verdict is the result of a check.
type verdict struct {
	OK       bool     `json:"ok"`
	Ref      string   `json:"ref,omitempty"`
	Matched  int      `json:"matched,omitempty"` // elements that the selector names, where it is not one
	Count    *int     `json:"count,omitempty"`
	Failure  *miss    `json:"failure,omitempty"`
	Error    string   `json:"error,omitempty"`
	Hint     string   `json:"hint,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
}

// miss says in what way a check did not hold.
type miss struct {
	Source   string `json:"source"` // "app": it is the page's doing; "server": we do not tell
	Kind     string `json:"kind"`
	Expected any    `json:"expected"`
	Actual   any    `json:"actual"`
}

// The kinds of misses.
const (
	notFound         = "not-found"
	gone             = "gone" // the element of a ref
	notVisible       = "not-visible"
	textMismatch     = "text-mismatch"
	valueMismatch    = "value-mismatch"
	countMismatch    = "count-mismatch"
	noAttribute      = "attribute-missing"
	unwanted         = "attribute-present"
	attributeDiffers = "attribute-mismatch"
	predicateFalse   = "predicate-false"
	noState          = "no-such-state"
	protected        = "protected"
)

func held(f *page.Facts) tool.Result {
	return tool.Result{Value: &verdict{OK: true, Ref: f.Ref(), Matched: several(f.Matched), Warnings: first(f.Matched)}}
}

func several(n int) int {
	if n > 1 {
		return n
	}
	return 0
}

func first(matched int) []string {
	if matched > 1 {
		return []string{fmt.Sprintf("%d elements match; this is about the first visible one", matched)}
	}
	return nil
}

// missed is a check that did not hold in its time.
func missed(f *page.Facts, kind string, expected, actual any, words string) tool.Result {
	v := &verdict{Failure: &miss{"app", kind, expected, actual}, Error: words, Hint: "That is how the page was when the time was over; snapshot shows more of it. A greater timeoutMs waits longer."}
	if f != nil {
		v.Ref, v.Matched, v.Warnings = f.Ref(), several(f.Matched), first(f.Matched)
	}
	return tool.Result{Value: v, Failed: true}
}

// withheld refuses to compare what a protected field holds.
func withheld(f *page.Facts, what string) tool.Result {
	return tool.Result{Failed: true, Private: true, Value: &verdict{
		Ref: f.Ref(), Failure: &miss{"server", protected, nil, nil},
		Error: fmt.Sprintf("%s is a protected field, or stands in one: %s is not compared", f.What, what),
		Hint:  `Ask only whether it is filled, with verify_value and value "filled" or "" (or verify_predicate with is "filled"), or whether it holds a secret, with verify_value and value "<ALIAS>".`,
	}}
}

// absent is the miss of an element that is not there; ok is false where it is there.
func absent(f *page.Facts, target page.Target, expected any) (tool.Result, bool) {
	switch {
	case f.Stale:
		r := missed(nil, gone, expected, nil, fmt.Sprintf("the element of %s is no longer in the page", target.Ref))
		r.Value.(*verdict).Hint = "Take a new snapshot, or find the element again, and use the ref that it gives."
		return r, true
	case !f.Found:
		return missed(nil, notFound, expected, nil, fmt.Sprintf("no element matches %q", target.Selector)), true
	}
	return tool.Result{}, false
}

// on finds the tab and the target of a check.
func (d Deps) on(session string, g tool.Target) (*browser.Tab, page.Target, error) {
	t, err := d.Open.Tab(session)
	if err != nil {
		return nil, page.Target{}, err
	}
	target, err := acted.Target(t, g)
	return t, target, err
}

// watchFor looks at a target until what is seen is as wanted.
func watchFor(ctx context.Context, t *browser.Tab, target page.Target, want, attribute string, met func(*page.Facts) bool) (*page.Facts, bool, error) {
	last := &page.Facts{}
	ok, err := page.Until(ctx, t, func() (bool, error) {
		f, err := page.Look(ctx, t, target, want, attribute)
		if err != nil {
			return false, err
		}
		last = f
		return f.Stale || met(f), nil
	})
	return last, ok && !last.Stale, err
}

// match is how a text is compared: exact, contains or regex.
type match struct {
	how    string
	wanted string
	re     *regexp.Regexp
}

// longestPattern bounds what is compiled; the matching itself takes time in proportion to the text.
const longestPattern = 2000

func newMatch(toolName, how, byDefault, wanted string, valid ...string) (match, error) {
	m := match{how: how, wanted: wanted}
	if m.how == "" {
		m.how = byDefault
	}
	if m.how != "regex" {
		return m, nil
	}
	wrong := func(problem string) error {
		return &tool.ArgumentError{Tool: toolName, Problems: []string{problem}, Valid: valid}
	}
	if len(wanted) > longestPattern {
		return m, wrong(fmt.Sprintf("the regular expression has %d bytes; give at most %d", len(wanted), longestPattern))
	}
	re, err := regexp.Compile(wanted)
	if err != nil {
		var syntax interface{ Error() string } = err
		return m, wrong("the regular expression cannot be read (RE2, without back references and lookaround): " + strings.TrimPrefix(syntax.Error(), "error parsing regexp: "))
	}
	m.re = re
	return m, nil
}

func (m match) holds(s string) bool {
	switch m.how {
	case "contains":
		return strings.Contains(s, m.wanted)
	case "regex":
		return m.re.MatchString(s)
	default:
		return s == m.wanted
	}
}

// expected is what was wanted, in words where it is not the text itself.
func (m match) expected() any {
	if m.how == "exact" {
		return m.wanted
	}
	return map[string]any{"match": m.how, "value": m.wanted}
}
