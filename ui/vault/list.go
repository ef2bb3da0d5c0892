package vault

import (
	"fyne.io/fyne/v2"

	"chaperone/assets"
	"chaperone/ui/model"
	"chaperone/ui/widget"
)

// list is a tab of items, with the form for a new one above them.
type list struct {
	screen *Screen
	kind   model.ItemKind
	object *fyne.Container
	rows   widget.Keyed[*row]
	card   *fyne.Container // around the form
	form   *form
	seeds  *seeds // of the codes
	place  *fyne.Container
	empty  fyne.CanvasObject
	wait   fyne.CanvasObject
}

func newList(s *Screen, kind model.ItemKind) *list {
	l := &list{screen: s, kind: kind, place: widget.Column(0)}
	key := "vault.empty." + string(kind)
	l.empty = widget.NewEmpty(assets.Say(key), assets.Say(key+".more"))
	l.wait = widget.NewEmpty(assets.Say("vault.waiting"), "")
	var inside fyne.CanvasObject
	if kind == model.CodeItem {
		l.seeds = newSeeds(l)
		inside, l.form = l.seeds.object, l.seeds.form
	} else {
		l.form = l.newForm()
		inside = l.form.object
	}
	l.card = widget.Column(0, widget.NewCard(inside))
	l.card.Hide()
	l.place.Objects = []fyne.CanvasObject{l.wait}
	l.object = widget.Column(14, l.card, l.place)
	return l
}

func (l *list) newForm() *form {
	f := newForm(l.screen)
	if l.kind == model.SecretItem {
		f.alias = f.line("vault.field.alias", "vault.field.alias.hint")
		f.value = f.masked("vault.field.value", "vault.field.value.hint")
	} else {
		f.account = f.line("vault.field.account", "vault.field.account.hint")
		f.user = f.line("vault.field.user", "vault.field.user.hint")
		f.value = f.masked("vault.field.password", "vault.field.value.hint")
	}
	f.finish(assets.Say("vault.keep"), func() {
		if f.send() {
			l.screen.do.Add(l.kind, f.draft(), f.typed())
		}
	}, l.end)
	return f
}

func (l *list) count() int { return len(l.rows.All()) }

func (l *list) adding() bool { return l.card.Visible() }

// begin opens the form for something new.
func (l *list) begin() {
	if l.adding() {
		return
	}
	l.card.Show()
	l.screen.draw()
	if l.seeds != nil {
		l.screen.focus(l.seeds.text)
		return
	}
	l.form.begin()
}

// end closes the form, and empties it.
func (l *list) end() {
	l.card.Hide()
	l.form.sending = false
	l.form.sent(nil)
	l.form.policy.set(model.UsePolicies[0])
	for _, e := range l.form.fields {
		e.Forget()
	}
	if l.seeds != nil {
		l.seeds.clear()
	}
	l.screen.draw()
}

func (l *list) added(err error) {
	l.form.sent(err)
	if err == nil {
		l.end()
		l.screen.focus(l.screen.add)
	}
}

// forget closes the eyes: no value stays in a line, no code on the screen.
func (l *list) forget() {
	l.form.forget()
	if l.seeds != nil {
		l.seeds.forget()
	}
	for _, r := range l.rows.All() {
		r.forget()
	}
}

// show shows items; unread tells that there may be more, which cannot be read now.
func (l *list) show(items []model.Item, unread bool) {
	keys := make([]string, 0, len(items))
	byID := map[string]model.Item{}
	for _, it := range items {
		keys = append(keys, it.ID)
		byID[it.ID] = it
	}
	changed := l.rows.Sync(keys, func(id string) *row { return newRow(l, byID[id]) })
	for _, r := range l.rows.All() {
		r.set(byID[r.now.ID])
	}
	switch {
	case len(items) == 0 && unread:
		l.place.Objects = nil
	case len(items) == 0:
		l.place.Objects = []fyne.CanvasObject{l.empty}
	case changed:
		l.place.Objects = []fyne.CanvasObject{widget.NewRows(widget.Objects(&l.rows, func(r *row) fyne.CanvasObject { return r.object })...)}
	}
}
