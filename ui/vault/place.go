package vault

import (
	"errors"
	"unicode/utf8"

	"fyne.io/fyne/v2"

	"chaperone/assets"
	"chaperone/ui/model"
	"chaperone/ui/theme"
	"chaperone/ui/widget"
)

// leastPassphrase is how long a new passphrase must be, in letters.
const leastPassphrase = 10

// place is where values are kept, and what can be done while they cannot be.
type place struct {
	screen  *Screen
	now     model.Vault
	known   bool
	asking  bool
	turn    int // of the check that counts: one of a place that was left does not
	opening bool
	checks  error // what the last check said
	ready   bool  // it went well

	object  *fyne.Container
	pick    *widget.PillButton
	locked  *widget.Pill
	state   *widget.Text
	spinner *widget.Spinner
	again   *widget.Button
	notes   *fyne.Container
	problem *widget.Text // of choosing a place

	trouble *widget.Surface
	heading *widget.Text
	what    *widget.Text
	ways    map[string]fyne.CanvasObject

	file    *fyne.Container
	title   *widget.Text
	more    *widget.Text
	first   *widget.Entry
	second  *widget.Entry
	openIt  *widget.Button
	back    *widget.Button
	refused *widget.Text
}

var places = []model.Keeping{model.InKeyring, model.InFile, model.InMemory}

func newPlace(s *Screen) *place {
	p := &place{screen: s, ways: map[string]fyne.CanvasObject{}}
	p.pick = widget.NewPillMenu("", func() (words []string) {
		for _, k := range places {
			words = append(words, assets.Say("vault.place."+string(k)))
		}
		return words
	}, func(i int) { p.choose(places[i]) })
	p.locked = widget.NewPill("")
	p.locked.Surface.Hide()
	p.state = widget.NewText("", widget.Style{Size: theme.SmallSize, Color: theme.Muted, OneLine: true})
	p.spinner = widget.NewSpinner()
	p.again = widget.NewButton(assets.Say("vault.place.check"), widget.Quiet, p.check).Small()
	line := widget.Wrap(8, widget.NewText(assets.Say("vault.place"), widget.Style{OneLine: true}), p.pick, p.locked.Surface,
		p.spinner.Container, p.state, p.again)
	p.notes = widget.Column(4)
	p.problem = said()
	p.makeTrouble()
	p.makeFile()
	p.object = widget.Column(10, line, p.problem, p.notes, p.trouble, p.file)
	p.draw()
	return p
}

func (p *place) makeTrouble() {
	p.heading = widget.NewText("", widget.Style{Color: theme.Warn, Bold: true})
	p.what = widget.NewText("", widget.Style{})
	way := func(key string, press func()) fyne.CanvasObject {
		o := widget.Row(12, 1, widget.Wide(150, widget.NewButton(assets.Say("vault."+key), widget.Plain, press).Small()),
			widget.NewText(assets.Say("vault."+key+".does"), widget.Style{Size: theme.SmallSize, Color: theme.Muted}))
		p.ways[key] = o
		return o
	}
	p.trouble = widget.NewWarning(p.heading, p.what, widget.Inset(8, 0, 0, 0, widget.Column(8,
		way("again", p.check),
		way("use.keyring", func() { p.choose(model.InKeyring) }),
		way("use.file", func() { p.choose(model.InFile) }),
		way("use.memory", func() { p.choose(model.InMemory) }))))
}

func (p *place) makeFile() {
	p.title = widget.NewText("", widget.Style{Bold: true})
	p.more = muted("")
	p.first = widget.NewMasked(assets.Say("vault.file.passphrase"))
	p.second = widget.NewMasked(assets.Say("vault.file.again"))
	p.refused = said()
	p.openIt = widget.NewButton("", widget.Primary, p.open)
	for _, e := range []*widget.Entry{p.first, p.second} {
		e.OnChanged = func(string) { p.draw() }
		e.Sent, e.Approve = p.open, p.open
	}
	p.back = widget.NewButton(assets.Say("vault.use.keyring"), widget.Plain, func() { p.choose(model.InKeyring) })
	p.file = widget.Column(0, widget.NewCard(widget.Column(10, p.title, p.more, p.first, p.second, p.refused,
		widget.Row(10, -1, p.openIt, p.back))))
}

// show shows how the place stands, and tells whether it has just begun to ask for the passphrase.
func (p *place) show(v model.Vault) (asks bool) {
	moved := p.known && (p.now.Place != v.Place || p.now.Closed != v.Closed)
	first := !p.known
	p.now, p.known = v, true
	if moved {
		p.checks, p.ready = nil, false
		p.forget()
		p.asking = false
		if !v.Closed && p.screen.shown {
			p.check()
		}
	}
	p.draw()
	return v.Closed && (moved || first)
}

func (p *place) forget() {
	p.first.Forget()
	p.second.Forget()
	say(p.refused, nil)
}

