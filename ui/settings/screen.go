package settings

import (
	"time"

	"fyne.io/fyne/v2"

	"chaperone/assets"
	"chaperone/ui/model"
	"chaperone/ui/theme"
	"chaperone/ui/widget"
)

// Callbacks is what the screen asks for.
type Callbacks struct {
	Set    func(key, value string) // Done answers
	Revoke func(id string)         // Revoked answers
}

// Screen shows settings.
type Screen struct {
	do      Callbacks
	now     func() time.Time
	page    *widget.Page
	groups  *fyne.Container
	rows    widget.Keyed[*row]
	leases  *fyne.Container
	problem *widget.Text
}

// New returns an empty screen; about says which version this is.
func New(now func() time.Time, about string, do Callbacks) *Screen {
	s := &Screen{do: do, now: now, groups: widget.Column(14), leases: widget.Column(0)}
	s.problem = widget.NewText("", widget.Style{Color: theme.Bad})
	s.problem.Hide()
	s.page = widget.NewPage(assets.Say("ui.settings"), assets.Say("ui.settings.sub"), widget.Upright(widget.Column(14,
		s.groups,
		widget.Column(6, widget.Heading(assets.Say("ui.settings.leases")), s.problem, s.leases),
		widget.NewText(about, widget.Style{Size: theme.CaptionSize, Color: theme.Muted, OneLine: true}),
	)))
	return s
}

// Object is what is drawn.
func (s *Screen) Object() fyne.CanvasObject { return s.page.Container }

// Show shows these settings and leaves.
func (s *Screen) Show(settings []model.Setting, leases []model.Lease) {
	keys := make([]string, 0, len(settings))
	byKey := map[string]model.Setting{}
	var groups []string
	members := map[string][]string{}
	for _, m := range settings {
		if m.Group == "" {
			m.Group = assets.Say("ui.settings.group")
		}
		keys = append(keys, m.Key)
		byKey[m.Key] = m
		if members[m.Group] == nil {
			groups = append(groups, m.Group)
		}
		members[m.Group] = append(members[m.Group], m.Key)
	}
	changed := s.rows.Sync(keys, func(key string) *row { return newRow(s, byKey[key]) })
	for _, r := range s.rows.All() {
		r.set(byKey[r.now.Key])
	}
	if changed {
		s.groups.Objects = nil
		for _, g := range groups {
			var rows []fyne.CanvasObject
			for _, key := range members[g] {
				r, _ := s.rows.Get(key)
				rows = append(rows, r.object)
			}
			s.groups.Objects = append(s.groups.Objects, widget.Column(6, widget.Heading(g), widget.NewRows(rows...)))
		}
	}
	s.showLeases(leases)
	s.page.Again()
}

func (s *Screen) showLeases(leases []model.Lease) {
	if len(leases) == 0 {
		s.leases.Objects = []fyne.CanvasObject{widget.NewCard(widget.NewText(assets.Say("ui.settings.leases.none"), widget.Style{Color: theme.Muted}))}
		return
	}
	var rows []fyne.CanvasObject
	for _, l := range model.LeaseRows(leases, s.now()) {
		revoke := widget.NewButton(assets.Say("ui.settings.revoke"), widget.Plain, func() { s.do.Revoke(l.ID) }).Small()
		rows = append(rows, widget.Inset(10, 0, 10, 0, widget.Row(14, 0, widget.Column(1,
			widget.NewText(l.What, widget.Style{}),
			widget.NewText(l.Until, widget.Style{Size: theme.SmallSize, Color: theme.Muted})), revoke)))
	}
	s.leases.Objects = []fyne.CanvasObject{widget.NewRows(rows...)}
}

// Done says how keeping a value went.
func (s *Screen) Done(key string, err error) {
	if r, ok := s.rows.Get(key); ok {
		r.done(err)
		s.page.Again()
	}
}

// Revoked says how taking a leave back went.
func (s *Screen) Revoked(err error) {
	s.problem.Hide()
	if err != nil {
		s.problem.Set(err.Error())
		s.problem.Show()
	}
	s.page.Again()
}
