package widget

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"chaperone/ui/theme"
)

// pressable is what every widget that can be pressed has in common: mouse, keys, focus, and a ring that shows it.
type pressable struct {
	widget.BaseWidget
	press    func()
	disabled bool
	hovered  bool
	down     bool
	focused  bool
	ring     *canvas.Rectangle

	// Key is asked first about a key; it returns true if it took it.
	Key func(*fyne.KeyEvent) bool
	// Focused is called when the focus comes.
	Focused func()
}

func newRing(radius float32) *canvas.Rectangle {
	ring := canvas.NewRectangle(nil)
	ring.StrokeWidth = 2
	ring.CornerRadius = radius + 3
	ring.Hide()
	return ring
}

func (p *pressable) placeRing(size fyne.Size) {
	p.ring.Move(fyne.NewPos(-3, -3))
	p.ring.Resize(size.AddWidthHeight(6, 6))
}

func (p *pressable) drawRing() {
	p.ring.FillColor = color.Transparent
	p.ring.StrokeColor = base.Color(theme.Focus)
	p.ring.Hidden = !p.focused
}

func (p *pressable) again() { p.Refresh() }

func (p *pressable) itself() *pressable { return p }

// reveal scrolls to it, so that whoever works with the keyboard sees where the focus is.
func (p *pressable) reveal() {
	c := fyne.CurrentApp().Driver().CanvasForObject(p.ring)
	if c == nil {
		return
	}
	walk(c.Content(), func(o fyne.CanvasObject) bool {
		w, ok := o.(interface{ itself() *pressable })
		if !ok || w.itself() != p {
			return false
		}
		if around := scrollAround(c.Content(), o, nil); around != nil {
			reveal(around, o)
		}
		return true
	})
}

// Tapped presses it.
func (p *pressable) Tapped(*fyne.PointEvent) { p.act() }

func (p *pressable) act() {
	if !p.disabled && p.press != nil {
		p.press()
	}
}

// FocusGained shows the ring.
func (p *pressable) FocusGained() {
	p.focused = true
	p.again()
	if !p.hovered { // nothing may move under the pointer
		p.reveal()
	}
	if p.Focused != nil {
		p.Focused()
	}
}

// FocusLost hides it.
func (p *pressable) FocusLost() { p.focused = false; p.again() }

// HasFocus tells whether it has the focus.
func (p *pressable) HasFocus() bool { return p.focused }

// TypedRune does nothing: keys come by TypedKey.
func (p *pressable) TypedRune(rune) {}

// TypedKey presses it with Enter or the space bar; Esc leaves it.
func (p *pressable) TypedKey(e *fyne.KeyEvent) {
	if p.Key != nil && p.Key(e) {
		return
	}
	switch e.Name {
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		p.act()
	case fyne.KeyEscape:
		Leave(p.ring)
	}
}

// MouseIn, MouseMoved and MouseOut light it up under the pointer.
func (p *pressable) MouseIn(*desktop.MouseEvent) { p.hovered = true; p.again() }

// MouseMoved does nothing.
func (p *pressable) MouseMoved(*desktop.MouseEvent) {}

// MouseOut ends what MouseIn began.
func (p *pressable) MouseOut() { p.hovered, p.down = false, false; p.again() }

// MouseDown shows that it is being pressed.
func (p *pressable) MouseDown(*desktop.MouseEvent) { p.down = true; p.again() }

// MouseUp ends what MouseDown began.
func (p *pressable) MouseUp(*desktop.MouseEvent) { p.down = false; p.again() }

// Cursor shows a hand where a press does something.
func (p *pressable) Cursor() desktop.Cursor {
	if p.disabled {
		return desktop.DefaultCursor
	}
	return desktop.PointerCursor
}

// Leave takes the focus away in the window that shows o.
func Leave(o fyne.CanvasObject) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(o); c != nil {
		c.Unfocus()
	}
}
