package vault

import (
	"fyne.io/fyne/v2"

	"chaperone/assets"
	"chaperone/ui/model"
	"chaperone/ui/theme"
	"chaperone/ui/widget"
)

// labelWidth is that of the words before the lines of a form.
const labelWidth float32 = 104

// field is a line of a form with its word.
func field(key string, o fyne.CanvasObject) *fyne.Container {
	return widget.Row(12, 1, widget.Wide(labelWidth, widget.NewText(assets.Say(key), widget.Style{Size: theme.SmallSize, Color: theme.Muted, OneLine: true})), o)
}

// form is what the person writes about an item.
type form struct {
	screen  *Screen
	object  *fyne.Container
	fields  []*widget.Entry // in the order of the keyboard
	alias   *widget.Entry
	account *widget.Entry
	user    *widget.Entry
	value   *widget.Entry // masked
	sites   *widget.Entry
	policy  *policies
	problem *widget.Text
	ok      *widget.Button
	sending bool
	label   string
}

// newForm returns a form whose fields are added next.
func newForm(s *Screen) *form { return &form{screen: s, problem: said(), object: widget.Column(8)} }

func (f *form) line(key, hint string) *widget.Entry {
	e := widget.NewEntry(wordsOf(hint))
	f.add(key, e)
	return e
}

func (f *form) masked(key, hint string) *widget.Entry {
	e := widget.NewMasked(wordsOf(hint))
	f.add(key, e)
	return e
}

func (f *form) add(key string, e *widget.Entry) {
	f.fields = append(f.fields, e)
	f.object.Objects = append(f.object.Objects, field(key, e))
}

func wordsOf(key string) string {
	if key == "" {
		return ""
	}
	return assets.Say(key)
}

// finish adds what all forms end with: the sites, the policy, and the buttons. send is called by the button and by Enter.
func (f *form) finish(label string, send, cancel func(), more ...fyne.CanvasObject) {
	f.label = label
	f.sites = f.line("vault.field.sites", "vault.field.sites.hint")
	f.policy = newPolicies()
	f.object.Objects = append(f.object.Objects, field("vault.field.policy", f.policy.object))
	f.ok = widget.NewButton(label, widget.Primary, send).Small()
	buttons := widget.Wrap(10, append([]fyne.CanvasObject{f.ok, widget.NewButton(assets.Say("ui.cancel"), widget.Plain, cancel).Small()}, more...)...)
	f.object.Objects = append(f.object.Objects, f.problem, widget.Inset(4, 0, 0, 0, buttons))
	for _, e := range f.fields {
		if e.Sent == nil {
			e.Sent = send
		}
		e.Approve = send
	}
}

// begin puts the focus where a person would start.
func (f *form) begin() {
	if len(f.fields) > 0 {
		f.screen.focus(f.fields[0])
	}
}

// draft is what was written.
func (f *form) draft() model.Draft {
	d := model.Draft{Sites: model.SitesOf(f.sites.Text), Policy: f.policy.chosen}
	for e, to := range map[*widget.Entry]*string{f.alias: &d.Alias, f.account: &d.Account, f.user: &d.User} {
		if e != nil {
			*to = e.Text
		}
	}
	return d
}

// typed is what stands in the masked line.
func (f *form) typed() model.Value {
	if f.value == nil {
		return model.Value{}
	}
	return f.value.Value()
}

// forget empties the masked line.
func (f *form) forget() {
	if f.value != nil {
		f.value.Forget()
	}
}

// send shows that something is being done, and tells whether nothing was.
func (f *form) send() bool {
	if f.sending {
		return false
	}
	f.sending = true
	say(f.problem, nil)
	f.ok.SetLabel(assets.Say("vault.saving"))
	f.screen.again()
	return true
}

// sent shows how it went.
func (f *form) sent(err error) {
	f.sending = false
	f.ok.SetLabel(f.label)
	say(f.problem, err)
	f.screen.again()
}

// policies is a choice of when the person is asked.
type policies struct {
	object *fyne.Container
	pills  []*widget.PillButton
	chosen model.UsePolicy
}

func newPolicies() *policies {
	p := &policies{object: widget.Wrap(6)}
	for _, one := range model.UsePolicies {
		pill := widget.NewPillButton(model.PolicyWords(one), func() { p.set(one) })
		p.pills = append(p.pills, pill)
		p.object.Objects = append(p.object.Objects, pill)
	}
	p.set(model.UsePolicies[0])
	return p
}

func (p *policies) set(chosen model.UsePolicy) {
	p.chosen = chosen
	for i, one := range model.UsePolicies {
		p.pills[i].Set(model.PolicyWords(one), one == chosen)
	}
}
