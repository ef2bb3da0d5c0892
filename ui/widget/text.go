package widget

import (
	"math"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"chaperone/ui/model"
	"chaperone/ui/theme"
)

// Style is how a Text looks.
type Style struct {
	Size  float32 // theme.BodySize when zero
	Color fyne.ThemeColorName
	Bold  bool
	Mono  bool
	// Right sets text against the right edge.
	Right bool
	// OneLine cuts text that is too wide, with an ellipsis; otherwise it is wrapped.
	OneLine bool
	// Verbatim keeps blanks and breaks lines anywhere, as code wants it.
	Verbatim bool
	// Lines is the most lines shown; zero shows all.
	Lines int
	// Marks shows masks as such.
	Marks bool
}

// Text is a piece of text in the window's own look.
type Text struct {
	widget.BaseWidget
	style   Style
	content string
	width   float32
	lines   [][]model.Span
	cut     bool
	made    bool // lines are those of content at width
	before  broken
}

// broken is text in lines, as it was at a width.
type broken struct {
	made  bool
	width float32
	lines [][]model.Span
	cut   bool
}

// NewText returns a text in a style.
func NewText(content string, style Style) *Text {
	if style.Size == 0 {
		style.Size = theme.BodySize
	}
	if style.Color == "" {
		style.Color = theme.Text
	}
	t := &Text{style: style, content: content}
	t.ExtendBaseWidget(t)
	return t
}

// Content returns the text.
func (t *Text) Content() string { return t.content }

// Set changes the text.
func (t *Text) Set(content string) {
	if t.content == content {
		return
	}
	t.content = content
	t.made, t.before.made = false, false
	t.Refresh()
}

// Recolor changes the colour.
func (t *Text) Recolor(c fyne.ThemeColorName) {
	if t.style.Color != c {
		t.style.Color = c
		t.Refresh()
	}
}

// Lines limits the number of lines; zero shows all.
func (t *Text) Lines(n int) {
	if t.style.Lines != n {
		t.style.Lines, t.made, t.before.made = n, false, false
		t.Refresh()
	}
}

// Cut tells whether something was left out at the width the text was laid out for.
func (t *Text) Cut() bool { return t.cut }

func (t *Text) textStyle() fyne.TextStyle {
	return fyne.TextStyle{Bold: t.style.Bold, Monospace: t.style.Mono}
}

func (t *Text) measure(s string) float32 {
	return fyne.MeasureText(s, t.style.Size, t.textStyle()).Width
}

func (t *Text) lineHeight() float32 {
	return float32(math.Ceil(float64(fyne.MeasureText("Mg", t.style.Size, t.textStyle()).Height)))
}

func (t *Text) spans() []model.Span {
	if t.style.Marks {
		return model.Spans(t.content)
	}
	if t.content == "" {
		return nil
	}
	return []model.Span{{Text: t.content}}
}

// NaturalWidth is the width of the text on one line.
func (t *Text) NaturalWidth() float32 {
	var w float32
	for line := range strings.SplitSeq(t.content, "\n") {
		w = max(w, t.measure(line)+1)
	}
	return w
}

// HeightFor is the height of the text at a width.
func (t *Text) HeightFor(width float32) float32 {
	t.wrap(width)
	return float32(max(1, len(t.lines))) * t.lineHeight()
}

func (t *Text) wrap(width float32) {
	if t.made && t.width == width {
		return
	}
	// a layout asks for the height at one width and draws at another, in turn
	was := broken{t.made, t.width, t.lines, t.cut}
	if t.made && t.before.made && t.before.width == width {
		t.width, t.lines, t.cut = t.before.width, t.before.lines, t.before.cut
		t.before = was
		return
	}
	t.before = was
	t.made, t.width = true, width
	w := wrapper{measure: t.measure, width: width, verbatim: t.style.Verbatim}
	most := t.style.Lines
	if t.style.OneLine {
		line, cut := w.line(t.spans())
		t.lines, t.cut = [][]model.Span{line}, cut
		return
	}
	t.lines, t.cut = w.wrap(t.spans(), most)
}

func (t *Text) CreateRenderer() fyne.WidgetRenderer { return &textRenderer{t: t} }

type textRenderer struct {
	t       *Text
	objects []fyne.CanvasObject
}

func (r *textRenderer) Destroy() {}

func (r *textRenderer) MinSize() fyne.Size {
	t := r.t
	if t.style.OneLine {
		return fyne.NewSize(min(t.NaturalWidth(), 28), t.lineHeight())
	}
	width := t.width
	if width == 0 {
		width = 480
	}
	return fyne.NewSize(min(t.NaturalWidth(), 40), t.HeightFor(width))
}

func (r *textRenderer) Objects() []fyne.CanvasObject { return r.objects }

func (r *textRenderer) Refresh() {
	r.t.made, r.t.before.made = false, false
	r.draw(r.t.Size())
	canvas.Refresh(r.t)
}

func (r *textRenderer) Layout(size fyne.Size) { r.draw(size) }

func (r *textRenderer) draw(size fyne.Size) {
	t := r.t
	if size.Width <= 0 { // it has no place yet
		r.objects = nil
		return
	}
	t.wrap(size.Width)
	height := t.lineHeight()
	plain, marked, ground := base.Color(t.style.Color), base.Color(theme.MaskText), base.Color(theme.Mask)
	r.objects = r.objects[:0:0]
	for i, line := range t.lines {
		y := float32(i) * height
		x := float32(0)
		if t.style.Right {
			for _, s := range line {
				x += t.measure(s.Text)
			}
			x = size.Width - x
		}
		for _, s := range line {
			w := t.measure(s.Text)
			if s.Masked {
				back := canvas.NewRectangle(ground)
				back.CornerRadius = 4
				back.Move(fyne.NewPos(x-2, y+1))
				back.Resize(fyne.NewSize(w+4, height-2))
				r.objects = append(r.objects, back)
			}
			text := canvas.NewText(s.Text, plain)
			if t.style.Mono {
				// the toolkit cuts fixed-width text off just above its underscores
				text.Text = strings.ReplaceAll(s.Text, "_", " ")
				r.underscore(s, x, y, w)
			}
			if s.Masked {
				text.Color = marked
			}
			text.TextSize, text.TextStyle = t.style.Size, t.textStyle()
			text.Move(fyne.NewPos(x, y))
			text.Resize(fyne.NewSize(w, height))
			r.objects = append(r.objects, text)
			x += w
		}
	}
}

// underscore draws the underscores of a piece of fixed-width text.
func (r *textRenderer) underscore(s model.Span, x, y, width float32) {
	letters := []rune(s.Text)
	step := width / float32(max(1, len(letters)))
	color := base.Color(r.t.style.Color)
	if s.Masked {
		color = base.Color(theme.MaskText)
	}
	for i, letter := range letters {
		if letter != '_' {
			continue
		}
		line := canvas.NewRectangle(color)
		line.Move(fyne.NewPos(x+float32(i)*step, y+r.t.style.Size*1.05))
		line.Resize(fyne.NewSize(step, 1))
		r.objects = append(r.objects, line)
	}
}
