package ui

import (
	"bytes"
	"fmt"
	"log"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"chaperone/assets"
	"chaperone/ui/model"
	"chaperone/ui/uitest"
	"chaperone/ui/widget"
)

// queue is the window's thread: what is put on it runs when the test says so.
type queue struct {
	mu    sync.Mutex
	funcs []func()
	more  chan struct{}
}

func (q *queue) put(f func()) {
	q.mu.Lock()
	q.funcs = append(q.funcs, f)
	q.mu.Unlock()
	select {
	case q.more <- struct{}{}:
	default:
	}
}

func (q *queue) run() {
	for {
		q.mu.Lock()
		if len(q.funcs) == 0 {
			q.mu.Unlock()
			return
		}
		f := q.funcs[0]
		q.funcs = q.funcs[1:]
		q.mu.Unlock()
		f()
	}
}

// bench is a whole window over a desk of fakes.
type bench struct {
	t     *testing.T
	ui    *UI
	fake  *uitest.Fake
	queue *queue
	mu    sync.Mutex
	now   time.Time
	notes chan *fyne.Notification
}

func newBench(t *testing.T, fake *uitest.Fake) *bench {
	t.Helper()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")
	return newBenchOnBus(t, fake)
}

// noteApp keeps the notifications that are sent.
type noteApp struct {
	fyne.App
	sent chan *fyne.Notification
}

func (a noteApp) SendNotification(n *fyne.Notification) { a.sent <- n }

func newBenchOnBus(t *testing.T, fake *uitest.Fake) *bench {
	t.Helper()
	b := &bench{t: t, fake: fake, queue: &queue{more: make(chan struct{}, 1)}, now: time.Date(2030, 1, 2, 12, 0, 0, 0, time.UTC)}
	b.notes = make(chan *fyne.Notification, 100)
	app := noteApp{test.NewTempApp(t), b.notes}
	desk := Desk{Changes: fake, Questions: fake, Activity: fake, Browsers: fake, Capabilities: fake, Agents: fake, Connect: fake, Settings: fake, Wishes: fake, Leases: fake,
		Vault: fake.Vault(), Items: fake.Items(), Codes: fake.Codes(), Providers: fake}
	b.ui = build(app, desk, Config{Version: "1.2.3", Now: func() time.Time { b.mu.Lock(); defer b.mu.Unlock(); return b.now }}, b.queue.put)
	t.Cleanup(b.ui.start())
	return b
}

func (b *bench) later(d time.Duration) { b.mu.Lock(); b.now = b.now.Add(d); b.mu.Unlock() }

// until runs the window's thread until a fact holds.
func (b *bench) until(what string, fact func() bool) {
	b.t.Helper()
	deadline := time.After(10 * time.Second)
	for {
		b.queue.run()
		if fact() {
			return
		}
		select {
		case <-b.queue.more:
		case <-deadline:
			b.t.Fatalf("it never came to this: %s", what)
		}
	}
}

// words returns all text that can be seen.
func (b *bench) words() string { return uitest.Words(b.ui.win.Content()) }

func (b *bench) sees(words string) func() bool {
	return func() bool { return strings.Contains(b.words(), words) }
}

func (b *bench) button(label string) fyne.Tappable {
	b.t.Helper()
	found := uitest.Find(b.ui.win.Content(), label)
	if found == nil {
		b.t.Fatalf("there is no button %q in:\n%s", label, b.words())
	}
	return found
}

func question(id string, asked time.Time) model.Question {
	return model.Question{ID: id, Kind: model.Confirm, Agent: model.Agent{Name: "Codex", PID: 7}, Ask: "Wants to delete " + id, Asked: asked, Until: asked.Add(time.Minute)}
}

