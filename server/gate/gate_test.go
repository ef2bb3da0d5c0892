package gate

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chaperone/assets"
	"chaperone/internal/settings"
	"chaperone/server/client"
	"chaperone/server/question"
	"chaperone/server/tool"
)

// person answers what is asked, and remembers it.
type person struct {
	mu     sync.Mutex
	asked  []question.Question
	answer question.Answer
	err    error
	block  bool
}

func (p *person) Ask(ctx context.Context, q question.Question) (question.Answer, error) {
	p.mu.Lock()
	p.asked = append(p.asked, q)
	answer, err, block := p.answer, p.err, p.block
	p.mu.Unlock()
	if block {
		<-ctx.Done()
		return question.Answer{}, context.Cause(ctx)
	}
	return answer, err
}

func (p *person) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.asked)
}

type world struct {
	*Gate
	person *person
	store  *settings.Store
	at     map[string]string // session → address
}

func newWorld(t *testing.T, pair bool, env ...string) *world {
	t.Helper()
	return openWorld(t, t.TempDir(), pair, env...)
}

func openWorld(t *testing.T, dir string, pair bool, env ...string) *world {
	t.Helper()
	store, err := settings.Open(dir, func(name string) string {
		for i := 0; i+1 < len(env); i += 2 {
			if env[i] == name {
				return env[i+1]
			}
		}
		return ""
	})
	if err != nil {
		t.Fatal(err)
	}
	w := &world{person: &person{}, store: store, at: map[string]string{}}
	w.Gate = New(Config{Settings: store, Ask: w.person, Where: func(s string) string { return w.at[s] }, Pair: pair})
	t.Cleanup(w.Close)
	return w
}

var (
	agentA    = &client.Client{ID: "c1", Name: "A", Program: "/bin/a", Transport: "socket"}
	agentB    = &client.Client{ID: "c2", Name: "B", Program: "/bin/b", Transport: "socket"}
	visiting  = tool.Info{Name: "navigate", Needs: tool.Navigation, Pages: true}
	clicking  = tool.Info{Name: "click", Needs: tool.Action, Pages: true, Site: true}
	reading   = tool.Info{Name: "get_config", Needs: tool.Read, AnySession: true}
	scripting = tool.Info{Name: "eval_js", Needs: tool.Eval}
)

// visit lets a client open an address, and leaves again.
func (w *world) visit(ctx context.Context, c *client.Client, address string) error {
	p, err := w.Enter(ctx, Call{Tool: visiting, Client: c, Session: "s-" + c.ID, Visits: []string{address}})
	if err == nil {
		w.at[p.Session] = address
		p.Leave()
	}
	return err
}

func (w *world) click(ctx context.Context, c *client.Client) error {
	p, err := w.Enter(ctx, Call{Tool: clicking, Client: c, Session: "s-" + c.ID})
	if err == nil {
		p.Leave()
	}
	return err
}

func code(err error) Code {
	var r *Refusal
	if errors.As(err, &r) {
		return r.Code
	}
	return Code(fmt.Sprint(err))
}

