package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// Spinner turns while something is waited for.
type Spinner struct {
	*fyne.Container
	wheel *widget.Activity
}

// NewSpinner returns a spinner that stands still and cannot be seen.
func NewSpinner() *Spinner {
	s := &Spinner{wheel: widget.NewActivity()}
	s.Container = &fyne.Container{Layout: wideLayout{16}, Objects: []fyne.CanvasObject{s.wheel}}
	s.Hide()
	return s
}

// Spin starts or stops it.
func (s *Spinner) Spin(v bool) {
	if s.Visible() == v {
		return
	}
	if v {
		s.Show()
		s.wheel.Start()
		return
	}
	s.wheel.Stop()
	s.Hide()
}
