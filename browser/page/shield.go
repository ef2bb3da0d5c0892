package page

import (
	"context"
	"errors"

	"chaperone/browser"
)

// shield looks for fields that hold a secret which nobody typed into them under our eyes: pages are restored, and build their forms
// anew. Keys and drags must not make something of it that is not recognised any more.
func shield(ctx context.Context, t *browser.Tab) error {
	hide := hideOf(ctx)
	if hide == nil {
		return nil
	}
	for _, f := range t.Frames() {
		var out struct {
			given
			Fields []struct {
				Ref   int    `json:"ref"`
				Value string `json:"value"`
			} `json:"fields"`
		}
		err := call(ctx, f, "openValues", map[string]any{}, &out)
		if err != nil {
			if f.Parent() != nil && ctx.Err() == nil || errors.Is(err, browser.ErrDocumentGone) {
				continue
			}
			return err
		}
		refs := []int{}
		for _, one := range out.Fields {
			if hide.mask(one.Value) != one.Value {
				refs = append(refs, one.Ref)
			}
		}
		if len(refs) == 0 {
			continue
		}
		if err := f.Call(ctx, "shield", map[string]any{"refs": refs}, nil); err != nil && !errors.Is(err, browser.ErrDocumentGone) {
			return err
		}
	}
	return nil
}
