package activity

import (
	"fyne.io/fyne/v2"
	base "fyne.io/fyne/v2/widget"

	"chaperone/assets"
	"chaperone/ui/model"
	"chaperone/ui/theme"
	"chaperone/ui/widget"
)

// The columns: what is fixed, the parts of what is left, and which go first where there is too little room.
var columns = []struct {
	key    string
	least  float32
	weight float32
	right  bool
	goes   int // 0: never
}{
	{"ui.activity.time", 66, 0, false, 0},
	{"ui.activity.agent", 96, 0.4, false, 0},
	{"ui.activity.what", 120, 2.4, false, 0},
	{"ui.activity.where", 80, 1.2, false, 3},
	{"ui.activity.outcome", 90, 1.5, false, 0},
	{"ui.activity.ms", 48, 0, true, 2},
	{"ui.activity.tokens", 44, 0, true, 1},
}

// gone is how many columns have no room in a width.
func gone(width float32) int {
	for n := 0; ; n++ {
		least := -columnGap
		for _, c := range columns {
			if c.goes == 0 || c.goes > n {
				least += c.least + columnGap
			}
		}
		if least <= width || n == 3 {
			return n
		}
	}
}

const columnGap float32 = 10

// forBar is the room at the right that keeps the scroll bar off the numbers.
const forBar float32 = 6

type columnsLayout struct{}

func (columnsLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	n := gone(size.Width)
	free := size.Width + columnGap
	var weights float32
	for i, c := range columns {
		if c.goes > 0 && c.goes <= n {
			o[i].Hide()
			continue
		}
		o[i].Show()
		free -= c.least + columnGap
		weights += c.weight
	}
	x := float32(0)
	for i, c := range columns {
		if !o[i].Visible() {
			continue
		}
		w := c.least + max(0, free)*c.weight/weights
		h := o[i].MinSize().Height
		o[i].Move(fyne.NewPos(x, (size.Height-h)/2))
		o[i].Resize(fyne.NewSize(w, h))
		x += w + columnGap
	}
}

func (columnsLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(300, o[0].MinSize().Height+12)
}

func header() fyne.CanvasObject {
	c := &fyne.Container{Layout: columnsLayout{}}
	for _, col := range columns {
		c.Objects = append(c.Objects, widget.NewText(assets.Say(col.key),
			widget.Style{Size: theme.CaptionSize, Color: theme.Muted, OneLine: true, Right: col.right}))
	}
	return widget.Inset(0, 6+forBar, 0, 6, c)
}

// row is one line of the list.
type row struct {
	base.BaseWidget
	cells []*widget.Text
	inner *fyne.Container
	shown model.Row
}

func newRow() fyne.CanvasObject {
	r := &row{inner: &fyne.Container{Layout: columnsLayout{}}}
	for i, col := range columns {
		style := widget.Style{Size: theme.SmallSize, OneLine: true, Right: col.right, Marks: i == 2}
		if col.right {
			style.Color = theme.Muted
		}
		cell := widget.NewText("", style)
		r.cells = append(r.cells, cell)
		r.inner.Objects = append(r.inner.Objects, cell)
	}
	r.inner = widget.Inset(0, forBar, 0, 0, r.inner)
	r.ExtendBaseWidget(r)
	return r
}

func (r *row) set(m model.Row) {
	what := ""
	for _, s := range m.What {
		what += s.Text
	}
	for i, text := range []string{m.Time, m.Agent, what, m.Where, m.Outcome, m.Ms, m.Tokens} {
		r.cells[i].Set(text)
	}
	color := theme.Accent
	switch m.How {
	case model.Bad:
		color = theme.Bad
	case model.Busy:
		color = theme.Muted
	}
	r.cells[4].Recolor(color)
	r.shown = m
}

func (r *row) CreateRenderer() fyne.WidgetRenderer { return base.NewSimpleRenderer(r.inner) }
