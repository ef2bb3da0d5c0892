package page

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
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
	Part     *Part   // of the viewport
	Format   string  // "png" (default), "jpeg", "webp"
	Quality  int     // of jpeg and webp; 0: 80
	Scale    float64 // pixels per CSS pixel; 0: 1
	Hide     Hide    // finds texts that are covered; nil: there are none
}

// Part is a part of the viewport, in CSS pixels.
type Part struct{ X, Y, Width, Height float64 }

// Picture is a screenshot.
type Picture struct {
	MIME          string
	Data          []byte
	Width, Height int      // CSS pixels that it shows
	X, Y          float64  // of its upper left corner in the viewport, CSS pixels
	Scale         float64  // pixels per CSS pixel
	Names         []string // of the secrets that covered texts hold
	Note          string   // why the scale is not the one asked for, or what was left out
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
	return covered(ctx, t, o.Hide, func() (Picture, error) { return shoot(ctx, t, o) })
}

func shoot(ctx context.Context, t *browser.Tab, o ScreenshotOptions) (Picture, error) {
	if o.FullPage && o.Target != nil {
		return Picture{}, errors.New("give either fullPage or an element")
	}
	view, err := t.Viewport(ctx)
	if err != nil {
		return Picture{}, err
	}
	p := Picture{MIME: "image/png"}
	clip := box{view.X, view.Y, view.Width, view.Height}
	params := page.CaptureScreenshotParams{Format: page.CaptureScreenshotFormatPng, OptimizeForSpeed: new(true)}
	switch {
	case o.Target != nil && o.Target.Point == nil:
		r, err := resolve(ctx, t, *o.Target, map[string]any{"events": false, "view": true})
		if err != nil {
			return Picture{}, err
		}
		// The element is scrolled into view by its own frame; its middle is known in the main frame.
		if view, err = t.Viewport(ctx); err != nil {
			return Picture{}, err
		}
		w, h := r.Box[2], r.Box[3]
		// Chromium takes no picture of what is left of or above the page, and draws another part when asked to.
		clip = box{max(0, view.X+r.X-w/2), max(0, view.Y+r.Y-h/2), max(1, w), max(1, h)}
		p.X, p.Y = clip[0]-view.X, clip[1]-view.Y
		params.CaptureBeyondViewport = new(true)
	case o.Part != nil:
		clip = box{view.X + o.Part.X, view.Y + o.Part.Y, o.Part.Width, o.Part.Height}
		p.X, p.Y = o.Part.X, o.Part.Y
	case o.FullPage:
		p.X, p.Y = -view.X, -view.Y
		clip = box{0, 0, view.Content[0], view.Content[1]}
		params.CaptureBeyondViewport = new(true)
	}
	p.fit(&clip, o.Scale)
	params.Clip = view.Clip(clip[0], clip[1], clip[2], clip[3], p.Scale)
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
	shot, err := cdp.Call(ctx, t.MainFrame().Session(), page.CaptureScreenshot, params)
	if err != nil {
		return Picture{}, err
	}
	p.Data = shot.Data
	// Chromium rounds to whole pixels, and what is covered must be covered whole.
	is, _, err := image.DecodeConfig(bytes.NewReader(p.Data))
	if err != nil {
		return Picture{}, fmt.Errorf("Chromium's picture cannot be read: %w", err)
	}
	if real := float64(is.Width) / clip[2]; math.Abs(real-p.Scale)*clip[2] > 1.5 {
		p.Scale = real
	}
	return p, nil
}

// format repeats a format that is none, in an error.
func format(s string) string { return clip(s) }

// fit chooses the scale, and cuts what is too long at any useful one.
func (p *Picture) fit(c *box, scale float64) {
	if scale <= 0 {
		scale = 1
	}
	wanted := scale
	if c[2]*scale > mostSide {
		scale = mostSide / c[2]
	}
	if longest := float64(mostLong); c[3]*scale > longest {
		if smaller := longest / c[3]; smaller >= scale/2 {
			scale = smaller
		} else {
			kept := longest / scale
			p.Note = fmt.Sprintf("the page is %.0f px long; only the first %.0f are shown: scroll for the rest", c[3], kept)
			c[3] = kept
		}
	}
	if scale != wanted && p.Note == "" {
		p.Note = fmt.Sprintf("scaled by %.3f: divide coordinates read from the picture by that", scale)
	}
	p.Scale, p.Width, p.Height = scale, int(c[2]), int(c[3])
}
