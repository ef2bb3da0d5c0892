package demo

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"chaperone/assets"
)

// TestMain is also the server that the client is tested against: this binary started again with the variable set.
func TestMain(m *testing.M) {
	if os.Getenv("DEMO_TEST_PEER") != "" {
		peer()
		return
	}
	os.Exit(m.Run())
}

// peer answers like an MCP server, with a behaviour for each tool name.
func peer() {
	held := map[string]json.RawMessage{}
	reply := func(id json.RawMessage, key string, value any) {
		line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, key: value})
		if err != nil {
			panic(err)
		}
		fmt.Println(string(line))
	}
	result := func(id json.RawMessage, text string, failed bool) {
		reply(id, "result", map[string]any{"isError": failed, "content": []any{map[string]any{"type": "text", "text": text}}})
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var got struct {
			ID     json.RawMessage
			Method string
			Params struct {
				Name      string
				RequestID json.RawMessage
			}
			Result json.RawMessage
		}
		if err := json.Unmarshal(lines.Bytes(), &got); err != nil {
			panic(err)
		}
		switch {
		case got.Method == "initialize":
			reply(got.ID, "result", map[string]any{"protocolVersion": "2025-06-18"})
		case got.Method == "notifications/cancelled":
			fmt.Fprintf(os.Stderr, "cancelled %s\n", got.Params.RequestID)
		case got.Method == "tools/call":
			switch got.Params.Name {
			case "text":
				result(got.ID, "title: a page", false)
			case "refuse":
				result(got.ID, `{"ok":false,"error":"no such tab","hint":"list the tabs"}`, true)
			case "protocol":
				reply(got.ID, "error", map[string]any{"code": -32602, "message": "no such tool"})
			case "elicit":
				held["42"] = got.ID
				fmt.Println(`{"jsonrpc":"2.0","id":42,"method":"elicitation/create","params":{"message":"Pay?","requestedSchema":{"type":"object","properties":{"approve":{"type":"boolean"},"note":{"type":"string"}}}}}`)
			case "slow":
				fmt.Println(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"slow","progress":1,"message":"waiting for the person to answer"}}`)
				result(got.ID, "at last", false)
			case "wait":
			case "die":
				os.Exit(3)
			case "deaf":
				result(got.ID, "deaf", false)
				select {}
			}
		case got.Result != nil:
			result(held[string(got.ID)], string(got.Result), false)
		}
	}
}

func dialPeer(t *testing.T, log io.Writer, asked func(string) bool) *client {
	t.Helper()
	return dialWaiting(t, log, asked, nil)
}

func dialWaiting(t *testing.T, log io.Writer, asked func(string) bool, waits func(tool, words string)) *client {
	t.Helper()
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), "DEMO_TEST_PEER=1")
	command.Stderr = log
	c, err := dial(t.Context(), command, asked, waits)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestAnswersAndRefusals(t *testing.T) {
	c := dialPeer(t, nil, nil)
	defer c.close()
	got, err := c.call(t.Context(), "text", nil)
	if err != nil || got.Failed || view(got.Text).title() != "a page" {
		t.Errorf("a text: %+v, %v", got, err)
	}
	got, err = c.call(t.Context(), "refuse", nil)
	if err != nil || !got.Failed || refusal(got) != "no such tab list the tabs" {
		t.Errorf("a refusal: %+v, %v", got, err)
	}
	if _, err = c.call(t.Context(), "protocol", nil); err == nil || !strings.Contains(err.Error(), "no such tool (-32602)") {
		t.Errorf("a protocol error: %v", err)
	}
}

func TestAWaitIsToldOnce(t *testing.T) {
	var told strings.Builder
	a := &agent{out: &told}
	c := dialWaiting(t, nil, nil, a.waits)
	defer c.close()
	for range 2 {
		if _, err := c.call(t.Context(), "slow", nil); err != nil {
			t.Fatal(err)
		}
	}
	a.waits("open_session", "waiting for the person to answer")
	if want := assets.Say("demo.waits", "waiting for the person to answer") + "\n" + assets.Say("demo.letin") + "\n"; told.String() != want {
		t.Errorf("told %q, want %q", told.String(), want)
	}
}

func TestTheTerminalAnswersAnElicitation(t *testing.T) {
	for typed, want := range map[string]string{"yes\n": `{"action":"accept","content":{"approve":true}}`, "no\n": `"decline"`, "": `"decline"`, "y": `"decline"`} {
		var told strings.Builder
		a := &agent{out: &told}
		c := dialPeer(t, nil, a.ask(strings.NewReader(typed)))
		got, err := c.call(t.Context(), "elicit", nil)
		if err != nil || !strings.Contains(got.Text, want) {
			t.Errorf("typed %q: %s, %v, want %s", typed, got.Text, err, want)
		}
		if !strings.Contains(told.String(), "Pay?") {
			t.Errorf("the question was not shown: %q", told.String())
		}
		if err := c.close(); err != nil {
			t.Error(err)
		}
	}
}

func TestWithoutATerminalTheAnswerIsNo(t *testing.T) {
	c := dialPeer(t, nil, (&agent{out: io.Discard}).ask(nil))
	defer c.close()
	if got, err := c.call(t.Context(), "elicit", nil); err != nil || !strings.Contains(got.Text, `"decline"`) {
		t.Errorf("%s, %v", got.Text, err)
	}
}

func TestACancelledCallIsTakenBack(t *testing.T) {
	out, log, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	c := dialPeer(t, log, nil)
	log.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.call(ctx, "wait", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled call ends with %v", err)
	}
	if err := c.close(); err != nil {
		t.Error(err)
	}
	// The first request was the greeting, so the call was the second.
	if said, err := io.ReadAll(out); err != nil || string(said) != "cancelled 2\n" {
		t.Errorf("the server saw %q, %v", said, err)
	}
}

func TestAServerThatDiesEndsTheCall(t *testing.T) {
	c := dialPeer(t, nil, nil)
	if _, err := c.call(t.Context(), "die", nil); !errors.Is(err, errEnded) {
		t.Errorf("the call ends with %v", err)
	}
	if err := c.close(); err == nil || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("the end is told as %v", err)
	}
}

func TestAServerThatStaysIsEnded(t *testing.T) {
	c := dialPeer(t, nil, nil)
	c.grace = 100 * time.Millisecond
	if _, err := c.call(t.Context(), "deaf", nil); err != nil {
		t.Fatal(err)
	}
	if err := c.close(); err == nil {
		t.Error("a server that had to be ended is reported as fine")
	}
}

func TestAMissingProgramIsNamed(t *testing.T) {
	err := Run(t.Context(), Config{Binary: "/nowhere/chaperone", Out: io.Discard})
	if err == nil || !strings.Contains(err.Error(), "/nowhere/chaperone") {
		t.Errorf("%v", err)
	}
}

func TestRefsAreFoundByRoleAndName(t *testing.T) {
	seen := view("url: http://127.0.0.1/\ntitle: Orders\nstats: 4\n\n" +
		"main\n  heading \"Pay\" [ref=e1]\n  button \"Pay\" [disabled] [ref=e12] [data-testid=\"pay\"]\n  - link \"Help (new)\" [ref=e3]\n")
	for _, want := range []struct{ role, name, ref string }{{"button", "Pay", "e12"}, {"heading", "Pay", "e1"}, {"link", "Help (new)", "e3"}} {
		if ref, err := seen.ref(want.role, want.name); err != nil || ref != want.ref {
			t.Errorf("%s %q is %q, %v", want.role, want.name, ref, err)
		}
	}
	if ref, err := seen.ref("button", "Help (new)"); err == nil {
		t.Errorf("a button that is not there is %q", ref)
	}
}
