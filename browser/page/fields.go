package page

import (
	"context"
	"errors"
	"fmt"
	"time"

	"chaperone/browser"
	"chaperone/browser/pagejs"
)

// Field is one field of a form and what goes into it.
type Field struct {
	Target Target
	Value  string
	Secret *Secret // in place of Value
}

// Fill puts a value into a field, in place of what it holds.
func Fill(ctx context.Context, t *browser.Tab, target Target, value string) (Acted, error) {
	return act(ctx, t, &target, func(ctx context.Context, a *Acted) (*resolved, error) {
		return fillOne(ctx, t, target, value, a)
	})
}

func fillOne(ctx context.Context, t *browser.Tab, target Target, value string, a *Acted) (*resolved, error) {
	r := &resolved{}
	f, err := onTarget(ctx, t, target, "fill", map[string]any{"value": value}, r)
	if err != nil {
		return nil, err
	}
	r.frame = f
	a.filled = append(a.filled, filled{r, &value})
	return r, nil
}

// FillForm fills several fields. All are found, and their values checked, before anything is typed.
func FillForm(ctx context.Context, t *browser.Tab, fields []Field, submit bool) (Acted, error) {
	var first *Target
	if len(fields) > 0 {
		first = &fields[0].Target
	}
	a, err := act(ctx, t, first, func(ctx context.Context, a *Acted) (*resolved, error) {
		for _, f := range fields {
			if f.Secret != nil {
				r, err := receiving(ctx, t, &f.Target)
				if err == nil {
					err = f.Secret.Allows(r.Site)
				}
				if err != nil {
					return nil, err
				}
				continue
			}
			if _, err := onTarget(ctx, t, f.Target, "fill", map[string]any{"value": f.Value, "dry": true}, &given{}); err != nil {
				return nil, err
			}
		}
		var last *resolved
		for _, f := range fields {
			r, err := f.fill(ctx, t, a)
			if err != nil {
				return nil, fmt.Errorf("after %d of %d fields were filled: %w", len(a.filled), len(fields), err)
			}
			last = r
		}
		if submit && last != nil {
			return last, submitForm(ctx, t, last)
		}
		return last, nil
	})
	a.Element = nil
	return a, err
}

func (f Field) fill(ctx context.Context, t *browser.Tab, a *Acted) (*resolved, error) {
	if f.Secret != nil {
		return fillSecret(ctx, t, f.Target, *f.Secret, a)
	}
	return fillOne(ctx, t, f.Target, f.Value, a)
}

// submitForm clicks the button that submits the field's form, or presses Enter where there is none.
func submitForm(ctx context.Context, t *browser.Tab, field *resolved) error {
	button := &waited{}
	if err := call(ctx, field.frame, "submitButton", map[string]any{"ref": field.Ref}, button); err != nil {
		return err
	}
	if button.Ref == 0 {
		return t.Press(ctx, "Enter")
	}
	p, r, err := reach(ctx, t, Target{Ref: fmt.Sprintf("e%d", button.Ref)}, reachable)
	if err != nil {
		return err
	}
	return press(ctx, t, r, click(p, "left", 1, 0)[1:])
}

// Press presses a key or a chord, on a target when one is given.
func Press(ctx context.Context, t *browser.Tab, target *Target, key string) (Acted, error) {
	if _, _, err := browser.ParseChord(key); err != nil {
		return Acted{}, err
	}
	return act(ctx, t, target, func(ctx context.Context, _ *Acted) (*resolved, error) {
		var r *resolved
		if target != nil {
			var err error
			if r, err = resolve(ctx, t, *target, map[string]any{"enabled": true, "control": true, "focus": true}); err != nil {
				return nil, err
			}
		}
		if err := shield(ctx, t); err != nil {
			return nil, err
		}
		return r, t.Press(ctx, key)
	})
}

// Select chooses options of a native menu, by value, label or position.
func Select(ctx context.Context, t *browser.Tab, target Target, values []string) (Acted, error) {
	return act(ctx, t, &target, func(ctx context.Context, a *Acted) (*resolved, error) {
		return selectIn(ctx, t, target, values, a)
	})
}

