package requests_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	_ "chaperone/internal/locale" // quiet
	"chaperone/ui/model"
	"chaperone/ui/requests"
	"chaperone/ui/theme"
	"chaperone/ui/uitest"
	"chaperone/ui/widget"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// scene is the screen in a window, with a clock that the test moves.
type scene struct {
	screen  *requests.Screen
	window  fyne.Window
	now     time.Time
	answers map[string]model.Answer
}

func newScene(t *testing.T, scale float32) *scene {
	t.Helper()
	app := test.NewTempApp(t)
	app.Settings().SetTheme(theme.New(theme.Light))
	s := &scene{now: time.Date(2030, 1, 2, 12, 0, 0, 0, time.UTC), answers: map[string]model.Answer{}}
	clock := func() time.Time { return s.now }
	s.screen = requests.New(model.NewGuard(clock), clock, func(id string, a model.Answer) { s.answers[id] = a })
	s.window = test.NewTempWindow(t, s.screen.Object())
	if c, ok := s.window.Canvas().(test.WindowlessCanvas); ok {
		c.SetScale(scale)
	}
	s.window.Resize(fyne.NewSize(900, 700))
	s.screen.Show([]model.Question{{
		ID: "q1", Kind: model.Confirm, Ask: "May I?", Agent: model.Agent{Name: "Agent"}, Asked: s.now, Until: s.now.Add(time.Minute),
	}})
	s.screen.Visible(true)
	s.screen.Tick()
	return s
}

// button finds a button by its word, and where its middle is.
func (s *scene) button(t *testing.T, label string) (*widget.Button, fyne.Position) {
	t.Helper()
	var found *widget.Button
	var at fyne.Position
	for _, o := range test.LaidOutObjects(s.window.Content()) {
		if b, ok := o.(*widget.Button); ok && b.Label() == label && b.Visible() {
			found = b
			at = fyne.CurrentApp().Driver().AbsolutePositionForObject(b).AddXY(b.Size().Width/2, b.Size().Height/2)
		}
	}
	if found == nil {
		t.Fatalf("there is no button %q", label)
	}
	return found, at
}

func TestBothAnswersAreHitAtEveryScale(t *testing.T) {
	for _, scale := range []float32{1, 1.25, 1.5, 2} {
		t.Run(fmt.Sprint(scale), func(t *testing.T) {
			s := newScene(t, scale)
			_, approve := s.button(t, "Approve")
			_, deny := s.button(t, "Deny")
			if apart := deny.Subtract(approve); apart.X*apart.X+apart.Y*apart.Y < 150*150 {
				t.Errorf("Approve and Deny are only %v apart", apart)
			}

			test.TapCanvas(s.window.Canvas(), approve)
			if len(s.answers) != 0 {
				t.Error("a click on first paint approved")
			}
			s.now = s.now.Add(300 * time.Millisecond)
			s.screen.Tick()
			s.screen.Approve()
			test.TapCanvas(s.window.Canvas(), approve)
			if len(s.answers) != 0 {
				t.Error("a slip after 300 ms approved")
			}
			s.now = s.now.Add(time.Second)
			s.screen.Tick()
			test.TapCanvas(s.window.Canvas(), approve)
			if a, ok := s.answers["q1"]; !ok || !a.Approved {
				t.Errorf("a click on Approve after a second gave %+v", s.answers)
			}
		})
	}
}

func TestWhatCannotBeSeenCannotBeApproved(t *testing.T) {
	s := newScene(t, 1)
	_, approve := s.button(t, "Approve")
	s.screen.Visible(false)
	s.now = s.now.Add(time.Minute / 2)
	s.screen.Tick()
	test.TapCanvas(s.window.Canvas(), approve)
	s.screen.Approve()
	if len(s.answers) != 0 {
		t.Errorf("a screen that is not shown approved: %+v", s.answers)
	}
}

func TestDenyNeedsNoPatience(t *testing.T) {
	s := newScene(t, 1)
	_, deny := s.button(t, "Deny")
	test.TapCanvas(s.window.Canvas(), deny)
	if a, ok := s.answers["q1"]; !ok || a.Approved {
		t.Errorf("a click on Deny gave %+v", s.answers)
	}
}

