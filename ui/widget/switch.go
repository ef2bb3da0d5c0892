package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	base "fyne.io/fyne/v2/theme"

	"chaperone/ui/theme"
)

// Switch is on or off. Pressing it asks for the other state; it changes only when it is Set.
type Switch struct {
	pressable
	on    bool
	track *canvas.Rectangle
	knob  *canvas.Circle
}

// NewSwitch returns a switch that calls want with the state the person wants.
func NewSwitch(want func(on bool)) *Switch {
	s := &Switch{}
	s.press = func() { want(!s.on) }
	s.ring = newRing(11)
	s.track = canvas.NewRectangle(nil)
	s.track.CornerRadius = 11
	s.knob = canvas.NewCircle(nil)
	s.ExtendBaseWidget(s)
	return s
}

// Set shows a state, and whether it is locked.
func (s *Switch) Set(on, locked bool) {
	if s.on != on || s.disabled != locked {
		s.on, s.disabled = on, locked
		s.Refresh()
	}
}

// On returns the state it shows.
func (s *Switch) On() bool { return s.on }

// Disabled tells whether it is locked.
func (s *Switch) Disabled() bool { return s.disabled }

func (s *Switch) CreateRenderer() fyne.WidgetRenderer {
	r := &switchRenderer{s}
	r.colors()
	return r
}

type switchRenderer struct{ s *Switch }

func (r *switchRenderer) Destroy() {}

func (r *switchRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.s.track, r.s.knob, r.s.ring}
}

func (r *switchRenderer) MinSize() fyne.Size { return fyne.NewSize(38, 22) }

func (r *switchRenderer) Layout(size fyne.Size) {
	r.s.track.Resize(size)
	r.s.knob.Resize(fyne.NewSize(18, 18))
	x := float32(2)
	if r.s.on {
		x = size.Width - 20
	}
	r.s.knob.Move(fyne.NewPos(x, (size.Height-18)/2))
	r.s.placeRing(size)
}

func (r *switchRenderer) Refresh() {
	r.colors()
	r.Layout(r.s.Size())
	canvas.Refresh(r.s)
}

func (r *switchRenderer) colors() {
	track := base.Color(theme.Control)
	if r.s.on {
		track = base.Color(theme.Accent)
	}
	if r.s.disabled {
		track = faded(track)
	}
	knob := base.Color(theme.White)
	if r.s.disabled && !r.s.on {
		knob = faded(knob)
	}
	r.s.track.FillColor, r.s.knob.FillColor = track, knob
	r.s.drawRing()
}
