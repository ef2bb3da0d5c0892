package listen

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"chaperone/server/client"

	"github.com/mark3labs/mcp-go/mcp"
)

func TestAnsweredWhileACallWaits(t *testing.T) {
	f := newFixture(t, nil)
	a, b := f.pipe(t).hello("a", "{}"), f.pipe(t).hello("b", "{}")
	waits := a.tool("block", "{}")
	other := b.tool("block", "{}") // has the same id as a's
	await(t, "the first call", f.blocked)
	await(t, "the second call", f.blocked)
	if waits != other {
		t.Fatalf("the two calls should have one id: %d, %d", waits, other)
	}
	for _, w := range []*wire{a, b} {
		soon(t, "a ping", func() { w.answer(w.call("ping", "{}")) })
		soon(t, "a list", func() { w.answer(w.call("tools/list", "{}")) })
		soon(t, "another call", func() { w.answer(w.tool("echo", `{"text":"hi"}`)) })
	}
	soon(t, "a cancel", func() {
		a.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, waits)
		if l := a.answer(waits); !strings.Contains(l, `"error"`) {
			t.Errorf("a cancelled call is answered with %s", l)
		}
	})
	if err := await(t, "the end of the call", f.ended); !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "cancelled") {
		t.Errorf("the call ended with %v", err)
	}
	if f.running.Load() != 1 {
		t.Errorf("%d calls run; the cancel of one client must leave the other's alone", f.running.Load())
	}
}

func TestCancelRightBehindTheCall(t *testing.T) {
	f := newFixture(t, nil)
	w := f.pipe(t).hello("a", "{}")
	for range 50 {
		w.next++
		w.send("{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{\"name\":\"block\"}}\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":%d}}", w.next, w.next)
		w.answer(w.next)
	}
}

