package page

import (
	"context"
	"errors"
	"fmt"
	"time"

	"chaperone/browser"
	"chaperone/browser/pagejs"
)

// Facts is what an element is like at one moment. What was not asked for is empty. Of a protected field only whether it is filled
// is told.
type Facts struct {
	given
	Found     bool           `json:"found"`
	Stale     bool           `json:"stale"` // the element of a ref is no longer there, and will not come back
	Matched   int            `json:"matched"`
	Number    int            `json:"ref"`
	Visible   bool           `json:"visible"`
	What      string         `json:"what"` // how errors call it
	Protected bool           `json:"protected"`
	Site      string         `json:"site"`
	Text      string         `json:"text"`
	More      bool           `json:"more"`  // there is more text than is looked at
	Field     bool           `json:"field"` // it has a value
	Filled    bool           `json:"filled"`
	Value     *string        `json:"value"`
	Values    *string        `json:"values"` // of a menu: the values behind the labels
	Attribute *string        `json:"attribute"`
	Withheld  bool           `json:"withheld"` // the attribute would tell what a protected field holds
	States    map[string]any `json:"states"`
	frame     *browser.Frame
}

// Ref is the element's ref, empty where there is no element.
func (f *Facts) Ref() string {
	if f.Number == 0 {
		return ""
	}
	return fmt.Sprintf("e%d", f.Number)
}

// What Facts may be asked for.
const (
	WantText      = "text"
	WantValue     = "value"
	WantAttribute = "attribute"
	WantStates    = "states"
)

// Look says what an element is like now. Nothing is waited for: an element that is not there is no error.
func Look(ctx context.Context, t *browser.Tab, target Target, want, attribute string) (*Facts, error) {
	frames, args, err := targetArgs(ctx, t, target)
	if err != nil {
		return staleFacts(err)
	}
	last := &Facts{}
	for _, f := range frames {
		a := args()
		a["want"], a["attribute"] = want, attribute
		out := &Facts{frame: f}
		err := call(ctx, f, "examine", a, out)
		switch {
		case err != nil && f.Parent() != nil && passing(ctx, err):
			continue
		case pagejs.Is(err, pagejs.Stale):
			return &Facts{Stale: true}, nil
		case err != nil:
			return nil, named(target, err)
		case out.Found, out.Stale:
			return out, nil
		}
		last = out
	}
	return last, nil
}

// staleFacts tells a ref whose page has gone from other mistakes in a target.
func staleFacts(err error) (*Facts, error) {
	var gone *RefError
	if errors.As(err, &gone) && gone.Gone {
		return &Facts{Stale: true}, nil
	}
	return nil, err
}

// passing reports an error of a frame that is about this frame only, so that the others can be gone on with.
func passing(ctx context.Context, err error) bool {
	return ctx.Err() == nil && (errors.Is(err, browser.ErrDocumentGone) || !pagejs.Is(err, pagejs.BadSelector))
}

// Until looks at something again and again until it is as wanted, or the time is nearly over. What was seen last is kept by look.
func Until(ctx context.Context, t *browser.Tab, look func() (done bool, err error)) (bool, error) {
	deadline := limitOf(ctx)
	for wait := 25 * time.Millisecond; ; wait = min(2*wait, 150*time.Millisecond) {
		done, err := look()
		if err != nil && !errors.Is(err, browser.ErrDocumentGone) {
			return false, err
		}
		if done && err == nil {
			return true, nil
		}
		left := time.Until(deadline)
		if left <= 0 {
			return false, nil
		}
		select {
		case <-time.After(min(wait, left)):
		case <-t.Closed():
			return false, browser.ErrTabGone
		case <-ctx.Done():
			return false, context.Cause(ctx)
		}
	}
}

type counted struct {
	given
	Count int `json:"count"`
}

// Count is how many elements a target names now, in all frames.
func Count(ctx context.Context, t *browser.Tab, target Target, visibleOnly bool) (int, error) {
	frames, args, err := targetArgs(ctx, t, target)
	if err != nil {
		if f, err := staleFacts(err); f == nil {
			return 0, err
		}
		return 0, nil
	}
	n := 0
	for _, f := range frames {
		a := args()
		a["visibleOnly"] = visibleOnly
		out := &counted{}
		err := call(ctx, f, "countMatches", a, out)
		if err != nil && f.Parent() != nil && passing(ctx, err) {
			continue
		}
		if err != nil {
			return 0, named(target, err)
		}
		n += out.Count
	}
	return n, nil
}

// HoldsSecret looks at a target until it holds a secret, or the time is nearly over. The value is asked for once; it is handed to the
// element's frame alone, if that is one of its sites, and compared there. equal means nothing where the element is no field.
func HoldsSecret(ctx context.Context, t *browser.Tab, target Target, s Secret) (f *Facts, equal bool, err error) {
	last := &Facts{}
	look := func() (bool, error) {
		f, err := Look(ctx, t, target, WantValue, "")
		if err != nil {
			return false, err
		}
		last = f
		if f.Found && f.Field {
			return true, s.allowsCompared(f.Site)
		}
		return f.Found || f.Stale, nil
	}
	// Without a field to compare with the value is not asked for.
	if _, err := Until(ctx, t, look); err != nil || !last.Field {
		return last, false, err
	}
	err = s.Use(func(value string) error {
		var err error
		equal, err = Until(ctx, t, func() (bool, error) {
			if _, err := look(); err != nil || !last.Field {
				return last.Stale, err
			}
			var out struct {
				given
				Equal bool `json:"equal"`
			}
			err := call(ctx, last.frame, "holdsSecret", map[string]any{"ref": last.Number, "value": value, "secret": s.args()}, &out)
			if pagejs.Is(err, pagejs.Stale) {
				return false, nil // the page drew it anew
			}
			return out.Equal, s.refused(err, last.Site)
		})
		return err
	})
	var wrong *SiteError
	if errors.As(err, &wrong) {
		wrong.Compared = true
	}
	return last, equal && !last.Stale, named(target, err)
}

func (s Secret) allowsCompared(site string) error {
	err := s.Allows(site)
	var wrong *SiteError
	if errors.As(err, &wrong) {
		wrong.Compared = true
	}
	return err
}