func TestAQuestionThatEndedTakesNoAnswer(t *testing.T) {
	s := newScene(t, 1)
	s.now = s.now.Add(2 * time.Second)
	s.screen.Show([]model.Question{{
		ID: "q1", Kind: model.Confirm, Ask: "May I?", Agent: model.Agent{Name: "Agent"}, Phase: model.Ended, EndedBy: model.ByAgent, Asked: s.now, At: s.now,
	}})
	s.now = s.now.Add(2 * time.Second)
	s.screen.Tick()
	for _, o := range test.LaidOutObjects(s.window.Content()) {
		if b, ok := o.(*widget.Button); ok && b.Visible() && !b.Disabled() {
			test.Tap(b)
		}
	}
	s.screen.Approve()
	if len(s.answers) != 0 {
		t.Errorf("a question that had ended was answered: %+v", s.answers)
	}
}

// line finds the line to type into that can be seen.
func (s *scene) line(t *testing.T) *widget.Entry {
	t.Helper()
	for _, o := range uitest.Seen(s.window.Content()) {
		if e, ok := o.(*widget.Entry); ok {
			return e
		}
	}
	t.Fatal("there is no line to type into")
	return nil
}

func TestASecretIsTypedMaskedAndForgotten(t *testing.T) {
	s := newScene(t, 1)
	ask := func(q model.Question) *widget.Entry {
		q.ID, q.Kind, q.Agent, q.Asked, q.Until = q.Ask, model.Input, model.Agent{Name: "Agent"}, s.now, s.now.Add(time.Hour)
		s.screen.Show([]model.Question{q})
		s.now = s.now.Add(2 * time.Second)
		s.screen.Tick()
		return s.line(t)
	}
	send := func() {
		_, at := s.button(t, "Send")
		test.TapCanvas(s.window.Canvas(), at)
	}
	e := ask(model.Question{Ask: "private", Private: true, Alias: "API_KEY"})
	if !e.Password || !strings.Contains(uitest.Words(s.window.Content()), "It is used as <API_KEY>; the agent does not see it.") {
		t.Fatal("a secret is typed in the open, or nobody says what becomes of it")
	}
	e.SetText("hunter2")
	send()
	a := s.answers["private"]
	if a.Text != "" || !a.Value.Same(model.NewValue("hunter2")) || !a.Approved || e.Text != "" {
		t.Errorf("%+v, %d letters are left", a, len(e.Text))
	}

	e = ask(model.Question{Ask: "plain"})
	if e.Password {
		t.Error("a plain answer is masked")
	}
	e.SetText("text")
	send()
	if a := s.answers["plain"]; a.Text != "text" || a.Secret || !a.Value.Empty() {
		t.Errorf("%+v", a)
	}

	e = ask(model.Question{Ask: "either", Secrets: true})
	e.SetText("hunter3")
	for _, o := range uitest.Seen(s.window.Content()) {
		if sw, ok := o.(*widget.Switch); ok {
			test.Tap(sw)
		}
	}
	masked := s.line(t)
	if !masked.Password || masked.Text != "hunter3" || e.Text != "" {
		t.Fatalf("the switch left %d letters in the open", len(e.Text))
	}
	send()
	if a := s.answers["either"]; !a.Secret || a.Text != "" || !a.Value.Same(model.NewValue("hunter3")) || masked.Text != "" {
		t.Errorf("%+v", a)
	}

	e = ask(model.Question{Ask: "left", Private: true})
	e.SetText("hunter4")
	s.screen.Visible(false)
	if e.Text != "" {
		t.Error("it outlasts the screen")
	}
	e.SetText("hunter5")
	s.screen.Show([]model.Question{{ID: "left", Kind: model.Input, Private: true, Agent: model.Agent{Name: "Agent"}, Asked: s.now, Phase: model.Ended, At: s.now, EndedBy: model.ByAgent}})
	if e.Text != "" {
		t.Error("it outlasts its question")
	}
}