func TestGarbage(t *testing.T) {
	f := newFixture(t, func(c *Config) { c.MaxMessage = 20 << 20 })
	w := f.pipe(t).hello("a", "{}")
	for _, c := range []struct {
		name, send string
		code       int
		id         string
	}{
		{"no JSON", `not json at all`, mcp.PARSE_ERROR, "null"},
		{"half a message", `{"jsonrpc":"2.0","id":1,`, mcp.PARSE_ERROR, "null"},
		{"zero bytes", "\x00\x01\xff", mcp.PARSE_ERROR, "null"},
		{"a number", `17`, mcp.INVALID_REQUEST, "null"},
		{"a batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, mcp.INVALID_REQUEST, "null"},
		{"no method", `{"jsonrpc":"2.0","id":71}`, mcp.INVALID_REQUEST, "71"},
		{"a method of a wrong type", `{"jsonrpc":"2.0","id":72,"method":5}`, mcp.INVALID_REQUEST, "72"},
		{"null for an id", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, mcp.INVALID_REQUEST, "null"},
		{"an object for an id", `{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}`, mcp.INVALID_REQUEST, "null"},
		{"another JSON-RPC", `{"jsonrpc":"1.0","id":73,"method":"ping"}`, mcp.INVALID_REQUEST, "73"},
		{"an unknown method", `{"jsonrpc":"2.0","id":74,"method":"no/such"}`, mcp.METHOD_NOT_FOUND, "74"},
		{"too long, id in front", `{"jsonrpc":"2.0","id":75,"method":"tools/call","params":"` + strings.Repeat("x", 21<<20) + `"}`, mcp.INVALID_REQUEST, "75"},
		{"too long, id behind", `{"jsonrpc":"2.0","method":"tools/call","params":"` + strings.Repeat("x", 21<<20) + `","id":76}`, mcp.INVALID_REQUEST, "null"},
	} {
		w.send("%s", c.send)
		var got struct {
			JSONRPC string
			ID      json.RawMessage
			Error   struct {
				Code    int
				Message string
			}
		}
		line := w.read()
		if err := json.Unmarshal([]byte(line), &got); err != nil || got.JSONRPC != "2.0" || got.Error.Code != c.code || string(got.ID) != c.id || got.Error.Message == "" {
			t.Errorf("%s: %s", c.name, line)
		}
	}
	for _, nothing := range []string{"", "   ", "\r", `{"jsonrpc":"2.0","method":"no/such/notification"}`, `{"jsonrpc":"2.0","id":99,"result":{}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":12345}}`, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":7}`} {
		w.send("%s", nothing)
	}
	if l := w.answer(w.tool("echo", `{"text":"still here"}`)); !strings.Contains(l, "still here") {
		t.Errorf("after all that: %s", l)
	}
	if len(w.held) != 0 {
		t.Errorf("there were answers to nothing: %q", w.held)
	}
}

func TestLargeArguments(t *testing.T) {
	f := newFixture(t, nil)
	w := f.pipe(t).hello("a", "{}")
	if l := w.answer(w.tool("size", fmt.Sprintf(`{"text":%q}`, strings.Repeat("x", 10<<20)))); !strings.Contains(l, fmt.Sprint(10<<20)) {
		t.Errorf("10 MB of arguments: %.200s", l)
	}
}

func TestIdsComeBackAsTheyWere(t *testing.T) {
	w := newFixture(t, nil).pipe(t)
	for _, id := range []string{`"a\u00e9"`, `9007199254740993`, `0`, `-1`, `"12"`, `1.5`} {
		w.send(`{"jsonrpc":"2.0","id":%s,"method":"ping"}`, id)
		if l := w.read(); !strings.Contains(l, `"id":`+id+`,`) {
			t.Errorf("the id %s came back in %s", id, l)
		}
	}
}

func TestProgressComesBeforeTheAnswer(t *testing.T) {
	w := newFixture(t, nil).pipe(t).hello("a", "{}")
	for range 20 {
		id := w.call("tools/call", `{"name":"steps","_meta":{"progressToken":"p"}}`)
		for i := range 3 {
			if l := w.read(); !strings.Contains(l, "notifications/progress") || !strings.Contains(l, fmt.Sprintf(`"progress":%d`, i+1)) {
				t.Fatalf("step %d: %s", i+1, l)
			}
		}
		if l := w.read(); !strings.Contains(l, fmt.Sprintf(`"id":%d,`, id)) || !strings.Contains(l, "done") {
			t.Fatalf("the answer: %s", l)
		}
	}
}

func TestElicitation(t *testing.T) {
	f := newFixture(t, nil)
	a, b := f.pipe(t).hello("a", `{"elicitation":{}}`), f.pipe(t).hello("b", `{"elicitation":{}}`)
	idA, idB := a.tool("ask", "{}"), b.tool("ask", "{}")
	for w, content := range map[*wire]string{a: "true", b: "false"} {
		ask := w.readWith("elicitation/create")
		var got struct {
			ID     json.RawMessage
			Params struct{ Message string }
		}
		if err := json.Unmarshal([]byte(ask), &got); err != nil || got.Params.Message != "May I?" {
			t.Fatalf("the question: %s", ask)
		}
		soon(t, "a ping", func() { w.answer(w.call("ping", "{}")) })
		w.send(`{"jsonrpc":"2.0","id":%s,"result":{"action":"accept","content":{"yes":%s}}}`, got.ID, content)
	}
	if l := a.answer(idA); !strings.Contains(l, "yes:true") {
		t.Errorf("a: %s", l)
	}
	if l := b.answer(idB); !strings.Contains(l, "yes:false") {
		t.Errorf("b: %s", l)
	}

	cannot := f.pipe(t).hello("c", "{}")
	if l := cannot.answer(cannot.tool("ask", "{}")); !strings.Contains(l, "does not support") {
		t.Errorf("a client that offers no elicitation: %s", l)
	}
	id := a.tool("ask", "{}")
	a.readWith("elicitation/create")
	a.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, id)
	a.readWith("notifications/cancelled")
	a.answer(id)
}

func TestListChanged(t *testing.T) {
	f := newFixture(t, nil)
	a, b := f.pipe(t).hello("a", "{}"), f.pipe(t).hello("b", "{}")
	f.tool("new", nil)
	a.readWith("tools/list_changed")
	b.readWith("tools/list_changed")
}

func TestNewerProtocolOptsIn(t *testing.T) {
	f := newFixture(t, nil)
	w := f.pipe(t)
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"new","version":"3"},"io.modelcontextprotocol/clientCapabilities":{}}`
	if l := w.answer(w.call("server/discover", "{"+meta+"}")); !strings.Contains(l, "2026-07-28") {
		t.Fatalf("discover: %s", l)
	}
	if l := w.answer(w.call("tools/call", `{"name":"who",`+meta+`}`)); !strings.Contains(l, `\"Name\":\"new\"`) {
		t.Errorf("who: %s", l)
	}
	f.tool("unasked", nil)
	w.answer(w.call("tools/list", "{"+meta+"}"))
	if len(w.held) != 0 {
		t.Errorf("a client that did not listen was told %q", w.held)
	}
	stream := w.call("subscriptions/listen", `{"notifications":{"toolsListChanged":true},`+meta+`}`)
	w.readWith("notifications/subscriptions/acknowledged")
	f.tool("asked", nil)
	if l := w.readWith("tools/list_changed"); !strings.Contains(l, fmt.Sprintf(`"io.modelcontextprotocol/subscriptionId":%d`, stream)) {
		t.Errorf("the notification does not say which stream it belongs to: %s", l)
	}
	w.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, stream)
	w.answer(stream)
}

