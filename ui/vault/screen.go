package vault

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
	Check  func(answer func(error))                                // whether the place can keep values
	Keep   func(place model.Keeping)                               // Chosen answers
	Open   func(passphrase model.Value)                            // Opened answers
	Add    func(kind model.ItemKind, d model.Draft, v model.Value) // Added answers
	Save   func(id string, d model.Draft, v model.Value)           // Saved answers; an empty value stays as it is
	Remove func(id string)                                         // Removed answers
	Read   func(from model.SeedSource, before model.Seeds)         // Read answers
	Pick   func()                                                  // has the person choose a picture: Picture answers
	Seeds  func(found model.Seeds, d model.Draft)                  // SeedsAdded answers
	Code   func(id string)                                         // Code answers
	Copy   func(v model.Value)                                     // for a short time only
	Test   func(provider string)                                   // Tested answers
}

// tabs from left to right; the last is that of the providers.
var tabs = []string{string(model.SecretItem), string(model.CodeItem), string(model.SignInItem), "providers"}

// Screen shows the vault.
type Screen struct {
	do  Callbacks
	now func() time.Time

	page  *widget.Page
	place *place
	pills []*widget.PillButton
	add   *widget.Button
	body  *fyne.Container
	tab   int
	lists [3]*list
	other *providers
	shown bool
	// closed tells that nothing can be added, for the encrypted file is closed.
	closed bool
}

// New returns an empty screen.
func New(now func() time.Time, do Callbacks) *Screen {
	s := &Screen{do: do, now: now, body: widget.Column(0)}
	s.place = newPlace(s)
	bar := widget.Wrap(8)
	for i := range tabs {
		pill := widget.NewPillButton("", func() { s.open(i) })
		s.pills = append(s.pills, pill)
		bar.Objects = append(bar.Objects, pill)
	}
	s.add = widget.NewButton("", widget.Primary, func() { s.lists[s.tab].begin() }).Small()
	for i := range s.lists {
		s.lists[i] = newList(s, model.ItemKind(tabs[i]))
	}
	s.other = newProviders(s)
	s.page = widget.NewPage(assets.Say("ui.vault"), assets.Say("ui.vault.sub"), widget.Upright(widget.Column(14,
		s.place.object,
		widget.Row(12, 0, bar, s.add),
		s.body,
	)))
	s.open(0)
	return s
}

// Object is what is drawn.
func (s *Screen) Object() fyne.CanvasObject { return s.page.Container }

// again lays the screen out anew.
func (s *Screen) again() {
	if s.page != nil {
		s.page.Again()
	}
}

func (s *Screen) open(tab int) {
	s.tab = tab
	s.draw()
}

func (s *Screen) draw() {
	for i, pill := range s.pills {
		label := assets.Say("vault.tab." + tabs[i])
		if i < len(s.lists) && s.lists[i].count() > 0 {
			label = assets.Say("vault.tab.count", label, s.lists[i].count())
		}
		pill.Set(label, i == s.tab)
	}
	var body fyne.CanvasObject = s.other.object
	items := s.tab < len(s.lists)
	if items {
		s.add.SetLabel(assets.Say("vault.add." + tabs[s.tab]))
		body = s.lists[s.tab].object
	}
	show(s.add, items && !s.closed && !s.lists[s.tab].adding())
	s.body.Objects = []fyne.CanvasObject{body}
	s.again()
}

func show(o fyne.CanvasObject, v bool) {
	if v && !o.Visible() {
		o.Show()
	} else if !v && o.Visible() {
		o.Hide()
	}
}

// Show shows what is kept, and how its place stands.
func (s *Screen) Show(v model.Vault) {
	s.closed = v.Closed
	for i, l := range s.lists {
		l.show(v.Of(model.ItemKind(tabs[i])), v.Closed || v.Problem != "")
	}
	asks := s.place.show(v)
	s.draw()
	if asks && s.shown {
		s.focus(s.place.first)
	}
}

// Providers shows the vaults that there are.
func (s *Screen) Providers(list []model.Provider) {
	s.other.show(list)
	s.again()
}

// Visible tells the screen whether the person can see it. What was typed and what was shown does not outlast that.
func (s *Screen) Visible(v bool) {
	came := v && !s.shown
	s.shown = v
	if !v {
		s.place.forget()
		for _, l := range s.lists {
			l.forget()
		}
		return
	}
	if came {
		s.place.check()
	}
}

// Tick shows how long codes are still good.
func (s *Screen) Tick() {
	changed := false
	for _, r := range s.lists[1].rows.All() {
		changed = r.tick() || changed
	}
	if changed {
		s.again()
	}
}

// Ticking tells whether Tick has something to do.
func (s *Screen) Ticking() bool {
	for _, r := range s.lists[1].rows.All() {
		if r.code != nil && r.code.shows() {
			return true
		}
	}
	return false
}

// Chosen says how choosing a place went.
func (s *Screen) Chosen(err error) { s.place.chosen(err) }

// Opened says how opening the encrypted file went.
func (s *Screen) Opened(err error) { s.place.opened(err) }

// Added says how keeping something new went.
func (s *Screen) Added(kind model.ItemKind, err error) {
	for _, l := range s.lists {
		if l.kind == kind {
			l.added(err)
		}
	}
	s.draw()
}

func (s *Screen) row(id string) *row {
	for _, l := range s.lists {
		if r, ok := l.rows.Get(id); ok {
			return r
		}
	}
	return nil
}

// Saved says how a change went.
func (s *Screen) Saved(id string, err error) {
	if r := s.row(id); r != nil {
		r.saved(err)
	}
}

// Removed says how removing went.
func (s *Screen) Removed(id string, err error) {
	if r := s.row(id); r != nil {
		r.removed(err)
	}
}

// Read shows what a source held.
func (s *Screen) Read(found model.Seeds, err error) {
	s.lists[1].seeds.read(found, err)
	s.draw()
}

// SeedsAdded says what of the seeds was not kept, and why.
func (s *Screen) SeedsAdded(left model.Seeds, err error) {
	l := s.lists[1]
	if err != nil && l.adding() {
		l.seeds.left(left)
	}
	l.added(err)
	s.draw()
}

// Picture takes a picture of QR codes, wherever it came from.
func (s *Screen) Picture(data []byte, err error) {
	s.tab = 1
	s.lists[1].begin()
	s.lists[1].seeds.picture(data, err)
	s.draw()
}

// Code shows a code to the person.
func (s *Screen) Code(id string, c model.Code, err error) {
	if r := s.row(id); r != nil && r.code != nil {
		r.code.answer(c, err)
		s.again()
	}
}

// Tested shows how a provider stands.
func (s *Screen) Tested(p model.Provider) {
	s.other.tested(p)
	s.again()
}

// First is where a person would start: the passphrase if it is asked for, or else the open tab.
func (s *Screen) First() fyne.Focusable {
	if s.closed {
		return s.place.first
	}
	return s.pills[s.tab]
}

func (s *Screen) focus(o fyne.Focusable) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(s.page.Container); c != nil {
		c.Focus(o)
	}
}

func muted(content string) *widget.Text {
	return widget.NewText(content, widget.Style{Size: theme.SmallSize, Color: theme.Muted})
}

// said is a line for what went wrong, hidden while nothing did.
func said() *widget.Text {
	t := widget.NewText("", widget.Style{Size: theme.SmallSize, Color: theme.Bad})
	t.Hide()
	return t
}

func say(t *widget.Text, err error) {
	if err == nil {
		t.Set("")
		t.Hide()
		return
	}
	t.Set(model.Sentence(err))
	t.Show()
}
