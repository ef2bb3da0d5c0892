package listen

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"chaperone/server/client"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// patience is how long a test waits for what must happen: long, for ten megabytes under the race detector on a busy machine.
const patience = 90 * time.Second

// fixture is a server with tools that show what transports do to a call.
type fixture struct {
	mcp     *server.MCPServer
	srv     *Server
	blocked chan string // ids of clients whose call has begun to block
	ended   chan error  // why it ended
	gone    chan string
	running atomic.Int64
}

func newFixture(t *testing.T, change func(*Config)) *fixture {
	t.Helper()
	f := &fixture{
		mcp:     server.NewMCPServer("fixture", "1", server.WithToolCapabilities(true)),
		blocked: make(chan string, 100), ended: make(chan error, 100), gone: make(chan string, 100),
	}
	f.tool("echo", func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText(r.GetString("text", "")), nil
	})
	f.tool("size", func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText(fmt.Sprint(len(r.GetString("text", "")))), nil
	})
	f.tool("who", func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		who, ok := client.From(ctx)
		if !ok {
			return nil, errors.New("nobody")
		}
		data, err := json.Marshal(who)
		return mcp.NewToolResultText(string(data)), err
	})
	f.tool("block", func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		f.running.Add(1)
		defer f.running.Add(-1)
		who, _ := client.From(ctx)
		f.blocked <- who.ID
		<-ctx.Done()
		f.ended <- context.Cause(ctx)
		return nil, ctx.Err()
	})
	f.tool("steps", func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for i := range 3 {
			if r.Params.Meta == nil {
				return nil, errors.New("no progress token")
			}
			if err := f.mcp.SendNotificationToClient(ctx, "notifications/progress", map[string]any{"progressToken": r.Params.Meta.ProgressToken, "progress": i + 1}); err != nil {
				return nil, err
			}
		}
		return mcp.NewToolResultText("done"), nil
	})
	f.tool("ask", func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		result, err := f.mcp.RequestElicitation(ctx, mcp.ElicitationRequest{Params: mcp.ElicitationParams{
			Message: "May I?", RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{"yes": map[string]any{"type": "boolean"}}},
		}})
		if err != nil {
			return nil, err
		}
		return mcp.NewToolResultText(fmt.Sprintf("%s %v", result.Action, result.Content)), nil
	})
	f.tool("panic", func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) { panic("on purpose") })
	cfg := Config{MCP: f.mcp, Gone: func(id string) { f.gone <- id }}
	if change != nil {
		change(&cfg)
	}
	f.srv = New(cfg)
	t.Cleanup(f.srv.Close)
	return f
}

func (f *fixture) tool(name string, h server.ToolHandlerFunc) {
	f.mcp.AddTool(mcp.NewTool(name, mcp.WithString("text")), h)
}

// wire is a client by hand, over lines.
type wire struct {
	t     *testing.T
	w     io.WriteCloser
	lines chan string
	next  int
	held  []string
}

// pipe connects a client by hand to the server.
func (f *fixture) pipe(t *testing.T) *wire {
	t.Helper()
	ours, theirs := net.Pipe()
	go func() {
		_ = f.srv.Serve(context.Background(), theirs, theirs, client.Client{Transport: "stdio"})
		_ = theirs.Close()
	}()
	return newWire(t, ours)
}

func newWire(t *testing.T, c io.ReadWriteCloser) *wire {
	t.Helper()
	w := &wire{t: t, w: c, lines: make(chan string, 1000)}
	t.Cleanup(func() { _ = c.Close() })
	go func() {
		defer close(w.lines)
		in := bufio.NewScanner(c)
		in.Buffer(nil, 128<<20)
		for in.Scan() {
			w.lines <- in.Text()
		}
	}()
	return w
}

func (w *wire) send(format string, args ...any) {
	w.t.Helper()
	if _, err := io.WriteString(w.w, fmt.Sprintf(format, args...)+"\n"); err != nil {
		w.t.Fatalf("the server does not take %.80s: %v", format, err)
	}
}

// read returns the next line, or "" at the end of the connection.
func (w *wire) read() string {
	w.t.Helper()
	select {
	case l := <-w.lines:
		return l
	case <-time.After(patience):
		w.t.Fatal("the server does not answer")
		return ""
	}
}

// readWith returns the next line that contains part; the others are kept for later.
func (w *wire) readWith(part string) string {
	w.t.Helper()
	for i, l := range w.held {
		if strings.Contains(l, part) {
			w.held = append(w.held[:i], w.held[i+1:]...)
			return l
		}
	}
	for {
		l := w.read()
		if l == "" {
			w.t.Fatalf("the connection ended before a line with %s; there were %q", part, w.held)
		}
		if strings.Contains(l, part) {
			return l
		}
		w.held = append(w.held, l)
	}
}

// call sends a request and returns its id.
func (w *wire) call(method, params string) int {
	w.t.Helper()
	w.next++
	w.send(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, w.next, method, params)
	return w.next
}

func (w *wire) tool(name, args string) int {
	w.t.Helper()
	return w.call("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, name, args))
}

func (w *wire) answer(id int) string {
	w.t.Helper()
	return w.readWith(fmt.Sprintf(`"id":%d,`, id))
}

// hello shakes hands.
func (w *wire) hello(name, capabilities string) *wire {
	w.t.Helper()
	id := w.call("initialize", fmt.Sprintf(`{"protocolVersion":"2025-06-18","capabilities":%s,"clientInfo":{"name":%q,"version":"1"}}`, capabilities, name))
	w.answer(id)
	w.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return w
}

// soon fails the test when something takes a second or more.
func soon(t *testing.T, what string, fn func()) {
	t.Helper()
	begin := time.Now()
	fn()
	if took := time.Since(begin); took >= time.Second {
		t.Errorf("%s took %v", what, took)
	}
}

func await[T any](t *testing.T, what string, c <-chan T) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(patience):
		t.Fatalf("waited in vain: %s", what)
		panic("not reached")
	}
}
