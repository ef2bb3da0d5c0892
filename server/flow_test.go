package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"chaperone/internal/settings"
	"chaperone/server/client"
	"chaperone/server/journal"
	"chaperone/server/question"
	"chaperone/server/tool"
	"chaperone/vault"
	"chaperone/vault/registry"

	mcpclient "github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

type echoArgs struct {
	tool.InSession
	tool.Timed
	Text string `json:"text,omitempty" jsonschema:"a text"`
}

type trip struct {
	mu    sync.Mutex
	steps []string
}

func (t *trip) add(s string) {
	t.mu.Lock()
	t.steps = append(t.steps, s)
	t.mu.Unlock()
}

// probes are tools for tests of the flow.
func probes(t *trip, ask func() *question.Broker, hang <-chan struct{}) []tool.Set {
	return []tool.Set{
		tool.NewSet("probe", "Tools for tests.", true,
			tool.New(tool.Info{Name: "echo", Title: "Echo", Does: "Says it again.", Needs: tool.Read}, func(_ context.Context, a echoArgs) (tool.Result, error) {
				t.add("handler")
				return tool.Result{Value: map[string]any{"ok": true, "text": a.Text, "session": a.Session}}, nil
			}),
			tool.New(tool.Info{Name: "panics", Title: "Panic", Does: "Panics.", Needs: tool.Read}, func(context.Context, echoArgs) (tool.Result, error) {
				panic("at https://u:hunter2@a.test/?k=hunter2")
			}),
			tool.New(tool.Info{Name: "fails", Title: "Fail", Does: "Fails.", Needs: tool.Read}, func(context.Context, echoArgs) (tool.Result, error) {
				return tool.Result{}, errors.New("https://u:hunter2@a.test/?k=hunter2 is not there")
			}),
			tool.New(tool.Info{Name: "works", Title: "Work", Does: "Works until it is stopped.", Needs: tool.Action, Effect: tool.Changes, Pages: true}, func(ctx context.Context, _ echoArgs) (tool.Result, error) {
				t.add("began")
				<-ctx.Done()
				return tool.Result{}, ctx.Err()
			}),
			tool.New(tool.Info{Name: "hangs", Title: "Hang", Does: "Hears nothing.", Needs: tool.Read}, func(context.Context, echoArgs) (tool.Result, error) {
				t.add("began")
				<-hang
				return tool.Result{}, nil
			}),
			tool.New(tool.Info{Name: "asks", Title: "Ask", Does: "Asks the person.", Needs: tool.Human, Limit: tool.Unlimited}, func(ctx context.Context, a echoArgs) (tool.Result, error) {
				t.add("asking")
				answer, err := ask().Ask(ctx, question.Question{Kind: question.Confirm, Ask: "May I? https://a.test/?k=v", Timeout: 5 * time.Minute})
				if err != nil {
					return tool.Result{}, err
				}
				t.add("asked")
				return tool.Result{Value: map[string]any{"ok": true, "value": answer.Yes}}, nil
			}),
		),
		tool.NewSet("more", "Others.", false,
			tool.New(tool.Info{Name: "extra", Title: "Extra", Does: "Is not listed by default.", Needs: tool.Read}, func(context.Context, echoArgs) (tool.Result, error) {
				return tool.Result{Text: "url: https://a.test/?k=v\n- text"}, nil
			}),
			tool.New(tool.Info{Name: "script", Title: "Script", Does: "Needs a risky capability.", Needs: tool.Eval}, func(context.Context, echoArgs) (tool.Result, error) {
				return tool.Result{Value: map[string]any{"ok": true}}, nil
			}),
			tool.New(tool.Info{Name: "await_human", Title: "Fetch", Does: "Fetches.", Needs: tool.Human}, func(context.Context, fetchArgs) (tool.Result, error) {
				return tool.Result{}, errors.New("not a fetch")
			}),
		),
	}
}

type fetchArgs struct {
	tool.InSession
	RequestID string `json:"requestId,omitempty" jsonschema:"of a pending result"`
}

func (a *fetchArgs) PicksUp() string { return a.RequestID }