func TestOrigins(t *testing.T) {
	w := newWorld(t, false, "BROWX_ALLOWED_ORIGINS", "https://app.test,https://*.example.com,http://localhost:3000", "BROWX_BLOCKED_ORIGINS", "https://bad.example.com,https://*.evil.test",
		"BROWX_CONFIRM_REQUIRED", "none")
	for address, want := range map[string]Code{
		"https://app.test/x?y": "", "https://APP.test:443/": "", "https://app.test./": "", "https://a.example.com": "", "https://a.b.example.com/": "", "http://localhost:3000/x": "", "about:blank": "",
		"https://app.test:8443/": SiteNotListed, "http://app.test/": SiteNotListed, "https://sub.app.test/": SiteNotListed, "https://example.com/": SiteNotListed,
		"https://aexample.com/": SiteNotListed, "https://example.com.evil.org/": SiteNotListed, "https://u:p@evil.org/": SiteNotListed, "https://app.test@evil.org/": SiteNotListed,
		"http://localhost:3001": SiteNotListed, "data:text/html,x": SiteNotListed, "blob:https://evil.org/1": SiteNotListed, "blob:https://app.test/1": "", "file:///etc/passwd": SiteNotListed,
		"https://bad.example.com/": SiteBlocked, "https://x.evil.test/": SiteBlocked, "https://bad。example.com/": SiteBlocked, "https://ｂａｄ.example.com": SiteBlocked, "https://BAD.example.com.": SiteBlocked,
		"http://0x7f.1/": BadURL, "http://2130706433/": BadURL, "http://127.1/": BadURL, "http://127.0.0.1/": SiteNotListed, "http://[::1]/": SiteNotListed,
		"https://evil.org\\@app.test/": BadURL, "https:///evil.org": BadURL, "https:app.test": BadURL, "https://app.test%2eevil.org": BadURL, "https://ap\tp.test": BadURL, "https://a_b.test/": SiteNotListed,
		"": BadURL, "app.test": BadURL, "localhost:3000": BadURL, "https://": BadURL, "ht tp://x": BadURL, "https://[::1": BadURL, "http://%zz": BadURL,
		"javascript:alert(1)": BadURL, "chrome://settings": BadURL, "view-source:https://app.test": BadURL, "about:settings": BadURL, "devtools://x": BadURL,
	} {
		if err := w.visit(t.Context(), agentA, address); want == "" && err != nil || want != "" && code(err) != want {
			t.Errorf("%q: %v, want %q", address, err, want)
		}
	}
	if w.person.count() != 0 {
		t.Errorf("the person was asked %v", w.person.asked)
	}
}

func TestOffList(t *testing.T) {
	w := newWorld(t, false, "BROWX_ALLOWED_ORIGINS", "https://app.test,http://localhost:3000", "BROWX_BLOCKED_ORIGINS", "https://bad.test")
	for address, off := range map[string]bool{"https://app.test/x": false, "wss://app.test/socket": false, "https://cdn.test/x.js": true, "https://bad.test/": true, "http://app.test/": true, "data:text/plain,x": false, "blob:https://app.test/1": false} {
		if w.OffList(address) != off {
			t.Errorf("%s: %v", address, !off)
		}
	}
	if w := newWorld(t, false); w.OffList("https://any.test/") {
		t.Error("without a list something is off it")
	}
}

func TestNoListAllowsAllButFiles(t *testing.T) {
	w := newWorld(t, false)
	w.person.answer = question.Answer{}
	for address, ok := range map[string]bool{"https://any.test/": true, "data:text/html,x": true, "file:///etc/passwd": false} {
		if err := w.visit(t.Context(), agentA, address); (err == nil) != ok {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// An unparsable address is refused at once and never asked, also where the person would be asked about other sites.
func TestBadURLIsNotAsked(t *testing.T) {
	w := newWorld(t, false, "BROWX_ALLOWED_ORIGINS", "https://app.test")
	w.person.answer = question.Answer{Yes: true}
	if err := w.visit(t.Context(), agentA, "https://[::1"); code(err) != BadURL || w.person.count() != 0 {
		t.Errorf("%v, asked %d times", err, w.person.count())
	}
}

func TestTerms(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, false, "BROWX_ALLOWED_ORIGINS", "https://app.test")
		say := func(term question.Term) { w.person.answer = question.Answer{Yes: true, Term: term} }
		asks := func(want int, do func() error) {
			t.Helper()
			before := w.person.count()
			if err := do(); err != nil {
				t.Error(err)
			}
			if got := w.person.count() - before; got != want {
				t.Errorf("asked %d times, want %d", got, want)
			}
		}
		off := func() error { return w.visit(t.Context(), agentA, "https://off.test/") }
		home := func() error { return w.visit(t.Context(), agentA, "https://app.test/") }
		work := func() error { return w.click(t.Context(), agentA) }
		// Once: work on the page needs no second yes; coming back does.
		say(question.Once)
		asks(1, off)
		asks(0, work)
		asks(0, work)
		asks(0, home)
		asks(0, work)
		asks(1, off)
		// A link that leads to another site off the list asks before work goes on there.
		w.at["s-c1"] = "https://elsewhere.test/"
		asks(1, work)
		if q := w.person.asked[len(w.person.asked)-1]; q.Site != "https://elsewhere.test" || q.Scope != "navigate_off_allowlist" || q.Client != agentA {
			t.Errorf("asked %+v", q)
		}
		// For an hour.
		say(question.ForHour)
		asks(1, off)
		asks(0, home)
		asks(0, off)
		asks(1, func() error { return w.visit(t.Context(), agentB, "https://off.test/") })
		time.Sleep(time.Hour)
		asks(0, home)
		// For the session.
		say(question.ForSession)
		asks(1, off)
		asks(0, home)
		asks(0, off)
		w.SessionClosed("s-c1")
		delete(w.at, "s-c1")
		asks(1, off)
		w.SessionClosed("s-c1")
		// A no.
		w.person.answer = question.Answer{Note: "use the shop"}
		if err := off(); code(err) != Denied || !strings.Contains(err.Error(), "use the shop") {
			t.Errorf("%v", err)
		}
	})
}

