package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// Entry is a line to type into. Ctrl+Enter and Esc go to the window, as they do elsewhere.
type Entry struct {
	widget.Entry
	// Sent is called for Enter.
	Sent func()
	// Approve is called for Ctrl+Enter.
	Approve func()
	// Left is called when the focus goes.
	Left func()
	// Came is called when the focus comes.
	Came func()

	focused bool
}

// NewEntry returns an empty line with a hint.
func NewEntry(hint string) *Entry {
	e := &Entry{}
	e.PlaceHolder = hint
	e.ExtendBaseWidget(e)
	e.OnSubmitted = func(string) {
		if e.Sent != nil {
			e.Sent()
		}
	}
	return e
}

// CreateRenderer lays a sheet over the line that passes the wheel on: the toolkit's own line keeps it, and a page
// would stop scrolling wherever a line comes under the pointer.
func (e *Entry) CreateRenderer() fyne.WidgetRenderer {
	s := &sheet{entry: e}
	s.ExtendBaseWidget(s)
	return &entryRenderer{e.Entry.CreateRenderer(), s}
}

type entryRenderer struct {
	fyne.WidgetRenderer
	sheet *sheet
}

func (r *entryRenderer) Objects() []fyne.CanvasObject {
	return append(append([]fyne.CanvasObject{}, r.WidgetRenderer.Objects()...), r.sheet)
}

func (r *entryRenderer) Layout(size fyne.Size) {
	r.WidgetRenderer.Layout(size)
	r.sheet.Resize(size)
}

// sheet takes the wheel and nothing else.
type sheet struct {
	widget.BaseWidget
	entry *Entry
}

// Scrolled scrolls what the line stands in.
func (s *sheet) Scrolled(e *fyne.ScrollEvent) {
	c := fyne.CurrentApp().Driver().CanvasForObject(s.entry)
	if c == nil {
		return
	}
	if around := scrollAround(c.Content(), s.entry, nil); around != nil {
		around.Scrolled(e)
	}
}

func (s *sheet) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(&fyne.Container{Layout: fillLayout{}})
}

// scrollAround finds the nearest scroll below root that o stands in.
func scrollAround(root, o fyne.CanvasObject, around *container.Scroll) *container.Scroll {
	if root == o {
		return around
	}
	if s, ok := root.(*container.Scroll); ok {
		around = s
	}
	for _, child := range childrenOf(root) {
		if found := scrollAround(child, o, around); found != nil {
			return found
		}
	}
	return nil
}

// TypedShortcut passes Ctrl+Enter on, and what is the window's.
func (e *Entry) TypedShortcut(s fyne.Shortcut) {
	if IsApprove(s) {
		if e.Approve != nil {
			e.Approve()
		}
		return
	}
	if e.Password && !lets(s) {
		return
	}
	if forWindow(s) {
		if c, ok := fyne.CurrentApp().Driver().CanvasForObject(e).(fyne.Shortcutable); ok {
			c.TypedShortcut(s)
		}
		return
	}
	e.Entry.TypedShortcut(s)
}

// forWindow tells whether a shortcut is none of a line's own: those with a digit or a letter, which open screens and quit.
func forWindow(s fyne.Shortcut) bool {
	c, ok := s.(*desktop.CustomShortcut)
	return ok && len(c.KeyName) == 1
}

// TypedKey leaves the line on Esc.
func (e *Entry) TypedKey(k *fyne.KeyEvent) {
	if k.Name == fyne.KeyEscape {
		Leave(e)
		return
	}
	e.Entry.TypedKey(k)
}

// FocusGained tells who wants to know.
func (e *Entry) FocusGained() {
	e.focused = true
	e.Entry.FocusGained()
	if c := fyne.CurrentApp().Driver().CanvasForObject(e); c != nil {
		if around := scrollAround(c.Content(), e, nil); around != nil {
			reveal(around, e)
		}
	}
	if e.Came != nil {
		e.Came()
	}
}

// FocusLost tells who wants to know.
func (e *Entry) FocusLost() {
	e.focused = false
	e.Entry.FocusLost()
	if e.Left != nil {
		e.Left()
	}
}

// HasFocus tells whether it has the focus.
func (e *Entry) HasFocus() bool { return e.focused }

// IsApprove tells whether a shortcut is Ctrl+Enter.
func IsApprove(s fyne.Shortcut) bool {
	c, ok := s.(*desktop.CustomShortcut)
	return ok && (c.KeyName == fyne.KeyReturn || c.KeyName == fyne.KeyEnter) &&
		(c.Modifier == fyne.KeyModifierControl || c.Modifier == fyne.KeyModifierSuper)
}

// ApproveShortcuts are the ways to press Ctrl+Enter.
func ApproveShortcuts() []fyne.Shortcut {
	var out []fyne.Shortcut
	for _, key := range []fyne.KeyName{fyne.KeyReturn, fyne.KeyEnter} {
		for _, mod := range []fyne.KeyModifier{fyne.KeyModifierControl, fyne.KeyModifierSuper} {
			out = append(out, &desktop.CustomShortcut{KeyName: key, Modifier: mod})
		}
	}
	return out
}
