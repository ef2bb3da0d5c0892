package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// binary is the built program: ./dev test names it, and a bare go test builds it once, without the window.
var binary = sync.OnceValues(func() (string, error) {
	if given := os.Getenv("CHAPERONE_BINARY"); given != "" {
		return given, nil
	}
	dir, err := os.MkdirTemp("", "chaperone-e2e-")
	if err != nil {
		return "", err
	}
	path := dir + "/chaperone"
	build := exec.Command("go", "build", "-tags", "nogui", "-o", path, "chaperone")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build: %v\n%s", err, out)
	}
	return path, nil
})

// agent is one MCP client with a program of its own.
type agent struct {
	t    *testing.T
	mcp  *client.Client
	logs *logs
}

type logs struct {
	mu  sync.Mutex
	buf strings.Builder
}

func (l *logs) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *logs) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

// start runs `chaperone stdio --standalone` in a workspace of its own and greets it.
func start(t *testing.T, env ...string) *agent {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	workspace := t.TempDir()
	for _, e := range env {
		if given, ok := strings.CutPrefix(e, "BROWX_WORKSPACE="); ok {
			workspace = given
		}
	}
	env = append([]string{"BROWX_WORKSPACE=" + workspace, "BROWX_HEADLESS=1"}, env...)
	if os.Getuid() == 0 {
		env = append(env, "BROWX_NO_SANDBOX=1")
	}
	a := &agent{t: t, logs: &logs{}}
	stdio := transport.NewStdioWithOptions(path, env, []string{"stdio", "--standalone"}, transport.WithCommandStderrWriter(io.Writer(a.logs)))
	a.mcp = client.NewClient(stdio)
	if err := a.mcp.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = a.mcp.Close()
		eventually(t, "no process uses the workspace any more", func() bool { return len(using(workspace)) == 0 })
		if t.Failed() {
			t.Logf("the program's log:\n%s", a.logs)
		}
	})
	hello := mcp.InitializeRequest{}
	hello.Params.ProtocolVersion = "2025-06-18"
	hello.Params.ClientInfo = mcp.Implementation{Name: "e2e", Version: "1"}
	if _, err := a.mcp.Initialize(limit(t), hello); err != nil {
		t.Fatalf("initialize: %v\n%s", err, a.logs)
	}
	return a
}

func limit(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// args is the arguments of a call.
type args = map[string]any

// result is what a tool answered.
type result struct {
	tool   string
	text   string
	failed bool
	object map[string]any
	images []mcp.ImageContent
}

// try calls a tool and returns its answer, also when it failed.
func (a *agent) try(tool string, in args) result {
	a.t.Helper()
	request := mcp.CallToolRequest{}
	request.Params.Name, request.Params.Arguments = tool, in
	reply, err := a.mcp.CallTool(limit(a.t), request)
	if err != nil {
		a.t.Fatalf("%s %v: %v", tool, in, err)
	}
	r := result{tool: tool, failed: reply.IsError}
	for _, item := range reply.Content {
		switch c := item.(type) {
		case mcp.TextContent:
			r.text += c.Text
		case mcp.ImageContent:
			r.images = append(r.images, c)
		}
	}
	if strings.HasPrefix(strings.TrimSpace(r.text), "{") {
		if err := json.Unmarshal([]byte(r.text), &r.object); err != nil {
			a.t.Fatalf("%s: the text is not one JSON object: %v\n%s", tool, err, r.text)
		}
	}
	return r
}

// do calls a tool that must succeed.
func (a *agent) do(tool string, in args) result {
	a.t.Helper()
	r := a.try(tool, in)
	if r.failed || r.object["ok"] == false {
		a.t.Fatalf("%s %v failed: %s", tool, in, r.text)
	}
	return r
}

// refuse calls a tool that must fail, with these words in its error or hint.
func (a *agent) refuse(tool string, in args, words ...string) result {
	a.t.Helper()
	r := a.try(tool, in)
	if !r.failed || r.object["ok"] != false {
		a.t.Fatalf("%s %v was not refused: %s", tool, in, r.text)
	}
	if r.str("error") == "" || r.str("hint") == "" {
		a.t.Errorf("%s: a refusal needs error and hint: %s", tool, r.text)
	}
	for _, w := range words {
		if !strings.Contains(strings.ToLower(r.text), strings.ToLower(w)) {
			a.t.Errorf("%s %v: the refusal does not speak of %q: %s", tool, in, w, r.text)
		}
	}
	return r
}

// at follows a path of keys and indexes through the object.
func (r result) at(path ...any) any {
	var v any = r.object
	for _, step := range path {
		switch s := step.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[s]
		case int:
			l, _ := v.([]any)
			if s >= len(l) {
				return nil
			}
			v = l[s]
		}
	}
	return v
}

