package widget

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	_ "chaperone/internal/locale" // quiet
)

func TestAMaskedLineLetsNothingOut(t *testing.T) {
	app := test.NewTempApp(t)
	e := NewMasked("a value")
	w := test.NewTempWindow(t, e)
	w.Resize(fyne.NewSize(300, 60))
	w.Canvas().Focus(e)
	board := app.Clipboard()
	board.SetContent("before")
	test.Type(e, "hunter2")
	e.TypedShortcut(&fyne.ShortcutSelectAll{})
	e.TypedShortcut(&fyne.ShortcutCopy{Clipboard: board})
	e.TypedShortcut(&fyne.ShortcutCut{Clipboard: board})
	e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
	if board.Content() != "before" || e.Text != "hunter2" || e.SelectedText() != "" {
		t.Errorf("it got out: the clipboard has %q, selected is %q, the line has %d letters", board.Content(), e.SelectedText(), len(e.Text))
	}
	// no button that shows it
	for _, o := range test.LaidOutObjects(w.Content()) {
		if tap, ok := o.(fyne.Tappable); ok && o != fyne.CanvasObject(e) {
			tap.Tapped(&fyne.PointEvent{})
		}
	}
	if !e.Password {
		t.Error("something shows what was typed")
	}
	test.TapSecondary(e)
	for _, o := range w.Canvas().Overlays().List() {
		for _, inside := range test.LaidOutObjects(o) {
			if tap, ok := inside.(fyne.Tappable); ok {
				tap.Tapped(&fyne.PointEvent{})
			}
		}
	}
	if got := board.Content(); got != "before" {
		t.Errorf("the menu let %q out", got)
	}
	e.Forget()
	e.TypedShortcut(&fyne.ShortcutUndo{})
	e.Undo()
	if e.Text != "" {
		t.Errorf("what was forgotten came back: %d letters", len(e.Text))
	}
	board.SetContent("pasted")
	e.TypedShortcut(&fyne.ShortcutPaste{Clipboard: board})
	if e.Text != "pasted" {
		t.Error("a value cannot be pasted")
	}
}
