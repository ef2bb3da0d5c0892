package tools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"chaperone/browser"
	"chaperone/internal/settings"
	"chaperone/server"
	"chaperone/server/question"
	"chaperone/server/tools"
	"chaperone/vault/keeper"
	"chaperone/vault/origin"
	"chaperone/vault/provider"
	"chaperone/vault/store"

	mcpclient "github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
)

// rig is a server with a real browser, and a client of it. One browser serves all tests; each test has a session of its own.
type rig struct {
	t       *testing.T
	server  *server.Server
	store   *settings.Store
	client  *mcpclient.Client
	kept    *keeper.Keeper
	session string
}

type args = map[string]any

// result is what a call came to.
type result struct {
	failed bool
	text   string
	json   map[string]any
	images []mcp.ImageContent
}

var rigs struct {
	sync.Mutex
	browser *browser.Browser
	dir     string
}

func TestMain(m *testing.M) {
	code := m.Run()
	if rigs.browser != nil {
		rigs.browser.Close(context.Background())
		_ = os.RemoveAll(rigs.dir)
	}
	os.Exit(code)
}

// newRig starts a server over the shared browser process table. env are variables of the environment and their values.
func newRig(t *testing.T, env ...string) *rig {
	t.Helper()
	rigs.Lock()
	if rigs.browser == nil {
		dir, err := os.MkdirTemp("", "chaperone-tools-")
		if err != nil {
			t.Fatal(err)
		}
		rigs.dir = dir
		rigs.browser = browser.New(browser.Config{Profiles: filepath.Join(dir, "profiles"), Temp: filepath.Join(dir, "tmp"), Downloads: filepath.Join(dir, "downloads"), NoSandbox: os.Getuid() == 0})
	}
	rigs.Unlock()
	getenv := func(name string) string {
		for i := 0; i+1 < len(env); i += 2 {
			if env[i] == name {
				return env[i+1]
			}
		}
		if name == "BROWX_HEADLESS" {
			return "1"
		}
		return ""
	}
	settled, err := settings.Open("", getenv)
	if err != nil {
		t.Fatal(err)
	}
	kept := keeper.New(keeper.Config{})
	s, err := server.New(server.Config{Version: "test", Settings: settled, Browser: rigs.browser, Workspace: t.TempDir(), Vault: kept, Credentials: func(allow func(context.Context, store.Item) error) (*provider.Hook, error) {
		hook, _, err := provider.New(provider.Config{Getenv: getenv, Own: kept, Allow: allow, ParseOrigin: func(s string) (string, error) { o, err := origin.Parse(s); return string(o), err }})
		return hook, err
	}})
	if err != nil {
		t.Fatal(err)
	}
	c, err := mcpclient.NewInProcessClient(s.MCP())
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	var init mcp.InitializeRequest
	init.Params.ProtocolVersion = mcp.LATEST_PROTOCOL_VERSION
	init.Params.ClientInfo = mcp.Implementation{Name: "test", Version: "1"}
	if _, err := c.Initialize(t.Context(), init); err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, server: s, store: settled, client: c, kept: kept, session: "t-" + strings.ToLower(strings.NewReplacer("/", "-", "#", "-").Replace(t.Name()))}
	if len(r.session) > 60 {
		r.session = r.session[:60]
	}
	t.Cleanup(func() {
		r.try("close_session", nil)
		_ = c.Close()
		_ = s.Close(context.Background())
	})
	r.do("open_session", args{"mode": "incognito"})
	return r
}

// try calls a tool in the session of the test.
func (r *rig) try(name string, a args) result {
	r.t.Helper()
	var call mcp.CallToolRequest
	call.Params.Name = name
	all := args{"session": r.session}
	for k, v := range a {
		all[k] = v
	}
	call.Params.Arguments = all
	ctx, cancel := context.WithTimeout(context.Background(), 90*time.Second)
	defer cancel()
	reply, err := r.client.CallTool(ctx, call)
	if err != nil {
		r.t.Fatalf("%s: %v", name, err)
	}
	out := result{failed: reply.IsError}
	for _, c := range reply.Content {
		switch c := c.(type) {
		case mcp.TextContent:
			out.text += c.Text
		case mcp.ImageContent:
			out.images = append(out.images, c)
		}
	}
	_ = json.Unmarshal([]byte(out.text), &out.json)
	return out
}