func TestAQuestionComesAndIsAnsweredByKeys(t *testing.T) {
	b := newBench(t, uitest.New())
	b.until("the empty screen", b.sees(assets.Say("ui.requests.empty")))
	b.fake.Do(model.Questions, func() { b.fake.Asked = append(b.fake.Asked, question("q1", b.now)) })
	b.until("a card", b.sees("Wants to delete q1"))
	b.until("a badge", func() bool { return b.ui.shell.items[b.ui.pages[0]].BadgeLabel() == "1" })
	c := b.ui.win.Canvas()
	press := func(s fyne.Shortcut) { c.(fyne.Shortcutable).TypedShortcut(s) }
	approve := &desktop.CustomShortcut{KeyName: fyne.KeyReturn, Modifier: fyne.KeyModifierControl}

	b.later(2 * time.Second)
	press(approve) // nothing has the focus
	if b.until("nothing", func() bool { return true }); len(b.fake.Answers) != 0 {
		t.Fatal("Ctrl+Enter approved a card that had no focus")
	}
	b.ui.pages[0].focus()
	if button, ok := c.Focused().(*widget.Button); ok {
		t.Errorf("the focus begins on %q", button.Label())
	}
	press(approve)
	b.until("an answer", func() bool {
		var n int
		b.fake.Read(func() { n = len(b.fake.Answers) })
		return n == 1
	})
	if !b.fake.Answers["q1"].Approved {
		t.Error("Ctrl+Enter denied")
	}
	b.until("the line of the past", b.sees(assets.Say("ui.verdict.yes")))
	b.until("an empty badge", func() bool { return b.ui.shell.items[b.ui.pages[0]].BadgeLabel() == "" })
}

func TestAHiddenWindowApprovesNothing(t *testing.T) {
	fake := uitest.New()
	b := newBench(t, fake)
	fake.Do(model.Questions, func() { fake.Asked = append(fake.Asked, question("q1", b.now)) })
	b.until("a card", b.sees("Wants to delete q1"))
	b.later(2 * time.Second)
	b.ui.pages[0].focus()
	b.ui.hide()
	b.later(2 * time.Second)
	b.ui.pages[0].approve()
	b.ui.present()
	b.ui.pages[0].approve()
	b.queue.run()
	if len(fake.Answers) != 0 {
		t.Error("a card was approved that had only just come back")
	}
}

// Every screen must be reached and worked with the keyboard alone.
func TestTabReachesWhatCanBePressedOnEveryScreen(t *testing.T) {
	fake := uitest.New()
	fill(fake)
	b := newBench(t, fake)
	c := b.ui.win.Canvas()
	for i, p := range b.ui.pages {
		c.(fyne.Shortcutable).TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyName(fmt.Sprint(i + 1)), Modifier: fyne.KeyModifierShortcutDefault})
		b.until(p.key, func() bool { return b.ui.current.Load() == p })
		b.until(p.key+" is read", b.sees(seenOn[p.key]))
		want := map[fyne.Focusable]bool{}
		for _, o := range uitest.Seen(p.object) {
			if f, ok := o.(fyne.Focusable); ok {
				if d, ok := o.(interface{ Disabled() bool }); !ok || !d.Disabled() {
					want[f] = true
				}
			}
		}
		if len(want) == 0 {
			t.Errorf("%s: nothing on it can be pressed", p.key)
		}
		c.Unfocus()
		for range 200 {
			c.FocusNext()
			delete(want, c.Focused())
			b.inSight(p, c.Focused())
		}
		for f := range want {
			t.Errorf("%s: Tab never comes to %T %+v", p.key, f, label(f))
		}
	}
}

// inSight fails if what has the focus on a page is scrolled out of sight.
func (b *bench) inSight(p *page, f fyne.Focusable) {
	b.t.Helper()
	o, ok := f.(fyne.CanvasObject)
	if !ok || !slices.Contains(uitest.Seen(p.object), o) {
		return
	}
	d := b.ui.app.Driver()
	top, height := d.AbsolutePositionForObject(o).Y, o.Size().Height
	if frame := d.AbsolutePositionForObject(p.object).Y; top < frame || top+height > frame+p.object.Size().Height+1 {
		b.t.Errorf("%s: the focus is on %T %q, out of sight at %v", p.key, f, label(f), top)
	}
}

