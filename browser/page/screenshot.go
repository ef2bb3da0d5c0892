package page

import (
	"context"
	"errors"
	"fmt"
	"math"

	"chaperone/browser"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	_ "golang.org/x/image/webp" // pictures with something to cover are read again
)

// ScreenshotOptions say what to take a picture of, and how.
type ScreenshotOptions struct {
	Target   *Target // nil: the viewport
	FullPage bool
	Format   string  // "png" (default), "jpeg", "webp"
	Quality  int     // of jpeg and webp; 0: 80
	Scale    float64 // pixels per CSS pixel; 0: 1
}

// Picture is a screenshot.
type Picture struct {
	MIME          string
	Data          []byte
	Width, Height int     // CSS pixels that it shows
	X, Y          float64 // of its upper left corner in the viewport, CSS pixels
	Scale         float64 // pixels per CSS pixel
	Note          string  // why the scale is not the one asked for, or what was left out
}

// Sides that models take: beyond them a picture is made smaller, and a page that is still longer is cut.
const (
	mostSide = 2000
	mostLong = 8000
)

// Screenshot takes a picture of the viewport, the whole page, or one element. Filled fields for passwords and one-time codes are
// painted over in it.
func Screenshot(ctx context.Context, t *browser.Tab, o ScreenshotOptions) (Picture, error) {
	if err := t.Err(); err != nil {
		return Picture{}, err
	}
	return covered(ctx, t, func() (Picture, error) { return shoot(ctx, t, o) })
}

func shoot(ctx context.Context, t *browser.Tab, o ScreenshotOptions) (Picture, error) {
	if o.FullPage && o.Target != nil {
		return Picture{}, errors.New("give either fullPage or an element")
	}
	s := t.MainFrame().Session()
	layout, err := cdp.Call(ctx, s, page.GetLayoutMetrics, cdp.Empty{})
	if err != nil {
		return Picture{}, err
	}
	view := layout.CSSVisualViewport
	p := Picture{MIME: "image/png", Scale: 1, Width: int(view.ClientWidth), Height: int(view.ClientHeight)}
	clip := &page.Viewport{X: view.PageX, Y: view.PageY, Width: view.ClientWidth, Height: view.ClientHeight}
	params := page.CaptureScreenshotParams{Format: page.CaptureScreenshotFormatPng, OptimizeForSpeed: new(true)}
	switch {
	case o.Target != nil && o.Target.Point == nil:
		r, err := resolve(ctx, t, *o.Target, map[string]any{"events": false, "view": true})
		if err != nil {
			return Picture{}, err
		}
		// The element is scrolled into view by its own frame; its middle is known in the main frame.
		layout, err = cdp.Call(ctx, s, page.GetLayoutMetrics, cdp.Empty{})
		if err != nil {
			return Picture{}, err
		}
		view = layout.CSSVisualViewport
		w, h := r.Box[2], r.Box[3]
		p.X, p.Y = r.X-w/2, r.Y-h/2
		clip = &page.Viewport{X: view.PageX + p.X, Y: view.PageY + p.Y, Width: math.Max(1, w), Height: math.Max(1, h)}
		params.CaptureBeyondViewport = new(true)
	case o.FullPage:
		size := layout.CSSContentSize
		p.X, p.Y = -view.PageX, -view.PageY
		clip = &page.Viewport{Width: size.Width, Height: size.Height}
		params.CaptureBeyondViewport = new(true)
	}
	p.fit(clip, o.Scale)
	clip.Scale = p.Scale
	params.Clip = clip
	switch o.Format {
	case "", "png":
	case "jpeg", "jpg":
		params.Format, p.MIME = page.CaptureScreenshotFormatJpeg, "image/jpeg"
	case "webp":
		params.Format, p.MIME = page.CaptureScreenshotFormatWebp, "image/webp"
	default:
		return Picture{}, fmt.Errorf("the format %q is unknown; the formats are png, jpeg, webp", format(o.Format))
	}
	if p.MIME != "image/png" {
		quality := int64(80)
		if o.Quality > 0 {
			quality = int64(min(o.Quality, 100))
		}
		params.Quality = &quality
	}
	shot, err := cdp.Call(ctx, s, page.CaptureScreenshot, params)
	if err != nil {
		return Picture{}, err
	}
	p.Data = shot.Data
	return p, nil
}

// format repeats a format that is none, in an error.
func format(s string) string { return clip(s) }

// fit chooses the scale, and cuts what is too long at any useful one.
func (p *Picture) fit(c *page.Viewport, scale float64) {
	if scale <= 0 {
		scale = 1
	}
	wanted := scale
	if c.Width*scale > mostSide {
		scale = mostSide / c.Width
	}
	if longest := float64(mostLong); c.Height*scale > longest {
		if smaller := longest / c.Height; smaller >= scale/2 {
			scale = smaller
		} else {
			kept := longest / scale
			p.Note = fmt.Sprintf("the page is %.0f px long; only the first %.0f are shown: scroll for the rest", c.Height, kept)
			c.Height = kept
		}
	}
	if scale != wanted && p.Note == "" {
		p.Note = fmt.Sprintf("scaled by %.3f: divide coordinates read from the picture by that", scale)
	}
	p.Scale, p.Width, p.Height = scale, int(c.Width), int(c.Height)
}