func TestEndOfAConnectionEndsItsCalls(t *testing.T) {
	f := newFixture(t, nil)
	stays := f.pipe(t).hello("stays", "{}")
	stays.tool("block", "{}")
	await(t, "the call that stays", f.blocked)
	leaves := f.pipe(t).hello("leaves", "{}")
	leaves.tool("block", "{}")
	id := await(t, "the call that goes", f.blocked)
	if n := len(f.srv.Clients()); n != 2 {
		t.Errorf("%d clients are connected", n)
	}
	_ = leaves.w.Close()
	if err := await(t, "the end of the call", f.ended); err == nil {
		t.Error("the call ended without a reason")
	}
	if got := await(t, "the client's end", f.gone); got != id {
		t.Errorf("%s is gone, not %s", got, id)
	}
	if list := f.srv.Clients(); len(list) != 1 || list[0].Name != "stays" {
		t.Errorf("connected: %+v", list)
	}
	stays.answer(stays.call("ping", "{}"))
}

// A client may write all it has to say, close its side, and read the answers then.
func TestAnswersAfterTheClientHasSaidAll(t *testing.T) {
	f := newFixture(t, nil)
	var in, out bytes.Buffer
	for i := range 30 {
		fmt.Fprintf(&in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"echo","arguments":{"text":"t"}}}`+"\n", i)
	}
	in.WriteString(`{"jsonrpc":"2.0","id":30,"method":"ping"}`) // no newline at the end
	if err := f.srv.Serve(t.Context(), &in, &out, client.Client{}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), "\n"); n != 31 {
		t.Errorf("%d answers to 31 requests", n)
	}
}

func TestSlowReaderHarmsNobody(t *testing.T) {
	f := newFixture(t, nil)
	ours, theirs := net.Pipe() // has no buffer: nothing that is not read can be written
	t.Cleanup(func() { _ = ours.Close() })
	served := make(chan error, 1)
	go func() { served <- f.srv.Serve(context.Background(), theirs, theirs, client.Client{}) }()
	for i := range 150 {
		if _, err := fmt.Fprintf(ours, `{"jsonrpc":"2.0","id":%d,"method":"ping"}`+"\n", i); err != nil {
			t.Fatal(err)
		}
	}
	w := f.pipe(t).hello("quick", "{}")
	soon(t, "a call of another client", func() { w.answer(w.tool("echo", `{"text":"x"}`)) })
	soon(t, "news for all", func() { f.tool("news", nil); w.readWith("list_changed") })
	_ = ours.Close()
	await(t, "the end of the slow connection", served)
}

func TestOutgoingBytesAreScanned(t *testing.T) {
	f := newFixture(t, func(c *Config) {
		c.Scan = func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("hunter2"), []byte("<PW>")) }
	})
	w := f.pipe(t).hello("a", "{}")
	if l := w.answer(w.tool("echo", `{"text":"it is hunter2"}`)); strings.Contains(l, "hunter2") || !strings.Contains(l, "it is <PW>") {
		t.Errorf("it went out as %s", l)
	}
}

func TestPanicIsAnswered(t *testing.T) {
	w := newFixture(t, nil).pipe(t).hello("a", "{}")
	if l := w.answer(w.tool("panic", "{}")); !strings.Contains(l, `"code":-32603`) || strings.Contains(l, "on purpose") {
		t.Errorf("a panic is answered with %s", l)
	}
	w.answer(w.call("ping", "{}"))
}

func TestTooManyAtOnce(t *testing.T) {
	f := newFixture(t, nil)
	w := f.pipe(t).hello("wild", "{}")
	for range mostAtOnce {
		w.tool("block", "{}")
	}
	if l := w.answer(w.tool("block", "{}")); !strings.Contains(l, "too many requests") {
		t.Errorf("one more: %s", l)
	}
}

func TestClose(t *testing.T) {
	f := newFixture(t, nil)
	w := f.pipe(t).hello("a", "{}")
	w.tool("block", "{}")
	await(t, "the call", f.blocked)
	soon(t, "closing", f.srv.Close)
	if err := await(t, "the end of the call", f.ended); !errors.Is(err, errClosed) {
		t.Errorf("the call ended with %v", err)
	}
	for w.read() != "" {
	}
	if err := f.srv.Serve(t.Context(), io.MultiReader(), io.Discard, client.Client{}); !errors.Is(err, errClosed) {
		t.Errorf("serving after the end: %v", err)
	}
}
