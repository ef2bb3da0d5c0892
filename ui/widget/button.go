package widget

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	base "fyne.io/fyne/v2/theme"

	"chaperone/ui/theme"
)

// Look is the weight of a button.
type Look int

// The looks of a button.
const (
	Plain   Look = iota
	Primary      // the one thing to do here
	Quiet        // no frame
	Danger       // ends something
)

// Button is a button with a word on it.
type Button struct {
	pressable
	look  Look
	label string
	text  *canvas.Text
	back  *canvas.Rectangle
	over  *canvas.Rectangle
	small bool
	held  bool
}

// NewButton returns a button that calls press.
func NewButton(label string, look Look, press func()) *Button {
	b := &Button{look: look, label: label}
	b.press = press
	b.ring = newRing(theme.ControlRadius)
	b.text = canvas.NewText(label, nil)
	b.text.TextStyle.Bold = true
	b.text.TextSize = theme.BodySize
	b.text.Alignment = fyne.TextAlignCenter
	b.back = canvas.NewRectangle(nil)
	b.back.CornerRadius, b.back.StrokeWidth = theme.ControlRadius, 1
	b.over = canvas.NewRectangle(nil)
	b.over.CornerRadius = theme.ControlRadius
	b.ExtendBaseWidget(b)
	return b
}

// Small makes it lower, for rows of a list.
func (b *Button) Small() *Button {
	b.small = true
	b.text.TextSize = theme.SmallSize
	return b
}

// Label returns the word on it.
func (b *Button) Label() string { return b.label }

// SetLabel changes the word on it.
func (b *Button) SetLabel(label string) {
	if b.label != label {
		b.label = label
		b.Refresh()
	}
}

// SetLook changes its weight.
func (b *Button) SetLook(look Look) {
	if b.look != look {
		b.look = look
		b.Refresh()
	}
}

// Enable and Disable switch it.
func (b *Button) Enable() { b.setDisabled(false) }

// Disable makes it do nothing and look so.
func (b *Button) Disable() { b.setDisabled(true) }

// Disabled tells whether it does nothing.
func (b *Button) Disabled() bool { return b.disabled }

func (b *Button) setDisabled(v bool) {
	if b.disabled != v {
		b.disabled = v
		b.Refresh()
	}
}

// Hold makes it look as if it were not ready yet; it can still be pressed, and whoever gets the press decides.
func (b *Button) Hold(v bool) {
	if b.held != v {
		b.held = v
		b.Refresh()
	}
}

func (b *Button) CreateRenderer() fyne.WidgetRenderer {
	r := &buttonRenderer{b}
	r.colors()
	return r
}

type buttonRenderer struct{ b *Button }

func (r *buttonRenderer) Destroy() {}

func (r *buttonRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.b.back, r.b.over, r.b.text, r.b.ring}
}

func (r *buttonRenderer) MinSize() fyne.Size {
	size := fyne.MeasureText(r.b.label, r.b.text.TextSize, r.b.text.TextStyle)
	across, down := float32(16), float32(8)
	if r.b.small {
		across, down = 12, 4
	}
	if r.b.look == Quiet {
		across = 10
	}
	return fyne.NewSize(size.Width+2*across, size.Height+2*down)
}

func (r *buttonRenderer) Layout(size fyne.Size) {
	b := r.b
	b.back.Resize(size)
	b.over.Resize(size)
	h := b.text.MinSize().Height
	b.text.Move(fyne.NewPos(0, (size.Height-h)/2))
	b.text.Resize(fyne.NewSize(size.Width, h))
	b.placeRing(size)
}

func (r *buttonRenderer) Refresh() {
	r.b.text.Text = r.b.label
	r.colors()
	r.Layout(r.b.Size())
	canvas.Refresh(r.b)
}

func (r *buttonRenderer) colors() {
	b := r.b
	fill, line, text := base.Color(theme.Card), base.Color(theme.Edge), base.Color(theme.Text)
	switch b.look {
	case Primary:
		fill, line, text = base.Color(theme.Accent), base.Color(theme.Accent), base.Color(theme.OnAccent)
	case Quiet:
		fill, line, text = color.Transparent, color.Transparent, base.Color(theme.Muted)
	case Danger:
		text = base.Color(theme.Bad)
	}
	over := color.Color(color.Transparent)
	switch {
	case b.disabled:
		text = base.Color(base.ColorNameDisabled)
		if b.look == Primary {
			fill, line = base.Color(base.ColorNameDisabledButton), base.Color(base.ColorNameDisabledButton)
		}
	case b.held:
		fill, line, text = faded(fill), faded(line), faded(text)
		if b.look == Primary {
			text = base.Color(theme.OnAccent)
		}
	case b.down:
		over = base.Color(theme.Pressed)
	case b.hovered:
		over = base.Color(theme.Hover)
	}
	b.back.FillColor, b.back.StrokeColor, b.over.FillColor, b.text.Color = fill, line, over, text
	b.drawRing()
}

// faded is a colour on its way to not being there.
func faded(c color.Color) color.Color {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	n.A = uint8(int(n.A) * 55 / 100)
	return n
}