// R035: choose always for host A, restart the app, ask again for A, B and a.A.
func TestAlways(t *testing.T) {
	dir := t.TempDir()
	env := []string{"BROWX_ALLOWED_ORIGINS", "https://app.test"}
	first := openWorld(t, dir, false, env...)
	first.person.answer = question.Answer{Yes: true, Term: question.Always}
	if err := first.visit(t.Context(), agentA, "https://host-a.test/"); err != nil {
		t.Fatal(err)
	}
	again := openWorld(t, dir, false, env...)
	back := &client.Client{ID: "c9", Name: "A", Program: "/bin/a", Transport: "socket"}
	for _, test := range []struct {
		who     *client.Client
		address string
		ok      bool
	}{
		{back, "https://host-a.test/", true}, {back, "https://host-b.test/", false}, {back, "https://a.host-a.test/", false}, {back, "http://host-a.test/", false}, {agentB, "https://host-a.test/", false},
	} {
		if err := again.visit(t.Context(), test.who, test.address); (err == nil) != test.ok {
			t.Errorf("%s by %s: %v", test.address, test.who.Name, err)
		}
	}
	list := again.Decisions()
	if len(list) != 1 || list[0].Site != "https://host-a.test" || list[0].Tool != "navigate" || list[0].Client != "A (/bin/a)" || list[0].At.IsZero() {
		t.Fatalf("%+v", list)
	}
	if err := again.Revoke(list[0]); err != nil {
		t.Fatal(err)
	}
	if err := again.visit(t.Context(), back, "https://host-a.test/"); code(err) != Denied {
		t.Errorf("after it was revoked: %v", err)
	}
}