func (r result) str(path ...any) string {
	s, _ := r.at(path...).(string)
	return s
}

func (r result) list(path ...any) []any {
	l, _ := r.at(path...).([]any)
	return l
}

// ref finds the reference of a line of a snapshot by role and name.
func (r result) ref(t *testing.T, role, name string) string {
	t.Helper()
	form := regexp.MustCompile(regexp.QuoteMeta(role) + `[^\n]*"` + regexp.QuoteMeta(name) + `"[^\n]*\[ref=(e\d+)\]`)
	m := form.FindStringSubmatch(r.text)
	if m == nil {
		t.Fatalf("no %s %q with a ref in:\n%s", role, name, r.text)
	}
	return m[1]
}

// lab serves fixture pages and hears what they report.
type lab struct {
	*httptest.Server
	mu     sync.Mutex
	seen   []report
	change chan struct{}
}

type report struct {
	What string `json:"what"`
	Data any    `json:"data"`
}

// newLab serves the folder testdata, a slow answer, a POST that answers JSON, an attachment, and the reports.
func newLab(t *testing.T) *lab {
	t.Helper()
	l := &lab{change: make(chan struct{})}
	files := http.FileServer(http.Dir("testdata"))
	mux := http.NewServeMux()
	mux.HandleFunc("POST /saw", func(_ http.ResponseWriter, r *http.Request) {
		var rep report
		if json.NewDecoder(r.Body).Decode(&rep) == nil {
			l.mu.Lock()
			l.seen = append(l.seen, rep)
			close(l.change)
			l.change = make(chan struct{})
			l.mu.Unlock()
		}
	})
	mux.HandleFunc("/slow", func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(300 * time.Millisecond) // a server that takes its time is the fixture
		fmt.Fprint(w, "slow answer")
	})
	mux.HandleFunc("POST /api/orders/4711", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"id":4711,"total":12.5,"items":[]}`)
	})
	mux.HandleFunc("/file", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="report.csv"`)
		fmt.Fprint(w, "a,b\n1,2\n")
	})
	mux.HandleFunc("/private", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", `Basic realm="the garden"`)
		w.WriteHeader(http.StatusUnauthorized)
	})
	mux.HandleFunc("/favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("/strict", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'self'; script-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'")
		http.ServeFile(w, r, "testdata/strict.html")
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		files.ServeHTTP(w, r)
	})
	l.Server = httptest.NewServer(mux)
	t.Cleanup(l.Close)
	return l
}

// saw waits until the page has reported this, and returns the data of the last such report.
func (l *lab) saw(t *testing.T, what string) any {
	t.Helper()
	deadline := time.NewTimer(10 * time.Second)
	defer deadline.Stop()
	for {
		l.mu.Lock()
		for i := len(l.seen) - 1; i >= 0; i-- {
			if l.seen[i].What == what {
				data := l.seen[i].Data
				l.mu.Unlock()
				return data
			}
		}
		ch, seen := l.change, fmt.Sprint(l.seen)
		l.mu.Unlock()
		select {
		case <-ch:
		case <-deadline.C:
			t.Fatalf("the page did not report %q; it reported %s", what, seen)
		}
	}
}

// quiet reports whether the page has never reported this.
func (l *lab) quiet(what string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range l.seen {
		if r.What == what {
			return false
		}
	}
	return true
}

// reported tells whether the page has reported just that.
func (l *lab) reported(what string, data any) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range l.seen {
		if r.What == what && fmt.Sprint(r.Data) == fmt.Sprint(data) {
			return true
		}
	}
	return false
}

func (l *lab) forget() {
	l.mu.Lock()
	l.seen = nil
	l.mu.Unlock()
}