// start returns a server with the probes, and its trip.
func start(t *testing.T, change func(*Config)) (*Server, *trip) {
	t.Helper()
	store, err := settings.Open("", func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	steps := &trip{}
	var s *Server
	hang := make(chan struct{})
	cfg := Config{Version: "test", Settings: store, Sets: probes(steps, func() *question.Broker { return s.questions }, hang)}
	if change != nil {
		change(&cfg)
	}
	s, err = New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { close(hang); _ = s.Close(context.Background()) })
	return s, steps
}

// as is ctx of a client.
func as(ctx context.Context, id string) context.Context {
	return client.With(ctx, &client.Client{ID: id, Name: "agent " + id, Transport: "socket", Program: "/usr/bin/agent", PID: 42})
}

func (s *Server) try(ctx context.Context, name, args string) map[string]any {
	reply := s.call(ctx, request{tool: name, args: json.RawMessage(args), caller: &question.Caller{}})
	var got map[string]any
	if reply.JSON == nil {
		return map[string]any{"text": reply.Text, "failed": reply.Failed}
	}
	if err := json.Unmarshal(reply.JSON, &got); err != nil {
		panic(err)
	}
	got["failed"] = reply.Failed
	return got
}

// The order of the flow: what enters the journal is masked before the handler runs, and the reply before it is noted and sent.
func TestFlowOrder(t *testing.T) {
	steps := &trip{}
	s, handler := start(t, nil)
	if err := s.registry.Register(registry.Entry{Alias: "PW", Session: "default", Client: "c1", Source: registry.Agent, Secret: vault.NewSecret("PW", "hunter2")}); err != nil {
		t.Fatal(err)
	}
	s.journal.Subscribe(func(e journal.Entry) { steps.add(fmt.Sprintf("%s %s %s", e.Outcome, e.Arguments, e.Result)) })
	got := s.try(as(t.Context(), "c1"), "echo", `{"text":"hunter2"}`)
	if got["text"] != "<PW>" || got["session"] != "default" || got["failed"] != false {
		t.Errorf("%v", got)
	}
	order := strings.Join(steps.steps, "; ")
	if !strings.HasPrefix(order, `running {"text":"<PW>"}`) || !strings.Contains(order, `; ok {"text":"<PW>"} {"ok":true`) || strings.Contains(order, "hunter2") || len(handler.steps) != 1 {
		t.Errorf("order: %s; handler: %v", order, handler.steps)
	}
	e := s.journal.Entries(0)[0]
	if string(e.Arguments) != `{"text":"<PW>"}` || !strings.Contains(e.Result, "<PW>") || e.Client != "agent c1" || e.Program != "/usr/bin/agent" || e.PID != 42 || e.Tokens == 0 {
		t.Errorf("%+v", e)
	}
}

// The journal names the browser that a call worked on, which is not always the one that it named.
func TestJournalNamesTheSession(t *testing.T) {
	s, steps := start(t, nil)
	for _, id := range []string{"c1", "c2"} {
		go s.try(as(t.Context(), id), "works", `{"timeoutMs":200}`)
		waitFor(t, func() bool { return steps.count("began") == len(s.journal.Entries(0)) && steps.has("began") })
	}
	waitFor(t, func() bool { return len(s.journal.Entries(0)) == 2 })
	waitFor(t, func() bool {
		e := s.journal.Entries(0)
		return e[0].Session == "default" && e[1].Session == "default-2"
	})
	waitFor(t, func() bool {
		e := s.journal.Entries(0)
		return e[1].Outcome == journal.Failed && e[1].Session == "default-2"
	})
}

