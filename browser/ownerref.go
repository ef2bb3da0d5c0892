package browser

import (
	"context"
	"errors"

	"github.com/chromedp/cdproto/dom"
)

// OwnerRef returns the reference number of the frame's iframe element in its parent's document. It is asked for once per
// parent document: the element keeps its number.
func (f *Frame) OwnerRef(ctx context.Context) (int, error) {
	parent := f.Parent()
	if parent == nil {
		return 0, errors.New("the main frame has no owner")
	}
	w, err := parent.awaitWorld(ctx)
	if err != nil {
		return 0, err
	}
	f.tab.mu.Lock()
	ref, doc := f.ownerRef, f.ownerDoc
	f.tab.mu.Unlock()
	if ref != 0 && doc == w.unique {
		return ref, nil
	}
	var owner dom.GetFrameOwnerResult
	if err := w.sess.Call(ctx, dom.CommandGetFrameOwner, dom.GetFrameOwnerParams{FrameID: f.id}, &owner); err != nil {
		return 0, parent.callError(err)
	}
	object, err := parent.Adopt(ctx, owner.BackendNodeID)
	if err != nil {
		return 0, err
	}
	var reply struct {
		Ref  int `json:"ref"`
		Next int `json:"next"`
	}
	first, done := f.tab.LendRefs(1)
	reply.Next = first
	err = parent.CallOn(ctx, object, "refOf", map[string]any{"next": first}, &reply)
	done(reply.Next)
	if err != nil {
		return 0, err
	}
	f.tab.mu.Lock()
	f.ownerRef, f.ownerDoc = reply.Ref, w.unique
	f.tab.mu.Unlock()
	return reply.Ref, nil
}
