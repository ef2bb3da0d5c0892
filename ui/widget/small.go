package widget

import (
	"bytes"
	"image"
	_ "image/jpeg" // pictures of pages come as either
	_ "image/png"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"chaperone/ui/theme"
)

// Bar drains from full to empty.
type Bar struct {
	widget.BaseWidget
	part        float32
	back, front *canvas.Rectangle
	fill        fyne.ThemeColorName
}

// NewBar returns a full bar.
func NewBar() *Bar {
	b := &Bar{part: 1, back: canvas.NewRectangle(nil), front: canvas.NewRectangle(nil), fill: theme.Accent}
	b.back.CornerRadius, b.front.CornerRadius = 2, 2
	b.ExtendBaseWidget(b)
	return b
}

// Set shows the part that is left, from 0 to 1. The last tenth is shown as urgent.
func (b *Bar) Set(part float64) {
	fill := theme.Accent
	if part < 0.1 {
		fill = theme.Warn
	}
	if b.part != float32(part) || b.fill != fill {
		b.part, b.fill = float32(part), fill
		b.Refresh()
	}
}

func (b *Bar) CreateRenderer() fyne.WidgetRenderer {
	r := &barRenderer{b}
	r.colors()
	return r
}

type barRenderer struct{ b *Bar }

func (r *barRenderer) Destroy()                     {}
func (r *barRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.b.back, r.b.front} }
func (r *barRenderer) MinSize() fyne.Size           { return fyne.NewSize(40, 4) }

func (r *barRenderer) Layout(size fyne.Size) {
	r.b.back.Resize(size)
	r.b.front.Resize(fyne.NewSize(size.Width*r.b.part, size.Height))
}

func (r *barRenderer) Refresh() {
	r.colors()
	r.Layout(r.b.Size())
	canvas.Refresh(r.b)
}

func (r *barRenderer) colors() {
	r.b.back.FillColor, r.b.front.FillColor = base.Color(theme.Line), base.Color(r.b.fill)
}

// NewLetter returns a square with a letter that stands for somebody.
func NewLetter(letter string) fyne.CanvasObject {
	text := NewText(letter, Style{Size: theme.SmallSize, Bold: true, Color: theme.Accent, OneLine: true})
	return NewSurface(theme.Soft, "", 7, &fyne.Container{Layout: letterLayout{}, Objects: []fyne.CanvasObject{text}})
}

type letterLayout struct{}

func (letterLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	t := o[0].(*Text)
	w, h := t.NaturalWidth(), t.MinSize().Height
	o[0].Move(fyne.NewPos((size.Width-w)/2, (size.Height-h)/2))
	o[0].Resize(fyne.NewSize(w+1, h))
}

func (letterLayout) heightFor([]fyne.CanvasObject, float32) float32 { return 26 }
func (letterLayout) MinSize([]fyne.CanvasObject) fyne.Size          { return fyne.NewSize(26, 26) }

// NewBadge returns a number on the accent colour.
func NewBadge() *Badge {
	b := &Badge{text: NewText("", Style{Size: theme.CaptionSize, Bold: true, Color: theme.OnAccent, OneLine: true})}
	b.Surface = NewSurface(theme.Accent, "", 10, Inset(2, 7, 2, 7, b.text))
	b.Hide()
	return b
}

// Badge counts something.
type Badge struct {
	*Surface
	text *Text
}

// Set shows a number, and nothing at all for none.
func (b *Badge) Set(label string) {
	b.text.Set(label)
	if label == "" {
		b.Hide()
		return
	}
	b.Show()
}

// Label returns what it shows.
func (b *Badge) Label() string { return b.text.Content() }

// Picture shows a PNG or JPEG inside a frame, whole, in the shape it has.
type Picture struct {
	widget.BaseWidget
	back   *canvas.Rectangle
	image  *canvas.Image
	none   *Text
	height func(width float32) float32
	data   []byte
	whole  image.Image
	crop   bool
}