func TestRefusalsLeaveByTheDoor(t *testing.T) {
	for _, test := range []struct {
		tool, args string
		want       map[string]any // of the reply
		words      string         // in the error
		outcome    journal.Outcome
	}{
		{"echo", `{"txet":"x"}`, map[string]any{"code": "bad-arguments"}, `no argument "txet" (did you mean text?)`, journal.Refused},
		{"script", `{}`, map[string]any{"code": "capability-off", "requiredCapability": "eval"}, "capability eval is switched off in Chaperone", journal.Refused},
		{"ecoh", `{}`, map[string]any{"code": "unknown-tool"}, `no tool "ecoh" (did you mean echo?)`, journal.Refused},
		{"panics", `{}`, nil, "a defect of its own", journal.Failed},
		{"fails", `{}`, nil, "https://a.test/?… is not there", journal.Failed},
		{"asks", `{}`, map[string]any{"code": "nobody-there"}, "Nobody can answer", journal.Refused},
		{"works", `{"timeoutMs":20}`, nil, "not done within 20 ms", journal.Failed},
		{"hangs", `{"timeoutMs":20}`, nil, "not done within 20 ms", journal.Failed},
		{"await_human", `{"requestId":"w-1"}`, map[string]any{"code": "unknown-request"}, "no call waits", journal.Refused},
	} {
		t.Run(test.tool, func(t *testing.T) {
			s, _ := start(t, nil)
			begin := time.Now()
			got := s.try(as(t.Context(), "c1"), test.tool, test.args)
			if took := time.Since(begin); took > 2*time.Second {
				t.Errorf("it took %v", took)
			}
			if got["ok"] != false || got["failed"] != true || got["hint"] == "" || got["hint"] == nil || got["tokensEstimate"] == nil {
				t.Errorf("%v", got)
			}
			for k, v := range test.want {
				if got[k] != v {
					t.Errorf("%s is %v, want %v", k, got[k], v)
				}
			}
			if text := fmt.Sprint(got["error"]); !strings.Contains(text, test.words) || strings.Contains(text, "hunter2") {
				t.Errorf("error: %s", text)
			}
			entries := s.journal.Entries(0)
			if len(entries) != 1 || entries[0].Outcome != test.outcome {
				t.Errorf("journal: %+v", entries)
			}
		})
	}
}

// What a switched-off tool says must not sound as if a person were asked (R032).
func TestCapabilityWords(t *testing.T) {
	s, _ := start(t, nil)
	got := s.try(t.Context(), "script", `{}`)
	text := strings.ToLower(fmt.Sprint(got["error"], got["hint"]))
	for _, bad := range []string{"wait", "confirm", "approve", "human", "pending"} {
		if strings.Contains(text, bad) {
			t.Errorf("%q is in %q", bad, text)
		}
	}
	for _, good := range []string{"eval", "capabilities", "no prompt is open"} {
		if !strings.Contains(text, good) {
			t.Errorf("%q is not in %q", good, text)
		}
	}
}

func TestPauseWithin100ms(t *testing.T) {
	for _, name := range []string{"works", "hangs"} {
		t.Run(name, func(t *testing.T) {
			s, steps := start(t, nil)
			done := make(chan map[string]any, 1)
			go func() { done <- s.try(as(t.Context(), "c1"), name, `{"timeoutMs":600000}`) }()
			waitFor(t, func() bool { return len(s.gate.Running()) == 1 && steps.has("began") })
			begin := time.Now()
			s.gate.Pause()
			got := <-done
			if took := time.Since(begin); took > 100*time.Millisecond {
				t.Errorf("it was stopped after %v", took)
			}
			if got["code"] != "paused" || s.journal.Entries(0)[0].Outcome != journal.Stopped {
				t.Errorf("%v, %+v", got, s.journal.Entries(0))
			}
			held := make(chan map[string]any, 1)
			go func() { held <- s.try(as(t.Context(), "c1"), "echo", `{}`) }()
			other := make(chan map[string]any, 1)
			go func() { other <- s.try(as(t.Context(), "c2"), "echo", `{}`) }()
			waitFor(t, func() bool { return len(s.journal.Entries(0)) == 3 })
			select {
			case got := <-held:
				t.Fatalf("not held: %v", got)
			case got := <-other:
				t.Fatalf("not held: %v", got)
			case <-time.After(30 * time.Millisecond):
			}
			s.gate.Resume()
			if got := <-held; got["ok"] != true || !strings.Contains(fmt.Sprint(got["notice"]), "may have changed") {
				t.Errorf("after the pause: %v", got)
			}
			if got := <-other; got["ok"] != true || got["notice"] != nil {
				t.Errorf("a client that was not here before: %v", got)
			}
		})
	}
}

func (t *trip) count(step string) (n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, s := range t.steps {
		if s == step {
			n++
		}
	}
	return n
}

func (t *trip) has(step string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, s := range t.steps {
		if s == step {
			return true
		}
	}
	return false
}

func waitFor(t *testing.T, fact func() bool) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for !fact() {
		if time.Now().After(deadline) {
			t.Fatal("it did not come to pass")
		}
		time.Sleep(time.Millisecond)
	}
}

