package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

const patience = 30 * time.Second

// bench is one person's workspace, with the processes that use it.
type bench struct {
	t   *testing.T
	dir string
	env []string
}

func newBench(t *testing.T, config string) *bench {
	t.Helper()
	dir, err := os.MkdirTemp("", "cd")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	d := &bench{t: t, dir: dir}
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "BROWX_") && !strings.HasPrefix(v, "DISPLAY=") && !strings.HasPrefix(v, "WAYLAND_DISPLAY=") {
			d.env = append(d.env, v)
		}
	}
	d.env = append(d.env, "BROWX_WORKSPACE="+dir, "BROWX_HEADLESS=1", "BROWX_HTTP_ADDR=127.0.0.1:0", "BROWX_CHROMIUM="+os.Getenv("BROWX_CHROMIUM"))
	if os.Geteuid() == 0 {
		d.env = append(d.env, "BROWX_NO_SANDBOX=1")
	}
	return d
}

// process is one of ours with its lines.
type process struct {
	t     *testing.T
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan string
	ended chan error
	errs  *lockedText
	next  int
}

type lockedText struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *lockedText) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedText) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func (d *bench) start(args ...string) *process {
	d.t.Helper()
	p := &process{t: d.t, cmd: exec.Command(built, args...), lines: make(chan string, 1000), ended: make(chan error, 1), errs: &lockedText{}}
	p.cmd.Env, p.cmd.Stderr = d.env, p.errs
	in, err := p.cmd.StdinPipe()
	if err != nil {
		d.t.Fatal(err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		d.t.Fatal(err)
	}
	p.in = in
	if err := p.cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { _ = p.cmd.Process.Kill() })
	go func() {
		scan := bufio.NewScanner(out)
		scan.Buffer(nil, 64<<20)
		for scan.Scan() {
			p.lines <- scan.Text()
		}
		close(p.lines)
		p.ended <- p.cmd.Wait()
	}()
	return p
}

// serve starts the server in a terminal and waits until it serves.
func (d *bench) serve() *process {
	d.t.Helper()
	p := d.start("serve")
	p.hear("Serving agents")
	return p
}

