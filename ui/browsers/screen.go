package browsers

import (
	"time"

	"fyne.io/fyne/v2"

	"chaperone/assets"
	"chaperone/ui/model"
	"chaperone/ui/theme"
	"chaperone/ui/widget"
)

// Callbacks is what the screen asks for; each gets the browser's id. Failed answers when it did not work.
type Callbacks struct {
	Show, TakeOver, HandBack, Close func(id string)
}

// Screen shows browsers.
type Screen struct {
	do    Callbacks
	now   func() time.Time
	page  *widget.Page
	body  *fyne.Container
	grid  *fyne.Container
	empty fyne.CanvasObject
	tiles widget.Keyed[*tile]
}

// New returns an empty screen.
func New(now func() time.Time, do Callbacks) *Screen {
	s := &Screen{do: do, now: now}
	s.empty = widget.NewEmpty(assets.Say("ui.browsers.empty"), assets.Say("ui.browsers.empty.more"))
	s.grid = widget.Grid(14, 330)
	s.body = widget.Column(0, s.empty)
	s.page = widget.NewPage(assets.Say("ui.browsers"), assets.Say("ui.browsers.sub"), s.body)
	return s
}

// Object is what is drawn.
func (s *Screen) Object() fyne.CanvasObject { return s.page.Container }

// Show shows these browsers.
func (s *Screen) Show(browsers []model.Browser) {
	now := s.now()
	keys := make([]string, 0, len(browsers))
	byID := map[string]model.Tile{}
	for _, b := range browsers {
		keys = append(keys, b.ID)
		byID[b.ID] = model.TileOf(b, now)
	}
	s.tiles.Sync(keys, func(id string) *tile { return newTile(s, byID[id]) })
	for _, t := range s.tiles.All() {
		t.set(byID[t.id])
	}
	s.grid.Objects = widget.Objects(&s.tiles, func(t *tile) fyne.CanvasObject { return t.card })
	s.body.Objects = []fyne.CanvasObject{s.grid}
	if len(keys) == 0 {
		s.body.Objects = []fyne.CanvasObject{s.empty}
	}
	s.page.Again()
}

// IDs returns the browsers that are shown.
func (s *Screen) IDs() []string {
	var ids []string
	for _, t := range s.tiles.All() {
		ids = append(ids, t.id)
	}
	return ids
}

// Thumbnail shows what a browser shows now.
func (s *Screen) Thumbnail(id string, png []byte) {
	if t, ok := s.tiles.Get(id); ok && len(png) > 0 {
		t.picture.Set(png)
	}
}

// Done ends what was asked for; err says why it did not work.
func (s *Screen) Done(id string, err error) {
	if t, ok := s.tiles.Get(id); ok {
		t.done(err)
		s.page.Again()
	}
}

// tile is one browser.
type tile struct {
	id      string
	now     model.Tile
	card    *widget.Surface
	picture *widget.Picture
	title   *widget.Text
	site    *widget.Text
	about   *widget.Text
	state   *widget.Pill
	problem *widget.Text
	show    *widget.Button
	take    *widget.Button
	close   *widget.Button
	sure    bool // Close was pressed once
	busy    bool
}

func newTile(s *Screen, m model.Tile) *tile {
	t := &tile{id: m.ID}
	small := widget.Style{Size: theme.SmallSize, Color: theme.Muted, OneLine: true}
	t.picture = widget.NewPicture(assets.Say("ui.browsers.nopicture"), func(w float32) float32 { return w * 0.58 }).Cropped()
	t.title = widget.NewText("", widget.Style{Bold: true, OneLine: true})
	t.site, t.about = widget.NewText("", small), widget.NewText("", small)
	t.state = widget.NewPill("")
	t.problem = widget.NewText("", widget.Style{Size: theme.SmallSize, Color: theme.Bad})
	t.problem.Hide()
	act := func(f func(string)) func() {
		return func() {
			t.busy, t.sure = true, false
			t.problem.Hide()
			t.draw()
			f(t.id)
		}
	}
	t.show = widget.NewButton(assets.Say("ui.browsers.show"), widget.Plain, act(s.do.Show)).Small()
	t.take = widget.NewButton("", widget.Plain, func() {
		if t.now.Yours {
			act(s.do.HandBack)()
			return
		}
		act(s.do.TakeOver)()
	}).Small()
	t.close = widget.NewButton("", widget.Quiet, func() {
		if !t.sure {
			t.sure = true
			t.draw()
			return
		}
		act(s.do.Close)()
	}).Small()
	t.card = widget.NewSurface(theme.Card, theme.Line, theme.CardRadius, widget.Inset(14, 14, 14, 14, widget.Column(6,
		t.picture,
		widget.Inset(4, 0, 0, 0, widget.Row(8, 0, t.title, t.state.Surface)),
		t.site, t.about, t.problem,
		widget.Inset(6, 0, 0, 0, widget.Row(8, 2, t.take, t.show, widget.Space(), t.close)),
	)))
	return t
}

func (t *tile) set(m model.Tile) {
	t.now = m
	t.draw()
}

func (t *tile) done(err error) {
	t.busy = false
	if err != nil {
		t.problem.Set(err.Error())
		t.problem.Show()
	}
	t.draw()
}

func (t *tile) draw() {
	m := t.now
	t.title.Set(m.Title)
	t.site.Set(m.Who)
	if m.Site != "" {
		t.site.Set(m.Who + " · " + m.Site)
	}
	t.about.Set(m.About)
	t.state.Text.Set(m.State)
	t.state.Lively(m.State != "" && !m.Yours)
	t.state.Surface.Hidden = m.State == ""
	t.take.SetLabel(assets.Say("ui.browsers.take"))
	look := widget.Plain
	if m.Yours {
		t.take.SetLabel(assets.Say("ui.browsers.back"))
		look = widget.Primary
	}
	t.take.SetLook(look)
	t.show.Hidden = !m.Window
	label, closeLook := "ui.browsers.close", widget.Quiet
	switch {
	case m.Own:
		label = "ui.browsers.letgo"
	case t.sure:
		label, closeLook = "ui.browsers.close.sure", widget.Danger
	}
	t.close.SetLabel(assets.Say(label))
	t.close.SetLook(closeLook)
	for _, b := range []*widget.Button{t.show, t.take, t.close} {
		if t.busy {
			b.Disable()
		} else {
			b.Enable()
		}
	}
	t.card.Refresh()
}
