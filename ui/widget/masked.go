package widget

import (
	"fyne.io/fyne/v2"

	"chaperone/ui/model"
)

// NewMasked returns an empty line for a value, with a hint. What is typed shows as dots, cannot be shown, copied, cut or
// taken back, and is handed on as a model.Value only.
func NewMasked(hint string) *Entry {
	e := NewEntry(hint)
	e.Password = true
	// where there is an item already, the toolkit puts no button there that shows the text
	e.ActionItem = &fyne.Container{Layout: nowhere{}}
	return e
}

// Value is what was typed.
func (e *Entry) Value() model.Value { return model.NewValue(e.Text) }

// Forget empties the line, and with it what could be taken back.
func (e *Entry) Forget() {
	e.SetText("")
}

// lets tells whether a masked line takes a shortcut: none that would let its text out or bring it back.
func lets(s fyne.Shortcut) bool {
	switch s.(type) {
	case *fyne.ShortcutCopy, *fyne.ShortcutCut, *fyne.ShortcutUndo, *fyne.ShortcutRedo:
		return false
	}
	return true
}

// SelectedText is what is selected; nothing of a masked line.
func (e *Entry) SelectedText() string {
	if e.Password {
		return ""
	}
	return e.Entry.SelectedText()
}

// nowhere takes no room.
type nowhere struct{}

func (nowhere) Layout([]fyne.CanvasObject, fyne.Size)        {}
func (nowhere) MinSize([]fyne.CanvasObject) (size fyne.Size) { return size }
