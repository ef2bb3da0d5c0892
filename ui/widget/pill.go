package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"chaperone/ui/theme"
)

// NewPill returns a small label with a frame of its own.
func NewPill(content string) *Pill {
	return newPill(NewText(content, Style{Size: theme.CaptionSize, Color: theme.Muted, OneLine: true}))
}

// NewLongPill is NewPill for what must be read to its end: it is wrapped and never cut.
func NewLongPill(content string) *Pill {
	return newPill(NewText(content, Style{Size: theme.CaptionSize, Color: theme.Muted}))
}

func newPill(t *Text) *Pill {
	p := &Pill{Text: t}
	p.Surface = NewSurface(theme.Rail, theme.Line, 11, Inset(2, 9, 2, 9, p.Text))
	return p
}

// Pill is a label with a round frame.
type Pill struct {
	*Surface
	Text *Text
}

// Lively gives it the accent, for what is going on right now.
func (p *Pill) Lively(v bool) {
	if v {
		p.Text.Recolor(theme.Accent)
		p.Paint(theme.Soft, "")
		return
	}
	p.Text.Recolor(theme.Muted)
	p.Paint(theme.Rail, theme.Line)
}

// PillButton is a pill that can be pressed, and switched on.
type PillButton struct {
	pressable
	label string
	on    bool
	menu  bool
	text  *canvas.Text
	back  *canvas.Rectangle
	arrow *canvas.Image
}

// NewPillButton returns a pill that calls press.
func NewPillButton(label string, press func()) *PillButton {
	p := &PillButton{label: label}
	p.press = press
	p.ring = newRing(13)
	p.text = canvas.NewText(label, nil)
	p.text.TextSize = theme.CaptionSize
	p.back = canvas.NewRectangle(nil)
	p.back.CornerRadius, p.back.StrokeWidth = 13, 1
	p.arrow = canvas.NewImageFromResource(base.NewThemedResource(base.MenuDropDownIcon()))
	p.arrow.Hide()
	p.ExtendBaseWidget(p)
	return p
}

// NewPillMenu returns a pill that opens a menu of choices made afresh each time. The choice at 0 is the usual one.
func NewPillMenu(label string, choices func() []string, chosen func(int)) *PillButton {
	p := NewPillButton(label, nil)
	p.menu = true
	p.arrow.Show()
	p.press = func() {
		var items []*fyne.MenuItem
		for i, c := range choices() {
			items = append(items, fyne.NewMenuItem(c, func() { chosen(i) }))
		}
		d := fyne.CurrentApp().Driver()
		menu := widget.NewPopUpMenu(fyne.NewMenu("", items...), d.CanvasForObject(p))
		menu.ShowAtPosition(d.AbsolutePositionForObject(p).AddXY(0, p.Size().Height+4))
	}
	return p
}

// Set changes its label and whether it looks switched on.
func (p *PillButton) Set(label string, on bool) {
	if p.label != label || p.on != on {
		p.label, p.on = label, on
		p.Refresh()
	}
}

// Label returns what it says.
func (p *PillButton) Label() string { return p.label }

// On tells whether it is switched on.
func (p *PillButton) On() bool { return p.on }

func (p *PillButton) CreateRenderer() fyne.WidgetRenderer {
	r := &pillRenderer{p}
	r.colors()
	return r
}

type pillRenderer struct{ p *PillButton }

func (r *pillRenderer) Destroy() {}

func (r *pillRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.p.back, r.p.text, r.p.arrow, r.p.ring}
}

func (r *pillRenderer) MinSize() fyne.Size {
	s := fyne.MeasureText(r.p.label, theme.CaptionSize, fyne.TextStyle{})
	if r.p.menu {
		s.Width += 16
	}
	return fyne.NewSize(s.Width+22, s.Height+8)
}

func (r *pillRenderer) Layout(size fyne.Size) {
	r.p.back.Resize(size)
	h := r.p.text.MinSize().Height
	r.p.text.Move(fyne.NewPos(11, (size.Height-h)/2))
	r.p.text.Resize(fyne.NewSize(size.Width-22, h))
	r.p.arrow.Move(fyne.NewPos(size.Width-25, (size.Height-16)/2))
	r.p.arrow.Resize(fyne.NewSize(16, 16))
	r.p.placeRing(size)
}

func (r *pillRenderer) Refresh() {
	r.p.text.Text = r.p.label
	r.colors()
	r.p.arrow.Refresh()
	r.Layout(r.p.Size())
	canvas.Refresh(r.p)
}

func (r *pillRenderer) colors() {
	p := r.p
	p.text.Color, p.back.FillColor, p.back.StrokeColor = base.Color(theme.Muted), base.Color(theme.Rail), base.Color(theme.Edge)
	if p.hovered {
		p.back.FillColor = base.Color(theme.Line)
	}
	if p.on {
		p.text.Color, p.back.FillColor, p.back.StrokeColor = base.Color(theme.Accent), base.Color(theme.Soft), base.Color(theme.Accent)
	}
	if p.disabled {
		p.text.Color, p.back.StrokeColor = base.Color(base.ColorNameDisabled), base.Color(theme.Line)
	}
	p.drawRing()
}

// Disabled tells whether it is locked.
func (p *PillButton) Disabled() bool { return p.disabled }

// SetLocked makes it do nothing.
func (p *PillButton) SetLocked(v bool) {
	if p.disabled != v {
		p.disabled = v
		p.Refresh()
	}
}
