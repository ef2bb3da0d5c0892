package desk

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chaperone/assets"
	"chaperone/browser"
	"chaperone/internal/connect"
	"chaperone/internal/settings"
	"chaperone/server"
	"chaperone/server/client"
	"chaperone/server/gate"
	"chaperone/server/journal"
	"chaperone/server/question"
	"chaperone/server/tool"
	"chaperone/ui/model"
	"chaperone/vault/keeper"
	"chaperone/vault/store"
)

// uses is where secrets were typed.
var uses []server.Use

type token struct{ value string }

func (t *token) Value() string { return t.value }
func (t *token) Renew() error  { t.value += "+"; return nil }

func newDesk(t *testing.T) (*Desk, *question.Broker, *journal.Journal) {
	t.Helper()
	settingsStore, err := settings.Open(t.TempDir(), func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	broker, answers := question.New(question.Config{})
	g := gate.New(gate.Config{Settings: settingsStore, Ask: broker})
	j := journal.New(journal.Config{})
	d := New(Config{
		Questions: broker, Answers: answers, Journal: j, Gate: g, Browsers: browser.New(browser.Config{}), Settings: settingsStore,
		Connect: &Clients{
			Home: t.TempDir(), Self: func() connect.Self {
				return connect.Self{Binary: "/opt/chaperone", Args: []string{"stdio"}, URL: "http://127.0.0.1:1/mcp"}
			},
			Token: &token{"t"}, Gate: g, Here: func() []string { return nil }, Told: func() {},
		},
		Tools: func(tool.Capability) int { return 3 }, Clients: func() int { return 1 }, Closed: func(string) {}, Exports: t.TempDir(),
		Keeper: keeper.New(keeper.Config{Folder: t.TempDir(), Keyring: store.NewMemory(), Place: func() keeper.Place { return keeper.Place(settingsStore.Text("vaultPlace")) }}),
		Uses:   func() []server.Use { return uses }, Hidden: func() map[string]int { return map[string]int{"API_KEY": 3} },
		Vaults: NewVaults(func(string) string { return "" }, func(s string) (string, error) { return s, nil }),
	})
	t.Cleanup(d.Close)
	t.Cleanup(g.Close)
	return d, broker, j
}

func TestAnswersReachWhoAsks(t *testing.T) {
	for _, c := range []struct {
		q    question.Question
		a    model.Answer
		want question.Answer
	}{
		{question.Question{Kind: question.Acknowledge}, model.Answer{Approved: true}, question.Answer{}},
		{question.Question{Kind: question.Confirm}, model.Answer{Approved: true, Note: "fine"}, question.Answer{Yes: true, Term: question.Once, Note: "fine"}},
		{question.Question{Kind: question.Confirm}, model.Answer{}, question.Answer{}},
		{question.Question{Kind: question.Policy, Terms: []question.Term{question.Once, question.ForHour}}, model.Answer{Approved: true, Grant: model.Hour}, question.Answer{Yes: true, Term: question.ForHour}},
		{question.Question{Kind: question.Choose, Choices: []string{"a", "b"}}, model.Answer{Approved: true, Choice: 1}, question.Answer{Choice: 1}},
		{question.Question{Kind: question.Input}, model.Answer{Approved: true, Text: "typed"}, question.Answer{Text: "typed"}},
		{question.Question{Kind: question.Input}, model.Answer{}, question.Answer{Declined: true}},
	} {
		d, broker, _ := newDesk(t)
		asked := make(chan struct{}, 10)
		stop := d.Watch(func(topic model.Topic) {
			if topic == model.Questions {
				asked <- struct{}{}
			}
		})
		got := make(chan question.Answer, 1)
		go func() {
			q := c.q
			q.Ask, q.Client, q.Timeout = "May I?", &client.Client{ID: "c1", Name: "Agent", Program: "/usr/bin/agent", PID: 7}, time.Minute
			a, err := broker.Ask(context.Background(), q)
			if err != nil {
				t.Error(err)
			}
			got <- a
		}()
		<-asked
		stop()
		open := d.Questions()
		if len(open) != 1 || open[0].Phase != model.Waiting || open[0].Agent.PID != 7 || open[0].Ask != "May I?" {
			t.Fatalf("open questions: %+v", open)
		}
		if err := d.Answer(open[0].ID, c.a); err != nil {
			t.Fatal(err)
		}
		if a := <-got; a != c.want {
			t.Errorf("%s: the agent got %+v, want %+v", c.q.Kind, a, c.want)
		}
		if past := d.Questions(); len(past) != 1 || past[0].Phase != model.Answered {
			t.Errorf("after the answer: %+v", past)
		}
		if err := d.Answer(open[0].ID, c.a); err == nil {
			t.Error("a question was answered twice")
		}
	}
}

func TestActivityIsWhatTheJournalHolds(t *testing.T) {
	d, _, j := newDesk(t)
	first := j.Begin(journal.Entry{Client: "Agent", Tool: "click", Target: "e1", Arguments: []byte(`{"ref":"e1"}`)})
	j.End(first, func(e *journal.Entry) {
		e.Outcome, e.Result, e.Millis = journal.OK, `{"ok":true,"navigation":{"to":"https://a.example/x"},"element":{"role":"button","name":"Send"}}`, 12
	})
	second := j.Begin(journal.Entry{Client: "Other", Tool: "fill"})
	j.End(second, func(e *journal.Entry) { e.Outcome, e.Error = journal.Failed, "covered by a banner" })
	j.Begin(journal.Entry{Client: "Other", Tool: "snapshot"})
	calls := d.Calls()
	if len(calls) != 3 || !calls[0].Running || !calls[1].Failed || calls[1].Outcome != "covered by a banner" || calls[2].Took != 12*time.Millisecond ||
		calls[2].Target != "“Send”" || calls[2].Origin != "https://a.example" {
		t.Errorf("calls: %+v", calls)
	}
	detail, err := d.Call(calls[2].ID)
	if err != nil || detail.Arguments != `{"ref":"e1"}` || !strings.HasPrefix(detail.Result, `{"ok":true`) {
		t.Errorf("detail: %+v, %v", detail, err)
	}
	file, err := d.Export(model.Filter{Failures: true})
	if err != nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile(file)
	if lines := strings.Split(strings.TrimSpace(string(data)), "\n"); len(lines) != 1 || !strings.Contains(lines[0], "banner") {
		t.Errorf("the export of failures:\n%s", data)
	}
	if info, _ := os.Stat(file); info.Mode().Perm() != 0o600 {
		t.Errorf("the export's mode is %v", info.Mode())
	}
}

func TestEverySettingAndCapabilityIsShown(t *testing.T) {
	d, _, _ := newDesk(t)
	shown := map[string]model.Setting{}
	for _, s := range d.Settings() {
		shown[s.Key] = s
		if strings.HasPrefix(s.Label, "desk.") || strings.HasPrefix(s.Group, "desk.") {
			t.Errorf("%s has no words: %q, %q", s.Key, s.Label, s.Group)
		}
	}
	for _, s := range settings.Table() {
		if _, ok := shown[s.Key]; !ok && s.Key != "capabilities" {
			t.Errorf("the setting %s is not shown", s.Key)
		}
	}
	if err := d.Set("actionTimeoutMs", "soon"); err == nil || !strings.Contains(err.Error(), assets.Say("desk.setting.actionTimeoutMs")) {
		t.Errorf("a wrong value: %v", err)
	}
	if err := d.Set("allowedOrigins", "https://a.example, https://*.b.example"); err != nil {
		t.Error(err)
	}
	if got := d.cfg.Settings.List("allowedOrigins"); len(got) != 2 {
		t.Errorf("allowed sites: %v", got)
	}
	if err := d.Switch("eval", true); err != nil {
		t.Fatal(err)
	}
	for _, c := range d.Capabilities() {
		if c.Name == "eval" && (!c.On || !c.Risky || c.Risk == "" || c.Source != model.FromPerson) {
			t.Errorf("eval: %+v", c)
		}
	}
}

func TestSettingsSpeakToAPerson(t *testing.T) {
	d, _, _ := newDesk(t)
	of := func(key string) (found model.Setting) {
		for _, s := range d.Settings() {
			if s.Key == key {
				found = s
			}
			if len(s.Labels) != len(s.Choices) {
				t.Errorf("%s: %d choices, %d words for them", s.Key, len(s.Choices), len(s.Labels))
			}
		}
		return found
	}
	if s := of("idleCloseMs"); s.Value != "120" || s.Default != "120" {
		t.Errorf("minutes: %+v", s)
	}
	if err := d.Set("actionTimeoutMs", "2,5"); err != nil || d.cfg.Settings.Int("", "actionTimeoutMs") != 2500 || of("actionTimeoutMs").Value != "2.5" {
		t.Errorf("2.5 seconds: %v, %+v", err, of("actionTimeoutMs"))
	}
	if err := d.Set("actionTimeoutMs", "4000"); err == nil || !strings.Contains(err.Error(), "from 0.001 to 3600") {
		t.Errorf("more than an hour: %v", err)
	}
	confirm := of("confirmRequired")
	if confirm.Kind != model.Many || !confirm.Chosen("byob_action") || confirm.Chosen("file_upload") || confirm.Labels[2] == confirm.Choices[2] {
		t.Errorf("%+v", confirm)
	}
	if err := d.Set("confirmRequired", confirm.With("file_upload")); err != nil || len(d.cfg.Settings.List("confirmRequired")) != 3 {
		t.Errorf("one more: %v, %v", err, d.cfg.Settings.List("confirmRequired"))
	}
}

func TestTheWindowIsAsThePersonWantsIt(t *testing.T) {
	d, _, _ := newDesk(t)
	if w := d.Wishes(); w != (model.Wishes{Theme: "system", CloseToTray: true, Notifications: true}) {
		t.Errorf("at first: %+v", w)
	}
	for key, value := range map[string]string{"theme": "dark", "closeToTray": "false", "notifications": "false"} {
		if err := d.Set(key, value); err != nil {
			t.Fatal(err)
		}
	}
	if w := d.Wishes(); w != (model.Wishes{Theme: "dark"}) {
		t.Errorf("afterwards: %+v", w)
	}
	if err := d.Set("theme", "pink"); err == nil {
		t.Error("a look that is none was kept")
	}
}

func TestClientsAreSetUp(t *testing.T) {
	d, _, _ := newDesk(t)
	c := d.UI().Connect
	var cursor model.Program
	for _, p := range c.Programs() {
		if p.ID == "cursor" {
			cursor = p
		}
	}
	change, err := c.Preview("cursor")
	if err != nil || filepath.Base(change.File) != "mcp.json" || cursor.Added {
		t.Fatalf("%+v, %v", change, err)
	}
	if err := c.Add("cursor", change); err != nil {
		t.Fatal(err)
	}
	for _, p := range c.Programs() {
		if p.ID == "cursor" && !p.Added {
			t.Error("the client that was added does not count as added")
		}
	}
	before := c.Endpoint().Token
	if err := c.Renew(); err != nil || c.Endpoint().Token == before {
		t.Errorf("renew: %v, token %q", err, c.Endpoint().Token)
	}
}
