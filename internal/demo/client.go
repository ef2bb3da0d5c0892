package demo

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// client is the smallest MCP client that does the job: requests and answers as JSON, one per line, to and from a child
// process. It is written by hand so that the demo shows what goes over the wire and shares no code with the server.
type client struct {
	command *exec.Cmd
	in      io.WriteCloser
	grace   time.Duration
	// asked answers a question that the server passes on when it has no window (an elicitation).
	asked func(question string) bool
	// waits hears why a call takes its time: that a person is awaited. It is called from the reading goroutine.
	waits func(tool, words string)

	writing sync.Mutex
	mu      sync.Mutex
	lastID  int
	waiting map[int]chan message
	ended   chan struct{} // closed when the child's output ends
}

// message is any of the four kinds of JSON-RPC message.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  any             `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *rpcError       `json:"error,omitempty"`
}

type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// answer is what a tool said: its text, and the same as an object where it is one.
type answer struct {
	Text   string
	Failed bool
	Object map[string]any
}

var errEnded = errors.New("the server ended its output")

// dial starts the server and greets it.
func dial(ctx context.Context, command *exec.Cmd, asked func(string) bool, waits func(tool, words string)) (*client, error) {
	in, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", command.Path, err)
	}
	c := &client{
		command: command, in: in, asked: asked, waits: waits, grace: 10 * time.Second,
		waiting: map[int]chan message{}, ended: make(chan struct{}),
	}
	go c.read(out)
	hello := map[string]any{
		"protocolVersion": "2025-06-18",
		"clientInfo":      map[string]any{"name": "chaperone-demo", "title": "Demo agent", "version": "1"},
		"capabilities":    map[string]any{"elicitation": map[string]any{}},
	}
	if _, err := c.request(ctx, "initialize", hello); err != nil {
		c.close()
		return nil, fmt.Errorf("greet the server: %w", err)
	}
	if err := c.write(message{Method: "notifications/initialized"}); err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

// call runs one tool. A tool that refuses or fails is an answer, not an error.
func (c *client) call(ctx context.Context, tool string, args map[string]any) (answer, error) {
	raw, err := c.request(ctx, "tools/call", map[string]any{
		"name": tool, "arguments": args,
		"_meta": map[string]any{"progressToken": tool},
	})
	if err != nil {
		return answer{}, fmt.Errorf("%s: %w", tool, err)
	}
	var result struct {
		IsError bool
		Content []struct{ Type, Text string }
	}
	if err := json.Unmarshal(raw, &result); err != nil {
		return answer{}, fmt.Errorf("%s: the answer is not a tool result: %w", tool, err)
	}
	got := answer{Failed: result.IsError}
	for _, item := range result.Content {
		if item.Type == "text" && got.Text == "" {
			got.Text = item.Text
		}
	}
	if strings.HasPrefix(got.Text, "{") {
		if err := json.Unmarshal([]byte(got.Text), &got.Object); err != nil {
			return answer{}, fmt.Errorf("%s: the answer is not JSON: %w", tool, err)
		}
	}
	return got, nil
}

func (c *client) request(ctx context.Context, method string, params any) (json.RawMessage, error) {
	c.mu.Lock()
	c.lastID++
	id, reply := c.lastID, make(chan message, 1)
	c.waiting[id] = reply
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		delete(c.waiting, id)
		c.mu.Unlock()
	}()
	if err := c.write(message{ID: fmt.Appendf(nil, "%d", id), Method: method, Params: params}); err != nil {
		return nil, err
	}
	select {
	case got := <-reply:
		if got.Error != nil {
			return nil, fmt.Errorf("%s (%d)", got.Error.Message, got.Error.Code)
		}
		return got.Result, nil
	case <-c.ended:
		return nil, errEnded
	case <-ctx.Done():
		// The server is told, so that it stops the work and takes its question back from the person.
		_ = c.write(message{Method: "notifications/cancelled", Params: map[string]any{"requestId": id, "reason": "the demo was stopped"}})
		return nil, ctx.Err()
	}
}

func (c *client) write(m message) error {
	m.Version = "2.0"
	line, err := json.Marshal(m)
	if err != nil {
		return err
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err = c.in.Write(append(line, '\n'))
	return err
}

func (c *client) read(out io.Reader) {
	defer close(c.ended)
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var got message
		if json.Unmarshal(line, &got) != nil {
			continue
		}
		if got.Method != "" {
			if got.ID != nil {
				go c.serve(got)
			} else if params, _ := got.Params.(map[string]any); got.Method == "notifications/progress" && c.waits != nil {
				tool, _ := params["progressToken"].(string)
				words, _ := params["message"].(string)
				c.waits(tool, words)
			}
			continue
		}
		var id int
		if json.Unmarshal(got.ID, &id) != nil {
			continue
		}
		c.mu.Lock()
		reply := c.waiting[id]
		delete(c.waiting, id)
		c.mu.Unlock()
		if reply != nil {
			reply <- got
		}
	}
}

// serve answers what the server asks of the client: pings and questions for the person.
func (c *client) serve(got message) {
	reply := message{ID: got.ID}
	switch got.Method {
	case "ping":
		reply.Result = json.RawMessage(`{}`)
	case "elicitation/create":
		params, _ := got.Params.(map[string]any)
		question, _ := params["message"].(string)
		action := "decline"
		if c.asked != nil && c.asked(question) {
			action = "accept"
		}
		result, err := json.Marshal(map[string]any{"action": action, "content": agreed(params)})
		if err != nil {
			return
		}
		reply.Result = result
	default:
		reply.Error = &rpcError{Code: -32601, Message: "the demo agent does not know " + got.Method}
	}
	_ = c.write(reply)
}

// agreed fills the yes-or-no fields of an elicitation with yes; it is sent only when the person agreed.
func agreed(params map[string]any) map[string]any {
	schema, _ := params["requestedSchema"].(map[string]any)
	fields, _ := schema["properties"].(map[string]any)
	content := map[string]any{}
	for name, field := range fields {
		if kind, _ := field.(map[string]any); kind["type"] == "boolean" {
			content[name] = true
		}
	}
	return content
}

// close ends the server the polite way, by closing its input, and by force when that takes too long.
func (c *client) close() error {
	c.in.Close()
	timer := time.AfterFunc(c.grace, func() { c.command.Process.Kill() })
	defer timer.Stop()
	<-c.ended
	return c.command.Wait()
}
