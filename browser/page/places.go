package page

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"chaperone/browser"

	protocol "github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
)

// places carries boxes of frames into the main frame's viewport, by all four corners: frames may be turned and scaled. It looks
// at each frame once, and never moves the page.
type places struct {
	of map[*browser.Frame]*framePlace
}

func newPlaces() *places { return &places{map[*browser.Frame]*framePlace{}} }

// framePlace is where a frame is drawn in the outermost frame of its process, or of its parent's process.
type framePlace struct {
	width, height float64 // of the frame's own viewport
	quad          [4]Point
	up            *browser.Frame
	unseen        bool // it is not drawn
	all           bool // what it shows may be drawn anywhere
}

// toMain is where boxes of a frame are drawn. With all they may be drawn anywhere.
func (p *places) toMain(ctx context.Context, f *browser.Frame, boxes []box) (out []box, all bool, err error) {
	for f.Parent() != nil {
		at, err := p.find(ctx, f)
		if err != nil {
			return nil, false, err
		}
		if at.unseen {
			return nil, false, nil
		}
		all = all || at.all
		var next []box
		for _, b := range boxes {
			if b, shown := at.carry(b); shown {
				next = append(next, b)
			}
		}
		boxes, f = next, at.up
	}
	return boxes, all, nil
}

func (p *places) find(ctx context.Context, f *browser.Frame) (*framePlace, error) {
	if at := p.of[f]; at != nil {
		return at, nil
	}
	at := &framePlace{up: f.Parent()}
	var size struct{ Width, Height float64 }
	if err := f.Call(ctx, "frameSize", struct{}{}, &size); err != nil {
		return nil, err
	}
	at.width, at.height = size.Width, size.Height
	parent := f.Parent()
	owner, err := cdp.Call(ctx, parent.Session(), dom.GetFrameOwner, dom.GetFrameOwnerParams{FrameID: cdp.FrameID(f.ID())})
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		return nil, fmt.Errorf("%w: %w", browser.ErrDocumentGone, err)
	}
	object, err := parent.Adopt(ctx, owner.BackendNodeID)
	if err != nil {
		return nil, err
	}
	var around struct{ All bool }
	if err := parent.CallOn(ctx, object, "drawnAround", map[string]any{"owner": true}, &around); err != nil {
		return nil, err
	}
	at.all = around.All
	// The protocol answers in the viewport of the outermost frame of the process; what lies between has effects too.
	for at.up.Parent() != nil && !at.up.OutOfProcess() {
		above, err := p.find(ctx, at.up)
		if err != nil {
			return nil, err
		}
		at.all, at.unseen = at.all || above.all, at.unseen || above.unseen
		at.up = at.up.Parent()
	}
	model, err := cdp.Call(ctx, parent.Session(), dom.GetBoxModel, dom.GetBoxModelParams{BackendNodeID: owner.BackendNodeID})
	var refused *protocol.Error
	switch {
	case errors.As(err, &refused) && strings.Contains(refused.Message, "compute box model"):
		at.unseen = true
	case err != nil:
		return nil, err
	case model.Model == nil || len(model.Model.Content) < 8:
		at.all = true
	default:
		for i := range at.quad {
			at.quad[i] = Point{model.Model.Content[2*i], model.Model.Content[2*i+1]}
		}
	}
	if at.width <= 0 || at.height <= 0 {
		at.unseen = true
	}
	p.of[f] = at
	return at, nil
}

// carry is the part of a box of the frame that the frame shows, as it is drawn outside.
func (at *framePlace) carry(b box) (box, bool) {
	l, t := max(0, b[0]), max(0, b[1])
	r, d := min(at.width, b[0]+b[2]), min(at.height, b[1]+b[3])
	if l >= r || t >= d {
		return box{}, false
	}
	var out box
	for i, c := range [4]Point{{l, t}, {r, t}, {r, d}, {l, d}} {
		q := at.point(c.X/at.width, c.Y/at.height)
		if i == 0 {
			out = box{q.X, q.Y, q.X, q.Y}
		}
		out = box{min(out[0], q.X), min(out[1], q.Y), max(out[2], q.X), max(out[3], q.Y)}
	}
	return box{out[0], out[1], out[2] - out[0], out[3] - out[1]}, true
}

// point is where a point of the unit square is in the quad, seen in perspective.
func (at *framePlace) point(u, v float64) Point {
	q := at.quad
	dx1, dx2, dx3 := q[1].X-q[2].X, q[3].X-q[2].X, q[0].X-q[1].X+q[2].X-q[3].X
	dy1, dy2, dy3 := q[1].Y-q[2].Y, q[3].Y-q[2].Y, q[0].Y-q[1].Y+q[2].Y-q[3].Y
	var g, h float64
	if det := dx1*dy2 - dx2*dy1; det != 0 {
		g, h = (dx3*dy2-dx2*dy3)/det, (dx1*dy3-dx3*dy1)/det
	}
	w := g*u + h*v + 1
	if w == 0 {
		w = 1e-9
	}
	x := (q[1].X-q[0].X+g*q[1].X)*u + (q[3].X-q[0].X+h*q[3].X)*v + q[0].X
	y := (q[1].Y-q[0].Y+g*q[1].Y)*u + (q[3].Y-q[0].Y+h*q[3].Y)*v + q[0].Y
	return Point{x / w, y / w}
}

// grown is a box with a margin.
func (b box) grown(by float64) box { return box{b[0] - by, b[1] - by, b[2] + 2*by, b[3] + 2*by} }