// do calls a tool that has to work.
func (r *rig) do(name string, a args) result {
	r.t.Helper()
	out := r.try(name, a)
	if out.failed {
		r.t.Fatalf("%s %v: %s", name, a, out.text)
	}
	return out
}

// refuse calls a tool that must not work, and looks for words in what it says.
func (r *rig) refuse(name string, a args, words ...string) result {
	r.t.Helper()
	out := r.try(name, a)
	if !out.failed || out.json["ok"] != false || out.json["error"] == "" || out.json["hint"] == "" {
		r.t.Errorf("%s %v: %s", name, a, out.text)
	}
	for _, w := range words {
		if !strings.Contains(out.text, w) {
			r.t.Errorf("%s %v does not say %q: %s", name, a, w, out.text)
		}
	}
	return out
}

// at walks into the JSON of a result.
func (r result) at(path ...any) any {
	var v any = r.json
	for _, p := range path {
		switch key := p.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[key]
		case int:
			l, _ := v.([]any)
			if key >= len(l) {
				return nil
			}
			v = l[key]
		}
	}
	return v
}

// site serves pages, and keeps what they report.
func site(t *testing.T, pages map[string]string) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		page, ok := pages[q.URL.Path]
		if !ok {
			http.NotFound(w, q)
			return
		}
		if to, ok := strings.CutPrefix(page, "redirect:"); ok {
			http.Redirect(w, q, to, http.StatusFound)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, page)
	}))
	t.Cleanup(s.Close)
	return s
}

func TestSessionsAndTabs(t *testing.T) {
	r := newRig(t)
	s := site(t, map[string]string{"/a": "<title>Page A</title><h1>A</h1><a href=/b>to b</a>", "/b": "<title>Page B</title><h1>B</h1>"})
	got := r.do("navigate", args{"url": s.URL + "/a?token=abc#frag"})
	if got.at("navigation", "kind") != "full_load" || got.at("navigation", "to") != s.URL+"/a?…#…" || strings.Contains(got.text, "abc") {
		t.Errorf("%s", got.text)
	}
	r.do("navigate", args{"url": s.URL + "/b"})
	if got := r.do("go_back", nil); !strings.HasPrefix(fmt.Sprint(got.at("navigation", "to")), s.URL+"/a") {
		t.Errorf("%s", got.text)
	}
	if got := r.do("go_forward", nil); got.at("navigation", "to") != s.URL+"/b" {
		t.Errorf("%s", got.text)
	}
	r.do("reload", nil)
	got = r.do("tabs", args{"action": "new", "url": s.URL + "/b"})
	if got.at("tabs", 1, "current") != true {
		t.Errorf("%s", got.text)
	}
	id := got.at("current")
	got = r.do("tabs", args{"action": "close", "id": id})
	if got.at("current") != nil || got.at("hint") == nil {
		t.Errorf("%s", got.text)
	}
	r.refuse("console_read", nil, "tabs")
	r.refuse("tabs", args{"action": "select", "id": "t99"}, "t99", "t1")
	r.do("tabs", args{"action": "select", "id": "t1"})
	got = r.do("list_sessions", nil)
	if got.at("sessions", 0, "id") != r.session || got.at("sessions", 0, "mode") != "incognito" || got.at("sessions", 0, "owner") != "local" {
		t.Errorf("%s", got.text)
	}
	r.do("set_viewport", args{"width": "900", "height": 600})
	r.do("close_session", nil)
	r.refuse("console_read", nil, r.session, "open_session")
}

