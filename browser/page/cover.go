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

// protectedBoxes is where the values stand that no picture may show, in all frames. With all they may be drawn anywhere.
func protectedBoxes(ctx context.Context, t *browser.Tab, at *places) (list []box, all bool, err error) {
	for _, f := range t.Frames() {
		var r struct {
			Boxes []box `json:"boxes"`
			All   bool  `json:"all"`
		}
		err := f.Call(ctx, "protectedBoxes", map[string]any{}, &r)
		if err == nil && len(r.Boxes) > 0 {
			var anywhere bool
			if r.Boxes, anywhere, err = at.toMain(ctx, f, r.Boxes); err == nil {
				list = append(list, r.Boxes...)
				all = all || anywhere || r.All
			}
		}
		if errors.Is(err, browser.ErrDocumentGone) && f.Parent() != nil {
			continue // a frame that is gone shows nothing
		}
		if err != nil {
			return nil, false, err
		}
	}
	return list, all, nil
}

// mostTries is how often a picture is taken again because the fields moved while it was taken.
const mostTries = 4

// covered takes a picture with shoot and paints over the protected fields in it, and the texts that hide finds: in the picture,
// never in the page. When they moved meanwhile the picture is taken again.
func covered(ctx context.Context, t *browser.Tab, hide Hide, shoot func() (Picture, error)) (Picture, error) {
	still := false
	for range mostTries {
		before, err := lookAround(ctx, t, hide)
		if err != nil {
			return Picture{}, err
		}
		if !before.empty() && !still {
			release, err := holdStill(ctx, t)
			if err != nil {
				return Picture{}, err
			}
			defer release()
			still = true
			if before, err = lookAround(ctx, t, hide); err != nil {
				return Picture{}, err
			}
		}
		moved := func() (bool, error) { return false, nil }
		if !before.empty() {
			if moved, err = watchPlaces(ctx, t); err != nil {
				return Picture{}, err
			}
		}
		p, err := shoot()
		strayed, lost := moved()
		if err == nil {
			err = lost
		}
		if err != nil {
			return Picture{}, err
		}
		after, err := lookAround(ctx, t, hide)
		if err != nil {
			return Picture{}, err
		}
		if strayed && !after.all || !before.same(after) {
			continue
		}
		p.Names = after.names
		if after.empty() {
			return p, nil
		}
		if !isStill(ctx, t) {
			after.all = true
		}
		return p, p.paint(after)
	}
	return Picture{}, errors.New("the page keeps moving what must be covered in a picture (password fields, secrets); wait_for it to come to rest")
}

// toCover is what a picture may not show.
type toCover struct {
	fields []box // of protected fields
	texts  []box
	names  []string // of what the texts hold
	all    bool     // an effect may draw them anywhere
}

func (c toCover) empty() bool { return len(c.fields)+len(c.texts) == 0 && !c.all }

func (c toCover) same(as toCover) bool {
	return c.all == as.all && slices.Equal(c.fields, as.fields) && slices.Equal(c.texts, as.texts)
}

func lookAround(ctx context.Context, t *browser.Tab, hide Hide) (c toCover, err error) {
	at := newPlaces()
	var all bool
	if c.fields, c.all, err = protectedBoxes(ctx, t, at); err != nil {
		return c, err
	}
	c.texts, all, c.names, err = hiddenBoxes(ctx, t, hide, at)
	c.all = c.all || all
	return c, err
}

var coverColor = image.NewUniform(color.NRGBA{R: 0x5d, G: 0x68, B: 0x72, A: 0xff})

// paint covers the boxes in the encoded picture.
func (p *Picture) paint(c toCover) error {
	img, _, err := image.Decode(bytes.NewReader(p.Data))
	if err != nil {
		return fmt.Errorf("the picture cannot be read, so its password fields cannot be covered: %w", err)
	}
	out := image.NewNRGBA(img.Bounds())
	draw.Draw(out, out.Bounds(), img, img.Bounds().Min, draw.Src)
	fields := p.fill(out, c.fields)
	texts := p.fill(out, c.texts)
	if c.all {
		draw.Draw(out, out.Bounds(), coverColor, image.Point{}, draw.Src)
	} else if fields+texts == 0 {
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
	if c.all {
		p.note("the whole picture is covered: the page shows a filled password field or a text that holds secrets with an effect (a filter, a reflection, a part of a drawing that is used again, a transition or animation that is running) that may draw it anywhere")
	}
	if fields > 0 {
		p.note(fmt.Sprintf("%d filled password fields are covered", fields))
	}
	if texts > 0 {
		p.note(fmt.Sprintf("%d texts that hold secrets are covered", texts))
	}
	return nil
}

func (p *Picture) note(words string) {
	if p.Note != "" {
		words = p.Note + "; " + words
	}
	p.Note = words
}

// fill paints over boxes, and returns how many of them are in the picture.
func (p *Picture) fill(out draw.Image, boxes []box) (n int) {
	for _, b := range boxes {
		x, y := (b[0]-p.X)*p.Scale, (b[1]-p.Y)*p.Scale
		r := image.Rect(int(x)-1, int(y)-1, int(x+b[2]*p.Scale)+2, int(y+b[3]*p.Scale)+2).Intersect(out.Bounds())
		if !r.Empty() {
			draw.Draw(out, r, coverColor, image.Point{}, draw.Src)
			n++
		}
	}
	return n
}
