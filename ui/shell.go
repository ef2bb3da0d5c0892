package ui

import (
	"context"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"

	"chaperone/assets"
	"chaperone/ui/model"
	"chaperone/ui/theme"
	"chaperone/ui/widget"
)

// railWidth is how wide the rail is.
const railWidth float32 = 188

// shell is the frame of the window: the rail, the notices, and the screen.
type shell struct {
	ui      *UI
	object  fyne.CanvasObject
	items   map[*page]*widget.RailItem
	pause   *widget.Button
	state   model.State
	notices *fyne.Container
	paused  fyne.CanvasObject
	notray  fyne.CanvasObject
	closing fyne.CanvasObject
	quit    fyne.CanvasObject
	place   *fyne.Container
	body    *fyne.Container
}

func newShell(u *UI) *shell {
	s := &shell{ui: u, items: map[*page]*widget.RailItem{}}
	mark := canvas.NewImageFromResource(fyne.NewStaticResource("chaperone.png", assets.AppIcon()))
	mark.FillMode = canvas.ImageFillContain
	brand := widget.Inset(2, 10, 12, 10, widget.Row(8, -1, widget.Wide(20, &fyne.Container{Layout: square{20}, Objects: []fyne.CanvasObject{mark}}),
		widget.NewText(assets.Say("app.name"), widget.Style{Bold: true, OneLine: true})))
	top := widget.Column(2, brand)
	for _, p := range u.pages {
		item := widget.NewRailItem(assets.Say(p.key), func() { u.open(p) })
		s.items[p] = item
		top.Objects = append(top.Objects, item)
	}
	s.pause = widget.NewButton(assets.Say("ui.pause"), widget.Plain, func() {
		paused := s.state.Paused
		u.bridge.work(func(context.Context) func() {
			if paused {
				u.desk.Agents.Resume()
			} else {
				u.desk.Agents.Pause()
			}
			u.bridge.changed(model.Agents)
			return nil
		})
	})
	rail := widget.NewSurface(theme.Rail, "", 0, widget.Inset(16, 10, 16, 10, &fyne.Container{
		Layout: ends{}, Objects: []fyne.CanvasObject{top, s.pause}}))

	s.notices = widget.Column(8)
	s.place = widget.Fill(widget.Space())
	s.body = &fyne.Container{Layout: noticesOver{}, Objects: []fyne.CanvasObject{s.notices, s.place}}
	s.makeNotices()
	s.object = widget.NewSurface(theme.Ground, "", 0, &fyne.Container{
		Layout:  beside{},
		Objects: []fyne.CanvasObject{rail, widget.NewRule(), s.body},
	})
	return s
}

func (s *shell) makeNotices() {
	u := s.ui
	words := func(key string) *widget.Text { return widget.NewText(assets.Say(key), widget.Style{Color: theme.Warn}) }
	notice := func(o fyne.CanvasObject) fyne.CanvasObject {
		n := widget.NewSurface(theme.WarnSoft, "", theme.CardRadius, widget.Inset(10, 16, 10, 16, o))
		n.Hide()
		s.notices.Objects = append(s.notices.Objects, n)
		return n
	}
	hide := func(o *fyne.CanvasObject) func() { return func() { s.set(*o, false) } }
	s.paused = notice(words("ui.paused"))
	s.notray = notice(widget.Row(16, 0, words("ui.tray.none"),
		widget.NewButton(assets.Say("ui.dismiss"), widget.Plain, func() { u.closes = true; s.set(s.notray, false) }).Small()))
	s.closing = notice(widget.Column(8, words("ui.tray.none"), widget.Row(12, -1,
		widget.NewButton(assets.Say("ui.cancel"), widget.Plain, hide(&s.closing)).Small(),
		widget.NewButton(assets.Say("ui.close"), widget.Plain, func() {
			u.closes = true
			s.set(s.closing, false)
			s.set(s.notray, false)
			u.hide()
		}).Small(),
		widget.NewButton(assets.Say("ui.tray.quit"), widget.Danger, func() { s.set(s.closing, false); u.quitPressed() }).Small())))
	keep := widget.NewButton(assets.Say("ui.quit.no"), widget.Plain, hide(&s.quit)).Small()
	s.quit = notice(widget.Column(8,
		widget.NewText(assets.Say("ui.quit.title"), widget.Style{Color: theme.Warn, Bold: true}), words("ui.quit.ask"),
		widget.Row(12, -1, keep, widget.NewButton(assets.Say("ui.quit.yes"), widget.Danger, u.leave).Small())))
}