// NewPicture returns a frame of the given least size, whose height for a width is told by height. Without a
// picture it says none.
func NewPicture(none string, height func(width float32) float32) *Picture {
	p := &Picture{back: canvas.NewRectangle(nil), image: canvas.NewImageFromImage(nil), height: height}
	p.none = NewText(none, Style{Size: theme.CaptionSize, Color: theme.Muted, OneLine: true})
	p.back.CornerRadius, p.back.StrokeWidth = theme.ControlRadius, 1
	p.image.FillMode = canvas.ImageFillContain
	p.image.ScaleMode = canvas.ImageScaleSmooth
	p.image.CornerRadius = theme.ControlRadius - 1
	p.ExtendBaseWidget(p)
	return p
}

// Cropped has the picture fill the frame: what does not fit is left out at the bottom and the right, for a page begins
// at its upper left.
func (p *Picture) Cropped() *Picture {
	p.crop = true
	return p
}

// cropped is the part of a picture that has the shape of size.
func cropped(img image.Image, size fyne.Size) image.Image {
	part, ok := img.(interface {
		SubImage(image.Rectangle) image.Image
	})
	if !ok || size.Width < 1 || size.Height < 1 {
		return img
	}
	b := img.Bounds()
	w, h := b.Dx(), b.Dy()
	if want := int(float32(w) * size.Height / size.Width); want < h {
		h = max(1, want)
	} else {
		w = max(1, min(w, int(float32(h)*size.Width/size.Height)))
	}
	return part.SubImage(image.Rect(b.Min.X, b.Min.Y, b.Min.X+w, b.Min.Y+h))
}

// Set shows another picture. What cannot be read shows as none.
func (p *Picture) Set(data []byte) {
	if bytes.Equal(p.data, data) {
		return
	}
	p.data = data
	p.whole, p.image.Image = nil, nil
	if img, _, err := image.Decode(bytes.NewReader(data)); err == nil {
		p.whole, p.image.Image = img, img
	}
	p.Refresh()
}

// HeightFor is the height of the frame at a width.
func (p *Picture) HeightFor(width float32) float32 { return p.height(width) }

func (p *Picture) CreateRenderer() fyne.WidgetRenderer {
	r := &pictureRenderer{p}
	r.colors()
	return r
}

type pictureRenderer struct{ p *Picture }

func (r *pictureRenderer) Destroy() {}

func (r *pictureRenderer) Objects() []fyne.CanvasObject {
	if r.p.image.Image == nil {
		return []fyne.CanvasObject{r.p.back, r.p.none}
	}
	return []fyne.CanvasObject{r.p.back, r.p.image}
}

func (r *pictureRenderer) MinSize() fyne.Size {
	w := r.p.Size().Width
	if w == 0 {
		w = 240
	}
	return fyne.NewSize(120, r.p.height(w))
}

func (r *pictureRenderer) Layout(size fyne.Size) {
	r.p.back.Resize(size)
	inside := size.SubtractWidthHeight(2, 2)
	if r.p.crop && r.p.whole != nil {
		part := cropped(r.p.whole, inside)
		if r.p.image.Image == nil || part.Bounds() != r.p.image.Image.Bounds() {
			r.p.image.Image = part
			r.p.image.Refresh()
		}
	}
	r.p.image.Move(fyne.NewPos(1, 1))
	r.p.image.Resize(inside)
	w, h := r.p.none.NaturalWidth(), r.p.none.MinSize().Height
	r.p.none.Move(fyne.NewPos((size.Width-w)/2, (size.Height-h)/2))
	r.p.none.Resize(fyne.NewSize(w+1, h))
}

func (r *pictureRenderer) Refresh() {
	r.colors()
	r.p.none.Refresh()
	r.Layout(r.p.Size())
	r.p.image.Refresh()
	canvas.Refresh(r.p)
}

func (r *pictureRenderer) colors() {
	r.p.back.FillColor, r.p.back.StrokeColor = base.Color(theme.Ground), base.Color(theme.Line)
}
