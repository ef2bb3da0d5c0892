package widget

import "fyne.io/fyne/v2"

// Tall is an object whose height depends on its width, such as wrapped text.
type Tall interface{ HeightFor(width float32) float32 }

// Elastic is an object that would like to be wider than its least size, such as text that can be cut.
type Elastic interface{ NaturalWidth() float32 }

// HeightOf returns the height that o needs at a width.
func HeightOf(o fyne.CanvasObject, width float32) float32 {
	switch o := o.(type) {
	case Tall:
		return o.HeightFor(width)
	case *fyne.Container:
		if l, ok := o.Layout.(tallLayout); ok {
			return l.heightFor(o.Objects, width)
		}
	}
	return o.MinSize().Height
}

func naturalWidth(o fyne.CanvasObject) float32 {
	switch o := o.(type) {
	case Elastic:
		return o.NaturalWidth()
	case *fyne.Container:
		if l, ok := o.Layout.(*rowLayout); ok {
			return l.natural(o.Objects)
		}
	}
	return o.MinSize().Width
}

type tallLayout interface {
	heightFor(objects []fyne.CanvasObject, width float32) float32
}

// Column stacks objects from top to bottom, each as wide as the column.
func Column(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return &fyne.Container{Layout: &columnLayout{gap: gap}, Objects: objects}
}

type columnLayout struct{ gap, width float32 }

func (l *columnLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	l.width = size.Width
	y := float32(0)
	for _, o := range objects {
		if !o.Visible() {
			continue
		}
		h := HeightOf(o, size.Width)
		o.Move(fyne.NewPos(0, y))
		o.Resize(fyne.NewSize(size.Width, h))
		y += h + l.gap
	}
}

func (l *columnLayout) heightFor(objects []fyne.CanvasObject, width float32) float32 {
	l.width = width
	y := float32(0)
	for _, o := range objects {
		if o.Visible() {
			y += HeightOf(o, width) + l.gap
		}
	}
	return max(0, y-l.gap)
}

func (l *columnLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var w float32
	for _, o := range objects {
		if o.Visible() {
			w = max(w, o.MinSize().Width)
		}
	}
	return fyne.NewSize(w, l.heightFor(objects, max(l.width, w)))
}

// Row puts objects side by side, in the middle of the row's height. The object at grow takes the room that is
// left, none if grow is negative; elastic objects give way when there is too little.
func Row(gap float32, grow int, objects ...fyne.CanvasObject) *fyne.Container {
	return &fyne.Container{Layout: &rowLayout{gap: gap, grow: grow}, Objects: objects}
}

// TopRow is Row with the objects at the top of the row.
func TopRow(gap float32, grow int, objects ...fyne.CanvasObject) *fyne.Container {
	return &fyne.Container{Layout: &rowLayout{gap: gap, grow: grow, top: true}, Objects: objects}
}

type rowLayout struct {
	gap   float32
	grow  int
	top   bool
	width float32
}

func (l *rowLayout) widths(objects []fyne.CanvasObject, width float32) []float32 {
	out := make([]float32, len(objects))
	free := width
	var give float32
	seen := 0
	for i, o := range objects {
		if !o.Visible() {
			continue
		}
		seen++
		out[i] = naturalWidth(o)
		if i == l.grow {
			out[i] = o.MinSize().Width
		}
		free -= out[i]
		if _, ok := o.(Elastic); ok && i != l.grow {
			give += out[i] - o.MinSize().Width
		}
	}
	free -= l.gap * float32(max(0, seen-1))
	switch {
	case free >= 0 && l.grow >= 0 && l.grow < len(out):
		out[l.grow] += free
	case free < 0 && give > 0:
		part := min(1, -free/give)
		for i, o := range objects {
			if _, ok := o.(Elastic); ok && o.Visible() && i != l.grow {
				out[i] -= (out[i] - o.MinSize().Width) * part
			}
		}
	}
	return out
}

