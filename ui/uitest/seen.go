package uitest

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"chaperone/ui/widget"
)

// Seen returns all objects below root that are not hidden, in the order of the keyboard.
func Seen(root fyne.CanvasObject) (all []fyne.CanvasObject) {
	if root == nil || !root.Visible() {
		return nil
	}
	all = append(all, root)
	var inside []fyne.CanvasObject
	switch o := root.(type) {
	case *fyne.Container:
		inside = o.Objects
	case fyne.Widget:
		inside = test.WidgetRenderer(o).Objects()
	}
	for _, o := range inside {
		all = append(all, Seen(o)...)
	}
	return all
}

// Words returns all text below root that can be seen, a line for each piece.
func Words(root fyne.CanvasObject) string {
	var out []string
	for _, o := range Seen(root) {
		switch o := o.(type) {
		case *widget.Text:
			out = append(out, o.Content())
		case interface{ Label() string }:
			out = append(out, o.Label())
		}
	}
	return strings.Join(out, "\n")
}

// Find returns what can be seen and says label: a button or a pill. It returns nil if there is none.
func Find(root fyne.CanvasObject, label string) fyne.Tappable {
	for _, o := range Seen(root) {
		if l, ok := o.(interface{ Label() string }); ok && l.Label() == label {
			if t, ok := o.(fyne.Tappable); ok {
				return t
			}
		}
	}
	return nil
}