func TestLeases(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, false, "BROWX_ALLOWED_ORIGINS", "https://app.test")
		w.person.answer = question.Answer{Yes: true}
		leases, err := w.Approve(t.Context(), agentA, "default", []string{"navigate_off_allowlist", "file_upload"}, 10*time.Minute)
		if err != nil || len(leases) != 2 {
			t.Fatalf("%v, %v", leases, err)
		}
		if q := w.person.asked[0]; !strings.Contains(q.Ask, "upload files") || !strings.Contains(q.Ask, "10m0s") {
			t.Errorf("asked %q", q.Ask)
		}
		w.person.answer = question.Answer{}
		for range 3 {
			if err := w.visit(t.Context(), agentA, "https://off.test/"); err != nil {
				t.Error(err)
			}
		}
		if l := w.Leases(agentA); l[0].Uses != 3 || l[1].Uses != 0 {
			t.Errorf("%+v", l)
		}
		if err := w.visit(t.Context(), agentB, "https://off.test/"); code(err) != Denied || len(w.Leases(agentB)) != 0 {
			t.Errorf("another client used the lease: %v", err)
		}
		time.Sleep(10 * time.Minute)
		if err := w.visit(t.Context(), agentA, "https://off.test/"); code(err) != Denied || len(w.Leases(agentA)) != 0 {
			t.Errorf("after its end: %v", err)
		}
		if _, err := w.Approve(t.Context(), agentA, "default", []string{"everything"}, time.Hour); err == nil || !strings.Contains(err.Error(), "file_upload") {
			t.Errorf("%v", err)
		}
		if _, err := w.Approve(t.Context(), agentA, "default", []string{"file_upload"}, time.Hour); code(err) != Denied {
			t.Errorf("%v", err)
		}
	})
}

func TestOwners(t *testing.T) {
	w := newWorld(t, false)
	enter := func(c *client.Client, session string) (string, error) {
		p, err := w.Enter(t.Context(), Call{Tool: visiting, Client: c, Session: session})
		if err != nil {
			return "", err
		}
		p.Leave()
		return p.Session, nil
	}
	want := func(c *client.Client, session, got string) {
		t.Helper()
		if s, err := enter(c, session); err != nil || s != got {
			t.Errorf("%s of %s is %q (%v), want %q", session, c.Name, s, err, got)
		}
	}
	// R066: each client has its own default.
	want(agentA, "default", "default")
	want(agentB, "default", "default-2")
	want(agentA, "default", "default")
	want(agentB, "default", "default-2")
	want(agentA, "work", "work")
	if _, err := enter(agentB, "work"); code(err) != NotYours || w.person.count() != 1 {
		t.Errorf("%v", err)
	}
	if !strings.Contains(w.person.asked[0].Ask, "“work”") || !strings.Contains(w.person.asked[0].Ask, "A") {
		t.Errorf("asked %q", w.person.asked[0].Ask)
	}
	if _, err := enter(agentB, "default-2"); err != nil {
		t.Errorf("its own session by its full name: %v", err)
	}
	w.person.answer = question.Answer{Yes: true, Term: question.ForSession}
	want(agentB, "work", "work")
	want(agentB, "work", "work")
	if w.person.count() != 2 {
		t.Errorf("asked %d times", w.person.count())
	}
	w.person.answer = question.Answer{}
	// The same program comes again after its connection ended, and finds its sessions; another one does not.
	w.ClientGone("c1", func(string) bool { return true })
	if _, err := enter(&client.Client{ID: "c7", Name: "C", Program: "/bin/c"}, "work"); code(err) != NotYours {
		t.Errorf("%v", err)
	}
	back := &client.Client{ID: "c8", Name: "A", Program: "/bin/a", Transport: "socket"}
	want(back, "work", "work")
	want(back, "default", "default")
	if name, id := w.Owner("work"); name != "A" || id != "c8" {
		t.Errorf("owner %s %s", name, id)
	}
	// Tools that concern no page ask nobody.
	if p, err := w.Enter(t.Context(), Call{Tool: reading, Client: agentB, Session: "work"}); err != nil {
		t.Error(err)
	} else {
		p.Leave()
	}
}

func TestTakeOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, false)
		mine, err := w.Enter(t.Context(), Call{Tool: clicking, Client: agentA, Session: "one"})
		if err != nil {
			t.Fatal(err)
		}
		other, _ := w.Enter(t.Context(), Call{Tool: clicking, Client: agentA, Session: "two"})
		defer other.Leave()
		w.TakeOver("one")
		if code(context.Cause(mine.Context)) != TakenOver || other.Context.Err() != nil {
			t.Errorf("%v, %v", context.Cause(mine.Context), other.Context.Err())
		}
		mine.Leave()
		if !w.Taken("one") || w.Taken("two") {
			t.Error("the wrong one is taken")
		}
		entered := make(chan *Pass, 1)
		go func() {
			p, err := w.Enter(t.Context(), Call{Tool: clicking, Client: agentA, Session: "one"})
			if err != nil {
				t.Error(err)
			}
			entered <- p
		}()
		free, err := w.Enter(t.Context(), Call{Tool: reading, Client: agentA, Session: "one"})
		if err != nil {
			t.Fatal(err)
		}
		free.Leave()
		synctest.Wait()
		select {
		case <-entered:
			t.Fatal("it was let in while the person has the browser")
		default:
		}
		w.HandBack("one")
		p := <-entered
		if !strings.Contains(p.Notice, "handed it back") {
			t.Errorf("notice %q", p.Notice)
		}
		p.Leave()
	})
}

// Pausing stops a call that waits for a yes, and its question with it.
func TestPauseStopsQuestions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, false, "BROWX_ALLOWED_ORIGINS", "https://app.test")
		w.person.block = true
		done := make(chan error, 1)
		go func() { done <- w.visit(t.Context(), agentA, "https://off.test") }()
		synctest.Wait()
		if w.person.count() != 1 {
			t.Fatal("not asked")
		}
		w.Pause()
		if err := <-done; code(err) != Paused || !Stops(err) {
			t.Errorf("%v", err)
		}
	})
}

func TestCapabilities(t *testing.T) {
	w := newWorld(t, false)
	_, err := w.Enter(t.Context(), Call{Tool: scripting, Client: agentA})
	var r *Refusal
	if !errors.As(err, &r) || r.Code != CapabilityOff || r.Capability != tool.Eval {
		t.Fatalf("%v", err)
	}
	told := 0
	w.Subscribe(func() { told++ })
	if err := w.SetCapability(tool.Eval, true); err != nil {
		t.Fatal(err)
	}
	p, err := w.Enter(t.Context(), Call{Tool: scripting, Client: agentA})
	if err != nil || told == 0 {
		t.Fatalf("%v, told %d times", err, told)
	}
	for _, c := range w.Capabilities() {
		if c.Name == tool.Eval && (!c.On || c.By != settings.FromUser || c.Since.IsZero() || c.Locked != "") {
			t.Errorf("%+v", c)
		}
	}
	if err := w.SetCapability(tool.Eval, false); err != nil {
		t.Fatal(err)
	}
	if code(context.Cause(p.Context)) != CapabilityOff {
		t.Errorf("the running call: %v", context.Cause(p.Context))
	}
	p.Leave()
	if err := w.SetCapability("nope", true); err == nil {
		t.Error("an unknown capability was switched on")
	}
	locked := newWorld(t, false, "BROWX_CAPABILITIES", "read,eval")
	for _, c := range locked.Capabilities() {
		if c.Name == tool.Eval && (!c.On || c.By != settings.FromEnvironment || c.Locked != "BROWX_CAPABILITIES") {
			t.Errorf("%+v", c)
		}
	}
	if err := locked.SetCapability(tool.Action, true); err == nil || !strings.Contains(err.Error(), "BROWX_CAPABILITIES") {
		t.Errorf("%v", err)
	}
}

// The settings know capabilities and scopes by name only; the names are the same.
func TestNamesAgree(t *testing.T) {
	setting, _ := settings.Find("capabilities")
	var names, usual []string
	for _, c := range tool.Capabilities() {
		names = append(names, string(c.Name))
	}
	for _, c := range tool.DefaultCapabilities() {
		usual = append(usual, string(c))
	}
	if !slices.Equal(names, setting.Enum) || !slices.Equal(usual, setting.Default.([]string)) {
		t.Errorf("%v and %v, %v and %v", names, setting.Enum, usual, setting.Default)
	}
	for _, s := range settings.Scopes {
		if key := "server.scope." + s; assets.Say(key) == key {
			t.Errorf("%s has no words", s)
		}
	}
}