func selectIn(ctx context.Context, t *browser.Tab, target Target, values []string, a *Acted) (*resolved, error) {
	r := &chosen{}
	f, err := onTarget(ctx, t, target, "selectOptions", map[string]any{"values": values}, r)
	if err != nil {
		return nil, err
	}
	r.frame = f
	a.filled = append(a.filled, filled{&r.resolved, &r.Chosen})
	return &r.resolved, nil
}

// chosen is a native menu after options of it were chosen.
type chosen struct {
	resolved
	Chosen string `json:"chosen"`
}

// optionFound is an option of an open list.
type optionFound struct {
	given
	Ref    int      `json:"ref"`
	Chosen string   `json:"chosen"`
	Seen   []string `json:"seen"`
}

// ChooseOption opens a menu or suggestion list, waits for the option, also when it loads late or only after typing, and clicks
// it. Native menus are chosen from directly.
func ChooseOption(ctx context.Context, t *browser.Tab, target Target, option string) (Acted, error) {
	return act(ctx, t, &target, func(ctx context.Context, a *Acted) (*resolved, error) {
		r, err := resolve(ctx, t, target, reachable)
		if err != nil {
			return nil, err
		}
		if r.Tag == "select" {
			return selectIn(ctx, t, target, []string{option}, a)
		}
		if _, _, err := reach(ctx, t, Target{Ref: fmt.Sprintf("e%d", r.Ref)}, reachable); err != nil {
			return r, err
		}
		if err := press(ctx, t, r, click(Point{r.X, r.Y}, "left", 1, 0)); err != nil {
			return r, err
		}
		found, err := awaitOption(ctx, r, option)
		if err != nil {
			return r, named(target, err)
		}
		chosen, err := resolve(ctx, t, Target{Ref: fmt.Sprintf("e%d", found.Ref)}, reachable)
		if err != nil {
			return r, err
		}
		return r, press(ctx, t, chosen, click(Point{chosen.X, chosen.Y}, "left", 1, 0))
	})
}

// typeAfter is how long a list may take by itself before the option's words are typed to filter it.
const typeAfter = 1200 * time.Millisecond

