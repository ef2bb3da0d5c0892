package vault

import (
	"fyne.io/fyne/v2"

	"chaperone/assets"
	"chaperone/ui/model"
	"chaperone/ui/theme"
	"chaperone/ui/widget"
)

// seeds is the form for new one-time codes: first something is read, then what was found is kept.
type seeds struct {
	list    *list
	object  *fyne.Container
	text    *widget.Entry // masked
	readIt  *widget.Button
	pick    *widget.Button
	cancel  *widget.Button // until there is one at the second step
	spinner *widget.Spinner
	problem *widget.Text
	reading bool

	found model.Seeds
	what  *fyne.Container
	one   *fyne.Container // the account, when there is one
	rest  *fyne.Container // all of the second step
	form  *form
}

func newSeeds(l *list) *seeds {
	d := &seeds{list: l}
	s := l.screen
	d.text = widget.NewMasked(assets.Say("vault.field.seed.hint"))
	d.text.Sent, d.text.Approve = d.readText, d.readText
	d.readIt = widget.NewButton(assets.Say("vault.codes.read"), widget.Plain, d.readText).Small()
	d.pick = widget.NewButton(assets.Say("vault.codes.picture"), widget.Plain, func() { s.do.Pick() }).Small()
	d.spinner = widget.NewSpinner()
	d.problem = said()
	d.cancel = widget.NewButton(assets.Say("ui.cancel"), widget.Plain, l.end).Small()
	d.what = widget.Column(3)
	f := newForm(s)
	f.account = f.line("vault.field.account", "vault.field.account.found")
	d.one = f.object.Objects[0].(*fyne.Container)
	f.finish(assets.Say("vault.keep"), func() {
		if f.send() {
			s.do.Seeds(d.found, f.draft())
		}
	}, l.end)
	d.form = f
	d.rest = widget.Column(12, widget.NewRule(), d.what, f.object)
	d.rest.Hide()
	d.object = widget.Column(10,
		field("vault.field.seed", widget.Row(8, 0, d.text, d.readIt)),
		widget.Inset(0, 0, 0, labelWidth+12, widget.Column(8, muted(assets.Say("vault.codes.drop")),
			widget.Wrap(10, d.pick, d.cancel, d.spinner.Container), d.problem)),
		d.rest)
	return d
}

func (d *seeds) readText() {
	if d.text.Text == "" {
		return
	}
	v := d.text.Value()
	d.text.Forget()
	d.start(model.SeedSource{Text: v})
}

// picture reads QR codes in a picture.
func (d *seeds) picture(data []byte, err error) {
	if err != nil {
		say(d.problem, err)
		return
	}
	d.start(model.SeedSource{Picture: data})
}

func (d *seeds) start(from model.SeedSource) {
	if d.reading {
		return
	}
	d.reading = true
	d.spinner.Spin(true)
	say(d.problem, nil)
	d.list.screen.again()
	d.list.screen.do.Read(from, d.found)
}

func (d *seeds) read(found model.Seeds, err error) {
	d.reading = false
	d.spinner.Spin(false)
	say(d.problem, err)
	if err != nil || !d.list.adding() {
		d.list.screen.again()
		return
	}
	d.left(found)
	switch n := len(found.Found); {
	case n == 1 && d.form.account.Text == "":
		d.list.screen.focus(d.form.account)
	case n > 0:
		d.list.screen.focus(d.form.sites)
	}
}

// left shows what was found and is not kept yet.
func (d *seeds) left(found model.Seeds) {
	d.found = found
	n := len(found.Found)
	heading := assets.Say("vault.codes.found.none")
	if n > 0 {
		heading = model.Counted("vault.codes.found", n)
	}
	d.what.Objects = []fyne.CanvasObject{widget.NewText(heading, widget.Style{Bold: true})}
	for _, one := range found.Found {
		d.what.Objects = append(d.what.Objects, widget.NewText(model.FoundLine(one), widget.Style{}))
	}
	warn := widget.Style{Size: theme.SmallSize, Color: theme.Warn}
	for _, why := range found.Skipped {
		d.what.Objects = append(d.what.Objects, widget.NewText(assets.Say("vault.codes.skipped", model.Line(why, 300)), warn))
	}
	for _, part := range found.Missing {
		d.what.Objects = append(d.what.Objects, widget.NewText(assets.Say("vault.codes.missing", part), warn))
	}
	show(d.one, n == 1)
	d.form.account.SetText("")
	if n == 1 {
		d.form.account.SetText(first(found.Found[0].Account, found.Found[0].Issuer))
		d.form.label = assets.Say("vault.keep.codes.one")
	} else {
		d.form.label = assets.Say("vault.keep.codes.many", n)
	}
	d.form.ok.SetLabel(d.form.label)
	show(d.form.object, n > 0)
	show(d.cancel, n == 0)
	d.rest.Show()
	d.list.screen.again()
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func (d *seeds) forget() { d.text.Forget() }

func (d *seeds) clear() {
	d.forget()
	d.found = model.Seeds{}
	d.what.Objects = nil
	d.rest.Hide()
	d.cancel.Show()
	say(d.problem, nil)
}