// With the keyboard alone a screen is opened where a person would start.
func TestAScreenOpensOnItsFirstControl(t *testing.T) {
	fake := uitest.New()
	fill(fake)
	b := newBench(t, fake)
	c := b.ui.win.Canvas()
	for i, p := range b.ui.pages {
		c.(fyne.Shortcutable).TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyName(fmt.Sprint(i + 1)), Modifier: fyne.KeyModifierShortcutDefault})
		b.until(p.key+" is read", b.sees(seenOn[p.key]))
		if o, ok := c.Focused().(fyne.CanvasObject); !ok || !slices.Contains(uitest.Seen(p.object), o) {
			t.Errorf("%s: the focus is on %T, not on the screen", p.key, c.Focused())
		}
	}
}

func label(f fyne.Focusable) string {
	if l, ok := f.(interface{ Label() string }); ok {
		return l.Label()
	}
	return ""
}

var seenOn = map[string]string{
	"ui.requests": "Wants to delete q1", "ui.activity": "Codex", "ui.browsers": "Shop", "ui.capabilities": "Run scripts",
	"ui.vault": "GITHUB_TOKEN", "ui.connect": "Claude Code", "ui.settings": "Look",
}

func fill(f *uitest.Fake) {
	at := time.Date(2030, 1, 2, 11, 0, 0, 0, time.UTC)
	f.Asked = []model.Question{question("q1", at)}
	f.Done = []model.Call{{ID: "k1", At: at, Agent: model.Agent{Name: "Codex"}, Tool: "click", Target: "“Sign in”"}}
	f.Open = []model.Browser{{ID: "shop", Title: "Shop", Agent: model.Agent{Name: "Codex"}, Mode: model.Private, Opened: at}}
	f.Caps = []model.Capability{{Name: "read", On: true, Tools: 12}, {Name: "eval", Risky: true, Tools: 2, Risk: "Any script can run."}}
	f.Clients = []model.Program{{ID: "claude", Name: "Claude Code", Snippet: "claude mcp add", File: "/tmp/x"}}
	f.Let = []model.Paired{{ID: "1", Name: "Codex"}}
	f.At = model.Endpoint{URL: "http://127.0.0.1:7420/mcp", Token: "t"}
	f.Table = []model.Setting{{Key: "look", Label: "Look", Kind: model.Pick, Choices: []string{"a", "b"}, Value: "a"}, {Key: "n", Label: "N", Kind: model.Number, Value: "1"}, {Key: "b", Label: "B", Kind: model.Toggle, Value: "true"}}
	for i := range 30 {
		f.Table = append(f.Table, model.Setting{Key: fmt.Sprint("more", i), Label: fmt.Sprint("More ", i), Kind: model.Toggle, Value: "false"})
	}
	f.Lent = model.Vault{Place: model.InKeyring, Items: []model.Item{{ID: "s1", Kind: model.SecretItem, Alias: "GITHUB_TOKEN", Policy: "never-ask"}}}
	f.Granted = []model.Lease{{ID: "l1", What: "download files", Agent: model.Agent{Name: "Codex"}}}
}

// A hundred questions come and go from as many goroutines while the window is open, and it quits in the middle.
func TestAHundredQuestionsAtOnce(t *testing.T) {
	var said bytes.Buffer
	log.SetOutput(&said)
	defer log.SetOutput(log.Default().Writer())
	fake := uitest.New()
	b := newBench(t, fake)
	var all sync.WaitGroup
	for i := range 100 {
		all.Go(func() {
			id := fmt.Sprintf("q%03d", i)
			fake.Do(model.Questions, func() { fake.Asked = append(fake.Asked, question(id, b.now)) })
			fake.Do(model.Questions, func() {
				for k := range fake.Asked {
					if fake.Asked[k].ID == id && i%2 == 0 {
						fake.Asked[k].Phase, fake.Asked[k].EndedBy, fake.Asked[k].At = model.Ended, model.ByAgent, b.now
					}
				}
			})
		})
	}
	done := make(chan struct{})
	go func() { all.Wait(); close(done) }()
	b.until("all have come and gone", func() bool {
		select {
		case <-done:
			return true
		default:
			return false
		}
	})
	b.until("fifty wait", func() bool { return b.ui.shell.items[b.ui.pages[0]].BadgeLabel() == "50" })
	b.ui.leave()
	fake.Do(model.Questions, func() { fake.Asked = nil })
	b.ui.Show()
	b.queue.run()
	if got := b.ui.shell.items[b.ui.pages[0]].BadgeLabel(); got != "50" {
		t.Errorf("the window changed after it had quit: %q", got)
	}
	if strings.Contains(said.String(), "call thread") {
		t.Errorf("%s", said.String())
	}
}

