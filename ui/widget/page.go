package widget

import (
	"fyne.io/fyne/v2"

	"chaperone/ui/theme"
)

// Page is the frame of a screen: a title, a line beneath it, and the screen itself.
type Page struct {
	*fyne.Container
	Title *Text
	Sub   *Text
	body  *Scroll
}

// NewPage returns a page whose body scrolls.
func NewPage(title, sub string, body fyne.CanvasObject) *Page {
	p := newPage(title, sub)
	p.body = NewScroll(Inset(0, 26, 22, 26, body))
	p.Objects = append(p.Objects, p.body.Container)
	return p
}

// NewFixedPage returns a page whose body takes the room there is.
func NewFixedPage(title, sub string, body fyne.CanvasObject) *Page {
	p := newPage(title, sub)
	p.Objects = append(p.Objects, Inset(0, 26, 22, 26, Fill(body)))
	return p
}

func newPage(title, sub string) *Page {
	p := &Page{
		Title: NewText(title, Style{Size: theme.TitleSize, Bold: true, OneLine: true}),
		Sub:   NewText(sub, Style{Color: theme.Muted}),
	}
	head := Inset(22, 26, 16, 26, Column(2, p.Title, p.Sub))
	p.Container = &fyne.Container{Layout: pageLayout{}, Objects: []fyne.CanvasObject{head}}
	return p
}

// Scroll returns the scrolling body, nil for a fixed page.
func (p *Page) Scroll() *Scroll { return p.body }

// Again lays the body out after its height may have changed.
func (p *Page) Again() {
	if p.body != nil {
		p.body.Again()
	}
}

type pageLayout struct{}

func (pageLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	h := HeightOf(o[0], size.Width)
	o[0].Move(fyne.NewPos(0, 0))
	o[0].Resize(fyne.NewSize(size.Width, h))
	o[1].Move(fyne.NewPos(0, h))
	o[1].Resize(fyne.NewSize(size.Width, max(0, size.Height-h)))
}

func (pageLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(420, 300) }

// NewEmpty returns what a screen shows when it has nothing to show.
func NewEmpty(words, more string) fyne.CanvasObject {
	return Inset(60, 0, 0, 0, &fyne.Container{Layout: centreLayout{}, Objects: []fyne.CanvasObject{
		NewText(words, Style{Size: theme.AskSize, Bold: true, OneLine: true}),
		NewText(more, Style{Color: theme.Muted}),
	}})
}

// centreLayout stacks texts, each in the middle.
type centreLayout struct{}

func (centreLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	y := float32(0)
	for _, o := range o {
		w := min(size.Width, naturalWidth(o)+1)
		h := HeightOf(o, w)
		o.Move(fyne.NewPos((size.Width-w)/2, y))
		o.Resize(fyne.NewSize(w, h))
		y += h + 6
	}
}

func (centreLayout) heightFor(o []fyne.CanvasObject, width float32) float32 {
	var y float32
	for _, o := range o {
		y += HeightOf(o, min(width, naturalWidth(o)+1)) + 6
	}
	return y
}

func (l centreLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(100, l.heightFor(o, 400))
}

// Heading returns a small heading above a group.
func Heading(words string) fyne.CanvasObject {
	return Inset(8, 0, 0, 2, NewText(words, Style{Size: theme.SmallSize, Color: theme.Muted, Bold: true, OneLine: true}))
}
