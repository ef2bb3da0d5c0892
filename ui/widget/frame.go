package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"chaperone/ui/theme"
)

// Frame is a card that can have the focus itself, so that a person with a keyboard stands before it without
// standing on one of its buttons.
type Frame struct {
	pressable
	*holder
}

type holder struct{ card *Surface }

// NewFrame returns a frame around o.
func NewFrame(o fyne.CanvasObject) *Frame {
	f := &Frame{holder: &holder{NewCard(o)}}
	f.ring = newRing(theme.CardRadius - 3)
	f.ExtendBaseWidget(f)
	return f
}

// Tapped gives it the focus.
func (f *Frame) Tapped(*fyne.PointEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(f); c != nil {
		c.Focus(f)
	}
}

// Inside returns what it frames.
func (f *Frame) Inside() fyne.CanvasObject { return f.card }

// HeightFor is the height it needs at a width.
func (f *Frame) HeightFor(width float32) float32 { return f.card.HeightFor(width) }

func (f *Frame) CreateRenderer() fyne.WidgetRenderer { return &frameRenderer{f} }

type frameRenderer struct{ f *Frame }

func (r *frameRenderer) Destroy() {}

func (r *frameRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.f.card, r.f.ring}
}

func (r *frameRenderer) MinSize() fyne.Size { return r.f.card.MinSize() }

func (r *frameRenderer) Layout(size fyne.Size) {
	if r.f.card.Size() == size {
		r.f.card.Refresh()
	}
	r.f.card.Resize(size)
	r.f.ring.Resize(size)
}

func (r *frameRenderer) Refresh() {
	r.f.drawRing()
	r.f.card.Refresh()
	canvas.Refresh(r.f)
}

// Choices is a list of which one is chosen. It starts with none.
type Choices struct {
	widget.BaseWidget
	rows    []*choice
	column  *fyne.Container
	chosen  int
	changed func(int)
}

// NewChoices returns a list that tells changed what was chosen.
func NewChoices(labels []string, changed func(int)) *Choices {
	c := &Choices{chosen: -1, changed: changed, column: Column(2)}
	for i, label := range labels {
		row := newChoice(c, i, label)
		c.rows = append(c.rows, row)
		c.column.Objects = append(c.column.Objects, row)
	}
	c.ExtendBaseWidget(c)
	return c
}

// Chosen returns the index of the chosen one, -1 while there is none.
func (c *Choices) Chosen() int { return c.chosen }

// Choose chooses one.
func (c *Choices) Choose(i int) {
	c.chosen = i
	c.Refresh()
	if c.changed != nil {
		c.changed(i)
	}
}

// HasFocus tells whether one of the rows has the focus.
func (c *Choices) HasFocus() bool {
	for _, r := range c.rows {
		if r.focused {
			return true
		}
	}
	return false
}

// Inside returns the column of rows.
func (c *Choices) Inside() fyne.CanvasObject { return c.column }

// HeightFor is the height it needs at a width.
func (c *Choices) HeightFor(width float32) float32 { return HeightOf(c.column, width) }

func (c *Choices) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(c.column) }

type choice struct {
	pressable
	of    *Choices
	index int
	text  *Text
	outer *canvas.Circle
	inner *canvas.Circle
	back  *canvas.Rectangle
}

func newChoice(of *Choices, index int, label string) *choice {
	c := &choice{
		of: of, index: index, text: NewText(label, Style{}),
		outer: canvas.NewCircle(nil), inner: canvas.NewCircle(nil), back: canvas.NewRectangle(nil),
	}
	c.back.CornerRadius = 6
	c.press = func() { of.Choose(index) }
	c.ring = newRing(3)
	c.Key = func(e *fyne.KeyEvent) bool {
		to := index
		switch e.Name {
		case fyne.KeyDown:
			to++
		case fyne.KeyUp:
			to--
		default:
			return false
		}
		if to >= 0 && to < len(of.rows) {
			if canvas := fyne.CurrentApp().Driver().CanvasForObject(c); canvas != nil {
				canvas.Focus(of.rows[to])
			}
		}
		return true
	}
	c.ExtendBaseWidget(c)
	return c
}

// HeightFor is the height it needs at a width.
func (c *choice) HeightFor(width float32) float32 { return c.text.HeightFor(width-36) + 12 }

func (c *choice) CreateRenderer() fyne.WidgetRenderer {
	r := &choiceRenderer{c}
	r.colors()
	return r
}

type choiceRenderer struct{ c *choice }

func (r *choiceRenderer) Destroy() {}

func (r *choiceRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.c.back, r.c.outer, r.c.inner, r.c.text, r.c.ring}
}

func (r *choiceRenderer) MinSize() fyne.Size {
	return fyne.NewSize(80, r.c.HeightFor(max(80, r.c.Size().Width)))
}

func (r *choiceRenderer) Layout(size fyne.Size) {
	c := r.c
	c.back.Resize(size)
	c.outer.Move(fyne.NewPos(8, (size.Height-16)/2))
	c.outer.Resize(fyne.NewSize(16, 16))
	c.inner.Move(fyne.NewPos(12, (size.Height-8)/2))
	c.inner.Resize(fyne.NewSize(8, 8))
	c.text.Move(fyne.NewPos(32, 6))
	c.text.Resize(fyne.NewSize(size.Width-36, size.Height-12))
	c.ring.Resize(size)
}

func (r *choiceRenderer) Refresh() {
	r.colors()
	r.c.text.Refresh()
	r.Layout(r.c.Size())
	canvas.Refresh(r.c)
}

func (r *choiceRenderer) colors() {
	c := r.c
	chosen := c.of.chosen == c.index
	c.outer.FillColor, c.outer.StrokeWidth, c.outer.StrokeColor = paint(theme.Card), 1.5, paint(theme.Control)
	c.inner.FillColor = paint("")
	c.back.FillColor = paint("")
	if chosen {
		c.outer.StrokeColor, c.inner.FillColor = paint(theme.Accent), paint(theme.Accent)
		c.back.FillColor = paint(theme.Soft)
	} else if c.hovered {
		c.back.FillColor = paint(theme.Hover)
	}
	c.drawRing()
}

// Calm shows the card as one that is over.
func (f *Frame) Calm(v bool) {
	fill := theme.Card
	if v {
		fill = theme.Rail
	}
	f.card.Paint(fill, theme.Line)
}
