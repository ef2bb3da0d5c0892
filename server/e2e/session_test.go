package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

func TestToolList(t *testing.T) {
	a := start(t)
	tools, err := a.mcp.ListTools(limit(t), mcp.ListToolsRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(tools.Tools); n == 0 || n > 40 {
		t.Errorf("%d tools are listed", n)
	}
	for _, tool := range tools.Tools {
		if tool.Description == "" || tool.Annotations.Title == "" {
			t.Errorf("%s has no description or title", tool.Name)
		}
	}
}

func TestToolOfACapabilityThatIsOff(t *testing.T) {
	a, l := start(t, "BROWX_CAPABILITIES=read,navigation"), newLab(t)
	a.do("navigate", args{"url": l.URL + "/actions.html"})
	r := a.refuse("click", args{"selector": "#plain"}, "action", "capabilities")
	if r.str("requiredCapability") != "action" || !l.quiet("click") {
		t.Errorf("a click without the capability: %s", r.text)
	}
	tools, err := a.mcp.ListTools(limit(t), mcp.ListToolsRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range tools.Tools {
		if tool.Name == "click" {
			t.Error("click is listed while its capability is off")
		}
	}
}

func TestSessionsAreApart(t *testing.T) {
	a, l := start(t), newLab(t)
	a.do("open_session", args{"session": "one", "mode": "incognito"})
	a.do("open_session", args{"session": "two", "mode": "incognito"})
	a.do("navigate", args{"session": "one", "url": l.URL + "/small.html"})
	a.do("navigate", args{"session": "two", "url": l.URL + "/form.html"})
	if page := a.do("snapshot", args{"session": "one"}); !strings.Contains(page.text, "Small page") {
		t.Errorf("session one reads:\n%s", page.text)
	}
	list := a.do("list_sessions", nil)
	if len(list.list("sessions")) != 2 || list.str("sessions", 0, "owner") == "" {
		t.Errorf("sessions: %s", list.text)
	}
	a.do("close_session", args{"session": "one"})
	a.do("close_sessions", args{"all": true})
	if list := a.do("list_sessions", nil); len(list.list("sessions")) != 0 {
		t.Errorf("sessions: %s", list.text)
	}
	a.refuse("snapshot", args{"session": "nowhere"}, "nowhere", "open_session")
}

func TestPersistentSessionKeepsItsCookies(t *testing.T) {
	workspace := t.TempDir()
	l := newLab(t)
	for i := range 2 {
		a := start(t, "BROWX_WORKSPACE="+workspace)
		a.do("navigate", args{"url": l.URL + "/small.html"})
		if r := a.do("list_sessions", nil); r.str("sessions", 0, "mode") != "persistent" {
			t.Fatalf("sessions: %s", r.text)
		}
		profiles, err := filepath.Glob(filepath.Join(workspace, "profiles", "*"))
		if err != nil || len(profiles) != 1 {
			t.Errorf("round %d: profiles %v, %v", i, profiles, err)
		}
		a.do("close_session", nil)
		_ = a.mcp.Close()
	}
}

func TestBrowserThatDiesIsSaidOnce(t *testing.T) {
	workspace := t.TempDir()
	a, l := start(t, "BROWX_WORKSPACE="+workspace), newLab(t)
	a.do("navigate", args{"url": l.URL + "/small.html"})
	var main int
	for _, pid := range using(workspace) {
		if main == 0 || pid < main {
			main = pid
		}
	}
	if main == 0 {
		t.Fatal("no browser process uses the workspace")
	}
	if err := syscall.Kill(main, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the browser has ended", func() bool { return len(using(filepath.Join(workspace, "profiles"))) == 0 })
	a.refuse("snapshot", nil, "ended")
	a.do("navigate", args{"url": l.URL + "/small.html"})
}

func TestNothingIsLeftBehind(t *testing.T) {
	for _, how := range []string{"closed input", "killed"} {
		t.Run(how, func(t *testing.T) {
			workspace := t.TempDir()
			a, l := start(t, "BROWX_WORKSPACE="+workspace), newLab(t)
			a.do("navigate", args{"url": l.URL + "/small.html"})
			browsers := filepath.Join(workspace, "profiles")
			if len(using(browsers)) == 0 {
				t.Fatal("no browser process uses the workspace")
			}
			if how == "killed" {
				pid := programOf(t, workspace)
				if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
					t.Fatal(err)
				}
			}
			_ = a.mcp.Close()
			eventually(t, "no browser process is left", func() bool { return len(using(browsers)) == 0 })
		})
	}
}

// programOf finds the program by the workspace in its environment.
func programOf(t *testing.T, workspace string) int {
	t.Helper()
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		line, _ := os.ReadFile("/proc/" + e.Name() + "/cmdline")
		env, err := os.ReadFile("/proc/" + e.Name() + "/environ")
		if err == nil && strings.Contains(string(env), workspace) && strings.Contains(string(line), "--standalone") {
			var pid int
			fmt.Sscan(e.Name(), &pid)
			return pid
		}
	}
	t.Fatal("the program was not found")
	return 0
}

// using lists the processes whose command line names dir.
func using(dir string) (pids []int) {
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		line, err := os.ReadFile("/proc/" + e.Name() + "/cmdline")
		if err == nil && strings.Contains(string(line), dir) {
			var pid int
			fmt.Sscan(e.Name(), &pid)
			pids = append(pids, pid)
		}
	}
	return pids
}

