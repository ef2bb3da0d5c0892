package vault

import (
	"fyne.io/fyne/v2"

	"chaperone/assets"
	"chaperone/ui/model"
	"chaperone/ui/theme"
	"chaperone/ui/widget"
)

// providers is the tab of the vaults that codes and sign-ins may come from.
type providers struct {
	screen *Screen
	object *fyne.Container
	rows   widget.Keyed[*provider]
	place  *fyne.Container
}

func newProviders(s *Screen) *providers {
	p := &providers{screen: s, place: widget.Column(0)}
	p.object = widget.Column(10, muted(assets.Say("vault.provider.how")), p.place)
	return p
}

func (p *providers) show(list []model.Provider) {
	keys := make([]string, 0, len(list))
	byName := map[string]model.Provider{}
	for _, one := range list {
		keys = append(keys, one.Name)
		byName[one.Name] = one
	}
	changed := p.rows.Sync(keys, func(name string) *provider { return newProvider(p, byName[name]) })
	for _, r := range p.rows.All() {
		r.set(byName[r.name])
	}
	if changed {
		p.place.Objects = []fyne.CanvasObject{widget.NewRows(widget.Objects(&p.rows, func(r *provider) fyne.CanvasObject { return r.object })...)}
	}
}

func (p *providers) tested(m model.Provider) {
	if r, ok := p.rows.Get(m.Name); ok {
		r.testing, r.tested = false, true
		r.draw(m)
	}
}

// provider is one of them.
type provider struct {
	of      *providers
	name    string
	object  fyne.CanvasObject
	state   *widget.Text
	more    *widget.Text
	chosen  *widget.Pill
	test    *widget.Button
	spinner *widget.Spinner
	testing bool
	tested  bool // what was found then stays until the next time
}

func newProvider(of *providers, m model.Provider) *provider {
	r := &provider{of: of, name: m.Name}
	row := model.ProviderRowOf(m)
	r.chosen = widget.NewPill(assets.Say("vault.provider.chosen"))
	r.chosen.Lively(true)
	r.state = widget.NewText("", widget.Style{Size: theme.SmallSize, Color: theme.Muted, OneLine: true})
	r.more = muted("")
	r.spinner = widget.NewSpinner()
	r.test = widget.NewButton(assets.Say("vault.provider.test"), widget.Plain, func() {
		if r.testing {
			return
		}
		r.testing = true
		r.spinner.Spin(true)
		r.state.Set(assets.Say("vault.provider.testing"))
		r.state.Recolor(theme.Muted)
		of.screen.again()
		of.screen.do.Test(r.name)
	}).Small()
	words := widget.Column(2,
		widget.Wrap(8, widget.NewText(row.Title, widget.Style{Bold: true, OneLine: true}), r.chosen.Surface, r.spinner.Container, r.state),
		muted(row.Does), r.more)
	r.object = widget.Inset(11, 0, 12, 0, widget.TopRow(16, 0, words, r.test))
	show(r.test, row.Test)
	return r
}

func (r *provider) set(m model.Provider) {
	show(r.chosen.Surface, m.Chosen)
	if !r.testing && !r.tested {
		r.draw(m)
	}
}

func (r *provider) draw(m model.Provider) {
	row := model.ProviderRowOf(m)
	r.spinner.Spin(false)
	color := theme.Muted
	if row.Good {
		color = theme.Accent
	}
	r.state.Recolor(color)
	r.state.Set(row.State)
	r.more.Set(row.More)
	show(r.more, row.More != "")
}