func TestSwitchedOffStopsRunning(t *testing.T) {
	s, steps := start(t, nil)
	done := make(chan map[string]any, 1)
	go func() { done <- s.try(t.Context(), "works", `{"timeoutMs":600000}`) }()
	waitFor(t, func() bool { return steps.has("began") })
	if err := s.gate.SetCapability(tool.Action, false); err != nil {
		t.Fatal(err)
	}
	if got := <-done; got["code"] != "capability-off" || got["requiredCapability"] != "action" {
		t.Errorf("%v", got)
	}
}

// R067: browsers that no agent uses are closed, but not one in which a call waits, nor one that the person has taken over.
func TestIdle(t *testing.T) {
	s, steps := start(t, nil)
	go s.try(t.Context(), "works", `{"session":"busy","timeoutMs":600000}`)
	waitFor(t, func() bool { return steps.has("began") })
	s.gate.TakeOver("taken")
	now := time.Now()
	s.now = func() time.Time { return now }
	list := []used{{"old", now.Add(-time.Hour)}, {"new", now.Add(-time.Minute)}, {"busy", now.Add(-time.Hour)}, {"taken", now.Add(-time.Hour)}}
	if got := s.idle(list, 30*time.Minute); fmt.Sprint(got) != "[old]" {
		t.Errorf("idle: %v", got)
	}
	if got := s.idle(list, 0); got != nil {
		t.Errorf("never: %v", got)
	}
}

func TestCancelled(t *testing.T) {
	s, steps := start(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan map[string]any, 1)
	go func() { done <- s.try(ctx, "works", `{"timeoutMs":600000}`) }()
	waitFor(t, func() bool { return steps.has("began") })
	cancel()
	<-done
	waitFor(t, func() bool { return len(s.gate.Running()) == 0 })
}

// connect returns a client of one protocol era in this process.
func connect(t *testing.T, s *Server, legacy bool, options ...mcpclient.ClientOption) *mcpclient.Client {
	t.Helper()
	if legacy {
		options = append(options, mcpclient.WithLegacyProtocolOnly())
	}
	c, err := mcpclient.NewInProcessClientWithOptions(s.MCP(), options...)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	var init mcp.InitializeRequest
	init.Params.ProtocolVersion = mcp.LATEST_PROTOCOL_VERSION
	if legacy {
		init.Params.ProtocolVersion = "2025-06-18"
	}
	init.Params.ClientInfo = mcp.Implementation{Name: "test", Version: "1"}
	if _, err := c.Initialize(t.Context(), init); err != nil {
		t.Fatal(err)
	}
	return c
}

func eras(t *testing.T, test func(t *testing.T, legacy bool)) {
	for name, legacy := range map[string]bool{"2026-07-28": false, "2025-06-18": true} {
		t.Run(name, func(t *testing.T) { test(t, legacy) })
	}
}