func (l *rowLayout) natural(objects []fyne.CanvasObject) float32 {
	var w float32
	for _, o := range objects {
		if o.Visible() {
			w += naturalWidth(o) + l.gap
		}
	}
	return max(0, w-l.gap)
}

func (l *rowLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	l.width = size.Width
	x := float32(0)
	for i, w := range l.widths(objects, size.Width) {
		o := objects[i]
		if !o.Visible() {
			continue
		}
		h := min(HeightOf(o, w), size.Height)
		y := (size.Height - h) / 2
		if l.top {
			y = 0
		}
		o.Move(fyne.NewPos(x, y))
		o.Resize(fyne.NewSize(w, h))
		x += w + l.gap
	}
}

func (l *rowLayout) heightFor(objects []fyne.CanvasObject, width float32) float32 {
	l.width = width
	var h float32
	for i, w := range l.widths(objects, width) {
		if objects[i].Visible() {
			h = max(h, HeightOf(objects[i], w))
		}
	}
	return h
}

func (l *rowLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var w float32
	for _, o := range objects {
		if o.Visible() {
			w += o.MinSize().Width + l.gap
		}
	}
	w = max(0, w-l.gap)
	return fyne.NewSize(w, l.heightFor(objects, max(l.width, w)))
}

// Wrap puts objects side by side, each in the middle of its line, and goes on in a new line when they do not fit.
func Wrap(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return &fyne.Container{Layout: &wrapLayout{gap: gap}, Objects: objects}
}

type wrapLayout struct{ gap, width float32 }

func (l *wrapLayout) place(objects []fyne.CanvasObject, width float32, put func(o fyne.CanvasObject, x, y, w, h float32)) float32 {
	type placed struct {
		o       fyne.CanvasObject
		x, w, h float32
	}
	var line []placed
	var x, y, tall float32
	end := func() {
		for _, p := range line {
			if put != nil {
				put(p.o, p.x, y+(tall-p.h)/2, p.w, p.h)
			}
		}
		y += tall + l.gap
		line, x, tall = line[:0], 0, 0
	}
	for _, o := range objects {
		if !o.Visible() {
			continue
		}
		w := min(naturalWidth(o), max(width, o.MinSize().Width))
		h := HeightOf(o, w)
		if x > 0 && x+w > width+0.5 {
			end()
		}
		line = append(line, placed{o, x, w, h})
		x += w + l.gap
		tall = max(tall, h)
	}
	if len(line) > 0 {
		end()
	}
	return max(0, y-l.gap)
}

func (l *wrapLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	l.width = size.Width
	l.place(objects, size.Width, func(o fyne.CanvasObject, x, y, w, h float32) {
		o.Move(fyne.NewPos(x, y))
		o.Resize(fyne.NewSize(w, h))
	})
}

func (l *wrapLayout) heightFor(objects []fyne.CanvasObject, width float32) float32 {
	l.width = width
	return l.place(objects, width, nil)
}

func (l *wrapLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var w float32
	for _, o := range objects {
		if o.Visible() {
			w = max(w, o.MinSize().Width)
		}
	}
	return fyne.NewSize(w, l.heightFor(objects, max(l.width, w)))
}

// Inset puts room around an object.
func Inset(top, right, bottom, left float32, o fyne.CanvasObject) *fyne.Container {
	return &fyne.Container{Layout: insetLayout{top, right, bottom, left}, Objects: []fyne.CanvasObject{o}}
}

type insetLayout struct{ top, right, bottom, left float32 }

func (l insetLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Move(fyne.NewPos(l.left, l.top))
		o.Resize(fyne.NewSize(max(0, size.Width-l.left-l.right), max(0, size.Height-l.top-l.bottom)))
	}
}

func (l insetLayout) heightFor(objects []fyne.CanvasObject, width float32) float32 {
	var h float32
	for _, o := range objects {
		h = max(h, HeightOf(o, width-l.left-l.right))
	}
	return h + l.top + l.bottom
}