// R052: the browser is killed between two calls. The next one says so, and the one after works.
func TestBrowserKilled(t *testing.T) {
	r := newRig(t)
	s := site(t, map[string]string{"/": "<p>here</p>"})
	kill := func() {
		t.Helper()
		open, err := rigs.browser.Session(r.session)
		if err != nil {
			t.Fatal(err)
		}
		p, err := os.FindProcess(open.PID())
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Kill(); err != nil {
			t.Fatal(err)
		}
		<-open.Ended()
	}
	r.do("navigate", args{"url": s.URL})
	kill()
	r.refuse("snapshot", nil, "has ended", "navigate")
	r.do("navigate", args{"url": s.URL})
	r.do("close_session", nil)
	r.do("open_session", args{"mode": "incognito"})
	kill()
	if got := r.do("navigate", args{"url": s.URL}); !strings.Contains(got.text, "was started again") {
		t.Errorf("%s", got.text)
	}
}

func TestClientGone(t *testing.T) {
	r := newRig(t)
	open, err := rigs.browser.Session(r.session)
	if err != nil {
		t.Fatal(err)
	}
	r.server.ClientGone("someone else")
	r.server.ClientGone("local")
	r.do("list_sessions", nil)
	select {
	case <-open.Ended():
		t.Fatal("it was closed though nobody wanted that")
	default:
	}
	r.do("console_read", nil)
	if err := r.store.Set("closeWithClient", true); err != nil {
		t.Fatal(err)
	}
	r.server.ClientGone("local")
	select {
	case <-open.Ended():
	case <-time.After(20 * time.Second):
		t.Error("the browser is still open")
	}
}

func TestNavigationErrors(t *testing.T) {
	r := newRig(t)
	closed := site(t, nil)
	closed.Close()
	secret := strings.Replace(closed.URL, "://", "://u:hunter2@", 1) + "/x?t=hunter2"
	if out := r.refuse("navigate", args{"url": secret}, "ERR_CONNECTION_REFUSED", "Nothing listens"); strings.Contains(out.text, "hunter2") {
		t.Errorf("%s", out.text)
	}
	r.refuse("navigate", args{"url": "javascript:alert(1)"}, "cannot be opened")
	r.refuse("navigate", args{"url": "not a url"})
	r.refuse("go_back", args{"session": "no-such"}, "no-such", "open_session")
}

func TestSitesOffTheList(t *testing.T) {
	off := site(t, map[string]string{"/": "<title>Off</title><h1>Off the list</h1>"})
	on := site(t, map[string]string{"/": "<h1>On the list</h1>", "/away": "redirect:" + off.URL + "/"})
	r := newRig(t, "BROWX_ALLOWED_ORIGINS", on.URL, "BROWX_CONFIRM_REQUIRED", "none")
	r.do("navigate", args{"url": on.URL + "/"})
	r.refuse("navigate", args{"url": off.URL + "/"}, "not on the person's list")
	// A redirect leads off the list: what is there is not shown.
	if out := r.try("navigate", args{"url": on.URL + "/away"}); strings.Contains(out.text, "Off the list") {
		t.Errorf("%s", out.text)
	}
	r.refuse("console_read", nil, off.URL)
	r.do("go_back", nil)
	r.do("console_read", nil)
}

func TestConfig(t *testing.T) {
	r := newRig(t)
	if got := r.do("get_config", args{"key": "actionTimeoutMs"}); got.at("settings", "actionTimeoutMs", "value") != 5000.0 || got.at("settings", "actionTimeoutMs", "does") == nil {
		t.Errorf("%s", got.text)
	}
	if got := r.do("set_config", args{"key": "actionTimeoutMs", "value": 9000}); got.at("from") != "session" {
		t.Errorf("%s", got.text)
	}
	if got := r.do("get_config", nil); got.at("settings", "actionTimeoutMs", "value") != 9000.0 || got.at("settings", "closeToTray") != nil {
		t.Errorf("%s", got.text)
	}
	r.do("reset_config", nil)
	if got := r.do("get_config", args{"key": "actionTimeoutMs"}); got.at("settings", "actionTimeoutMs", "from") != "default" {
		t.Errorf("%s", got.text)
	}
	r.refuse("set_config", args{"key": "capabilities", "value": "read,eval"}, "Nobody can answer")
	r.refuse("set_config", args{"key": "actionTimeout", "value": 1}, "did you mean actionTimeoutMs")
	r.refuse("set_config", args{"key": "actionTimeoutMs", "value": 0}, "1 to 3600000")
	r.refuse("get_config", args{"key": "httpAddr"}, "httpAddr")
}

