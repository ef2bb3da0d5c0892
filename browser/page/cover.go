package page

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"slices"

	"chaperone/browser"
)

// box is a rectangle in the main frame's viewport, CSS pixels.
type box [4]float64

// protectedBoxes is where the values stand that no picture may show, in all frames.
func protectedBoxes(ctx context.Context, t *browser.Tab) ([]box, error) {
	var all []box
	for _, f := range t.Frames() {
		var r struct {
			Boxes []box `json:"boxes"`
		}
		err := f.Call(ctx, "protectedBoxes", map[string]any{}, &r)
		if errors.Is(err, browser.ErrDocumentGone) && f.Parent() != nil {
			continue // a frame that is gone shows nothing
		}
		if err != nil {
			return nil, err
		}
		for _, b := range r.Boxes {
			from, err := toMain(ctx, f, Point{b[0], b[1]}, false)
			if err != nil {
				return nil, err
			}
			to, err := toMain(ctx, f, Point{b[0] + b[2], b[1] + b[3]}, false)
			if err != nil {
				return nil, err
			}
			all = append(all, box{from.X, from.Y, to.X - from.X, to.Y - from.Y})
		}
	}
	return all, nil
}

// mostTries is how often a picture is taken again because the fields moved while it was taken.
const mostTries = 4

// covered takes a picture with shoot and paints over the protected fields in it: in the picture, never in the page. When they
// moved meanwhile the picture is taken again.
func covered(ctx context.Context, t *browser.Tab, shoot func() (Picture, error)) (Picture, error) {
	for range mostTries {
		before, err := protectedBoxes(ctx, t)
		if err != nil {
			return Picture{}, err
		}
		p, err := shoot()
		if err != nil {
			return Picture{}, err
		}
		after, err := protectedBoxes(ctx, t)
		if err != nil {
			return Picture{}, err
		}
		if !slices.Equal(before, after) {
			continue
		}
		if len(after) == 0 {
			return p, nil
		}
		return p, p.paint(after)
	}
	return Picture{}, errors.New("the page keeps moving its password fields, so that they cannot be covered in a picture; wait_for it to come to rest")
}

var coverColor = image.NewUniform(color.NRGBA{R: 0x5d, G: 0x68, B: 0x72, A: 0xff})

// paint covers the boxes in the encoded picture.
func (p *Picture) paint(boxes []box) error {
	img, _, err := image.Decode(bytes.NewReader(p.Data))
	if err != nil {
		return fmt.Errorf("the picture cannot be read, so its password fields cannot be covered: %w", err)
	}
	out := image.NewNRGBA(img.Bounds())
	draw.Draw(out, out.Bounds(), img, img.Bounds().Min, draw.Src)
	n := 0
	for _, b := range boxes {
		x, y := (b[0]-p.X)*p.Scale, (b[1]-p.Y)*p.Scale
		r := image.Rect(int(x)-1, int(y)-1, int(x+b[2]*p.Scale)+2, int(y+b[3]*p.Scale)+2).Intersect(out.Bounds())
		if !r.Empty() {
			draw.Draw(out, r, coverColor, image.Point{}, draw.Src)
			n++
		}
	}
	if n == 0 {
		return nil
	}
	var b bytes.Buffer
	if p.MIME == "image/jpeg" {
		err = jpeg.Encode(&b, out, &jpeg.Options{Quality: 85})
	} else {
		p.MIME = "image/png"
		err = (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, out)
	}
	if err != nil {
		return err
	}
	p.Data = b.Bytes()
	words := fmt.Sprintf("%d filled password fields are covered", n)
	if p.Note != "" {
		words = p.Note + "; " + words
	}
	p.Note = words
	return nil
}