func names(t *testing.T, c *mcpclient.Client) string {
	t.Helper()
	list, err := c.ListTools(t.Context(), mcp.ListToolsRequest{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tl := range list.Tools {
		names = append(names, tl.Name)
	}
	return strings.Join(names, " ")
}

func toolCall(name string, args any) mcp.CallToolRequest {
	var r mcp.CallToolRequest
	r.Params.Name, r.Params.Arguments = name, args
	return r
}

func TestProtocol(t *testing.T) {
	eras(t, func(t *testing.T, legacy bool) {
		s, _ := start(t, nil)
		c := connect(t, s, legacy)
		if (c.ProtocolVersion() == "2026-07-28") == legacy {
			t.Fatalf("protocol %s", c.ProtocolVersion())
		}
		if got := names(t, c); got != "asks echo fails hangs panics works" {
			t.Errorf("listed: %s", got)
		}
		r, err := c.CallTool(t.Context(), toolCall("echo", map[string]any{"text": "hi"}))
		if err != nil {
			t.Fatal(err)
		}
		text := r.Content[0].(mcp.TextContent).Text
		structured, _ := json.Marshal(r.StructuredContent)
		var a, b map[string]any
		if json.Unmarshal([]byte(text), &a) != nil || json.Unmarshal(structured, &b) != nil || fmt.Sprint(a) != fmt.Sprint(b) || a["text"] != "hi" || r.IsError || len(r.Content) != 1 {
			t.Errorf("text %s, structured %s", text, structured)
		}
		// A tool of a set that is not listed can be called all the same, and plain text has no structured content.
		r, err = c.CallTool(t.Context(), toolCall("extra", nil))
		if err != nil || r.StructuredContent != nil || r.Content[0].(mcp.TextContent).Text != "url: https://a.test/?…\n- text" {
			t.Errorf("%+v, %v", r, err)
		}
		r, err = c.CallTool(t.Context(), toolCall("script", nil))
		if err != nil || !r.IsError || !strings.Contains(r.Content[0].(mcp.TextContent).Text, `"requiredCapability":"eval"`) {
			t.Errorf("%+v, %v", r, err)
		}
		r, err = c.CallTool(t.Context(), toolCall("panics", nil))
		if err != nil || !r.IsError || strings.Contains(r.Content[0].(mcp.TextContent).Text, "hunter2") {
			t.Errorf("%+v, %v", r, err)
		}
	})
}

func TestListChanged(t *testing.T) {
	s, _ := start(t, nil)
	c := connect(t, s, true)
	changed := make(chan struct{}, 10)
	c.OnNotification(func(n mcp.JSONRPCNotification) {
		if n.Method == string(mcp.MethodNotificationToolsListChanged) {
			changed <- struct{}{}
		}
	})
	for _, step := range []struct {
		do   func() error
		want string
	}{
		{func() error { return s.gate.SetCapability(tool.Action, false) }, "asks echo fails hangs panics"},
		{func() error { return s.gate.SetCapability(tool.Action, true) }, "asks echo fails hangs panics works"},
		{func() error { return s.Switch(whoAsks(t.Context()), "more", true) }, "asks await_human echo extra fails hangs panics works"},
		{func() error { return s.gate.SetCapability(tool.Eval, true) }, "asks await_human echo extra fails hangs panics script works"},
		{func() error { return s.Switch(whoAsks(t.Context()), "probe", false) }, "await_human extra script"},
	} {
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		select {
		case <-changed:
		case <-time.After(5 * time.Second):
			t.Fatal("no list_changed came")
		}
		if got := names(t, c); got != step.want {
			t.Errorf("listed: %s, want %s", got, step.want)
		}
	}
	if err := s.Switch(whoAsks(t.Context()), "moer", true); err == nil || !strings.Contains(err.Error(), "did you mean more?") {
		t.Errorf("%v", err)
	}
}

func TestProgress(t *testing.T) {
	eras(t, func(t *testing.T, legacy bool) {
		s, _ := start(t, nil)
		defer s.answerer.Attend()()
		c := connect(t, s, legacy)
		got := make(chan map[string]any, 10)
		c.OnNotification(func(n mcp.JSONRPCNotification) {
			if n.Method == "notifications/progress" {
				got <- n.Params.AdditionalFields
			}
		})
		call := toolCall("asks", nil)
		call.Params.Meta = &mcp.Meta{ProgressToken: "tok"}
		done := make(chan *mcp.CallToolResult, 1)
		go func() {
			r, err := c.CallTool(context.Background(), call)
			if err != nil {
				t.Error(err)
			}
			done <- r
		}()
		last := 0.0
		for range 2 {
			select {
			case p := <-got:
				n, _ := p["progress"].(float64)
				if i, ok := p["progress"].(int64); ok {
					n = float64(i)
				}
				if p["progressToken"] != "tok" || n <= last || p["message"] == "" {
					t.Errorf("%v after %v", p, last)
				}
				last = n
			case <-time.After(10 * time.Second):
				t.Fatal("no progress")
			}
		}
		if err := s.answerer.Answer(s.questions.Cards()[0].ID, question.Answer{Yes: true}); err != nil {
			t.Fatal(err)
		}
		if r := <-done; r.IsError || !strings.Contains(r.Content[0].(mcp.TextContent).Text, `"value":true`) {
			t.Errorf("%+v", r)
		}
	})
}

type elicitor struct {
	action mcp.ElicitationResponseAction
	yes    any
	asked  []string
}

func (e *elicitor) Elicit(_ context.Context, r mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	e.asked = append(e.asked, r.Params.Message)
	return &mcp.ElicitationResult{ElicitationResponse: mcp.ElicitationResponse{Action: e.action, Content: map[string]any{"yes": e.yes}}}, nil
}

func TestElicitation(t *testing.T) {
	eras(t, func(t *testing.T, legacy bool) {
		s, steps := start(t, func(c *Config) { c.Elicit = true })
		e := &elicitor{action: mcp.ElicitationResponseActionAccept, yes: true}
		c := connect(t, s, legacy, mcpclient.WithElicitationHandler(e))
		r, err := c.CallTool(t.Context(), toolCall("asks", nil))
		if err != nil || r.IsError || !strings.Contains(r.Content[0].(mcp.TextContent).Text, `"value":true`) {
			t.Fatalf("%+v, %v", r, err)
		}
		if len(e.asked) != 1 || e.asked[0] != "May I? https://a.test/?…" || fmt.Sprint(steps.steps) != "[asking asked]" {
			t.Errorf("asked %q, the handler went %v", e.asked, steps.steps)
		}
		if entries := s.journal.Entries(0); len(entries) != 1 || entries[0].Outcome != journal.OK {
			t.Errorf("journal: %+v", entries)
		}
		// Without elicitation the refusal says how to change that.
		plain := connect(t, s, legacy)
		r, err = plain.CallTool(t.Context(), toolCall("asks", nil))
		if err != nil || !r.IsError || !strings.Contains(r.Content[0].(mcp.TextContent).Text, "without --standalone") {
			t.Errorf("%+v, %v", r, err)
		}
	})
}

func TestElicitationNo(t *testing.T) {
	eras(t, func(t *testing.T, legacy bool) {
		for _, e := range []*elicitor{{action: "decline"}, {action: "cancel"}, {action: "accept", yes: "true"}, {action: "accept"}} {
			s, _ := start(t, func(c *Config) { c.Elicit = true })
			c := connect(t, s, legacy, mcpclient.WithElicitationHandler(e))
			r, err := c.CallTool(t.Context(), toolCall("asks", nil))
			if err != nil || !strings.Contains(r.Content[0].(mcp.TextContent).Text, `"value":false`) {
				t.Errorf("%+v: %+v, %v", e, r, err)
			}
		}
	})
}

// In the app the person answers, whatever the client offers.
func TestNoElicitationInTheApp(t *testing.T) {
	eras(t, func(t *testing.T, legacy bool) {
		s, _ := start(t, nil)
		e := &elicitor{action: mcp.ElicitationResponseActionAccept, yes: true}
		c := connect(t, s, legacy, mcpclient.WithElicitationHandler(e))
		r, err := c.CallTool(t.Context(), toolCall("asks", nil))
		if err != nil || !r.IsError || len(e.asked) != 0 {
			t.Errorf("%+v, %v, asked %v", r, err, e.asked)
		}
	})
}

// Calls in all forms of missing arguments (R100).
func TestMissingArguments(t *testing.T) {
	s, _ := start(t, nil)
	tr := transport.NewInProcessTransport(s.MCP())
	if err := tr.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, params := range []string{`{"name":"echo"}`, `{"name":"echo","arguments":null}`, `{"name":"echo","arguments":{}}`, `{"name":"echo","arguments":{"text":null,"session":null}}`, `{"name":"echo","arguments":"{\"text\":\"x\"}"}`} {
		reply := s.MCP().HandleMessage(t.Context(), json.RawMessage(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":`+params+`}`))
		raw, _ := json.Marshal(reply)
		if !strings.Contains(string(raw), `\"ok\":true`) {
			t.Errorf("%s: %s", params, raw)
		}
	}
	for _, params := range []string{`{"name":"echo","arguments":[1]}`, `{"name":"echo","arguments":7}`} {
		reply := s.MCP().HandleMessage(t.Context(), json.RawMessage(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":`+params+`}`))
		raw, _ := json.Marshal(reply)
		if !strings.Contains(string(raw), `must be an object`) || !strings.Contains(string(raw), `"isError":true`) {
			t.Errorf("%s: %s", params, raw)
		}
	}
}

func BenchmarkDispatch(b *testing.B) {
	store, _ := settings.Open("", func(string) string { return "" })
	s, err := New(Config{Settings: store, Sets: probes(&trip{}, nil, nil), Workspace: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	ctx := as(b.Context(), "c1")
	args := json.RawMessage(`{"session":"default","text":"https://app.example.com/x?y=z"}`)
	b.ReportAllocs()
	for b.Loop() {
		s.call(ctx, request{tool: "echo", args: args, caller: &question.Caller{}})
	}
}
