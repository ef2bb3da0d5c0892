package widget

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"chaperone/ui/theme"
)

// Surface is a coloured ground with something on it.
type Surface struct {
	widget.BaseWidget
	back   *canvas.Rectangle
	inside *fyne.Container
	fill   fyne.ThemeColorName
	line   fyne.ThemeColorName
}

// NewSurface returns a ground in the colours fill and line; an empty line draws none.
func NewSurface(fill, line fyne.ThemeColorName, radius float32, inside *fyne.Container) *Surface {
	s := &Surface{fill: fill, line: line, inside: inside, back: canvas.NewRectangle(nil)}
	s.back.CornerRadius = radius
	s.ExtendBaseWidget(s)
	return s
}

// NewCard returns a card around o.
func NewCard(o fyne.CanvasObject) *Surface {
	return NewSurface(theme.Card, theme.Line, theme.CardRadius, Inset(16, 18, 16, 18, o))
}

// NewRows returns a card around rows, with lines between them.
func NewRows(rows ...fyne.CanvasObject) *Surface {
	return NewSurface(theme.Card, theme.Line, theme.CardRadius, Inset(4, 18, 4, 18, Ruled(rows...)))
}

// NewWarning returns a panel with a heading and what there is to know.
func NewWarning(heading *Text, rest ...fyne.CanvasObject) *Surface {
	return NewSurface(theme.WarnSoft, "", theme.CardRadius,
		Inset(14, 18, 14, 18, Column(4, append([]fyne.CanvasObject{heading}, rest...)...)))
}

// NewQuote returns words of somebody else, marked as such by a bar at their side.
func NewQuote(o fyne.CanvasObject) fyne.CanvasObject {
	bar := NewSurface(theme.Line, "", 1.5, Inset(0, 0, 0, 0, Space()))
	return &fyne.Container{Layout: quoteLayout{}, Objects: []fyne.CanvasObject{bar, o}}
}

type quoteLayout struct{}

func (quoteLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Move(fyne.NewPos(0, 0))
	o[0].Resize(fyne.NewSize(3, size.Height))
	o[1].Move(fyne.NewPos(13, 0))
	o[1].Resize(fyne.NewSize(size.Width-13, size.Height))
}

func (quoteLayout) heightFor(o []fyne.CanvasObject, width float32) float32 {
	return HeightOf(o[1], width-13)
}

func (quoteLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	return o[1].MinSize().AddWidthHeight(13, 0)
}

// Ruled stacks rows with a thin line between each two.
func Ruled(rows ...fyne.CanvasObject) *fyne.Container {
	c := Column(0)
	for i, row := range rows {
		if i > 0 {
			c.Objects = append(c.Objects, NewRule())
		}
		c.Objects = append(c.Objects, row)
	}
	return c
}

// NewRule returns a thin line.
func NewRule() fyne.CanvasObject {
	return NewSurface(theme.Line, "", 0, &fyne.Container{Layout: ruleLayout{}})
}

type ruleLayout struct{}

func (ruleLayout) Layout([]fyne.CanvasObject, fyne.Size)          {}
func (ruleLayout) MinSize([]fyne.CanvasObject) fyne.Size          { return fyne.NewSize(1, 1) }
func (ruleLayout) heightFor([]fyne.CanvasObject, float32) float32 { return 1 }

// Inside returns what stands on it.
func (s *Surface) Inside() fyne.CanvasObject { return s.inside }

// HeightFor is the height it needs at a width.
func (s *Surface) HeightFor(width float32) float32 { return HeightOf(s.inside, width) }

// NaturalWidth is how wide its content would like to be.
func (s *Surface) NaturalWidth() float32 {
	if in, ok := s.inside.Layout.(insetLayout); ok && len(s.inside.Objects) == 1 {
		return naturalWidth(s.inside.Objects[0]) + in.left + in.right
	}
	return s.inside.MinSize().Width
}

// Paint changes its colours.
func (s *Surface) Paint(fill, line fyne.ThemeColorName) {
	if s.fill != fill || s.line != line {
		s.fill, s.line = fill, line
		s.Refresh()
	}
}

func (s *Surface) CreateRenderer() fyne.WidgetRenderer {
	r := &surfaceRenderer{s}
	r.colors()
	return r
}

type surfaceRenderer struct{ s *Surface }

func (r *surfaceRenderer) Destroy() {}

func (r *surfaceRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.s.back, r.s.inside}
}

func (r *surfaceRenderer) MinSize() fyne.Size { return r.s.inside.MinSize() }

func (r *surfaceRenderer) Layout(size fyne.Size) {
	r.s.back.Resize(size)
	if r.s.inside.Size() == size {
		r.s.inside.Layout.Layout(r.s.inside.Objects, size)
		return
	}
	r.s.inside.Resize(size)
}

func (r *surfaceRenderer) Refresh() {
	r.colors()
	r.s.inside.Refresh()
	r.Layout(r.s.Size())
	canvas.Refresh(r.s)
}

func (r *surfaceRenderer) colors() {
	b := r.s.back
	b.FillColor = paint(r.s.fill)
	b.StrokeColor, b.StrokeWidth = nil, 0
	if r.s.line != "" {
		b.StrokeColor, b.StrokeWidth = base.Color(r.s.line), 1
	}
}

func paint(name fyne.ThemeColorName) color.Color {
	if name == "" {
		return color.Transparent
	}
	return base.Color(name)
}