func awaitOption(ctx context.Context, r *resolved, option string) (*optionFound, error) {
	until := limitOf(ctx)
	began := time.Now()
	typed := false
	var seen []string
	for {
		found := &optionFound{}
		if err := call(ctx, r.frame, "findOption", map[string]any{"ref": r.Ref, "option": option}, found); err != nil {
			return nil, err
		}
		if found.Ref != 0 {
			return found, nil
		}
		if len(found.Seen) > 0 {
			seen = found.Seen
		}
		if r.Editable && !typed && (time.Since(began) > typeAfter || len(found.Seen) > 0 && time.Since(began) > typeAfter/2) {
			typed = true
			if err := call(ctx, r.frame, "fill", map[string]any{"ref": r.Ref, "value": option, "limit": 500}, &given{}); err != nil && !pagejs.Is(err, pagejs.NotEditable) {
				return nil, err
			}
		}
		if time.Now().After(until) {
			words := "no list of options opened"
			if len(seen) > 0 {
				words = fmt.Sprintf("its options are %q", seen)
			}
			return nil, &ElementError{Code: pagejs.NoOption, Words: fmt.Sprintf("there is no option %q: %s", clip(option), words)}
		}
		select {
		case <-time.After(40 * time.Millisecond):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// ScrollOptions say where to scroll: to an edge, by a distance, or, with neither, a target into view.
type ScrollOptions struct {
	To   string // "top", "bottom", "left", "right"
	By   bool
	X, Y float64
}

// Scrolled is where a page or an element stands after scrolling.
type Scrolled struct {
	given
	Ref    int  `json:"ref"`
	X      int  `json:"x"`
	Y      int  `json:"y"`
	Width  int  `json:"width"`
	Height int  `json:"height"`
	AtEnd  bool `json:"atEnd"`
}

// Scroll scrolls the page, or an element, or an element into view.
func Scroll(ctx context.Context, t *browser.Tab, target *Target, o ScrollOptions) (Acted, Scrolled, error) {
	at := &Scrolled{}
	first := target
	if target != nil && target.Ref == "" && target.Selector == "" {
		first = nil
	}
	a, err := act(ctx, t, first, func(ctx context.Context, _ *Acted) (*resolved, error) {
		args := map[string]any{"to": o.To, "by": o.By, "x": o.X, "y": o.Y}
		if target == nil || target.Ref == "" && target.Selector == "" {
			return nil, named(Target{}, call(ctx, t.MainFrame(), "scrollTo", args, at))
		}
		f, err := onTarget(ctx, t, *target, "scrollTo", args, at)
		if err != nil {
			return nil, err
		}
		return &resolved{Ref: at.Ref, frame: f, Matched: 1}, nil
	})
	return a, *at, err
}

// Wait is what to wait for.
type Wait struct {
	Target *Target
	Text   *string
	Gone   bool
}

type waited struct {
	given
	Met bool `json:"met"`
	Ref int  `json:"ref"`
}

// WaitError means that what was waited for did not come about in time.
type WaitError struct {
	What string
	Gone bool
}

func (e *WaitError) Error() string {
	if e.Gone {
		return fmt.Sprintf("%s is still there", e.What)
	}
	return fmt.Sprintf("%s did not appear in time", e.What)
}

// Advice says what to do about it.
func (e *WaitError) Advice() (hint, source string) {
	return "Look at the page with snapshot; wait again, or with a longer timeoutMs.", "app"
}

// WaitFor waits until an element or a text is in the page, in any frame, or is in none.
func WaitFor(ctx context.Context, t *browser.Tab, w Wait) (ref string, err error) {
	deadline := limitOf(ctx)
	what := ""
	if hide := hideOf(ctx); hide != nil && w.Text != nil {
		return waitForShown(ctx, t, w, deadline)
	}
	for {
		frames := t.Frames()
		var base func() map[string]any
		switch {
		case w.Text != nil:
			what = fmt.Sprintf("the text %q", *w.Text)
			base = func() map[string]any { return map[string]any{"text": *w.Text} }
		default:
			target := *w.Target
			what = target.Selector
			if target.Ref != "" {
				what = target.Ref
			}
			if frames, base, err = targetArgs(ctx, t, target); err != nil {
				var stale *RefError
				if w.Gone && errors.As(err, &stale) {
					return "", nil
				}
				return "", err
			}
		}
		present := 0
		for _, f := range frames {
			a := base()
			a["gone"] = w.Gone
			a["limit"] = 0
			// Where there is one frame the page code waits by itself and answers as soon as something changes.
			if len(frames) == 1 {
				a["limit"] = min(max(0, time.Until(deadline).Milliseconds()), 1000)
			}
			out := &waited{}
			err := call(ctx, f, "waitFor", a, out)
			switch {
			case errors.Is(err, browser.ErrDocumentGone):
				continue
			case err != nil:
				return "", named(Target{}, err)
			case out.Met && !w.Gone:
				if out.Ref > 0 {
					ref = fmt.Sprintf("e%d", out.Ref)
				}
				return ref, nil
			case !out.Met && w.Gone:
				present++
			}
		}
		if w.Gone && present == 0 {
			return "", nil
		}
		if time.Now().After(deadline) {
			return "", &WaitError{What: what, Gone: w.Gone}
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-t.Closed():
			return "", browser.ErrTabGone
		case <-ctx.Done():
			return "", context.Cause(ctx)
		}
	}
}

// waitForShown waits for a text among what may be shown of the page.
func waitForShown(ctx context.Context, t *browser.Tab, w Wait, deadline time.Time) (ref string, err error) {
	for {
		m, err := TextSearch(ctx, t, SearchOptions{Text: *w.Text, Max: 1})
		switch {
		case err != nil && !errors.Is(err, browser.ErrDocumentGone):
			return "", err
		case err == nil && w.Gone && m.Count == 0:
			return "", nil
		case err == nil && !w.Gone && m.Count > 0:
			return m.Matches[0].Ref, nil
		case time.Now().After(deadline):
			return "", &WaitError{What: fmt.Sprintf("the text %q", *w.Text), Gone: w.Gone}
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-t.Closed():
			return "", browser.ErrTabGone
		case <-ctx.Done():
			return "", context.Cause(ctx)
		}
	}
}
