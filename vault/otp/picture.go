package otp

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"net/http"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/multi/qrcode"
	"golang.org/x/image/draw"
	"golang.org/x/image/webp"
)

const (
	mostPicture = 32 << 20 // bytes
	mostPixels  = 40 << 20
	mostSide    = 2400 // pixels: larger pictures are looked at smaller
)

var formats = map[string]struct {
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
}{
	"image/png":  {png.DecodeConfig, png.Decode},
	"image/jpeg": {jpeg.DecodeConfig, jpeg.Decode},
	"image/gif":  {gif.DecodeConfig, gif.Decode},
	"image/webp": {webp.DecodeConfig, webp.Decode},
}

// ParsePicture reads the QR codes in a PNG, JPEG, WebP or GIF picture. It may take a second or two. Codes for something else are passed over if others are
// right. ErrPicture, ErrNoCode, ErrForeign, or what Parse says.
func ParsePicture(picture []byte) (Import, error) {
	img, err := decodePicture(picture)
	if err != nil {
		return Import{}, err
	}
	texts := readCodes(img)
	if len(texts) == 0 {
		return Import{}, ErrNoCode
	}
	var all Import
	var wrong error
	for _, text := range texts {
		one, err := parseLink(text)
		if err != nil {
			wrong = errors.Join(wrong, err)
			continue
		}
		all.add(one)
	}
	if len(all.Keys)+len(all.Skipped) == 0 {
		return Import{}, fmt.Errorf("the QR code: %w", wrong)
	}
	return all, nil
}

func decodePicture(picture []byte) (img image.Image, err error) {
	if len(picture) > mostPicture {
		return nil, fmt.Errorf("%w: it has more than %d MB", ErrPicture, mostPicture>>20)
	}
	f, known := formats[http.DetectContentType(picture)]
	if !known {
		return nil, fmt.Errorf("%w: it is no PNG, JPEG, WebP or GIF", ErrPicture)
	}
	c, err := f.config(bytes.NewReader(picture))
	if err != nil || c.Width <= 0 || c.Height <= 0 {
		return nil, fmt.Errorf("%w: it is damaged", ErrPicture)
	}
	if c.Width > mostPixels/c.Height {
		return nil, fmt.Errorf("%w: it has %d × %d pixels; cut out the code", ErrPicture, c.Width, c.Height)
	}
	defer func() {
		if recover() != nil {
			img, err = nil, fmt.Errorf("%w: it is damaged", ErrPicture)
		}
	}()
	if img, err = f.decode(bytes.NewReader(picture)); err != nil {
		return nil, fmt.Errorf("%w: it is damaged", ErrPicture)
	}
	return img, nil
}

// readCodes returns the texts of all QR codes that are found, looking at the picture as it is, smaller, larger and inverted until
// there is one.
func readCodes(img image.Image) []string {
	long := max(img.Bounds().Dx(), img.Bounds().Dy())
	sizes := []int{long, long / 2}
	switch {
	case long > mostSide:
		sizes = []int{mostSide, mostSide / 2}
	case long < 400:
		sizes = []int{long * 4, long, long * 2}
	}
	for _, size := range sizes {
		source := gozxing.NewLuminanceSourceFromImage(onWhite(img, size))
		for _, look := range []gozxing.LuminanceSource{source, source.Invert()} {
			for _, b := range []gozxing.Binarizer{gozxing.NewHybridBinarizer(look), gozxing.NewGlobalHistgramBinarizer(look)} {
				if texts := readWith(b); len(texts) > 0 {
					return texts
				}
			}
		}
	}
	return nil
}

func readWith(b gozxing.Binarizer) (texts []string) {
	defer func() { // a picture is a stranger's: the decoder may meet what it did not expect
		if recover() != nil {
			texts = nil
		}
	}()
	bitmap, err := gozxing.NewBinaryBitmap(b)
	if err != nil {
		return nil
	}
	results, _ := qrcode.NewQRCodeMultiReader().DecodeMultiple(bitmap, map[gozxing.DecodeHintType]any{gozxing.DecodeHintType_TRY_HARDER: true})
	seen := map[string]bool{}
	for _, r := range results {
		if text := r.GetText(); !seen[text] {
			seen[text] = true
			texts = append(texts, text)
		}
	}
	return texts
}

// onWhite is a picture on a white ground with a border, its longer side long pixels: codes are read badly where they are
// transparent or touch the edge.
func onWhite(img image.Image, long int) image.Image {
	from := img.Bounds()
	scale := float64(long) / float64(max(from.Dx(), from.Dy()))
	w, h := max(1, int(float64(from.Dx())*scale)), max(1, int(float64(from.Dy())*scale))
	border := max(w, h)/20 + 8
	out := image.NewRGBA(image.Rect(0, 0, w+2*border, h+2*border))
	draw.Draw(out, out.Bounds(), image.White, image.Point{}, draw.Src)
	to := image.Rect(border, border, border+w, border+h)
	if w == from.Dx() && h == from.Dy() {
		draw.Draw(out, to, img, from.Min, draw.Over)
	} else if scale > 1 {
		draw.NearestNeighbor.Scale(out, to, img, from, draw.Over, nil)
	} else {
		draw.ApproxBiLinear.Scale(out, to, img, from, draw.Over, nil)
	}
	return out
}
