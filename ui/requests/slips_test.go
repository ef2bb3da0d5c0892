package requests_test

import (
	"fmt"
	"testing"
	"time"

	_ "chaperone/internal/locale" // quiet
	"chaperone/ui/model"
	"chaperone/ui/requests"
	"chaperone/ui/theme"
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
