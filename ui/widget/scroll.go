package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// Scroll is a column that can be scrolled when it is taller than its place.
type Scroll struct {
	*fyne.Container
	Inner  *container.Scroll
	column *fyne.Container
}

// NewScroll returns a scroll around an object whose height follows from its width.
func NewScroll(o fyne.CanvasObject) *Scroll {
	s := &Scroll{column: Column(0, o)}
	s.Inner = container.NewVScroll(s.column)
	s.Container = &fyne.Container{Layout: scrollLayout{s}, Objects: []fyne.CanvasObject{s.Inner}}
	return s
}

// Again lays the content out after its height may have changed.
func (s *Scroll) Again() {
	s.Layout.Layout(s.Objects, s.Size())
	s.Inner.Refresh()
}

// Reveal scrolls as little as is needed to show o, which must be inside.
func (s *Scroll) Reveal(o fyne.CanvasObject) { reveal(s.Inner, o) }

func reveal(s *container.Scroll, o fyne.CanvasObject) {
	top, ok := topOf(s.Content, o, 0)
	if !ok {
		return
	}
	offset := s.Offset
	room := s.Size().Height
	switch {
	case top-margin < offset.Y:
		offset.Y = max(0, top-margin)
	case top+o.Size().Height+margin > offset.Y+room:
		offset.Y = top + o.Size().Height + margin - room
	default:
		return
	}
	s.ScrollToOffset(offset)
}

// walk calls visit for what can be seen below root, in the order of the keyboard, until it returns true.
func walk(root fyne.CanvasObject, visit func(fyne.CanvasObject) bool) bool {
	if root == nil || !root.Visible() {
		return false
	}
	if visit(root) {
		return true
	}
	for _, o := range childrenOf(root) {
		if walk(o, visit) {
			return true
		}
	}
	return false
}

// First is the first thing below root that can have the focus, nil if there is none.
func First(root fyne.CanvasObject) (first fyne.Focusable) {
	walk(root, func(o fyne.CanvasObject) bool {
		f, ok := o.(fyne.Focusable)
		if d, can := o.(interface{ Disabled() bool }); !ok || can && d.Disabled() {
			return false
		}
		first = f
		return true
	})
	return first
}

// Seen tells whether all of o can be seen, and at what height it stands in the view.
func (s *Scroll) Seen(o fyne.CanvasObject) (top float32, seen bool) {
	top, ok := topOf(s.column, o, 0)
	top -= s.Inner.Offset.Y
	return top, ok && top >= -1 && top+o.Size().Height <= s.Inner.Size().Height+1
}

const margin float32 = 12

// topOf finds o below root and returns how far beneath root's top it stands.
func topOf(root, o fyne.CanvasObject, y float32) (float32, bool) {
	if root == o {
		return y, true
	}
	for _, child := range childrenOf(root) {
		if found, ok := topOf(child, o, y+child.Position().Y); ok {
			return found, true
		}
	}
	return 0, false
}

func childrenOf(o fyne.CanvasObject) []fyne.CanvasObject {
	switch o := o.(type) {
	case *fyne.Container:
		return o.Objects
	case *container.Scroll:
		return []fyne.CanvasObject{o.Content}
	case interface{ Inside() fyne.CanvasObject }:
		return []fyne.CanvasObject{o.Inside()}
	}
	return nil
}

type scrollLayout struct{ s *Scroll }

func (l scrollLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	l.s.column.Layout.(*columnLayout).width = size.Width
	l.s.Inner.Move(fyne.NewPos(0, 0))
	l.s.Inner.Resize(size)
	want := fyne.NewSize(size.Width, max(size.Height, HeightOf(l.s.column, size.Width)))
	if l.s.column.Size() != want {
		l.s.column.Resize(want)
		return
	}
	l.s.column.Layout.Layout(l.s.column.Objects, want)
}

func (scrollLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(200, 100) }

// Capped lets an object be as tall as it wants up to most, and scrolls it beyond.
func Capped(most float32, o fyne.CanvasObject) *fyne.Container {
	s := NewScroll(o)
	s.Container.Layout = cappedLayout{scrollLayout{s}, most}
	return s.Container
}

type cappedLayout struct {
	scrollLayout
	most float32
}

func (l cappedLayout) heightFor(_ []fyne.CanvasObject, width float32) float32 {
	return min(l.most, HeightOf(l.s.column, width))
}

func (l cappedLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(60, min(l.most, l.s.column.MinSize().Height))
}