// agent starts what a client starts, and shakes hands.
func (d *bench) agent() *process {
	d.t.Helper()
	p := d.start("stdio")
	p.answer(p.call("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "Tester", "version": "1"}}))
	p.say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return p
}

func (p *process) say(line string) {
	p.t.Helper()
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		p.t.Fatalf("%v takes nothing: %v; it says %s", p.cmd.Args, err, p.errs)
	}
}

// hear waits for a line with a part.
func (p *process) hear(part string) string {
	p.t.Helper()
	limit := time.After(patience)
	var others []string
	for {
		select {
		case line, ok := <-p.lines:
			if !ok {
				p.t.Fatalf("%v ended before %q; it said %q and %s", p.cmd.Args, part, others, p.errs)
			}
			if strings.Contains(line, part) {
				return line
			}
			others = append(others, line)
		case <-limit:
			p.t.Fatalf("%v does not say %q; it said %q and %s", p.cmd.Args, part, others, p.errs)
		}
	}
}

func (p *process) call(method string, params any) int {
	p.t.Helper()
	p.next++
	data, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": p.next, "method": method, "params": params})
	if err != nil {
		p.t.Fatal(err)
	}
	p.say(string(data))
	return p.next
}

func (p *process) tool(name string, args map[string]any) int {
	p.t.Helper()
	return p.call("tools/call", map[string]any{"name": name, "arguments": args})
}

func (p *process) answer(id int) string {
	p.t.Helper()
	return p.hear(fmt.Sprintf(`"id":%d,`, id))
}

// end waits until the process has ended.
func (p *process) end(within time.Duration) error {
	p.t.Helper()
	select {
	case err := <-p.ended:
		return err
	case <-time.After(within):
		p.t.Fatalf("%v still runs after %v; it says %s", p.cmd.Args, within, p.errs)
		return nil
	}
}

// using lists the processes, other than tests, whose command line names the workspace.
func (d *bench) using() (list []string) {
	entries, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, e := range entries {
		if line, err := os.ReadFile(e); err == nil && strings.Contains(string(line), d.dir) {
			list = append(list, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return list
}

// eventually waits for what other processes do, who tell nobody.
func (d *bench) eventually(what string, fact func() bool) {
	d.t.Helper()
	deadline := time.Now().Add(patience)
	for !fact() {
		if time.Now().After(deadline) {
			d.t.Fatalf("waited in vain: %s; there are %q", what, d.using())
		}
		time.Sleep(20 * time.Millisecond)
	}
}

const unpaired = `{"pairClients": false}`

func TestTheTerminalAnswers(t *testing.T) {
	d := newBench(t, `{}`)
	serve, agent := d.serve(), d.agent()
	first := agent.tool("await_human", map[string]any{"kind": "confirm", "prompt": "May I\x1b[2J?"})
	serve.hear("[q1]") // the pairing
	begin := time.Now()
	agent.answer(agent.call("ping", map[string]any{}))
	agent.answer(agent.call("tools/list", map[string]any{}))
	if took := time.Since(begin); took > time.Second {
		t.Errorf("a ping and a list beside a waiting call took %v", took)
	}
	serve.say("approve q1")
	serve.hear("[q2]")
	if quote := serve.hear("May I"); strings.Contains(quote, "\x1b") {
		t.Errorf("the agent steers the terminal: %q", quote)
	}
	serve.say("approve 2")
	if got := agent.answer(first); !strings.Contains(got, `"value":true`) {
		t.Errorf("approved: %s", got)
	}
	choose := agent.tool("await_human", map[string]any{"kind": "choose", "prompt": "Which?", "choices": []string{"red", "green"}})
	serve.hear("0 red, 1 green")
	serve.say("answer q3 7")
	serve.hear("choice 7")
	serve.say("answer q3 1")
	if got := agent.answer(choose); !strings.Contains(got, `"value":1`) {
		t.Errorf("chosen: %s", got)
	}
	input := agent.tool("await_human", map[string]any{"kind": "input", "prompt": "Your name?"})
	serve.hear("[q4]")
	serve.say("answer q4 Jörg Müller")
	if got := agent.answer(input); !strings.Contains(got, "Jörg Müller") {
		t.Errorf("written: %s", got)
	}
	deny := agent.tool("await_human", map[string]any{"kind": "confirm", "prompt": "And this?"})
	serve.hear("[q5]")
	serve.say("deny q5")
	if got := agent.answer(deny); !strings.Contains(got, `"value":false`) {
		t.Errorf("denied: %s", got)
	}
	gone := agent.tool("await_human", map[string]any{"kind": "confirm", "prompt": "Still there?"})
	serve.hear("[q6]")
	agent.say(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, gone))
	serve.hear("[q6] is over")
	serve.say("approve q6")
	serve.hear("ended")
	serve.say("quit")
	if err := serve.end(5 * time.Second); err != nil {
		t.Errorf("quit: %v", err)
	}
}

func TestTheEndOfClients(t *testing.T) {
	d := newBench(t, unpaired)
	d.serve()
	var agents []*process
	for range 10 {
		agents = append(agents, d.agent())
	}
	waits := agents[0]
	waits.tool("await_human", map[string]any{"kind": "confirm", "prompt": "Well?"})
	begin := time.Now()
	for _, a := range agents {
		if err := a.in.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for _, a := range agents {
		if err := a.end(2*time.Second - time.Since(begin)); err != nil {
			t.Errorf("it ended with %v and says %s", err, a.errs)
		}
	}
	d.agent()
}

func TestTheHTTPEndpoint(t *testing.T) {
	d := newBench(t, unpaired)
	d.serve()
	var e struct{ HTTP string }
	data, err := os.ReadFile(filepath.Join(d.dir, "run", "endpoint"))
	if err != nil || json.Unmarshal(data, &e) != nil {
		t.Fatalf("%v: %s", err, data)
	}
	token, err := os.ReadFile(filepath.Join(d.dir, "run", "token"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		token, origin string
		want          int
	}{{strings.TrimSpace(string(token)), "", 200}, {"", "", 401}, {"x", "", 401}, {strings.TrimSpace(string(token)), "https://evil.test", 403}} {
		r, _ := http.NewRequest(http.MethodPost, e.HTTP, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+c.token)
		if c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if resp.StatusCode != c.want {
			t.Errorf("%+v: %s", c, resp.Status)
		}
	}
}

// However the server ends, no browser of its outlives it, and a waiting call is answered.
func TestNoBrowserOutlivesTheServer(t *testing.T) {
	for _, c := range []struct {
		how    string
		signal os.Signal
		within time.Duration
		says   string
	}{{"asked to", syscall.SIGTERM, 5 * time.Second, "ending"}, {"killed", syscall.SIGKILL, 5 * time.Second, "unexpectedly"}} {
		t.Run(c.how, func(t *testing.T) {
			d := newBench(t, unpaired)
			serve, agent := d.serve(), d.agent()
			if got := agent.answer(agent.tool("navigate", map[string]any{"url": "about:blank"})); strings.Contains(got, `"isError":true`) {
				t.Fatal(got)
			}
			if len(d.using()) == 0 {
				t.Fatal("no browser uses the workspace")
			}
			waits := agent.tool("await_human", map[string]any{"kind": "confirm", "prompt": "Well?"})
			serve.hear("Well?")
			if err := serve.cmd.Process.Signal(c.signal); err != nil {
				t.Fatal(err)
			}
			if got := agent.answer(waits); !strings.Contains(got, c.says) && !strings.Contains(got, "ended by the person") {
				t.Errorf("the waiting call is answered with %s", got)
			}
			_ = serve.end(c.within)
			d.eventually("no browser is left", func() bool { return len(d.using()) == 0 })
			if got := agent.answer(agent.call("ping", map[string]any{})); !strings.Contains(got, "start it") {
				t.Errorf("without a server a ping is answered with %s", got)
			}
			d.serve()
			agent.answer(agent.call("ping", map[string]any{}))
			if got := agent.answer(agent.tool("list_sessions", map[string]any{})); !strings.Contains(got, `\"sessions\":[]`) {
				t.Errorf("after the server came back: %s", got)
			}
		})
	}
}

// A client that dies takes its calls with it, and its browser where the person wants that.
func TestTheDeathOfAClient(t *testing.T) {
	for _, closes := range []bool{false, true} {
		t.Run(fmt.Sprintf("browsers close: %v", closes), func(t *testing.T) {
			d := newBench(t, fmt.Sprintf(`{"pairClients": false, "closeWithClient": %v}`, closes))
			serve, agent := d.serve(), d.agent()
			agent.answer(agent.tool("navigate", map[string]any{"url": "about:blank"}))
			agent.tool("await_human", map[string]any{"kind": "confirm", "prompt": "Well?"})
			serve.hear("[q1]")
			if err := agent.cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			serve.hear("[q1] is over")
			if closes {
				d.eventually("no browser is left", func() bool { return len(d.using()) == 0 })
			} else if len(d.using()) == 0 {
				t.Error("the browser is gone")
			}
			d.agent()
		})
	}
}
