package page

import (
	"context"
	"encoding/json"
	"fmt"

	"chaperone/browser"

	"github.com/chromedp/cdproto/cdp"
)

// Pick lets the person choose an element by clicking it in the browser's window. It uses the browser's own element picker: no
// page can answer for the person, and no action of an agent runs on the tab meanwhile.
func Pick(ctx context.Context, t *browser.Tab) (ref string, err error) {
	_, err = t.Act(ctx, func(ctx context.Context) error {
		ref, err = pick(ctx, t)
		return err
	})
	return ref, err
}

// highlight is how the element under the mouse is shown.
var highlight = json.RawMessage(`{"mode":"searchForNode","highlightConfig":{"showInfo":true,"contentColor":{"r":15,"g":118,"b":110,"a":0.25},"borderColor":{"r":15,"g":118,"b":110,"a":0.9}}}`)

func pick(ctx context.Context, t *browser.Tab) (string, error) {
	sessions := map[cdp.Session]bool{}
	type choice struct {
		session cdp.Session
		node    cdp.BackendNodeID
	}
	picked := make(chan choice, 1)
	done, stop := context.WithCancel(ctx)
	defer stop()
	for _, f := range t.Frames() {
		s := f.Session()
		if s == nil || sessions[s] {
			continue
		}
		sessions[s] = true
		events, cancel := s.Subscribe("Overlay.inspectNodeRequested")
		go func() {
			defer cancel()
			select {
			case raw := <-events:
				var ev struct {
					Node cdp.BackendNodeID `json:"backendNodeId"`
				}
				if json.Unmarshal(raw, &ev) == nil {
					select {
					case picked <- choice{s, ev.Node}:
					default:
					}
				}
			case <-done.Done():
			}
		}()
		for _, step := range []string{"DOM.enable", "Overlay.enable"} {
			if err := s.Call(ctx, step, nil, nil); err != nil {
				return "", err
			}
		}
		if err := s.Call(ctx, "Overlay.setInspectMode", highlight, nil); err != nil {
			return "", err
		}
	}
	defer func() {
		over := context.WithoutCancel(ctx)
		for s := range sessions {
			_ = s.Call(over, "Overlay.setInspectMode", map[string]any{"mode": "none", "highlightConfig": map[string]any{}}, nil)
			_ = s.Call(over, "Overlay.disable", nil, nil)
			_ = s.Call(over, "DOM.disable", nil, nil)
		}
	}()
	select {
	case c := <-picked:
		return refOfNode(ctx, t, c.session, c.node)
	case <-t.Closed():
		return "", browser.ErrTabGone
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// refOfNode gives a node a ref. Which of a session's frames holds it, only trying tells.
func refOfNode(ctx context.Context, t *browser.Tab, s cdp.Session, node cdp.BackendNodeID) (string, error) {
	var last error = browser.ErrDocumentGone
	for _, f := range t.Frames() {
		if f.Session() != s {
			continue
		}
		object, err := f.Adopt(ctx, node)
		if err != nil {
			last = err
			continue
		}
		first, done := t.LendRefs(1)
		reply := struct {
			Ref  int `json:"ref"`
			Next int `json:"next"`
		}{Next: first}
		err = f.CallOn(ctx, object, "refOf", map[string]any{"next": first}, &reply)
		done(reply.Next)
		if err != nil {
			last = err
			continue
		}
		refsOf(t).note(f, f.Document(), reply.Ref, reply.Ref+1)
		return fmt.Sprintf("e%d", reply.Ref), nil
	}
	return "", last
}
