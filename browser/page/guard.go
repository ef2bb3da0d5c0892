package page

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"chaperone/browser"
	"chaperone/browser/pagejs"
)

type hideKey struct{}

// hiding is what must not be told of the texts of a page.
type hiding struct {
	find Hide
	mask func(string) string
}

// WithHide has what is done under ctx tell nothing about the texts that hide finds: no search, wait or selector answers differently
// for a good guess than for a bad one. mask gives a text as it may be shown.
func WithHide(ctx context.Context, hide Hide, mask func(string) string) context.Context {
	if hide == nil {
		return ctx
	}
	return context.WithValue(ctx, hideKey{}, &hiding{hide, mask})
}

// hideOf is nil where nothing is hidden.
func hideOf(ctx context.Context) *hiding {
	h, _ := ctx.Value(hideKey{}).(*hiding)
	return h
}

// A selector that is wholly of this grammar asks for nothing but tags, ids, classes, places and the attributes that it names. What is
// not of it may ask for anything: only one parser, the browser's, knows for certain what it reads.
const (
	plainPseudo = `:(?:visible|hidden|first-child|last-child|only-child|first-of-type|last-of-type|only-of-type|root|checked|enabled|disabled|focus|hover|nth-(?:last-)?(?:child|of-type)\([ 0-9n+-]+\))`
	plainAttr   = `\[ *([a-zA-Z_][a-zA-Z0-9_-]*) *(?:[~^$*|]?= *(?:"[^"\\]*"|'[^'\\]*'|[a-zA-Z0-9_./:-]+) *[is]? *)?\]`
	plainStep   = `(?:[a-zA-Z][a-zA-Z0-9-]*|\*)?(?:[#.][a-zA-Z_-][a-zA-Z0-9_-]*|` + plainPseudo + `|` + plainAttr + `)*`
	plainPart   = `(?:nth=-?[0-9]+|role=[a-z]+|(?:css=)?` + plainStep + `(?: *[ >+~,] *` + plainStep + `)*)`
)

var (
	plainSelector = regexp.MustCompile(`^ *` + plainPart + `(?: *>> *` + plainPart + `)* *$`)
	plainNames    = regexp.MustCompile(plainAttr)
)

// asks is what a selector wants to know of what stands in a page.
type asks struct {
	Text  bool     `json:"text"`
	Attrs []string `json:"attrs"` // names
	All   bool     `json:"all"`   // attributes of any name
}

func asksOf(selector string) asks {
	if !plainSelector.MatchString(selector) {
		return asks{Text: true, All: true, Attrs: []string{}}
	}
	a := asks{Attrs: []string{}}
	for _, m := range plainNames.FindAllStringSubmatch(selector, -1) {
		if name := strings.ToLower(m[1]); !slices.Contains(a.Attrs, name) {
			a.Attrs = append(a.Attrs, name)
		}
	}
	return a
}

// Shown is a text as it may be shown under ctx.
func Shown(ctx context.Context, text string) string {
	if h := hideOf(ctx); h != nil {
		return h.mask(text)
	}
	return text
}

// guardSelector refuses a selector that asks about texts or attributes of a kind in which the page shows a secret: whether it
// matches would tell the secret letter by letter. The refusal does not depend on what is asked.
func guardSelector(ctx context.Context, t *browser.Tab, selector string) error {
	hide := hideOf(ctx)
	if hide == nil || selector == "" {
		return nil
	}
	a := asksOf(selector)
	if !a.Text && !a.All && len(a.Attrs) == 0 {
		return nil
	}
	for _, f := range t.Frames() {
		var out struct {
			Texts []string `json:"texts"`
			Cut   bool     `json:"cut"`
		}
		if err := f.Call(ctx, "contentTexts", a, &out); err != nil {
			if f.Parent() != nil && ctx.Err() == nil {
				continue
			}
			return err
		}
		if hidden, names := hide.find(out.Texts); len(hidden) > 0 {
			return &ElementError{Code: pagejs.BadSelector, Words: fmt.Sprintf("the selector is refused: it asks about text or attributes, where this page shows <%s>; name the element by a ref from snapshot or find", strings.Join(names, ">, <"))}
		}
		if out.Cut {
			return &ElementError{Code: pagejs.BadSelector, Words: "the selector is refused: it asks about text or attributes, and the page is too long to see whether it shows a secret there; name the element by a ref from snapshot or find"}
		}
	}
	return nil
}

// withoutSecrets leaves out the matches that match only because of a secret in their words.
func (m *Matches) withoutSecrets(hide *hiding, o SearchOptions) {
	if hide == nil || len(m.Matches) == 0 {
		return
	}
	kept := m.Matches[:0]
	for _, one := range m.Matches {
		if o.holds(hide.mask(one.Text)) {
			kept = append(kept, one)
		} else {
			m.Count--
		}
	}
	m.Matches = kept
}

// holds reports whether a text is one that is searched for, as the page code decides it.
func (o SearchOptions) holds(text string) bool {
	text, wanted := strings.Join(strings.Fields(text), " "), strings.Join(strings.Fields(o.Text), " ")
	if o.Exact {
		return text == wanted
	}
	return strings.Contains(strings.ToLower(text), strings.ToLower(wanted))
}

// mostWeighed is how many matches are looked at where some may hold secrets.
const mostWeighed = 500

// defaultFloor is the least score of a candidate, as the page code has it.
const defaultFloor = 0.2

// weigh gives candidates whose words hold a secret a score by what may be shown of them, and leaves out those that do not fit then.
func (f *Found) weigh(hide *hiding, o FindOptions) {
	floor := o.Floor
	if floor == 0 {
		floor = defaultFloor
	}
	words := strings.Fields(strings.ToLower(o.Query))
	kept := f.Candidates[:0]
	for _, c := range f.Candidates {
		own := []string{strings.Join(c.Scored, "\n"), c.Name, c.Context.RowText, c.Context.RowKey, c.Context.Column, c.Context.Collection, c.SelectorHint}
		if c.TestID != nil {
			own = append(own, *c.TestID)
		}
		all := strings.Join(own, "\n")
		if shown := hide.mask(all); shown != all {
			shown = strings.ToLower(c.Role + " " + shown)
			fit := 0
			for _, w := range words {
				if strings.Contains(shown, w) {
					fit++
				}
			}
			c.Score = 0.8 * float64(fit) / float64(max(1, len(words)))
		}
		if c.Score >= floor {
			c.Scored = nil
			kept = append(kept, c)
		}
	}
	f.Candidates = kept
}
