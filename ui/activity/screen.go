package activity

import (
	"fyne.io/fyne/v2"

	"chaperone/assets"
	"chaperone/ui/model"
	"chaperone/ui/theme"
	"chaperone/ui/widget"
)

// Callbacks is what the screen asks for.
type Callbacks struct {
	Open   func(id string)      // somebody wants to see a call; Detail answers
	Export func(f model.Filter) // Exported answers
	Copy   func(text string)
}

// Screen shows calls.
type Screen struct {
	do     Callbacks
	calls  []model.Call
	rows   []model.Row
	filter model.Filter

	page     fyne.CanvasObject
	list     *widget.RowList
	agent    *widget.PillButton
	browser  *widget.PillButton
	failures *widget.PillButton
	said     *widget.Text
	body     *fyne.Container
	table    fyne.CanvasObject
	empty    fyne.CanvasObject
	none     fyne.CanvasObject
	wanted   string // the call whose detail was asked for
}

// New returns an empty screen.
func New(do Callbacks) *Screen {
	s := &Screen{do: do}
	s.agent = widget.NewPillMenu(assets.Say("ui.activity.agents"), func() []string {
		agents, _ := model.Occurring(s.calls)
		return append([]string{assets.Say("ui.activity.agents")}, agents...)
	}, func(i int) {
		agents, _ := model.Occurring(s.calls)
		s.filter.Agent = pick(agents, i)
		s.refilter()
	})
	s.browser = widget.NewPillMenu(assets.Say("ui.activity.browsers"), func() []string {
		_, browsers := model.Occurring(s.calls)
		return append([]string{assets.Say("ui.activity.browsers")}, browsers...)
	}, func(i int) {
		_, browsers := model.Occurring(s.calls)
		s.filter.Browser = pick(browsers, i)
		s.refilter()
	})
	s.failures = widget.NewPillButton(assets.Say("ui.activity.failures"), func() {
		s.filter.Failures = !s.filter.Failures
		s.refilter()
	})
	export := widget.NewPillButton(assets.Say("ui.activity.export"), func() { s.do.Export(s.filter) })
	s.said = widget.NewText("", widget.Style{Size: theme.CaptionSize, Color: theme.Muted, OneLine: true})

	s.list = widget.NewRowList(34, newRow, func(i int, o fyne.CanvasObject) { o.(*row).set(s.rows[i]) }, s.press)
	s.table = widget.NewSurface(theme.Card, theme.Line, theme.CardRadius, under(widget.Inset(6, 8, 2, 8, header()), widget.Inset(0, 6, 6, 6, s.list)))
	s.empty = widget.NewEmpty(assets.Say("ui.activity.empty"), assets.Say("ui.activity.empty.more"))
	s.none = widget.NewEmpty(assets.Say("ui.activity.filtered"), "")
	s.body = widget.Fill(s.empty)
	filters := widget.Inset(0, 0, 10, 0, widget.Row(10, 3, s.agent, s.browser, s.failures, widget.Space(), s.said, export))
	s.page = widget.NewFixedPage(assets.Say("ui.activity"), assets.Say("ui.activity.sub"), under(filters, s.body)).Container
	return s
}

// pick returns the choice behind entry i of a menu whose first entry means all.
func pick(names []string, i int) string {
	if i < 1 || i > len(names) {
		return ""
	}
	return names[i-1]
}

// Object is what is drawn.
func (s *Screen) Object() fyne.CanvasObject { return s.page }

// Show shows these calls, newest first.
func (s *Screen) Show(calls []model.Call) {
	s.calls = calls
	s.refilter()
}

func (s *Screen) refilter() {
	s.agent.Set(either(s.filter.Agent, "ui.activity.agents"), s.filter.Agent != "")
	s.browser.Set(either(s.filter.Browser, "ui.activity.browsers"), s.filter.Browser != "")
	s.failures.Set(assets.Say("ui.activity.failures"), s.filter.Failures)
	s.rows = model.Rows(s.calls, s.filter)
	keys := make([]string, len(s.rows))
	for i, r := range s.rows {
		keys[i] = r.ID
	}
	s.list.Set(keys)
	body := s.table
	switch {
	case len(s.calls) == 0:
		body = s.empty
	case len(s.rows) == 0:
		body = s.none
	}
	if s.body.Objects[0] != body {
		s.body.Objects[0] = body
		s.body.Refresh()
	}
}

func either(value, key string) string {
	if value != "" {
		return value
	}
	return assets.Say(key)
}

func (s *Screen) press(id string) {
	if s.list.Opened() == id {
		s.wanted = ""
		s.list.Open("", nil)
		return
	}
	s.wanted = id
	s.do.Open(id)
}

// Detail shows what a call was given and got, if that is still wanted.
func (s *Screen) Detail(id string, d model.CallDetail, err error) {
	if s.wanted != id {
		return
	}
	s.list.Open(id, newDetail(d, err, s.do.Copy))
}

// Exported says where the export went, or what went wrong.
func (s *Screen) Exported(file string, err error) {
	if err != nil {
		s.said.Recolor(theme.Bad)
		s.said.Set(err.Error())
		return
	}
	s.said.Recolor(theme.Muted)
	s.said.Set(assets.Say("ui.activity.exported", file))
}

// under puts one object at the top, as tall as it is, and the other beneath it in the room that is left.
func under(top, rest fyne.CanvasObject) *fyne.Container {
	return &fyne.Container{Layout: underLayout{}, Objects: []fyne.CanvasObject{top, rest}}
}

type underLayout struct{}

func (underLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	h := widget.HeightOf(o[0], size.Width)
	o[0].Move(fyne.NewPos(0, 0))
	o[0].Resize(fyne.NewSize(size.Width, h))
	o[1].Move(fyne.NewPos(0, h))
	o[1].Resize(fyne.NewSize(size.Width, max(0, size.Height-h)))
}

func (underLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(300, o[0].MinSize().Height+100)
}
