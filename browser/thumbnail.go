package browser

import (
	"context"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

// Thumbnail takes a small JPEG picture of the page, for the person's eyes. It never raises the tab.
func (t *Tab) Thumbnail(ctx context.Context, width int) ([]byte, error) {
	if err := t.Err(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	v, err := t.Viewport(ctx)
	if err != nil {
		return nil, err
	}
	shot, err := cdp.Call(ctx, t.cdp, page.CaptureScreenshot, page.CaptureScreenshotParams{
		Format:           page.CaptureScreenshotFormatJpeg,
		Quality:          new(int64(70)),
		Clip:             v.Clip(v.X, v.Y, v.Width, v.Height, min(1, float64(width)/v.Width)),
		OptimizeForSpeed: new(true),
	})
	if err != nil {
		return nil, t.root.callError(err)
	}
	return shot.Data, nil
}
