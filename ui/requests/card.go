package requests

import (
	"fyne.io/fyne/v2"

	"chaperone/assets"
	"chaperone/ui/model"
	"chaperone/ui/theme"
	"chaperone/ui/widget"
)

// saysLines is how many lines of the agent's own words show at first; they must not push the answers out of sight.
const saysLines = 5

// apart is the least room between a yes and a no.
const apart float32 = 40

// card is one question.
type card struct {
	screen *Screen
	id     string
	now    model.Card

	frame   *widget.Frame
	body    *fyne.Container
	ask     *widget.Text
	says    *widget.Text
	more    *widget.Button
	repeats *widget.Pill
	picture *widget.Picture

	answers fyne.CanvasObject
	yes     []*widget.Button
	no      *widget.Button
	note    *widget.Button
	noteIn  *widget.Entry
	field   *widget.Entry
	masked  *widget.Entry // takes the place of field while the answer is a secret
	secret  *widget.Switch
	choice  fyne.CanvasObject // around the switch
	list    *widget.Choices

	time    *fyne.Container
	bar     *widget.Bar
	left    *widget.Text
	closing *widget.Text
	problem *widget.Text
	sending bool
}

func newCard(s *Screen, m model.Card) *card {
	c := &card{screen: s, id: m.ID, now: m}
	muted := widget.Style{Color: theme.Muted, Size: theme.SmallSize, OneLine: true}

	who := widget.Wrap(8, widget.Row(8, -1, widget.NewLetter(m.Letter),
		widget.NewText(m.Who, widget.Style{Size: theme.SmallSize, Bold: true, OneLine: true})))
	if m.Process != "" {
		who.Objects = append(who.Objects, widget.NewText(m.Process, muted))
	}
	if m.Site != "" {
		// never cut: the end of an origin is what tells a site from one that only begins like it
		who.Objects = append(who.Objects, widget.NewLongPill(m.Site).Surface)
	}
	c.repeats = widget.NewPill(m.Repeats)
	c.repeats.Surface.Hide()
	who.Objects = append(who.Objects, c.repeats.Surface)

	c.ask = widget.NewText(m.Ask, widget.Style{Size: theme.AskSize, Bold: true, Marks: true})
	text := widget.Column(8, who, c.ask)
	if m.Says != "" {
		c.says = widget.NewText(m.Says, widget.Style{Color: theme.Muted, Lines: saysLines, Marks: true})
		c.more = widget.NewButton(assets.Say("ui.card.more"), widget.Quiet, func() {
			c.says.Lines(0)
			c.more.Hide()
			s.again()
		}).Small()
		c.more.Hide()
		text.Objects = append(text.Objects, widget.NewQuote(widget.Column(2,
			widget.NewText(assets.Say("ui.card.says", m.Who), muted), c.says, widget.Row(0, -1, c.more))))
	}
	if m.Detail != "" {
		text.Objects = append(text.Objects, widget.NewText(m.Detail, widget.Style{Color: theme.Muted}))
	}
	top := fyne.CanvasObject(text)
	if len(m.Picture) > 0 {
		c.picture = widget.NewPicture("", func(float32) float32 { return 124 })
		c.picture.Set(m.Picture)
		top = widget.TopRow(20, 0, text, widget.Wide(250, c.picture))
	}
	c.body = widget.Column(12, top)
	c.addAnswers(m)
	c.bar, c.left = widget.NewBar(), widget.NewText("", widget.Style{Color: theme.Muted, Size: theme.CaptionSize, OneLine: true})
	c.time = widget.Row(12, 0, c.bar, c.left)
	c.closing = widget.NewText("", widget.Style{Color: theme.Muted, Bold: true})
	c.problem = widget.NewText("", widget.Style{Color: theme.Bad})
	c.problem.Hide()
	c.body.Objects = append(c.body.Objects, c.problem, c.closing, c.time)
	c.frame = widget.NewFrame(c.body)
	c.frame.Focused = func() { s.page.Scroll().Reveal(c.frame) }
	c.set(m)
	return c
}

func (c *card) addAnswers(m model.Card) {
	if m.Field {
		c.addField(m)
	}
	if len(m.List) > 0 {
		c.list = widget.NewChoices(m.List, func(int) { c.draw() })
		c.body.Objects = append(c.body.Objects, c.list)
	}
	left := widget.Wrap(10)
	for i, b := range m.Yes {
		look := widget.Plain
		if i == 0 && (m.Kind != model.Choose || len(m.List) > 0) {
			look = widget.Primary
		}
		button := widget.NewButton(b.Label, look, func() { c.press(b) })
		c.yes = append(c.yes, button)
		left.Objects = append(left.Objects, button)
	}
	if m.Note {
		c.noteIn = widget.NewEntry(assets.Say("ui.card.note.hint"))
		c.noteIn.Approve = c.approve
		c.noteIn.Hide()
		c.note = widget.NewButton(assets.Say("ui.card.note"), widget.Quiet, c.openNote)
		left.Objects = append(left.Objects, c.note)
	}
	row := widget.TopRow(apart, 0, left)
	if m.No != nil {
		c.no = widget.NewButton(m.No.Label, widget.Plain, func() { c.send(m.No.Answer) })
		row.Objects = append(row.Objects, c.no)
	}
	c.answers = row
	c.body.Objects = append(c.body.Objects, row)
	if c.noteIn != nil {
		c.body.Objects = append(c.body.Objects, c.noteIn)
	}
}

