package widget

import (
	"fyne.io/fyne/v2"
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

// TypedShortcut passes Ctrl+Enter on.
func (e *Entry) TypedShortcut(s fyne.Shortcut) {
	if IsApprove(s) {
		if e.Approve != nil {
			e.Approve()
		}
		return
	}
	e.Entry.TypedShortcut(s)
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
