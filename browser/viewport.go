package browser

import (
	"context"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

// Viewport is what a tab shows, and how large.
type Viewport struct {
	X, Y, Width, Height float64 // in the page, CSS pixels
	Content             [2]float64
	Zoom                float64 // device-independent pixels per CSS pixel: what the person zoomed to
	Ratio               float64 // device pixels per CSS pixel: the zoom times the scale of the screen
}

// Viewport tells what the tab shows.
func (t *Tab) Viewport(ctx context.Context) (Viewport, error) {
	layout, err := cdp.Call(ctx, t.cdp, page.GetLayoutMetrics, cdp.Empty{})
	if err != nil {
		return Viewport{}, t.root.callError(err)
	}
	view, size := layout.CSSVisualViewport, layout.CSSContentSize
	if view == nil || size == nil || view.ClientWidth == 0 {
		return Viewport{}, ErrTabGone
	}
	v := Viewport{X: view.PageX, Y: view.PageY, Width: view.ClientWidth, Height: view.ClientHeight, Content: [2]float64{size.Width, size.Height}, Zoom: view.Zoom}
	if v.Zoom <= 0 {
		v.Zoom = 1
	}
	if err := t.root.Call(ctx, "pixelRatio", struct{}{}, &v.Ratio); err != nil {
		return Viewport{}, err
	}
	return v, nil
}

// Clip is that part of the page, in CSS pixels, for a picture with scale pixels per CSS pixel. Chromium takes both in pixels
// that know nothing of the page's zoom, and then multiplies with the scale of the screen.
func (v Viewport) Clip(x, y, width, height, scale float64) *page.Viewport {
	return &page.Viewport{X: x * v.Zoom, Y: y * v.Zoom, Width: width * v.Zoom, Height: height * v.Zoom, Scale: scale / v.Ratio}
}