func (l insetLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var s fyne.Size
	for _, o := range objects {
		s = s.Max(o.MinSize())
	}
	return s.AddWidthHeight(l.left+l.right, l.top+l.bottom)
}

// widest is how wide a column of cards and rows gets: in a wide window the eye must not travel from a word to its switch.
const widest float32 = 960

// Upright keeps a column from getting too wide, at the left of the room it has.
func Upright(o fyne.CanvasObject) *fyne.Container {
	return &fyne.Container{Layout: uprightLayout{}, Objects: []fyne.CanvasObject{o}}
}

type uprightLayout struct{}

func (uprightLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Move(fyne.NewPos(0, 0))
	objects[0].Resize(fyne.NewSize(min(size.Width, widest), size.Height))
}

func (uprightLayout) heightFor(objects []fyne.CanvasObject, width float32) float32 {
	return HeightOf(objects[0], min(width, widest))
}

func (uprightLayout) MinSize(objects []fyne.CanvasObject) fyne.Size { return objects[0].MinSize() }

// Grid puts objects of one width in lines of as many as fit, all of a line equally tall.
func Grid(gap, least float32, objects ...fyne.CanvasObject) *fyne.Container {
	return &fyne.Container{Layout: &gridLayout{gap: gap, least: least}, Objects: objects}
}

type gridLayout struct{ gap, least, width float32 }

func (l *gridLayout) place(objects []fyne.CanvasObject, width float32, put func(o fyne.CanvasObject, x, y, w, h float32)) float32 {
	var seen []fyne.CanvasObject
	for _, o := range objects {
		if o.Visible() {
			seen = append(seen, o)
		}
	}
	n := max(1, int((width+l.gap)/(l.least+l.gap)))
	w := (width - l.gap*float32(n-1)) / float32(n)
	y := float32(0)
	for from := 0; from < len(seen); from += n {
		line := seen[from:min(len(seen), from+n)]
		var h float32
		for _, o := range line {
			h = max(h, HeightOf(o, w))
		}
		for i, o := range line {
			if put != nil {
				put(o, float32(i)*(w+l.gap), y, w, h)
			}
		}
		y += h + l.gap
	}
	return max(0, y-l.gap)
}

func (l *gridLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	l.width = size.Width
	l.place(objects, size.Width, func(o fyne.CanvasObject, x, y, w, h float32) {
		o.Move(fyne.NewPos(x, y))
		o.Resize(fyne.NewSize(w, h))
	})
}

func (l *gridLayout) heightFor(objects []fyne.CanvasObject, width float32) float32 {
	l.width = width
	return l.place(objects, width, nil)
}

func (l *gridLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(min(l.least, 240), l.heightFor(objects, max(l.width, l.least)))
}

// Fill lets an object take all the room, however little it asks for.
func Fill(o fyne.CanvasObject) *fyne.Container {
	return &fyne.Container{Layout: fillLayout{}, Objects: []fyne.CanvasObject{o}}
}

type fillLayout struct{}

func (fillLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Move(fyne.NewPos(0, 0))
		o.Resize(size)
	}
}

func (fillLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(1, 1) }

// Space is an empty object that takes room in a Row.
func Space() fyne.CanvasObject { return &fyne.Container{Layout: fillLayout{}} }

// Wide gives an object a width of its own.
func Wide(width float32, o fyne.CanvasObject) *fyne.Container {
	return &fyne.Container{Layout: wideLayout{width}, Objects: []fyne.CanvasObject{o}}
}

type wideLayout struct{ width float32 }

func (l wideLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Move(fyne.NewPos(0, 0))
		o.Resize(size)
	}
}

func (l wideLayout) heightFor(objects []fyne.CanvasObject, _ float32) float32 {
	return HeightOf(objects[0], l.width)
}

func (l wideLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(l.width, HeightOf(objects[0], l.width))
}
