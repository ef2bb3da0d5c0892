package listen

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chaperone/server/client"

	mcpclient "github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

func (f *fixture) socket(t *testing.T, o Socket) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "listen")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	o.Path = filepath.Join(dir, "socket")
	if err := f.srv.ListenSocket(o); err != nil {
		t.Fatal(err)
	}
	return o.Path
}

func dial(t *testing.T, path string) *wire {
	t.Helper()
	c, err := Dial(path)
	if err != nil {
		t.Fatal(err)
	}
	return newWire(t, c)
}

func (w *wire) join() *wire {
	w.t.Helper()
	w.send(`{"chaperone":"join"}`)
	if h, ok := ParseHello([]byte(w.read())); !ok || h.Chaperone != Welcome || h.PID != os.Getpid() {
		w.t.Fatalf("the welcome: %+v", h)
	}
	return w
}

func TestSocketIsClosedToOthers(t *testing.T) {
	path := newFixture(t, nil).socket(t, Socket{})
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Type() != fs.ModeSocket || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket is %v", info.Mode())
	}
}

func TestTwoClientsOverTheSocket(t *testing.T) {
	f := newFixture(t, nil)
	path := f.socket(t, Socket{Version: "v"})
	a := dial(t, path).join().hello("Alpha", "{}")
	b := dial(t, path).hello("Beta", "{}") // without joining first: the first line is MCP already
	waits := a.tool("block", "{}")
	await(t, "the call", f.blocked)
	for _, w := range []*wire{a, b} {
		soon(t, "a ping", func() { w.answer(w.call("ping", "{}")) })
		soon(t, "a list", func() { w.answer(w.call("tools/list", "{}")) })
	}
	var names []string
	for _, c := range f.srv.Clients() {
		names = append(names, c.Name)
	}
	if fmt.Sprint(names) != "[Alpha Beta]" {
		t.Errorf("connected: %v", names)
	}
	a.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, waits)
	soon(t, "the cancel", func() { a.answer(waits) })
}

