package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"chaperone/ui/theme"
)

// RowList is a list of any length that draws only the rows in sight. One row may be open, with a detail beneath
// it. Rows are told apart by a key, so that the list stays where it is when rows are added above.
type RowList struct {
	widget.BaseWidget
	height float32
	keys   []string
	make   func() fyne.CanvasObject
	fill   func(index int, row fyne.CanvasObject)
	press  func(key string)

	open   string // key of the open row
	detail fyne.CanvasObject
	cursor string // key of the row that the keys work on

	scroll *container.Scroll
	layer  *fyne.Container
	pool   []*listRow
}

// NewRowList returns an empty list of rows of one height. fill draws row index into an object that make made;
// press is called when a row is clicked, or Enter pressed on it.
func NewRowList(height float32, make func() fyne.CanvasObject, fill func(index int, row fyne.CanvasObject), press func(key string)) *RowList {
	l := &RowList{height: height, make: make, fill: fill, press: press}
	l.layer = &fyne.Container{Layout: listLayout{l}}
	l.scroll = container.NewVScroll(l.layer)
	l.scroll.OnScrolled = func(fyne.Position) { l.place() }
	l.ExtendBaseWidget(l)
	return l
}

// Set shows other rows. What the person looks at stays in its place, unless that is the top.
func (l *RowList) Set(keys []string) {
	anchor, shift := "", float32(0)
	if l.scroll.Offset.Y > 0 {
		i := l.at(l.scroll.Offset.Y)
		if i < len(l.keys) {
			anchor, shift = l.keys[i], l.scroll.Offset.Y-l.top(i)
		}
	}
	l.keys = keys
	if l.index(l.open) < 0 {
		l.open, l.detail = "", nil
	}
	if i := l.index(anchor); anchor != "" && i >= 0 {
		l.resize()
		l.scroll.ScrollToOffset(fyne.NewPos(0, l.top(i)+shift))
	}
	l.Refresh()
}

// Open shows detail beneath the row of key; an empty key closes what is open.
func (l *RowList) Open(key string, detail fyne.CanvasObject) {
	if key == "" {
		detail = nil
	}
	l.open, l.detail = key, detail
	l.Refresh()
	if i := l.index(key); i >= 0 && detail != nil { // what was asked for is seen, its beginning first
		top, room := l.top(i), l.scroll.Size().Height
		if below := top + l.height + l.detailHeight() - room; below > l.scroll.Offset.Y {
			l.scroll.ScrollToOffset(fyne.NewPos(0, min(top, below)))
			l.place()
		}
	}
}

// Opened returns the key of the open row.
func (l *RowList) Opened() string { return l.open }

// Drawn counts the rows that are drawn now.
func (l *RowList) Drawn() int {
	n := 0
	for _, r := range l.pool {
		if r.Visible() {
			n++
		}
	}
	return n
}

func (l *RowList) index(key string) int {
	if key == "" {
		return -1
	}
	for i, k := range l.keys {
		if k == key {
			return i
		}
	}
	return -1
}

func (l *RowList) detailHeight() float32 {
	if l.detail == nil {
		return 0
	}
	return HeightOf(l.detail, l.Size().Width)
}

// top is where row i begins.
func (l *RowList) top(i int) float32 {
	y := float32(i) * l.height
	if open := l.index(l.open); open >= 0 && i > open {
		y += l.detailHeight()
	}
	return y
}

// at is the row at a height.
func (l *RowList) at(y float32) int {
	open := l.index(l.open)
	if open >= 0 && y >= l.top(open+1) {
		y -= l.detailHeight()
	} else if open >= 0 && y >= float32(open+1)*l.height {
		return open
	}
	return max(0, int(y/l.height))
}

func (l *RowList) resize() {
	l.layer.Resize(fyne.NewSize(l.Size().Width, l.top(len(l.keys))))
	l.scroll.Refresh()
}

// place moves the pool of drawn rows to what is in sight.
func (l *RowList) place() {
	from := l.at(l.scroll.Offset.Y)
	to := min(len(l.keys), l.at(l.scroll.Offset.Y+l.scroll.Size().Height)+1)
	n := max(0, to-from)
	for len(l.pool) < n {
		r := newListRow(l, l.make())
		l.pool = append(l.pool, r)
	}
	width := l.Size().Width
	objects := make([]fyne.CanvasObject, 0, n+1)
	for i, r := range l.pool {
		if i >= n {
			r.Hide()
			continue
		}
		index := from + i
		r.key = l.keys[index]
		l.fill(index, r.inside)
		r.Show()
		r.Resize(fyne.NewSize(width, l.height))
		r.Move(fyne.NewPos(0, l.top(index)))
		r.Refresh()
		objects = append(objects, r)
	}
	if open := l.index(l.open); open >= 0 && l.detail != nil {
		l.detail.Resize(fyne.NewSize(width, l.detailHeight()))
		l.detail.Move(fyne.NewPos(0, l.top(open)+l.height))
		objects = append(objects, l.detail)
	}
	l.layer.Objects = objects
	canvas.Refresh(l.layer)
}

func (l *RowList) CreateRenderer() fyne.WidgetRenderer { return &listRenderer{l} }

type listRenderer struct{ l *RowList }

func (r *listRenderer) Destroy()                     {}
func (r *listRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.l.scroll} }
func (r *listRenderer) MinSize() fyne.Size           { return fyne.NewSize(200, r.l.height*2) }

