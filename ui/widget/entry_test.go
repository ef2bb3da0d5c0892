package widget

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	_ "chaperone/internal/locale" // quiet
)

func TestThePageScrollsUnderALine(t *testing.T) {
	test.NewTempApp(t)
	entry := NewEntry("a hint")
	var rest []fyne.CanvasObject
	for range 40 {
		rest = append(rest, NewText("a line", Style{}))
	}
	page := NewPage("Title", "", NewCard(Column(4, append([]fyne.CanvasObject{entry}, rest...)...)))
	w := test.NewTempWindow(t, page.Container)
	w.Resize(fyne.NewSize(500, 400))
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(entry).AddXY(20, 10)
	test.Scroll(w.Canvas(), at, 0, -50)
	if got := page.Scroll().Inner.Offset.Y; got != 50 {
		t.Errorf("the page scrolled by %v", got)
	}
	test.TapCanvas(w.Canvas(), fyne.CurrentApp().Driver().AbsolutePositionForObject(entry).AddXY(20, 10))
	test.Type(entry, "typed")
	if entry.Text != "typed" {
		t.Errorf("the line reads %q", entry.Text)
	}
}