func TestToolsets(t *testing.T) {
	r := newRig(t)
	got := r.do("toolsets", nil)
	if got.at("sets", 0, "name") != "session" || got.at("sets", 0, "on") != true {
		t.Errorf("%s", got.text)
	}
	r.do("toolsets", args{"set": "people", "on": "false"})
	list, err := r.client.ListTools(t.Context(), mcp.ListToolsRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tl := range list.Tools {
		if tl.Name == "await_human" {
			t.Error("await_human is still listed")
		}
	}
	r.refuse("toolsets", args{"set": "nope", "on": true}, "session")
}

func TestBatch(t *testing.T) {
	r := newRig(t)
	s := site(t, map[string]string{"/a": "<title>A</title><script>console.log('hello from a')</script>"})
	got := r.do("batch", args{"calls": []args{{"tool": "navigate", "args": args{"url": s.URL + "/a"}, "label": "go"}, {"tool": "console_read"}, {"tool": "get_config", "args": `{"key":"headless"}`}}})
	if got.at("results", 0, "label") != "go" || got.at("results", 0, "result", "ok") != true || !strings.Contains(got.text, "hello from a") || got.at("results", 2, "ok") != true {
		t.Errorf("%s", got.text)
	}
	got = r.refuse("batch", args{"calls": []args{{"tool": "no_such_tool"}, {"tool": "console_read"}}}, "1 of 1 calls failed", "no tool")
	if got.at("left") != 1.0 {
		t.Errorf("%s", got.text)
	}
	got = r.refuse("batch", args{"calls": []args{{"tool": "tabs", "args": args{"acton": "list"}}, {"tool": "console_read"}}, "stopOnError": false}, "did you mean action")
	if got.at("left") != 0.0 || got.at("results", 1, "ok") != true {
		t.Errorf("%s", got.text)
	}
	r.refuse("batch", args{"calls": []args{{"tool": "batch", "args": args{}}}}, "another batch")
	r.refuse("batch", args{"calls": []args{}}, "from 1 to 50")
	entries := r.server.Journal().Entries(0)
	names := ""
	for _, e := range entries {
		names += e.Tool + " "
	}
	if !strings.Contains(names, "batch navigate console_read get_config") {
		t.Errorf("journal: %s", names)
	}
}

func TestActing(t *testing.T) {
	r := newRig(t)
	s := site(t, map[string]string{"/": `<title>Form</title><body><h1>Order</h1>
<form onsubmit="event.preventDefault(); document.getElementById('out').textContent = 'sent ' + this.name.value + ' ' + this.size.value + ' ' + this.pw.value.length">
<label>Name <input name=name></label> <label>Size <select name=size><option value=s>Small<option value=l>Large</select></label>
<label>Password <input type=password name=pw></label> <button>Send</button></form><p id=out></p>
<button onclick="alert('careful')">Alert</button><button onclick="fetch('/api?token=abc',{method:'POST'})">Post</button>
<a href=/next>Next</a><div style="height:3000px"></div><button id=far>Far</button></body>`, "/next": "<title>Next</title><h1>Next page</h1>", "/api": "{}"})
	got := r.do("navigate", args{"url": s.URL + "/"})
	if !strings.Contains(fmt.Sprint(got.at("snapshotDelta", "tree")), "Order") || got.at("navigation", "kind") != "full_load" {
		t.Errorf("%s", got.text)
	}
	page := r.do("snapshot", nil)
	if page.json != nil || !strings.HasPrefix(page.text, "url: "+s.URL+"/\ntitle: Form\nstats: ") {
		t.Errorf("%s", page.text)
	}
	got = r.do("find", args{"query": "name field"})
	ref := got.at("candidates", 0, "ref")
	got = r.do("fill", args{"target": ref, "value": "Ada"})
	if got.at("element", "value") != "Ada" || got.at("action", "type") != "fill" || got.at("action", "ref") != ref {
		t.Errorf("%s", got.text)
	}
	r.do("name_ref", args{"name": "the name", "ref": ref})
	if got := r.do("fill", args{"named": "the name", "value": 4821}); got.at("element", "value") != "4821" {
		t.Errorf("%s", got.text)
	}
	r.refuse("fill", args{"named": "other", "value": "x"}, "the name")
	got = r.do("fill_form", args{"fields": []args{{"selector": "[name=name]", "value": "Ada"}, {"selector": "[name=pw]", "value": "hunter2"}}})
	if strings.Contains(got.text, "hunter2") {
		t.Errorf("%s", got.text)
	}
	got = r.do("fill", args{"selector": "[name=pw]", "value": "hunter2"})
	if got.at("action", "value") != "filled" || got.at("element", "value") != "filled" || strings.Contains(got.text, "hunter2") {
		t.Errorf("%s", got.text)
	}
	if got := r.do("select", args{"selector": "select", "values": "Large"}); got.at("element", "value") != "Large" {
		t.Errorf("%s", got.text)
	}
	got = r.do("click", args{"selector": "role=button[name=Send]"})
	if !strings.Contains(got.text, "sent Ada l 7") {
		t.Errorf("the result does not show what the page shows: %s", got.text)
	}
	if got := r.do("text_search", args{"text": "SENT ada"}); got.at("count") != 1.0 {
		t.Errorf("%s", got.text)
	}
	if got := r.refuse("click", args{"selector": "text=Alert"}, "careful", "set_dialog_policy"); got.at("dialogs", 0, "message") != "careful" {
		t.Errorf("%s", got.text)
	}
	r.do("set_dialog_policy", args{"mode": "accept"})
	if got := r.do("click", args{"selector": "text=Alert"}); got.at("dialogs", 0, "accepted") != true {
		t.Errorf("%s", got.text)
	}
	got = r.do("click", args{"selector": "text=Post", "mode": "none"})
	if got.at("network", "mutations", 0, "urlPattern") != s.URL+"/api" || strings.Contains(got.text, "abc") || got.at("snapshotDelta") != nil {
		t.Errorf("%s", got.text)
	}
	if got := r.do("scroll", args{"to": "bottom"}); got.at("element", "scroll", "atEnd") != true {
		t.Errorf("%s", got.text)
	}
	r.refuse("scroll", nil, "say where")
	r.do("wait_for", args{"selector": "#far"})
	r.refuse("wait_for", args{"text": "never seen", "timeoutMs": 300}, "never seen")
	r.refuse("click", args{"ref": "e99999"}, "e99999", "snapshot")
	r.refuse("click", args{"selector": "#far", "coords": args{"x": 1, "y": 1}}, "only one of")
	shot := r.do("screenshot", args{"format": "jpeg", "describe": true})
	if len(shot.images) != 1 || shot.images[0].MIMEType != "image/jpeg" || len(shot.images[0].Data) < 1000 || strings.Contains(shot.text, shot.images[0].Data[:100]) || shot.at("tree") == nil {
		t.Errorf("%s", shot.text)
	}
	if got := r.do("screenshot", args{"path": "one.png"}); len(got.images) != 0 || got.at("path") != "screenshots/one.png" {
		t.Errorf("%s", got.text)
	}
	r.refuse("screenshot", args{"path": "../one.png"}, "..")
	r.refuse("screenshot", args{"path": "run.sh"}, "picture")
	got = r.do("click", args{"selector": "text=Next"})
	if got.at("navigation", "to") != s.URL+"/next" || !strings.Contains(fmt.Sprint(got.at("snapshotDelta", "tree")), "Next page") {
		t.Errorf("%s", got.text)
	}
	r.refuse("fill", args{"target": ref, "value": "x"}, "no longer there")
	// What was typed into the password field is in no line of the journal; what went into others is.
	var lines strings.Builder
	if err := r.server.Journal().Export(&lines); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(lines.String(), "hunter2") || !strings.Contains(lines.String(), `"value":4821`) {
		t.Errorf("journal: %s", lines.String())
	}
}

// ask calls await_human and has do answer the card.
func (r *rig) ask(a args, do func(question.Card)) result {
	r.t.Helper()
	return r.ask2("await_human", a, do)
}

// ask2 is ask for another tool that asks the person.
func (r *rig) ask2(name string, a args, do func(question.Card)) result {
	r.t.Helper()
	done := make(chan result, 1)
	go func() { done <- r.try(name, a) }()
	deadline := time.Now().Add(20 * time.Second)
	for {
		if cards := r.server.Questions().Cards(); len(cards) == 1 {
			do(cards[0])
			return <-done
		}
		if time.Now().After(deadline) {
			r.t.Fatal("no card was opened")
		}
		select {
		case out := <-done:
			return out
		case <-time.After(5 * time.Millisecond):
		}
	}
}

func TestPeople(t *testing.T) {
	r := newRig(t)
	s := site(t, map[string]string{"/": `<title>Pick</title><body style="margin:0"><button style="position:absolute;left:0;top:0;width:200px;height:100px" onclick="document.title='clicked'">Choose me</button></body>`})
	r.do("navigate", args{"url": s.URL + "/?secret=1"})
	r.refuse("await_human", args{"kind": "confirm", "prompt": "go on?"}, "Nobody can answer")
	defer r.server.Answerer().Attend()()
	answer := func(a question.Answer) func(question.Card) {
		return func(c question.Card) {
			if c.Question.Site != s.URL || c.Question.Session != r.session {
				t.Errorf("the card is about %s in %s", c.Question.Site, c.Question.Session)
			}
			if err := r.server.Answerer().Answer(c.ID, a); err != nil {
				t.Error(err)
			}
		}
	}
	for _, test := range []struct {
		args   args
		answer question.Answer
		want   any
	}{
		{args{"prompt": "Please sign in"}, question.Answer{}, nil},
		{args{"kind": "confirm", "prompt": "Send it?"}, question.Answer{Yes: true}, true},
		{args{"kind": "confirm", "prompt": "Send it all?"}, question.Answer{}, false},
		{args{"kind": "choose", "prompt": "Which?", "choices": []string{"a", "b"}}, question.Answer{Choice: 1}, 1.0},
		{args{"kind": "input", "prompt": "The code?"}, question.Answer{Text: "123456"}, "123456"},
	} {
		got := r.ask(test.args, answer(test.answer))
		if got.failed || got.at("value") != test.want || got.at("timedOut") != false {
			t.Errorf("%v: %s", test.args, got.text)
		}
		if kind, ok := test.args["kind"]; ok && got.at("kind") != kind {
			t.Errorf("%v: %s", test.args, got.text)
		}
	}
	got := r.ask(args{"kind": "input", "prompt": "Your PIN?"}, answer(question.Answer{Declined: true, Note: "no"}))
	if got.at("declined") != true || got.at("note") != "no" || got.at("value") != nil {
		t.Errorf("%s", got.text)
	}
	if got := r.do("await_human", args{"prompt": "Quick?", "timeoutMs": 50}); got.at("timedOut") != true || got.at("kind") != "acknowledge" {
		t.Errorf("%s", got.text)
	}
	r.refuse("await_human", args{"kind": "choose", "prompt": "Which?"}, "from 2 to 20")
	r.refuse("await_human", args{"kind": "confirm"}, "prompt is missing")
	r.refuse("await_human", args{"requestId": "w-nope"}, "w-nope")
	// The person points at an element: the page does not hear of the click.
	got = r.ask(args{"kind": "pick_element", "prompt": "Which button?"}, func(question.Card) {
		open, err := rigs.browser.Session(r.session)
		if err != nil {
			t.Fatal(err)
		}
		tab, err := open.Current()
		if err != nil {
			t.Fatal(err)
		}
		for len(r.server.Questions().Cards()) > 0 {
			click := []browser.MouseEvent{{Type: "move", X: 50, Y: 50}, {Type: "down", X: 50, Y: 50}, {Type: "up", X: 50, Y: 50}}
			if err := tab.Mouse(t.Context(), click...); err != nil {
				t.Fatal(err)
			}
		}
	})
	if got.failed || got.at("kind") != "pick_element" || got.at("value") == nil {
		t.Fatalf("%s", got.text)
	}
	if got := r.do("click", args{"ref": got.at("value")}); got.at("element", "name") != "Choose me" {
		t.Errorf("%s", got.text)
	}
	got = r.ask2("approve_actions", args{"scopes": []string{"file_upload"}, "ttlSeconds": 60}, answerYes(r))
	if got.at("approvals", 0, "scope") != "file_upload" || got.at("approvals", 0, "remainingMs") == nil {
		t.Errorf("%s", got.text)
	}
	if got := r.do("list_approvals", nil); got.at("approvals", 0, "scope") != "file_upload" {
		t.Errorf("%s", got.text)
	}
	got = r.ask2("set_config", args{"key": "capabilities", "value": []string{"read", "navigation", "action", "human", "eval"}}, answerYes(r))
	if got.failed || !strings.Contains(got.text, "eval") {
		t.Errorf("%s", got.text)
	}
}

func answerYes(r *rig) func(question.Card) {
	return func(c question.Card) {
		if err := r.server.Answerer().Answer(c.ID, question.Answer{Yes: true}); err != nil {
			r.t.Error(err)
		}
	}
}

// R100: every tool takes a call without arguments, with none, and with nulls, without a panic or a protocol error.
func TestEveryToolWithoutArguments(t *testing.T) {
	short, err := newRig(t).client.ListTools(t.Context(), mcp.ListToolsRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if len(short.Tools) != 37 {
		t.Errorf("%d tools are listed", len(short.Tools))
	}
	r := newRig(t, "BROWX_TOOLSETS", "all", "BROWX_CAPABILITIES", withCredentials+",eval,network-body")
	list, err := r.client.ListTools(t.Context(), mcp.ListToolsRequest{})
	if err != nil {
		t.Fatal(err)
	}
	every := 0
	for _, set := range tools.Declared() {
		every += len(set.Tools)
	}
	if len(list.Tools) != every {
		t.Errorf("%d of %d tools are listed where all are asked for", len(list.Tools), every)
	}
	for _, tl := range list.Tools {
		switch tl.Name {
		case "close_session", "open_session":
			continue // they would open and close the default session
		}
		nulls := args{}
		for name := range tl.InputSchema.Properties {
			nulls[name] = nil
		}
		nulls["session"], nulls["timeoutMs"] = r.session, 500
		if _, has := tl.InputSchema.Properties["timeoutMs"]; !has {
			delete(nulls, "timeoutMs")
		}
		for _, a := range []args{nil, nulls} {
			out := r.try(tl.Name, a)
			if strings.Contains(out.text, "defect") || out.text == "" {
				t.Errorf("%s %v: %s", tl.Name, a, out.text)
			}
			if required := tl.InputSchema.Required; len(required) > 0 && (!out.failed || !strings.Contains(out.text, required[0])) {
				t.Errorf("%s %v does not name %s: %s", tl.Name, a, required[0], out.text)
			}
		}
	}
}
