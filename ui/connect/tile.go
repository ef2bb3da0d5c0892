package connect

import (
	"strings"

	"fyne.io/fyne/v2"

	"chaperone/assets"
	"chaperone/ui/model"
	"chaperone/ui/theme"
	"chaperone/ui/widget"
)

// tile is one program that can be set up.
type tile struct {
	screen  *Screen
	id      string
	now     model.Program
	card    *widget.Surface
	hint    *widget.Text
	mark    *widget.Pill
	snippet *widget.Text
	copy    *widget.Button
	add     *widget.Button
	change  *fyne.Container
	said    *widget.Text
}

func newTile(s *Screen, m model.Program) *tile {
	t := &tile{screen: s, id: m.ID}
	t.hint = widget.NewText("", widget.Style{Size: theme.SmallSize, Color: theme.Muted})
	t.mark = widget.NewPill(assets.Say("ui.connect.added"))
	t.snippet = widget.NewText("", widget.Style{Size: theme.CodeSize, Mono: true, Verbatim: true})
	t.copy = widget.NewButton(assets.Say("ui.copy"), widget.Plain, func() {
		s.do.Copy(t.now.Snippet)
		t.copy.SetLabel(assets.Say("ui.copied"))
	}).Small()
	t.add = widget.NewButton(assets.Say("ui.connect.add"), widget.Plain, func() {
		t.say("", theme.Muted)
		s.do.Preview(t.id)
	}).Small()
	t.change = widget.Column(8)
	t.change.Hide()
	t.said = widget.NewText("", widget.Style{Size: theme.SmallSize, Color: theme.Muted})
	t.said.Hide()
	t.card = widget.NewSurface(theme.Card, theme.Line, theme.CardRadius, widget.Inset(14, 16, 14, 16, widget.Column(8,
		widget.Row(8, 0, widget.NewText(m.Name, widget.Style{Bold: true, OneLine: true}), t.mark.Surface),
		t.hint,
		box(widget.Capped(190, t.snippet)),
		widget.Row(8, -1, t.copy, t.add),
		t.change, t.said,
	)))
	return t
}

// box is the ground of code.
func box(o fyne.CanvasObject) fyne.CanvasObject {
	return widget.NewSurface(theme.Ground, theme.Line, theme.ControlRadius, widget.Inset(8, 8, 8, 12, o))
}

func (t *tile) set(m model.Program) {
	t.now = m
	t.hint.Set(m.Hint)
	t.hint.Hidden = m.Hint == ""
	t.snippet.Set(m.Snippet)
	t.mark.Surface.Hidden = !m.Added
	t.add.Hidden = m.File == "" || m.Added
}

func (t *tile) previewed(c model.Change, err error) {
	if err != nil {
		t.say(err.Error(), theme.Bad)
		return
	}
	diff := model.Diff(c.Before, c.After)
	if c.Before == c.After {
		t.say(assets.Say("ui.connect.nochange", c.File), theme.Muted)
		return
	}
	small := widget.Style{Size: theme.SmallSize, Color: theme.Muted}
	heading := assets.Say("ui.connect.change", c.File)
	if c.Before == "" {
		heading = assets.Say("ui.connect.new", c.File)
	}
	t.change.Objects = []fyne.CanvasObject{widget.NewText(heading, small), box(widget.Capped(200, lines(diff)))}
	if c.Backup != "" {
		t.change.Objects = append(t.change.Objects, widget.NewText(assets.Say("ui.connect.backup", c.Backup), small))
	}
	t.change.Objects = append(t.change.Objects, widget.Row(12, -1,
		widget.NewButton(assets.Say("ui.cancel"), widget.Plain, func() {
			t.change.Hide()
			t.screen.page.Again()
		}).Small(),
		widget.NewButton(assets.Say("ui.connect.apply"), widget.Primary, func() { t.screen.do.Add(t.id, c) }).Small()))
	t.change.Show()
}

// lines draws a diff.
func lines(diff []model.DiffLine) fyne.CanvasObject {
	c := widget.Column(0)
	for _, l := range diff {
		color := theme.Muted
		switch l.Sign {
		case model.Added:
			color = theme.Accent
		case model.Removed:
			color = theme.Bad
		}
		c.Objects = append(c.Objects, widget.NewText(string(l.Sign)+" "+strings.ReplaceAll(l.Text, "\t", "  "),
			widget.Style{Size: theme.CodeSize, Mono: true, Verbatim: true, Color: color}))
	}
	return c
}

func (t *tile) added(err error) {
	if err != nil {
		t.say(err.Error(), theme.Bad)
		return
	}
	t.change.Hide()
	t.say(assets.Say("ui.connect.done", t.now.Name), theme.Accent)
}

func (t *tile) say(words string, color fyne.ThemeColorName) {
	t.said.Recolor(color)
	t.said.Set(words)
	t.said.Hidden = words == ""
}

// endpoint is the address and the token.
type endpoint struct {
	screen *Screen
	now    model.Endpoint
	object *fyne.Container
	url    *widget.Text
	on     *fyne.Container
	off    *widget.Text
	copied *widget.Button
	renew  *widget.Button
	sure   bool
}

func newEndpoint(s *Screen) *endpoint {
	e := &endpoint{screen: s}
	label := widget.Style{Color: theme.Muted, OneLine: true}
	e.url = widget.NewText("", widget.Style{Mono: true, OneLine: true})
	e.off = widget.NewText(assets.Say("ui.connect.http.off"), widget.Style{Color: theme.Muted})
	var copyURL *widget.Button
	copyURL = widget.NewButton(assets.Say("ui.copy"), widget.Plain, func() {
		s.do.Copy(e.now.URL)
		copyURL.SetLabel(assets.Say("ui.copied"))
	}).Small()
	e.copied = widget.NewButton(assets.Say("ui.connect.token.copy"), widget.Plain, func() {
		s.do.Secret(model.NewValue(e.now.Token))
		e.copied.SetLabel(assets.Say("ui.copied"))
	}).Small()
	e.renew = widget.NewButton(assets.Say("ui.connect.renew"), widget.Quiet, func() {
		if e.sure = !e.sure; e.sure {
			e.draw()
			return
		}
		e.draw()
		s.do.Renew()
	}).Small()
	e.on = widget.Column(10,
		widget.NewText(assets.Say("ui.connect.http.hint"), widget.Style{Size: theme.SmallSize, Color: theme.Muted}),
		widget.Row(10, 1, widget.Wide(70, widget.NewText(assets.Say("ui.connect.address"), label)), e.url, copyURL),
		widget.Row(10, 1, widget.Wide(70, widget.NewText(assets.Say("ui.connect.token"), label)),
			widget.NewText("••••••••••••", widget.Style{Mono: true, OneLine: true}), e.copied, e.renew))
	e.object = widget.Column(0, e.on, e.off)
	return e
}

func (e *endpoint) set(m model.Endpoint) {
	if e.now.Token != m.Token {
		e.copied.SetLabel(assets.Say("ui.connect.token.copy"))
	}
	e.now = m
	e.draw()
}

func (e *endpoint) draw() {
	e.url.Set(e.now.URL)
	e.on.Hidden = e.now.URL == ""
	e.off.Hidden = e.now.URL != ""
	label, look := "ui.connect.renew", widget.Quiet
	if e.sure {
		label, look = "ui.connect.renew.sure", widget.Danger
	}
	e.renew.SetLabel(assets.Say(label))
	e.renew.SetLook(look)
	e.screen.again()
}

func (s *Screen) again() {
	if s.page != nil {
		s.page.Again()
	}
}
