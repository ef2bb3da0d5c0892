package connect

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
	Copy    func(text string)
	Secret  func(v model.Value)                      // copies what must not stay in the clipboard
	Preview func(program string)                     // Previewed answers
	Add     func(program string, shown model.Change) // Added answers
	Forget  func(id string)                          // Done answers
	Renew   func()                                   // Done answers
}

// Screen shows how to connect.
type Screen struct {
	do      Callbacks
	now     func() time.Time
	page    *widget.Page
	tiles   widget.Keyed[*tile]
	grid    *fyne.Container
	http    *endpoint
	paired  *fyne.Container
	problem *widget.Text
}

// New returns an empty screen.
func New(now func() time.Time, do Callbacks) *Screen {
	s := &Screen{do: do, now: now, grid: widget.Grid(14, 360), paired: widget.Column(0)}
	s.problem = widget.NewText("", widget.Style{Color: theme.Bad})
	s.problem.Hide()
	s.http = newEndpoint(s)
	s.page = widget.NewPage(assets.Say("ui.connect"), assets.Say("ui.connect.sub"), widget.Column(14,
		s.problem, s.grid,
		widget.Column(6, widget.Heading(assets.Say("ui.connect.http")), widget.NewCard(s.http.object)),
		widget.Column(6, widget.Heading(assets.Say("ui.connect.paired")), s.paired),
	))
	return s
}

// Object is what is drawn.
func (s *Screen) Object() fyne.CanvasObject { return s.page.Container }

// Show shows these programs, clients and address.
func (s *Screen) Show(programs []model.Program, paired []model.Paired, e model.Endpoint) {
	keys := make([]string, 0, len(programs))
	byID := map[string]model.Program{}
	for _, p := range programs {
		keys = append(keys, p.ID)
		byID[p.ID] = p
	}
	s.tiles.Sync(keys, func(id string) *tile { return newTile(s, byID[id]) })
	for _, t := range s.tiles.All() {
		t.set(byID[t.id])
	}
	s.grid.Objects = widget.Objects(&s.tiles, func(t *tile) fyne.CanvasObject { return t.card })
	s.http.set(e)
	s.showPaired(paired)
	s.page.Again()
}

func (s *Screen) showPaired(paired []model.Paired) {
	if len(paired) == 0 {
		s.paired.Objects = []fyne.CanvasObject{widget.NewCard(widget.NewText(assets.Say("ui.connect.paired.none"), widget.Style{Color: theme.Muted}))}
		return
	}
	var rows []fyne.CanvasObject
	now := s.now()
	for _, p := range paired {
		agent := model.Agent{Name: p.Name, Program: p.Program}
		name := widget.Row(8, -1, widget.NewText(model.Who(agent), widget.Style{OneLine: true}))
		if p.Here {
			name.Objects = append(name.Objects, widget.NewPill(assets.Say("ui.connect.here")).Surface)
		}
		seen := assets.Say("ui.connect.seen", model.Ago(p.First, now), model.Ago(p.Last, now))
		if program := model.Process(agent); program != "" {
			seen = program + " · " + seen
		}
		forget := widget.NewButton(assets.Say("ui.connect.forget"), widget.Plain, func() { s.do.Forget(p.ID) }).Small()
		rows = append(rows, widget.Inset(10, 0, 10, 0, widget.Row(14, 0,
			widget.Column(1, name, widget.NewText(seen, widget.Style{Size: theme.SmallSize, Color: theme.Muted})), forget)))
	}
	s.paired.Objects = []fyne.CanvasObject{widget.NewRows(rows...)}
}

// Previewed shows what adding would change.
func (s *Screen) Previewed(program string, c model.Change, err error) {
	if t, ok := s.tiles.Get(program); ok {
		t.previewed(c, err)
		s.page.Again()
		s.page.Scroll().Reveal(t.change)
	}
}

// Added says how adding went.
func (s *Screen) Added(program string, err error) {
	if t, ok := s.tiles.Get(program); ok {
		t.added(err)
		s.page.Again()
	}
}

// Done says how forgetting or renewing went.
func (s *Screen) Done(err error) {
	s.problem.Hide()
	if err != nil {
		s.problem.Set(err.Error())
		s.problem.Show()
	}
	s.page.Again()
}
