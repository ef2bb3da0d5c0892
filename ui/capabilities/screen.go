package capabilities

import (
	"slices"
	"time"

	"fyne.io/fyne/v2"

	"chaperone/assets"
	"chaperone/ui/model"
	"chaperone/ui/theme"
	"chaperone/ui/widget"
)

// Screen shows capabilities.
type Screen struct {
	now    func() time.Time
	want   func(name string, on bool)
	page   *widget.Page
	column *fyne.Container
	rows   widget.Keyed[*row]
}

// New returns an empty screen that asks want for another state; Done answers.
func New(now func() time.Time, want func(name string, on bool)) *Screen {
	s := &Screen{now: now, want: want, column: widget.Column(14)}
	s.page = widget.NewPage(assets.Say("ui.capabilities"), assets.Say("ui.capabilities.sub"), widget.Upright(s.column))
	return s
}

// Object is what is drawn.
func (s *Screen) Object() fyne.CanvasObject { return s.page.Container }

// Show shows these capabilities.
func (s *Screen) Show(caps []model.Capability) {
	rights := model.RightsOf(caps, s.now())
	all := slices.Concat(rights.Usual, rights.Risky, rights.Unused)
	keys := make([]string, 0, len(all))
	byName := map[string]model.Switch{}
	for _, c := range all {
		keys = append(keys, c.Name)
		byName[c.Name] = c
	}
	s.rows.Sync(keys, func(name string) *row { return newRow(s, byName[name]) })
	for _, r := range s.rows.All() {
		r.set(byName[r.name])
	}
	var objects []fyne.CanvasObject
	if rights.Warning != "" {
		var lines []fyne.CanvasObject
		for _, w := range rights.Warnings {
			lines = append(lines, widget.NewText(w, widget.Style{Color: theme.Warn}))
		}
		objects = append(objects, widget.NewWarning(widget.NewText(rights.Warning, widget.Style{Color: theme.Warn, Bold: true}), lines...))
	}
	group := func(heading, about string, members []model.Switch) {
		if len(members) == 0 {
			return
		}
		var rows []fyne.CanvasObject
		for _, m := range members {
			r, _ := s.rows.Get(m.Name)
			rows = append(rows, r.object)
		}
		head := widget.Column(0, widget.Heading(assets.Say(heading)))
		if about != "" {
			head.Objects = append(head.Objects, widget.Inset(0, 0, 2, 2, widget.NewText(assets.Say(about), widget.Style{Size: theme.SmallSize, Color: theme.Muted})))
		}
		objects = append(objects, widget.Column(6, head, widget.NewRows(rows...)))
	}
	group("ui.capabilities.usual", "", rights.Usual)
	group("ui.capabilities.risky", "", rights.Risky)
	group("ui.capabilities.unused", "ui.capabilities.unused.more", rights.Unused)
	s.column.Objects = objects
	s.page.Again()
}

// Done ends what was asked for; err says why it did not work.
func (s *Screen) Done(name string, err error) {
	if r, ok := s.rows.Get(name); ok {
		r.problem.Hide()
		if err != nil {
			r.problem.Set(err.Error())
			r.problem.Show()
		}
		s.page.Again()
	}
}

// row is one capability.
type row struct {
	screen  *Screen
	name    string
	now     model.Switch
	title   *widget.Text
	locked  *widget.Pill
	does    *widget.Text
	problem *widget.Text
	toggle  *widget.Switch
	warning *widget.Surface
	risk    *widget.Text
	yes     *widget.Button
	object  fyne.CanvasObject
}

func newRow(s *Screen, m model.Switch) *row {
	r := &row{screen: s, name: m.Name}
	r.title = widget.NewText("", widget.Style{OneLine: true})
	r.does = widget.NewText("", widget.Style{Size: theme.SmallSize, Color: theme.Muted})
	r.locked = widget.NewPill("")
	r.problem = widget.NewText("", widget.Style{Size: theme.SmallSize, Color: theme.Bad})
	r.problem.Hide()
	r.toggle = widget.NewSwitch(r.ask)
	r.toggle.Key = func(e *fyne.KeyEvent) bool {
		if e.Name == fyne.KeyEscape && r.warning.Visible() {
			r.warn(false)
			return true
		}
		return false
	}
	r.risk = widget.NewText("", widget.Style{Color: theme.Warn})
	no := widget.NewButton(assets.Say("ui.cancel"), widget.Plain, func() { r.warn(false) }).Small()
	r.yes = widget.NewButton(assets.Say("ui.capabilities.on"), widget.Danger, func() {
		r.warn(false)
		s.want(r.name, true)
	}).Small()
	r.warning = widget.NewSurface(theme.WarnSoft, "", theme.ControlRadius,
		widget.Inset(10, 12, 10, 12, widget.Column(8, r.risk, widget.Row(12, -1, no, r.yes))))
	r.warning.Hide()
	r.object = widget.Inset(11, 0, 11, 0, widget.Column(8,
		widget.Row(14, 0, widget.Column(1, widget.Row(8, -1, r.title, r.locked.Surface), r.does, r.problem), r.toggle),
		r.warning))
	r.set(m)
	return r
}

// ask switches a usual capability at once, and warns before a risky one goes on.
func (r *row) ask(on bool) {
	if on && r.now.Risky {
		r.warn(!r.warning.Visible())
		return
	}
	r.warn(false)
	r.screen.want(r.name, on)
}

func (r *row) warn(v bool) {
	if r.warning.Visible() == v {
		return
	}
	if v {
		r.warning.Show()
	} else {
		r.warning.Hide()
	}
	r.screen.page.Again()
	if v {
		r.screen.page.Scroll().Reveal(r.warning)
	}
}

func (r *row) set(m model.Switch) {
	r.now = m
	r.title.Set(m.Title)
	r.does.Set(m.Does)
	r.locked.Text.Set(m.Locked)
	r.locked.Surface.Hidden = m.Locked == ""
	r.risk.Set(m.Risk)
	fixed := m.Locked != "" || m.Unused && !m.On // what is on may always go off
	r.toggle.Set(m.On, fixed)
	r.title.Recolor(theme.Text)
	if m.Unused {
		r.title.Recolor(theme.Muted)
	}
	if m.On || fixed {
		r.warning.Hide()
	}
}