func TestPairing(t *testing.T) {
	dir := t.TempDir()
	w := openWorld(t, dir, true)
	if err := w.visit(t.Context(), agentA, "https://a.test"); code(err) != NotPaired || w.person.asked[0].Kind != question.Pairing {
		t.Errorf("%v", err)
	}
	if err := w.visit(t.Context(), &client.Client{ID: "c0", Name: "parent", Transport: "stdio"}, "https://a.test"); err != nil {
		t.Errorf("the client that started us: %v", err)
	}
	w.person.answer = question.Answer{Yes: true}
	for range 3 {
		if err := w.visit(t.Context(), agentA, "https://a.test"); err != nil {
			t.Fatal(err)
		}
	}
	if w.person.count() != 2 {
		t.Errorf("asked %d times", w.person.count())
	}
	again := openWorld(t, dir, true)
	if err := again.visit(t.Context(), &client.Client{ID: "c5", Name: "A", Program: "/bin/a", Transport: "socket"}, "https://a.test"); err != nil || again.person.count() != 0 {
		t.Errorf("after a restart: %v", err)
	}
	list := again.Paired()
	if len(list) != 1 || list[0].Name != "A" || list[0].FirstSeen.IsZero() {
		t.Fatalf("%+v", list)
	}
	if err := again.Forget(list[0].Identity); err != nil {
		t.Fatal(err)
	}
	if err := again.visit(t.Context(), &client.Client{ID: "c6", Name: "A", Program: "/bin/a", Transport: "socket"}, "https://a.test"); code(err) != NotPaired {
		t.Errorf("forgotten, but: %v", err)
	}
	liar := &client.Client{ID: "c7", Name: "A", Program: "/tmp/evil", Transport: "socket"}
	if err := w.visit(t.Context(), liar, "https://a.test"); err != nil || w.person.count() != 3 {
		t.Errorf("another program of the same name was not asked about")
	}
}

func TestClosing(t *testing.T) {
	w := newWorld(t, false)
	p, err := w.Enter(t.Context(), Call{Tool: clicking, Client: agentA, Session: "one"})
	if err != nil {
		t.Fatal(err)
	}
	w.Close()
	if code(context.Cause(p.Context)) != Ending {
		t.Errorf("%v", context.Cause(p.Context))
	}
	p.Leave()
	if _, err := w.Enter(t.Context(), Call{Tool: clicking, Client: agentA, Session: "one"}); code(err) != Ending {
		t.Errorf("%v", err)
	}
}

func TestConcurrent(t *testing.T) {
	w := newWorld(t, false)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			c := &client.Client{ID: fmt.Sprint("c", i), Name: "n", Program: "/p"}
			for range 200 {
				if p, err := w.Enter(t.Context(), Call{Tool: clicking, Client: c, Session: "default"}); err == nil {
					p.Leave()
				} else {
					t.Error(err)
				}
			}
		})
	}
	stop := make(chan struct{})
	go func() {
		for {
			select {
			case <-stop:
				return
			default:
				w.Pause()
				w.Running()
				w.Resume()
			}
		}
	}()
	wg.Wait()
	close(stop)
	if len(w.Running()) != 0 {
		t.Errorf("%v", w.Running())
	}
}

func FuzzVisit(f *testing.F) {
	for _, s := range []string{"https://app.test/", "https://app.test@evil.org/", "https://evil.org\\@app.test/", "https://app.test%2eevil.org", "//app.test", "https:app.test"} {
		f.Add(s)
	}
	allowed := patterns([]string{"https://app.test"})
	f.Fuzz(func(t *testing.T, s string) {
		u, refusal := parseVisit(s)
		if refusal != nil || !anyMatches(allowed, u) {
			return
		}
		again, err := url.Parse(u.String())
		if err != nil || strings.TrimSuffix(strings.ToLower(again.Hostname()), ".") != "app.test" {
			t.Errorf("%q counts as app.test", s)
		}
	})
}