func (r *listRenderer) Layout(size fyne.Size) {
	r.l.scroll.Resize(size)
	r.l.resize()
	r.l.place()
}

func (r *listRenderer) Refresh() {
	r.l.resize()
	r.l.place()
	if r.l.detail != nil {
		r.l.detail.Refresh()
	}
	canvas.Refresh(r.l)
}

type listLayout struct{ l *RowList }

func (listLayout) Layout([]fyne.CanvasObject, fyne.Size) {}

func (y listLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(10, y.l.top(len(y.l.keys)))
}

// FocusGained puts the cursor on the row where it was, or on the first in sight.
func (l *RowList) FocusGained() {
	if l.index(l.cursor) < 0 && len(l.keys) > 0 {
		l.cursor = l.keys[min(len(l.keys)-1, l.at(l.scroll.Offset.Y))]
	}
	l.focusedNow(true)
}

// FocusLost hides the cursor.
func (l *RowList) FocusLost() { l.focusedNow(false) }

func (l *RowList) focusedNow(v bool) {
	for _, r := range l.pool {
		r.lit = v
		r.Refresh()
	}
}

// TypedRune does nothing: keys come by TypedKey.
func (l *RowList) TypedRune(rune) {}

// TypedKey moves the cursor and opens rows.
func (l *RowList) TypedKey(e *fyne.KeyEvent) {
	page := max(1, int(l.scroll.Size().Height/l.height)-1)
	i := l.index(l.cursor)
	switch e.Name {
	case fyne.KeyDown:
		i++
	case fyne.KeyUp:
		i--
	case fyne.KeyPageDown:
		i += page
	case fyne.KeyPageUp:
		i -= page
	case fyne.KeyHome:
		i = 0
	case fyne.KeyEnd:
		i = len(l.keys) - 1
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		if i >= 0 {
			l.press(l.cursor)
		}
		return
	case fyne.KeyEscape:
		if l.open != "" {
			l.Open("", nil)
			return
		}
		Leave(l)
		return
	default:
		return
	}
	if len(l.keys) == 0 {
		return
	}
	i = max(0, min(len(l.keys)-1, i))
	l.cursor = l.keys[i]
	y := l.top(i)
	switch room := l.scroll.Size().Height; {
	case y < l.scroll.Offset.Y:
		l.scroll.ScrollToOffset(fyne.NewPos(0, y))
	case y+l.height > l.scroll.Offset.Y+room:
		l.scroll.ScrollToOffset(fyne.NewPos(0, y+l.height-room))
	}
	l.place()
	l.focusedNow(true)
}

// listRow is one drawn row.
type listRow struct {
	widget.BaseWidget
	list    *RowList
	key     string
	inside  fyne.CanvasObject
	back    *canvas.Rectangle
	rule    *canvas.Rectangle
	ring    *canvas.Rectangle
	hovered bool
	lit     bool // the list has the focus
}

func newListRow(l *RowList, inside fyne.CanvasObject) *listRow {
	r := &listRow{list: l, inside: inside, back: canvas.NewRectangle(nil), rule: canvas.NewRectangle(nil), ring: newRing(3)}
	r.back.CornerRadius = 6
	r.ExtendBaseWidget(r)
	return r
}

// Tapped opens the row.
func (r *listRow) Tapped(*fyne.PointEvent) {
	r.list.cursor = r.key
	r.list.press(r.key)
}

func (r *listRow) MouseIn(*desktop.MouseEvent)    { r.hovered = true; r.Refresh() }
func (r *listRow) MouseMoved(*desktop.MouseEvent) {}
func (r *listRow) MouseOut()                      { r.hovered = false; r.Refresh() }
func (r *listRow) Cursor() desktop.Cursor         { return desktop.PointerCursor }

func (r *listRow) CreateRenderer() fyne.WidgetRenderer { return &listRowRenderer{r} }

// side is the room at both ends of a row, for the frame of the cursor.
const side float32 = 8

type listRowRenderer struct{ r *listRow }

func (x *listRowRenderer) Destroy() {}

func (x *listRowRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{x.r.back, x.r.rule, x.r.inside, x.r.ring}
}

func (x *listRowRenderer) MinSize() fyne.Size { return fyne.NewSize(100, x.r.list.height) }

func (x *listRowRenderer) Layout(size fyne.Size) {
	r := x.r
	r.back.Move(fyne.NewPos(0, 1))
	r.back.Resize(size.AddWidthHeight(0, -1))
	r.rule.Resize(fyne.NewSize(size.Width, 1))
	r.inside.Move(fyne.NewPos(side, 0))
	r.inside.Resize(size.AddWidthHeight(-2*side, 0))
	r.ring.Move(fyne.NewPos(0, 1))
	r.ring.Resize(size.AddWidthHeight(0, -2))
}

func (x *listRowRenderer) Refresh() {
	r := x.r
	r.back.FillColor = paint("")
	if r.hovered || r.key == r.list.open {
		r.back.FillColor = base.Color(theme.Hover)
	}
	r.rule.FillColor = base.Color(theme.Line)
	r.ring.FillColor, r.ring.StrokeColor = paint(""), base.Color(theme.Focus)
	r.ring.Hidden = !r.lit || r.key != r.list.cursor
	r.inside.Refresh()
	canvas.Refresh(r)
}
