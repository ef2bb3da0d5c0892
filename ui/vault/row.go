package vault

import (
	"fyne.io/fyne/v2"

	"chaperone/assets"
	"chaperone/ui/model"
	"chaperone/ui/theme"
	"chaperone/ui/widget"
)

// row is one item.
type row struct {
	list   *list
	now    model.Item
	object fyne.CanvasObject

	name   *widget.Text
	about  *widget.Text
	sites  *widget.Text
	used   *widget.Text
	policy *widget.PillButton
	edit   *widget.Button
	code   *code // of a one-time code
	below  *fyne.Container
	form   *form // while it is edited
	sure   fyne.CanvasObject
	failed *widget.Text
}

func newRow(l *list, it model.Item) *row {
	r := &row{list: l, now: it}
	r.name = widget.NewText("", widget.Style{Bold: true})
	r.about, r.sites = muted(""), widget.NewText("", widget.Style{Size: theme.SmallSize})
	r.used = widget.NewText("", widget.Style{Size: theme.CaptionSize, Color: theme.Muted})
	r.failed = said()
	r.policy = widget.NewPillMenu("", func() (words []string) {
		for _, p := range model.UsePolicies {
			words = append(words, model.PolicyWords(p))
		}
		return words
	}, func(i int) {
		d := r.draft()
		d.Policy = model.UsePolicies[i]
		l.screen.do.Save(r.now.ID, d, model.Value{})
	})
	r.edit = widget.NewButton(assets.Say("vault.edit"), widget.Plain, r.open).Small()
	words := widget.Column(2, r.name, r.about, r.sites, r.used)
	right := widget.Row(8, -1, r.policy, r.edit)
	if it.Kind == model.CodeItem {
		r.code = newCode(r)
		right.Objects = []fyne.CanvasObject{r.policy, r.code.show, r.edit}
	}
	r.below = widget.Column(8)
	r.below.Hide()
	all := widget.Column(8, widget.TopRow(16, 0, words, right))
	if r.code != nil {
		all.Objects = append(all.Objects, r.code.object)
	}
	all.Objects = append(all.Objects, r.failed, r.below)
	r.object = widget.Inset(11, 0, 12, 0, all)
	return r
}

// set shows what is known of the item. What the person is writing is left alone.
func (r *row) set(it model.Item) {
	r.now = it
	m := model.ItemRowOf(it, r.list.screen.now())
	r.name.Set(m.Name)
	r.about.Set(m.About)
	show(r.about, m.About != "")
	r.sites.Set(m.Sites)
	color := theme.Text
	if len(it.Origins) == 0 {
		color = theme.Muted
	}
	r.sites.Recolor(color)
	r.used.Set(m.Used)
	r.policy.Set(m.Policy, false)
}

func (r *row) draft() model.Draft {
	return model.Draft{User: r.now.User, Sites: r.now.Origins, Policy: r.now.Policy}
}

// open opens the form in which the item is changed.
func (r *row) open() {
	if r.form != nil {
		r.close()
		return
	}
	s := r.list.screen
	f := newForm(s)
	switch r.now.Kind {
	case model.SignInItem:
		f.user = f.line("vault.field.user", "vault.field.user.hint")
		f.user.SetText(r.now.User)
		f.value = f.masked("vault.field.password.new", "vault.field.keeps")
	case model.CodeItem:
		f.value = f.masked("vault.field.seed.new", "vault.field.keeps")
	default:
		f.value = f.masked("vault.field.value.new", "vault.field.keeps")
	}
	f.finish(assets.Say("vault.save"), func() {
		if f.send() {
			s.do.Save(r.now.ID, f.draft(), f.typed())
		}
	}, r.close, widget.NewButton(assets.Say("vault.remove"), widget.Danger, r.ask).Small())
	f.sites.SetText(sitesText(r.now.Origins))
	f.policy.set(r.now.Policy)
	r.form = f
	r.below.Objects = []fyne.CanvasObject{f.object}
	r.below.Show()
	r.edit.SetLabel(assets.Say("ui.close"))
	s.again()
	f.begin()
}

func sitesText(origins []string) (text string) {
	for i, o := range origins {
		if i > 0 {
			text += ", "
		}
		text += o
	}
	return text
}

func (r *row) close() {
	r.forget()
	r.form, r.sure = nil, nil
	r.below.Objects = nil
	r.below.Hide()
	r.edit.SetLabel(assets.Say("vault.edit"))
	r.list.screen.again()
	r.list.screen.focus(r.edit)
}

func (r *row) forget() {
	if r.form != nil {
		r.form.forget()
	}
	if r.code != nil {
		r.code.hide()
	}
}

// ask has the person say once more that the item is to go.
func (r *row) ask() {
	r.form.forget()
	keep := widget.NewButton(assets.Say("vault.remove.no"), widget.Plain, r.close).Small()
	name := model.ItemRowOf(r.now, r.list.screen.now()).Name
	r.sure = widget.NewWarning(widget.NewText(assets.Say("vault.remove.sure", name), widget.Style{Color: theme.Warn}),
		widget.Inset(6, 0, 0, 0, widget.Wrap(12, keep, widget.NewButton(assets.Say("vault.remove.yes"), widget.Danger, func() {
			r.list.screen.do.Remove(r.now.ID)
		}).Small())))
	r.below.Objects = []fyne.CanvasObject{r.sure}
	r.list.screen.again()
	r.list.screen.focus(keep)
}

func (r *row) saved(err error) {
	if r.form == nil {
		say(r.failed, err)
		r.list.screen.again()
		return
	}
	r.form.sent(err)
	if err == nil {
		say(r.failed, nil)
		r.close()
	}
}

func (r *row) removed(err error) {
	say(r.failed, err)
	if err != nil && r.form != nil {
		r.close()
	}
	r.list.screen.again()
}

func (r *row) tick() bool { return r.code != nil && r.code.tick() }
