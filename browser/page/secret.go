package page

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"chaperone/browser"
	"chaperone/browser/pagejs"
)

// Secret is a value that may be typed into frames of its sites only. It is handed to the receiving frame in one call, which looks
// at the frame's site and types; a frame that has gone by then gets nothing.
type Secret struct {
	Name string // as the agent knows it
	// Use hands the value to what types it.
	Use func(typing func(value string) error) error
	// Sites are the origins in their normal form that it may go to; nil: any.
	Sites []string
}

// Receiver is the field that a secret would go into.
type Receiver struct {
	Ref       string
	Site      string // its frame's origin, empty where it has none to name
	Role      string
	Name      string
	Protected bool // a field whose value is never shown
	frame     *browser.Frame
}

// Typed is a secret that went into a frame of a site.
type Typed struct{ Name, Site string }

// SiteError means that a secret may not go to where it was to be typed.
type SiteError struct {
	Secret   string
	Sites    []string
	Site     string
	Compared bool // it was to be compared, not typed
}

func (e *SiteError) Error() string {
	where := "a frame that has no origin to name"
	if e.Site != "" {
		where = "a frame of " + e.Site
	}
	what := "typed"
	if e.Compared {
		what = "compared"
	}
	return fmt.Sprintf("<%s> may go to %s only, and the field is in %s; nothing was %s", e.Secret, strings.Join(e.Sites, ", "), where, what)
}

// Advice says what to do about it.
func (e *SiteError) Advice() (hint, source string) {
	return "Go to a page of such a site. If the site is right, the person can add its origin to the secret.", "server"
}

// Allows reports, as a *SiteError, that the secret may not go to a site.
func (s Secret) Allows(site string) error {
	if s.Sites == nil || site != "" && slices.Contains(s.Sites, site) {
		return nil
	}
	return &SiteError{Secret: s.Name, Sites: s.Sites, Site: site}
}

// args are what the page code is told of a secret besides its value.
func (s Secret) args() map[string]any { return map[string]any{"sites": s.Sites} }

// refused puts the secret's own words into a refusal of the page code.
func (s Secret) refused(err error, site string) error {
	if pagejs.Is(err, pagejs.WrongOrigin) {
		return &SiteError{Secret: s.Name, Sites: s.Sites, Site: site}
	}
	return err
}

// receiver is a Receiver as the page code tells it.
type receiver struct {
	resolved
	Protected bool   `json:"protected"`
	Site      string `json:"site"`
	Kept      bool   `json:"kept"`
	Frame     bool   `json:"frame"`
	Field     bool   `json:"field"`
}

func (r *receiver) public() Receiver {
	return Receiver{Ref: fmt.Sprintf("e%d", r.Ref), Site: r.Site, Role: r.Role, Name: r.Name, Protected: r.Protected, frame: r.frame}
}

// ReceiverOf finds the field that a value for target would go into, and waits until it can take one; what has the focus if target
// is nil. Nothing is typed.
func ReceiverOf(ctx context.Context, t *browser.Tab, target *Target) (Receiver, error) {
	r, err := receiving(ctx, t, target)
	if err != nil {
		return Receiver{}, err
	}
	return r.public(), nil
}

func receiving(ctx context.Context, t *browser.Tab, target *Target) (*receiver, error) {
	if target == nil {
		return focused(ctx, t)
	}
	r := &receiver{}
	f, err := onTarget(ctx, t, *target, "fill", map[string]any{"dry": true}, r)
	if err != nil {
		return nil, err
	}
	r.frame = f
	return r, nil
}

// focused follows the focus from the main frame inwards.
func focused(ctx context.Context, t *browser.Tab) (*receiver, error) {
	f := t.MainFrame()
	for range 20 {
		r := &receiver{}
		if err := call(ctx, f, "focusedField", map[string]any{}, r); err != nil {
			return nil, err
		}
		r.frame = f
		if !r.Frame {
			if !r.Field {
				return nil, &ElementError{Code: pagejs.NotEditable, Words: "no field has the focus that takes text; give the field as the target"}
			}
			return r, nil
		}
		inner, err := frameIn(ctx, t, f, r.Ref)
		if err != nil {
			return nil, err
		}
		f = inner
	}
	return nil, &ElementError{Code: pagejs.NotEditable, Words: "the focus is too many frames deep; give the field as the target"}
}

// frameIn is the frame that an element of its parent holds.
func frameIn(ctx context.Context, t *browser.Tab, parent *browser.Frame, ref int) (*browser.Frame, error) {
	for _, f := range t.Frames() {
		if f.Parent() != parent {
			continue
		}
		n, err := ownerRef(ctx, f)
		if err != nil {
			return nil, err
		}
		if n == ref {
			return f, nil
		}
	}
	return nil, &ElementError{Code: pagejs.NotEditable, Words: "the focus is in a frame that cannot be reached; give the field as the target"}
}

// FillSecret puts a secret into a field, in place of what it holds.
func FillSecret(ctx context.Context, t *browser.Tab, target Target, s Secret) (Acted, error) {
	return act(ctx, t, &target, func(ctx context.Context, a *Acted) (*resolved, error) {
		return fillSecret(ctx, t, target, s, a)
	})
}

// fillSecret finds the field without the value, and then hands the value to the field's frame alone.
func fillSecret(ctx context.Context, t *browser.Tab, target Target, s Secret, a *Acted) (*resolved, error) {
	found, err := receiving(ctx, t, &target)
	if err != nil {
		return nil, err
	}
	if err := s.Allows(found.Site); err != nil {
		return nil, err
	}
	r := &receiver{}
	err = s.Use(func(value string) error {
		args := map[string]any{"ref": found.Ref, "value": value, "secret": s.args(), "limit": 0}
		watchOf(ctx).add(found.frame, args)
		return call(ctx, found.frame, "fill", args, r)
	})
	if err != nil {
		return nil, named(target, s.refused(err, found.Site))
	}
	r.frame, r.Matched = found.frame, found.Matched
	a.Typed = append(a.Typed, Typed{s.Name, r.Site})
	a.filled = append(a.filled, filled{r: &r.resolved})
	if !r.Kept {
		a.Warnings = append(a.Warnings, fmt.Sprintf("the page changed what was put into e%d", r.Ref))
	}
	return &r.resolved, nil
}

// PressSecret types a secret where the focus is, as keys would: on a target when one is given. Where fields take one character
// each, as those for one-time codes, it follows the focus that the page moves on.
func PressSecret(ctx context.Context, t *browser.Tab, target *Target, s Secret) (Acted, error) {
	return act(ctx, t, target, func(ctx context.Context, a *Acted) (*resolved, error) {
		if target != nil {
			found, err := receiving(ctx, t, target)
			if err != nil {
				return nil, err
			}
			if err := s.Allows(found.Site); err != nil {
				return nil, err
			}
			if _, err := resolve(ctx, t, *target, map[string]any{"enabled": true, "control": true, "focus": true}); err != nil {
				return nil, err
			}
		}
		r, err := focused(ctx, t)
		if err != nil {
			return nil, err
		}
		if err := s.Allows(r.Site); err != nil {
			return nil, err
		}
		return &r.resolved, s.Use(func(value string) error {
			a.Typed = append(a.Typed, Typed{s.Name, r.Site})
			err := call(ctx, r.frame, "typeSecret", map[string]any{"ref": r.Ref, "value": value, "secret": s.args()}, &given{})
			return named(Target{}, s.refused(err, r.Site))
		})
	})
}
