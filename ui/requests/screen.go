package requests

import (
	"time"

	"fyne.io/fyne/v2"

	"chaperone/assets"
	"chaperone/ui/model"
	"chaperone/ui/theme"
	"chaperone/ui/widget"
)

// Screen shows the questions.
type Screen struct {
	guard  *model.Guard
	now    func() time.Time
	answer func(id string, a model.Answer)

	page      *widget.Page
	column    *fyne.Container
	cards     widget.Keyed[*card]
	empty     fyne.CanvasObject
	past      *fyne.Container
	questions []model.Question
	shown     bool
}

// New returns an empty screen that hands answers to answer. The guard must read the same clock as now.
func New(guard *model.Guard, now func() time.Time, answer func(id string, a model.Answer)) *Screen {
	s := &Screen{guard: guard, now: now, answer: answer}
	s.empty = widget.NewEmpty(assets.Say("ui.requests.empty"), assets.Say("ui.requests.empty.more"))
	s.past = widget.Column(6)
	s.column = widget.Column(14)
	s.page = widget.NewPage(assets.Say("ui.requests"), "", widget.Upright(s.column))
	s.page.Scroll().Inner.OnScrolled = func(fyne.Position) { s.see() }
	s.Show(nil)
	return s
}

// Object is what is drawn.
func (s *Screen) Object() fyne.CanvasObject { return s.page.Container }

// Show shows these questions.
func (s *Screen) Show(questions []model.Question) {
	s.questions = questions
	s.draw(true)
}

// Tick shows the time that is left, and what the guard lets through by now.
func (s *Screen) Tick() { s.draw(false) }

// Waiting tells whether Tick has something to do.
func (s *Screen) Waiting() bool { return len(s.cards.All()) > 0 }

func (s *Screen) draw(layout bool) {
	board := model.BoardOf(s.questions, s.now())
	s.page.Sub.Set(board.Title)
	keys := make([]string, 0, len(board.Cards))
	byID := map[string]model.Card{}
	for _, c := range board.Cards {
		keys = append(keys, c.ID)
		byID[c.ID] = c
	}
	had := s.focused()
	changed := s.cards.Sync(keys, func(id string) *card { return newCard(s, byID[id]) })
	for _, c := range s.cards.All() {
		over := c.now.Over
		c.set(byID[c.id])
		changed = changed || over != c.now.Over
	}
	if changed || layout {
		s.fill(board)
	}
	if had != nil && s.focused() == nil && !s.FocusFirst() {
		widget.Leave(s.page.Container)
	}
	s.see()
}

func (s *Screen) fill(board model.Board) {
	s.past.Objects = nil
	for _, p := range board.Past {
		s.past.Objects = append(s.past.Objects, pastLine(p))
	}
	objects := widget.Objects(&s.cards, func(c *card) fyne.CanvasObject { return c.frame })
	if len(objects) == 0 {
		objects = append(objects, s.empty)
	}
	if len(s.past.Objects) > 0 {
		objects = append(objects, widget.Inset(6, 0, 0, 0, s.past))
	}
	s.column.Objects = objects
	s.again()
}

func pastLine(p model.Past) fyne.CanvasObject {
	style := widget.Style{Size: theme.SmallSize, OneLine: true, Color: theme.Muted}
	verdict := style
	verdict.Bold, verdict.Color = true, theme.Text
	return widget.Row(6, -1, widget.NewText(p.Verdict, verdict), widget.NewText(p.Ask, style),
		widget.NewText("· "+p.When, style))
}

// again lays the screen out anew.
func (s *Screen) again() {
	s.page.Again()
	// only now is it known which words did not fit
	more := false
	for _, c := range s.cards.All() {
		more = c.offerMore() || more
	}
	if more {
		s.page.Again()
	}
	s.see()
}

// Visible tells the screen whether the person can see it. What cannot be seen cannot be approved.
func (s *Screen) Visible(v bool) {
	s.shown = v
	if !v {
		for _, c := range s.cards.All() {
			c.forget()
		}
	}
	s.see()
	s.draw(false)
}

// see tells the guard which answers the person can see.
func (s *Screen) see() {
	var places []model.Place
	if s.shown {
		for _, c := range s.cards.All() {
			if c.now.Over {
				continue
			}
			if _, ok := s.page.Scroll().Seen(c.answers); !ok {
				continue
			}
			places = append(places, model.Place{ID: c.id, Top: int(c.frame.Position().Y)})
		}
	}
	s.guard.See(places)
}

func (s *Screen) focused() *card {
	for _, c := range s.cards.All() {
		if c.holds() {
			return c
		}
	}
	return nil
}

// Approve is Ctrl+Enter: it says yes to the card that has the focus.
func (s *Screen) Approve() {
	if c := s.focused(); c != nil && s.shown {
		c.approve()
	}
}

// Failed says that an answer did not get through.
func (s *Screen) Failed(id string, err error) {
	if c, ok := s.cards.Get(id); ok {
		c.failed(err)
	}
}

// FocusFirst puts the focus on the first card that waits, not on one of its answers, and tells whether there is one.
func (s *Screen) FocusFirst() bool {
	for _, c := range s.cards.All() {
		if !c.now.Over && !c.sending {
			s.focus(c.frame)
			return true
		}
	}
	return false
}

func (s *Screen) focus(o fyne.Focusable) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(s.page.Container); c != nil {
		c.Focus(o)
	}
}