func TestPauseIsOneClickAndSaysSo(t *testing.T) {
	fake := uitest.New()
	b := newBench(t, fake)
	b.until("the window", b.sees(assets.Say("ui.pause")))
	test.Tap(b.button(assets.Say("ui.pause")))
	b.until("paused", func() bool { return fake.State().Paused && b.sees(assets.Say("ui.paused"))() })
	test.Tap(b.button(assets.Say("ui.resume")))
	b.until("resumed", func() bool { return !fake.State().Paused && !b.sees(assets.Say("ui.paused"))() })
}

func TestClosingWithoutATrayDoesNotStrandTheApp(t *testing.T) {
	b := newBench(t, uitest.New())
	b.until("the notice", b.sees(assets.Say("ui.tray.none")))
	b.ui.closePressed()
	if !b.ui.visible.Load() {
		t.Fatal("the window went away before the person knew how to get it back")
	}
	test.Tap(b.button(assets.Say("ui.close")))
	if b.ui.visible.Load() {
		t.Fatal("the window did not close after the person said so")
	}
	b.ui.Show()
	b.queue.run()
	if !b.ui.visible.Load() {
		t.Fatal("a second start does not bring the window back")
	}
	b.ui.closePressed()
	if b.ui.visible.Load() {
		t.Error("the person was asked twice")
	}
}

func TestQuitAsksWhileAgentsWork(t *testing.T) {
	fake := uitest.New()
	b := newBench(t, fake)
	fake.Do(model.Agents, func() { fake.Now.Running = 1 })
	b.until("it is known that an agent works", func() bool { return b.ui.running.Load() == 1 })
	b.ui.quitPressed()
	if b.ui.bridge.closed.Load() {
		t.Fatal("it quit under a working agent without asking")
	}
	test.Tap(b.button(assets.Say("ui.quit.no")))
	if b.sees(assets.Say("ui.quit.ask"))() {
		t.Error("the question stayed after it was answered")
	}
	fake.Do(model.Agents, func() { fake.Now.Running = 0 })
	b.until("nobody works", func() bool { return b.ui.running.Load() == 0 })
	b.ui.quitPressed()
	if !b.ui.bridge.closed.Load() {
		t.Error("Quit did not quit")
	}
}

func TestThumbnailsAreTakenOnlyWhileTheyAreSeen(t *testing.T) {
	fake := uitest.New()
	fill(fake)
	b := newBench(t, fake)
	taken := func() (n int) { fake.Read(func() { n = fake.Pictures }); return n }
	b.until("the window", b.sees("Wants to delete q1"))
	b.later(time.Minute)
	b.queue.run()
	if taken() != 0 {
		t.Error("pictures were taken for another screen")
	}
	b.ui.open(b.ui.page("ui.browsers"))
	b.until("a picture", func() bool { return taken() > 0 })
	b.ui.hide()
	b.until("the last look is over", func() bool { return true })
	n := taken()
	b.later(time.Minute)
	for range 3 {
		b.ui.bridge.changed(model.Browsers)
		b.until("a reading", func() bool { return true })
	}
	if taken() > n+1 { // one look may have been under way
		t.Errorf("%d pictures were taken of what nobody sees", taken()-n)
	}
}