// What is known of the one who asks is what the kernel says, not what the client does.
func TestPeerOfTheSocket(t *testing.T) {
	f := newFixture(t, nil)
	path := f.socket(t, Socket{})
	script := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"I am root's browser","version":"1"}}}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"who"}}`
	for _, c := range []struct {
		name    string
		command []string
		depth   int // where among the process and its parents the test itself is
	}{
		{"a program", []string{os.Args[0], "-test.run=^TestHelperSpeaks$"}, 0},
		{"a program under a shell", []string{"/bin/sh", "-c", `"$0" -test.run='^TestHelperSpeaks$'; :`, copyOfSelf(t)}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			cmd := exec.Command(c.command[0], c.command[1:]...)
			cmd.Env = append(os.Environ(), "LISTEN_TEST_SOCKET="+path)
			cmd.Stdin = strings.NewReader(script)
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			var reply struct {
				Result struct{ Content []struct{ Text string } }
			}
			lines := bytes.Split(bytes.TrimSpace(out), []byte{'\n'})
			if err := json.Unmarshal(lines[len(lines)-1], &reply); err != nil || len(reply.Result.Content) == 0 {
				t.Fatalf("%v: %s", err, out)
			}
			var who client.Client
			if err := json.Unmarshal([]byte(reply.Result.Content[0].Text), &who); err != nil {
				t.Fatal(err)
			}
			if who.Name != "I am root's browser" || who.Transport != "socket" {
				t.Errorf("who: %+v", who)
			}
			chain := append([]client.Process{{PID: who.PID, Program: who.Program}}, who.Parents...)
			self, _ := os.Executable()
			if len(chain) <= c.depth || chain[c.depth].PID != os.Getpid() || chain[c.depth].Program != self {
				t.Errorf("this process (%d, %s) is not number %d of %+v", os.Getpid(), self, c.depth, chain)
			}
		})
	}
}

// copyOfSelf gives the test's program another path, so that it is taken for a client and not for our bridge.
func copyOfSelf(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "clïent with a blank")
	if err := os.WriteFile(path, data, 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestHelperSpeaks is another process: it writes its input to the socket and prints two answers.
func TestHelperSpeaks(t *testing.T) {
	path := os.Getenv("LISTEN_TEST_SOCKET")
	if path == "" {
		t.Skip("runs in a process of its own")
	}
	c, err := Dial(path)
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(c, io.MultiReader(os.Stdin, strings.NewReader("\n"))) }()
	w := newWire(t, c)
	fmt.Println(w.read())
	fmt.Println(w.read())
	os.Exit(0)
}

func TestShow(t *testing.T) {
	shown := make(chan bool, 1)
	f := newFixture(t, nil)
	w := dial(t, f.socket(t, Socket{Show: func() { shown <- true }}))
	w.send(`{"chaperone":"show"}`)
	await(t, "the window", shown)
	if h, _ := ParseHello([]byte(w.read())); h.Chaperone != Shown {
		t.Errorf("answered %+v", h)
	}
	blind := dial(t, f.socket(t, Socket{}))
	blind.send(`{"chaperone":"show"}`)
	if h, _ := ParseHello([]byte(blind.read())); h.Chaperone != NoWindow {
		t.Errorf("answered %+v", h)
	}
	if n := len(f.srv.Clients()); n != 0 {
		t.Errorf("%d clients are connected", n)
	}
}

func TestByeWhenTheProgramEnds(t *testing.T) {
	f := newFixture(t, nil)
	w := dial(t, f.socket(t, Socket{})).join().hello("a", "{}")
	w.tool("block", "{}")
	await(t, "the call", f.blocked)
	f.srv.Close()
	w.readWith(`{"chaperone":"bye"}`)
	if l := w.read(); l != "" {
		t.Errorf("after the farewell came %s", l)
	}
}

func TestSocketOfAnotherProgramIsNotTaken(t *testing.T) {
	f := newFixture(t, nil)
	path := f.socket(t, Socket{})
	if err := f.srv.ListenSocket(Socket{Path: path}); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("a second listener: %v", err)
	}
	dial(t, path).join()
}

// A process id is used again by the system; who started later than its child is not its parent.
func TestAncestryKnowsStrangers(t *testing.T) {
	table := map[int]process{
		40: {pid: 40, parent: 30, started: 400, program: "child"},
		30: {pid: 30, parent: 20, started: 300, program: "parent"},
		20: {pid: 20, parent: 10, started: 900, program: "stranger under an old id"},
		50: {pid: 50, parent: 51, started: 500}, 51: {pid: 51, parent: 50, started: 500},
		60: {pid: 60, parent: 999, started: 1, program: "orphan"},
	}
	look := func(pid int) (process, error) {
		p, ok := table[pid]
		if !ok {
			return p, os.ErrNotExist
		}
		return p, nil
	}
	if list := ancestry(40, look); len(list) != 2 || list[1].program != "parent" {
		t.Errorf("the ancestry is %+v", list)
	}
	if list := ancestry(50, look); len(list) > mostParents+1 {
		t.Errorf("a circle is followed %d times", len(list))
	}
	if list := ancestry(60, look); len(list) != 1 {
		t.Errorf("an orphan has %+v", list)
	}
	if who := clientOf(nil); who.PID != 0 {
		t.Errorf("nobody is %+v", who)
	}
}

// The library's own client, in both eras of the protocol.
func TestLibraryClientOverTheSocket(t *testing.T) {
	for _, version := range []string{mcp.LATEST_LEGACY_PROTOCOL_VERSION, "2025-06-18", "2025-03-26", "2024-11-05", mcp.ProtocolVersion20260728} {
		t.Run(version, func(t *testing.T) {
			f := newFixture(t, nil)
			conn, err := Dial(f.socket(t, Socket{}))
			if err != nil {
				t.Fatal(err)
			}
			none, _ := os.Open(os.DevNull)
			opts := []mcpclient.ClientOption{mcpclient.WithProtocolVersion(version)}
			if version != mcp.ProtocolVersion20260728 {
				opts = append(opts, mcpclient.WithLegacyProtocolOnly())
			}
			c := mcpclient.NewClient(transport.NewIO(conn, conn, none), opts...)
			exercise(t, f, c, version)
		})
	}
}

// exercise has a client of the library do what clients do.
func exercise(t *testing.T, f *fixture, c *mcpclient.Client, version string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	changed, steps := make(chan bool, 10), make(chan bool, 10)
	c.OnNotification(func(n mcp.JSONRPCNotification) {
		switch n.Method {
		case mcp.MethodNotificationToolsListChanged:
			changed <- true
		case string(mcp.MethodNotificationProgress):
			steps <- true
		}
	})
	if err := c.Start(ctx); err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var shake mcp.InitializeRequest
	shake.Params.ProtocolVersion = version
	shake.Params.ClientInfo = mcp.Implementation{Name: "library", Version: "9"}
	result, err := c.Initialize(ctx, shake)
	if err != nil {
		t.Fatal(err)
	}
	if result.ProtocolVersion != version {
		t.Errorf("they speak %s, not %s", result.ProtocolVersion, version)
	}
	if list, err := c.ListTools(ctx, mcp.ListToolsRequest{}); err != nil || len(list.Tools) < 5 {
		t.Fatalf("the list: %v, %v", list, err)
	}
	text := func(name string, args map[string]any) string {
		var r mcp.CallToolRequest
		r.Params.Name, r.Params.Arguments = name, args
		r.Params.Meta = &mcp.Meta{ProgressToken: "t"}
		got, err := c.CallTool(ctx, r)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return got.Content[0].(mcp.TextContent).Text
	}
	var who client.Client
	if err := json.Unmarshal([]byte(text("who", nil)), &who); err != nil || who.Name != "library" || who.ID == "" {
		t.Errorf("who: %+v, %v", who, err)
	}
	if got := text("echo", map[string]any{"text": "äöü <b>"}); got != "äöü <b>" {
		t.Errorf("echo: %q", got)
	}
	text("steps", nil)
	await(t, "progress", steps)
	if modern := mcp.IsModernProtocol(version); modern {
		stop, err := c.ListenAsync(ctx, mcp.SubscriptionFilter{ToolsListChanged: true}, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer stop()
	}
	// A modern client's stream may open after the first change, so there are as many as it takes.
	for i, told := 0, false; !told; i++ {
		f.tool(fmt.Sprintf("new%d", i), nil)
		select {
		case <-changed:
			told = true
		case <-time.After(50 * time.Millisecond):
			if ctx.Err() != nil {
				t.Fatal("the client is not told that the list has changed")
			}
		}
	}
	waiting, stopWaiting := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() {
		var r mcp.CallToolRequest
		r.Params.Name = "block"
		_, err := c.CallTool(waiting, r)
		ended <- err
	}()
	await(t, "the call that waits", f.blocked)
	soon(t, "a call beside it", func() { text("echo", map[string]any{"text": "x"}) })
	soon(t, "a list beside it", func() { _, _ = c.ListTools(ctx, mcp.ListToolsRequest{}) })
	soon(t, "the cancel", func() {
		stopWaiting()
		await(t, "the end at the client", ended)
		await(t, "the end at the server", f.ended)
	})
}
