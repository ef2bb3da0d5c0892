package main

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// built is the program under test: ./dev test names it, and a bare go test builds it, once and without the window.
var built string

func TestMain(m *testing.M) { os.Exit(withProgram(m.Run)) }

func withProgram(run func() int) int {
	if built = os.Getenv("CHAPERONE_BINARY"); built != "" {
		return run()
	}
	dir, err := os.MkdirTemp("", "chaperone-test-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	built = filepath.Join(dir, "chaperone")
	build := exec.Command("go", "build", "-buildvcs=false", "-tags", "nogui", "-o", built, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "the program cannot be built: %v\n%s", err, out)
		return 1
	}
	return run()
}

// windowed reports whether the program under test has a window and a display to show it on.
func windowed() bool {
	return os.Getenv("DISPLAY") != "" && os.Getenv("CHAPERONE_BINARY") != ""
}

// TestScripts plays whole sessions with the program, as a person or a client would start it: testdata/script/*.txtar.
func TestScripts(t *testing.T) {
	// Short, since the path of a socket has a limit.
	root, err := os.MkdirTemp("", "cs")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(root) })
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script", WorkdirRoot: root, Setup: setUp,
		Condition: func(cond string) (bool, error) {
			switch cond {
			case "windowed":
				return windowed(), nil
			case "root":
				return os.Geteuid() == 0, nil
			default:
				return false, fmt.Errorf("unknown condition %q", cond)
			}
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"jsonrpc": jsonrpc, "await": await, "takeport": takePort, "mode": mode, "alive": alive,
		},
	})
}

// setUp gives a script the program, and a home, a workspace and an environment of its own, without a display.
func setUp(env *testscript.Env) error {
	bin := filepath.Join(env.WorkDir, ".bin")
	for _, dir := range []string{bin, filepath.Join(env.WorkDir, "home"), filepath.Join(env.WorkDir, "tmp")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	// A link would be followed when the program looks for its own path.
	program := filepath.Join(bin, "chaperone")
	if err := os.Link(built, program); err != nil {
		data, err := os.ReadFile(built)
		if err != nil {
			return err
		}
		if err := os.WriteFile(program, data, 0o755); err != nil {
			return err
		}
	}
	env.Vars = append(env.Vars,
		"PATH="+bin+":"+os.Getenv("PATH"), "HOME="+filepath.Join(env.WorkDir, "home"), "TMPDIR="+filepath.Join(env.WorkDir, "tmp"),
		"CHAPERONE="+program, "DESKTOP="+os.Getenv("DISPLAY"), "LANG=C.UTF-8",
		"BROWX_WORKSPACE="+filepath.Join(env.WorkDir, "ws"), "BROWX_HEADLESS=1", "BROWX_HTTP_ADDR=127.0.0.1:0",
	)
	for _, name := range []string{"BROWX_CHROMIUM", "BROWX_NO_SANDBOX", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"} {
		if value := os.Getenv(name); value != "" {
			env.Vars = append(env.Vars, name+"="+value)
		}
	}
	if os.Geteuid() == 0 && os.Getenv("BROWX_NO_SANDBOX") == "" {
		env.Setenv("BROWX_NO_SANDBOX", "1") // Chromium's sandbox does not work for root
	}
	return nil
}

// jsonrpc checks that the output of the last program is JSON-RPC messages, one per line, and nothing else; and that there is
// one with each of the ids given.
func jsonrpc(ts *testscript.TestScript, neg bool, ids []string) {
	out := ts.ReadFile("stdout")
	if out == "" || !strings.HasSuffix(out, "\n") {
		ts.Fatalf("the output is not whole lines: %q", out)
	}
	seen := map[string]bool{}
	for line := range strings.Lines(out) {
		dec := json.NewDecoder(strings.NewReader(line))
		dec.DisallowUnknownFields()
		var m struct {
			JSONRPC               string          `json:"jsonrpc"`
			ID                    json.RawMessage `json:"id"`
			Method                string          `json:"method"`
			Params, Result, Error json.RawMessage
		}
		if err := dec.Decode(&m); err != nil || m.JSONRPC != "2.0" || line[dec.InputOffset():] != "\n" {
			ts.Fatalf("this line is not a JSON-RPC message alone (%v): %q", err, line)
		}
		seen[string(m.ID)] = true
	}
	for _, id := range ids {
		if seen[id] == neg {
			ts.Fatalf("an answer to %s: %v", id, seen[id])
		}
	}
}

// await waits until a file exists ("await file"), or does not any more ("! await file"); with a second argument, until it is
// there and has that text in it, or has not.
func await(ts *testscript.TestScript, neg bool, args []string) {
	path := ts.MkAbs(args[0])
	deadline := time.Now().Add(20 * time.Second)
	for {
		_, err := os.Lstat(path)
		there := err == nil
		var data []byte
		if len(args) > 1 {
			data, err = os.ReadFile(path)
			there = err == nil && strings.Contains(string(data), args[1])
		}
		if there != neg {
			return
		}
		if time.Now().After(deadline) {
			ts.Fatalf("waited in vain for %v (not: %v); it holds %q", args, neg, data)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// takePort listens on a free port until the script ends, and puts the address into a variable.
func takePort(ts *testscript.TestScript, _ bool, args []string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	ts.Defer(func() { _ = l.Close() })
	ts.Setenv(args[0], l.Addr().String())
}

// mode checks the permissions of files.
func mode(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.ParseUint(args[0], 8, 32)
	ts.Check(err)
	for _, path := range args[1:] {
		info, err := os.Lstat(ts.MkAbs(path))
		ts.Check(err)
		if info.Mode().Perm() != os.FileMode(want) {
			ts.Fatalf("%s is %v", path, info.Mode())
		}
	}
}

// alive checks that the process that an endpoint file names lives, or waits until it does not any more.
func alive(ts *testscript.TestScript, neg bool, args []string) {
	var e struct{ PID int }
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &e))
	deadline := time.Now().Add(10 * time.Second)
	for {
		_, err := os.Stat("/proc/" + strconv.Itoa(e.PID))
		if (err == nil) != neg {
			return
		}
		if !neg || time.Now().After(deadline) {
			ts.Fatalf("process %d: %v", e.PID, err)
		}
		time.Sleep(10 * time.Millisecond)
	}
}