// eventually polls a fact about other processes, which tell nobody when they end.
func eventually(t *testing.T, what string, fact func() bool) {
	t.Helper()
	deadline := time.Now().Add(15 * time.Second)
	for !fact() {
		if time.Now().After(deadline) {
			t.Fatalf("not within 15 s: %s", what)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func TestBadInput(t *testing.T) {
	a, l := start(t), newLab(t)
	a.do("navigate", args{"url": l.URL + "/form.html"})
	a.refuse("click", args{"reff": "e1"}, "reff", "ref")
	a.refuse("click", args{"ref": "e1", "selector": "a"}, "one of")
	a.refuse("click", nil, "ref")
	a.refuse("navigate", args{"url": 7.5})
	a.refuse("set_viewport", args{"width": "wide", "height": 100}, "width")
	a.do("set_viewport", args{"width": "900", "height": "600"})
	if b := picture(t, a.do("screenshot", nil)).Bounds(); b.Dx() != 900 || b.Dy() != 600 {
		t.Errorf("the viewport is %v", b)
	}
	a.refuse("wait_for", args{"text": "x", "timeoutMs": -5}, "timeoutMs")
	a.do("click", args{"target": args{"selector": "text=Send"}})
	l.saw(t, "submit")
	huge := strings.Repeat("x", 10<<20)
	a.try("text_search", args{"text": huge})
	a.do("snapshot", args{"scope": nil})
}

func TestCapabilitiesAreNotTheAgentsToWiden(t *testing.T) {
	a := start(t)
	r := a.try("set_config", args{"key": "capabilities", "value": "read,navigation,action,human,eval"})
	if !r.failed {
		t.Errorf("an agent gave itself a capability: %s", r.text)
	}
	if r := a.do("get_config", nil); strings.Contains(fmt.Sprint(r.at("config", "capabilities"), r.at("capabilities")), "eval") {
		t.Errorf("the configuration: %s", r.text)
	}
}

func TestHumanWithoutAWindow(t *testing.T) {
	a := start(t)
	r := a.refuse("await_human", args{"kind": "confirm", "prompt": "go on?"})
	if strings.Contains(r.text, "pending") {
		t.Errorf("nobody can answer, but the answer is: %s", r.text)
	}
}

func TestCancelEndsTheWork(t *testing.T) {
	a, l := start(t), newLab(t)
	a.do("navigate", args{"url": l.URL + "/small.html"})
	ctx, cancel := context.WithCancel(limit(t))
	done := make(chan struct{})
	go func() {
		request := mcp.CallToolRequest{}
		request.Params.Name, request.Params.Arguments = "wait_for", args{"text": "never", "timeoutMs": 30000}
		_, _ = a.mcp.CallTool(ctx, request)
		close(done)
	}()
	started := time.Now()
	if err := a.mcp.Ping(limit(t)); err != nil {
		t.Errorf("ping while a call waits: %v", err)
	}
	if _, err := a.mcp.ListTools(limit(t), mcp.ListToolsRequest{}); err != nil {
		t.Errorf("tools/list while a call waits: %v", err)
	}
	a.do("find", args{"query": "small"}) // a read is not held up by a wait
	cancel()
	<-done
	if took := time.Since(started); took > 20*time.Second {
		t.Errorf("ping, list, read and cancel took %s beside a waiting call", took)
	}
	a.do("snapshot", nil)
}