// check asks the place, unless that is being done.
func (p *place) check() {
	if p.asking {
		return
	}
	p.asking = true
	p.draw()
	p.screen.again()
	p.turn++
	turn := p.turn
	p.screen.do.Check(func(err error) { p.checked(turn, err) })
}

func (p *place) checked(turn int, err error) {
	if turn != p.turn || !p.asking {
		return
	}
	p.asking, p.checks, p.ready = false, err, err == nil
	p.draw()
	p.screen.again()
}

func (p *place) choose(k model.Keeping) {
	if p.known && p.now.Place == k {
		return
	}
	p.screen.do.Keep(k)
}

func (p *place) chosen(err error) {
	say(p.problem, err)
	if err == nil {
		p.asking, p.checks, p.ready = false, nil, false
		p.check()
	}
	p.screen.again()
}

// open opens the file, or makes it.
func (p *place) open() {
	if p.opening || p.first.Text == "" {
		return
	}
	say(p.refused, nil)
	if p.now.New {
		switch {
		case utf8.RuneCountInString(p.first.Text) < leastPassphrase:
			p.refuse(errors.New(assets.Say("vault.file.short", leastPassphrase)), p.first)
			return
		case p.second.Text == "":
			p.screen.focus(p.second)
			return
		case p.first.Text != p.second.Text:
			p.second.Forget()
			p.refuse(errors.New(assets.Say("vault.file.differ")), p.second)
			return
		}
	}
	passphrase := p.first.Value()
	p.forget()
	p.opening = true
	p.draw()
	p.screen.again()
	p.screen.do.Open(passphrase)
}

func (p *place) refuse(err error, at *widget.Entry) {
	say(p.refused, err)
	p.draw()
	p.screen.again()
	p.screen.focus(at)
}

func (p *place) opened(err error) {
	p.opening = false
	p.forget()
	p.draw()
	if err != nil {
		p.refuse(err, p.first)
		return
	}
	p.screen.again()
	p.screen.focus(p.screen.pills[p.screen.tab])
}

func (p *place) draw() {
	v := p.now
	p.pick.Set(assets.Say("vault.place."+string(or(v.Place, model.InKeyring))), false)
	p.pick.SetLocked(v.LockedBy != "" || !p.known)
	show(p.locked.Surface, v.LockedBy != "")
	if v.LockedBy != "" {
		p.locked.Text.Set(assets.Say("ui.locked", v.LockedBy))
	}

	closed := p.known && v.Place == model.InFile && v.Closed
	wrong := ""
	switch {
	case closed || p.asking:
	case p.checks != nil:
		wrong = model.Sentence(p.checks)
	case v.Problem != "":
		wrong = model.Sentence(errors.New(v.Problem))
	}
	memory := p.known && v.Place == model.InMemory && wrong == ""

	state := ""
	switch {
	case p.asking && v.Place == model.InKeyring:
		state = assets.Say("vault.place.asking")
	case p.asking || !p.known:
		state = assets.Say("vault.place.asking.other")
	case p.ready && wrong == "" && !closed && !memory:
		state = assets.Say("vault.place.ready")
	}
	p.state.Set(state)
	show(p.state, state != "")
	p.spinner.Spin(p.asking || p.opening || !p.known)
	show(p.again, p.known && !p.asking && wrong == "" && !closed && !memory)

	p.notes.Objects = nil
	for _, n := range v.Notes {
		p.notes.Objects = append(p.notes.Objects, widget.NewText(model.Paragraph(n, 600), widget.Style{Size: theme.SmallSize, Color: theme.Warn}))
	}
	show(p.notes, len(v.Notes) > 0)

	show(p.trouble, wrong != "" || memory)
	switch {
	case memory:
		p.heading.Set(assets.Say("vault.memory"))
		p.what.Set(assets.Say("vault.memory.more"))
	case wrong != "":
		p.heading.Set(assets.Say("vault.trouble." + string(or(v.Place, model.InKeyring))))
		p.what.Set(wrong + " " + assets.Say("vault.trouble.until"))
	}
	free := v.LockedBy == ""
	show(p.ways["again"], wrong != "")
	show(p.ways["use.keyring"], free && v.Place != model.InKeyring && v.Place != "")
	show(p.ways["use.file"], free && v.Place != model.InFile)
	show(p.ways["use.memory"], free && v.Place != model.InMemory)

	show(p.file, closed)
	show(p.back, free)
	title, label := "vault.file.closed", "vault.file.open"
	if v.New {
		title, label = "vault.file.new", "vault.file.make"
	}
	if p.opening {
		label = "vault.file.opening"
	}
	p.title.Set(assets.Say(title))
	p.more.Set(assets.Say(title + ".more"))
	show(p.second, v.New)
	p.openIt.SetLabel(assets.Say(label))
	p.openIt.Hold(p.first.Text == "" || p.opening)
}

func or(k, other model.Keeping) model.Keeping {
	if k == "" {
		return other
	}
	return k
}
