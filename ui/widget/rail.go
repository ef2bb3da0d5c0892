package widget

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	base "fyne.io/fyne/v2/theme"

	"chaperone/ui/theme"
)

// RailItem is one screen in the rail.
type RailItem struct {
	pressable
	selected bool
	text     *canvas.Text
	back     *canvas.Rectangle
	badge    *Badge
}

// NewRailItem returns an entry of the rail that calls press.
func NewRailItem(label string, press func()) *RailItem {
	i := &RailItem{text: canvas.NewText(label, nil), back: canvas.NewRectangle(nil), badge: NewBadge()}
	i.press = press
	i.ring = newRing(theme.ControlRadius - 3)
	i.text.TextSize = theme.BodySize
	i.back.CornerRadius = theme.ControlRadius
	i.ExtendBaseWidget(i)
	return i
}

// Select shows it as the chosen one.
func (i *RailItem) Select(v bool) {
	if i.selected != v {
		i.selected = v
		i.Refresh()
	}
}

// Selected tells whether it is the chosen one.
func (i *RailItem) Selected() bool { return i.selected }

// Badge sets the number beside it; "" shows none.
func (i *RailItem) Badge(label string) {
	if i.badge.Label() != label {
		i.badge.Set(label)
		i.Refresh()
	}
}

// BadgeLabel returns the number beside it.
func (i *RailItem) BadgeLabel() string { return i.badge.Label() }

func (i *RailItem) CreateRenderer() fyne.WidgetRenderer {
	r := &railRenderer{i}
	r.colors()
	return r
}

type railRenderer struct{ i *RailItem }

func (r *railRenderer) Destroy() {}

func (r *railRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.i.back, r.i.text, r.i.badge, r.i.ring}
}

func (r *railRenderer) MinSize() fyne.Size {
	bold := fyne.MeasureText(r.i.text.Text, theme.BodySize, fyne.TextStyle{Bold: true})
	return fyne.NewSize(bold.Width+56, 36)
}

func (r *railRenderer) Layout(size fyne.Size) {
	i := r.i
	i.back.Resize(size)
	h := i.text.MinSize().Height
	i.text.Move(fyne.NewPos(10, (size.Height-h)/2))
	i.text.Resize(fyne.NewSize(size.Width-20, h))
	b := fyne.NewSize(max(20, i.badge.NaturalWidth()), 20)
	i.badge.Resize(b)
	i.badge.Move(fyne.NewPos(size.Width-b.Width-10, (size.Height-b.Height)/2))
	// the ring stays inside: the rail is narrow
	i.ring.Move(fyne.NewPos(0, 0))
	i.ring.Resize(size)
}

func (r *railRenderer) Refresh() {
	r.colors()
	r.i.badge.Refresh()
	r.Layout(r.i.Size())
	canvas.Refresh(r.i)
}

func (r *railRenderer) colors() {
	i := r.i
	i.text.TextStyle.Bold = i.selected
	i.back.FillColor, i.text.Color = color.Transparent, base.Color(theme.Muted)
	switch {
	case i.selected:
		i.back.FillColor, i.text.Color = base.Color(theme.Chosen), base.Color(theme.Text)
	case i.hovered:
		i.back.FillColor = base.Color(theme.Hover)
	}
	i.drawRing()
}