// addField adds the line to type into, and a masked one for an answer that is a secret.
func (c *card) addField(m model.Card) {
	ready := func(e *widget.Entry) *widget.Entry {
		e.OnChanged = func(string) { c.draw() }
		e.Sent = func() { c.press(m.Yes[0]) }
		e.Approve = c.approve
		c.body.Objects = append(c.body.Objects, e)
		return e
	}
	if !m.Mask {
		c.field = ready(widget.NewEntry(assets.Say("ui.card.input.hint")))
	}
	if m.Mask || m.Offer {
		c.masked = ready(widget.NewMasked(assets.Say("ui.card.secret.hint")))
	}
	if m.Used != "" {
		c.body.Objects = append(c.body.Objects, widget.NewText(m.Used, widget.Style{Size: theme.SmallSize, Color: theme.Muted, Marks: true}))
	}
	if m.Offer {
		c.masked.Hide()
		c.secret = widget.NewSwitch(c.asSecret)
		c.choice = widget.Row(10, 1, c.secret, widget.NewText(assets.Say("ui.card.secret"), widget.Style{Size: theme.SmallSize, Color: theme.Muted}))
		c.body.Objects = append(c.body.Objects, c.choice)
	}
}

// asSecret has the answer given as a secret, or as text. What was typed as text may become a secret, but not the other way.
func (c *card) asSecret(on bool) {
	c.secret.Set(on, false)
	if on {
		c.masked.SetText(c.field.Text)
		c.field.Forget()
	} else {
		c.masked.Forget()
	}
	show(c.masked, on)
	show(c.field, !on)
	c.draw()
	c.screen.again()
	c.screen.focus(c.line())
}

// line is the one that is typed into; nil where there is none.
func (c *card) line() *widget.Entry {
	if c.masked != nil && (c.field == nil || c.secret.On()) {
		return c.masked
	}
	return c.field
}

// forget empties the masked line.
func (c *card) forget() {
	if c.masked != nil && c.masked.Text != "" {
		c.masked.Forget()
	}
}

func (c *card) openNote() {
	c.noteIn.Show()
	c.note.Hide()
	c.screen.again()
	c.screen.focus(c.noteIn)
}

// set shows what may have changed about the question.
func (c *card) set(m model.Card) {
	c.now = m
	c.draw()
}

func (c *card) draw() {
	m := c.now
	if m.Repeats != "" {
		c.repeats.Text.Set(m.Repeats)
		c.repeats.Show()
	}
	ready := c.screen.guard.Ready(c.id)
	for _, b := range c.yes {
		b.Hold(!ready || !c.complete())
	}
	show(c.answers, !m.Over && !c.sending)
	if m.Over {
		c.forget()
		for _, e := range []*widget.Entry{c.field, c.masked, c.noteIn} {
			if e != nil {
				e.Hide()
			}
		}
		if c.choice != nil {
			c.choice.Hide()
		}
		if c.list != nil {
			c.list.Hide()
		}
	}
	show(c.time, m.Timed)
	c.bar.Set(m.Part)
	c.left.Set(m.Left)
	closing := m.Closing
	if c.sending && !m.Over {
		closing = assets.Say("ui.card.sending")
	}
	c.closing.Set(closing)
	show(c.closing, closing != "")
	if m.Over {
		c.ask.Recolor(theme.Muted)
		c.frame.Calm(true)
	}
}

// offerMore shows or hides the button that shows all of the agent's words, and tells whether that changed anything.
func (c *card) offerMore() bool {
	if c.more == nil || c.more.Visible() == c.says.Cut() {
		return false
	}
	show(c.more, c.says.Cut())
	return true
}

func show(o fyne.CanvasObject, v bool) {
	if v && !o.Visible() {
		o.Show()
	} else if !v && o.Visible() {
		o.Hide()
	}
}

// complete tells whether the card has what a yes needs.
func (c *card) complete() bool {
	switch {
	case c.line() != nil:
		return c.line().Text != ""
	case c.list != nil:
		return c.list.Chosen() >= 0
	}
	return true
}

// press answers yes, if the guard lets it.
func (c *card) press(b model.Button) {
	if b.Yes && (!c.screen.guard.Ready(c.id) || !c.complete()) {
		return
	}
	a := b.Answer
	switch e := c.line(); {
	case e == nil:
	case e == c.masked:
		a.Secret, a.Value = true, e.Value()
		c.forget()
	default:
		a.Text = e.Text
	}
	if c.list != nil {
		a.Choice = c.list.Chosen()
	}
	c.send(a)
}

func (c *card) send(a model.Answer) {
	if c.now.Over || c.sending {
		return
	}
	if c.noteIn != nil {
		a.Note = c.noteIn.Text
	}
	c.sending = true
	c.problem.Hide()
	c.draw()
	c.screen.again()
	c.screen.answer(c.id, a)
}

// failed lets the person try again.
func (c *card) failed(err error) {
	c.sending = false
	c.problem.Set(err.Error())
	c.problem.Show()
	c.draw()
	c.screen.again()
}

// approve is Ctrl+Enter: the plain yes, or the choice that has the focus.
func (c *card) approve() {
	if c.now.Over || len(c.now.Yes) == 0 {
		return
	}
	if c.now.Kind == model.Choose && c.list == nil {
		for i, b := range c.yes {
			if b.HasFocus() {
				c.press(c.now.Yes[i])
			}
		}
		return
	}
	c.press(c.now.Yes[0])
}

// holds tells whether the focus is on the card or on anything in it.
func (c *card) holds() bool {
	if c.frame.HasFocus() || c.no != nil && c.no.HasFocus() || c.note != nil && c.note.HasFocus() ||
		c.field != nil && c.field.HasFocus() || c.masked != nil && c.masked.HasFocus() || c.secret != nil && c.secret.HasFocus() || c.noteIn != nil && c.noteIn.HasFocus() ||
		c.list != nil && c.list.HasFocus() || c.more != nil && c.more.HasFocus() {
		return true
	}
	for _, b := range c.yes {
		if b.HasFocus() {
			return true
		}
	}
	return false
}