// set shows or hides a notice.
func (s *shell) set(o fyne.CanvasObject, v bool) {
	if o.Visible() == v {
		return
	}
	if v {
		o.Show()
	} else {
		o.Hide()
	}
	s.body.Layout.Layout(s.body.Objects, s.body.Size())
	canvas.Refresh(s.body)
}

func (s *shell) askQuit()  { s.set(s.quit, true) }
func (s *shell) askClose() { s.set(s.notray, false); s.set(s.closing, true) }

// hosted tells of a desktop without a tray, where closing the window would hide it. Where closing quits there is nothing to tell.
func (s *shell) hosted(v bool) {
	s.set(s.notray, !v && !s.ui.closes && s.ui.wishes.Load().CloseToTray)
}

// open shows a screen.
func (s *shell) open(p *page) {
	for other, item := range s.items {
		item.Select(other == p)
	}
	s.place.Objects = []fyne.CanvasObject{p.object}
	s.place.Refresh()
}

// show shows how many wait, and whether the agents are paused.
func (s *shell) show(questions []model.Question, state model.State) {
	s.state = state
	badge := ""
	if n := model.Open(questions); n > 0 {
		badge = strconv.Itoa(n)
	}
	s.items[s.ui.pages[0]].Badge(badge)
	label, look := "ui.pause", widget.Plain
	if state.Paused {
		label, look = "ui.resume", widget.Primary
	}
	s.pause.SetLabel(assets.Say(label))
	s.pause.SetLook(look)
	s.set(s.paused, state.Paused)
}

// shortcuts are the keys that work everywhere: Ctrl+Enter approves, Ctrl and a digit opens a screen, Ctrl+Q quits.
func (u *UI) shortcuts() {
	c := u.win.Canvas()
	for _, k := range widget.ApproveShortcuts() {
		c.AddShortcut(k, func(fyne.Shortcut) {
			if p := u.current.Load(); p.approve != nil {
				p.approve()
			}
		})
	}
	u.win.SetOnDropped(func(_ fyne.Position, what []fyne.URI) {
		if p := u.current.Load(); p.drop != nil {
			p.drop(what)
		}
	})
	for i, p := range u.pages {
		key := fyne.KeyName(strconv.Itoa(i + 1))
		c.AddShortcut(&desktop.CustomShortcut{KeyName: key, Modifier: fyne.KeyModifierShortcutDefault}, func(fyne.Shortcut) {
			u.open(p)
			c.Unfocus()
			u.begin(p)
		})
	}
	c.AddShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyQ, Modifier: fyne.KeyModifierShortcutDefault}, func(fyne.Shortcut) { u.quitPressed() })
}

// ends puts the first object at the top and the second at the bottom.
type ends struct{}

func (ends) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Resize(fyne.NewSize(size.Width, o[0].MinSize().Height))
	h := o[1].MinSize().Height + 2
	o[1].Move(fyne.NewPos(0, size.Height-h))
	o[1].Resize(fyne.NewSize(size.Width, h))
}

func (ends) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(o[0].MinSize().Width, o[0].MinSize().Height+o[1].MinSize().Height+20)
}

// beside puts the rail, a line, and the rest side by side.
type beside struct{}

func (beside) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Resize(fyne.NewSize(railWidth, size.Height))
	o[1].Move(fyne.NewPos(railWidth, 0))
	o[1].Resize(fyne.NewSize(1, size.Height))
	o[2].Move(fyne.NewPos(railWidth+1, 0))
	o[2].Resize(fyne.NewSize(max(0, size.Width-railWidth-1), size.Height))
}

func (beside) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(railWidth+580, max(440, o[0].MinSize().Height))
}

// noticesOver puts notices above the screen.
type noticesOver struct{}

func (noticesOver) Layout(o []fyne.CanvasObject, size fyne.Size) {
	y := float32(0)
	if h := widget.HeightOf(o[0], size.Width-52); h > 0 {
		o[0].Move(fyne.NewPos(26, 16))
		o[0].Resize(fyne.NewSize(size.Width-52, h))
		y = h + 16
	}
	o[1].Move(fyne.NewPos(0, y))
	o[1].Resize(fyne.NewSize(size.Width, max(0, size.Height-y)))
}

func (noticesOver) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(400, 300) }

// square gives an object one size.
type square struct{ side float32 }

func (l square) Layout(o []fyne.CanvasObject, _ fyne.Size) { o[0].Resize(l.MinSize(o)) }

func (l square) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(l.side, l.side) }
