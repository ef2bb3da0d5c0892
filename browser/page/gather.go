package page

import (
	"context"
	"encoding/json"

	"chaperone/browser"
)

// Source says where in the page a value stands.
type Source struct {
	Kind     string            `json:"kind"` // "value", "object" or "list"
	Selector string            `json:"selector,omitempty"`
	Attr     string            `json:"attr,omitempty"`
	Prop     string            `json:"prop,omitempty"`
	Items    string            `json:"items,omitempty"` // of a list: the selector of one item
	Fields   map[string]Source `json:"fields,omitempty"`
	Item     *Source           `json:"item,omitempty"`
}

// selectors are all that the source asks with.
func (s Source) selectors() []string {
	list := []string{s.Selector, s.Items}
	for _, f := range s.Fields {
		list = append(list, f.selectors()...)
	}
	if s.Item != nil {
		list = append(list, s.Item.selectors()...)
	}
	return list
}

// Gathered is what stands there, in the shape of its Source.
type Gathered struct {
	Raw     json.RawMessage     `json:"raw"`  // a text, a number, or true or false
	From    string              `json:"from"` // "text", "attr", "prop" or "state"
	Why     string              `json:"why"`  // there is none: why
	Matched int                 `json:"matched"`
	Fields  map[string]Gathered `json:"fields"`
	Items   []Gathered          `json:"items"`
	Total   int                 `json:"total"`
	Skipped int                 `json:"skipped"`
	Left    int                 `json:"left"`
}

// Gather reads values from the part of the page that a target names, or from the main frame's document. At most most items of
// each list are read, of an outermost list those behind the first skip.
func Gather(ctx context.Context, t *browser.Tab, target *Target, source Source, most, skip int) (Gathered, error) {
	var out struct {
		given
		Value Gathered `json:"value"`
	}
	for _, selector := range source.selectors() {
		if err := guardSelector(ctx, t, selector); err != nil {
			return Gathered{}, named(Target{}, err)
		}
	}
	args := map[string]any{"source": source, "most": most, "skip": skip}
	if target == nil {
		err := call(ctx, t.MainFrame(), "gather", args, &out)
		return out.Value, named(Target{}, err)
	}
	frames, base, err := targetArgs(ctx, t, *target)
	if err != nil {
		return Gathered{}, err
	}
	var first error
	for _, f := range frames {
		a := base()
		for k, v := range args {
			a[k] = v
		}
		err := call(ctx, f, "gather", a, &out)
		if err == nil {
			return out.Value, nil
		}
		if first == nil {
			first = named(*target, err)
		}
		if ctx.Err() != nil {
			break
		}
	}
	return Gathered{}, first
}
