package ui_test

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"chaperone/ui/theme"
)

// TestARealClickApproves is the whole way: an agent calls await_human over stdio, the app shows its cards on a real
// screen under a window manager, and what releases the agent is the mouse.
func TestARealClickApproves(t *testing.T) {
	app := builtApp(t)
	xdotool, err := exec.LookPath("xdotool")
	if err != nil {
		t.Skip("xdotool is not here")
	}
	frames := t.TempDir()
	display := ":" + start(t, "Xvfb", "-displayfd", "1", "-screen", "0", "1200x800x24", "-nolisten", "tcp", "-fbdir", frames)
	bus := privateBus(t)
	home := t.TempDir()
	env := []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "BROWX_WORKSPACE=" + filepath.Join(home, "space"), "LANG=C",
		"BROWX_HTTP_ADDR=127.0.0.1:0", "DISPLAY=" + display, "DBUS_SESSION_BUS_ADDRESS=" + bus}
	ctx, cancel := context.WithTimeout(context.Background(), 90*time.Second)
	defer cancel()
	run := func(out io.Writer, name string, args ...string) *exec.Cmd {
		t.Helper()
		cmd := exec.CommandContext(ctx, name, args...)
		cmd.Env, cmd.Stderr, cmd.Stdout = env, out, out
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		return cmd
	}
	begin := func(cmd *exec.Cmd) {
		t.Helper()
		if err := cmd.Start(); err != nil {
			t.Skipf("%v", err)
		}
		t.Cleanup(func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); _ = cmd.Wait() })
	}
	begin(run(nil, "openbox", "--sm-disable"))
	var said lockedBuffer
	window := run(&said, app)
	begin(window)

	screen := &framebuffer{t: t, path: filepath.Join(frames, "Xvfb_screen0")}
	// a bridge that finds no app would start one of its own
	screen.await(ctx, "the app did not open its doors", &said, func() bool {
		_, err := os.Stat(filepath.Join(home, "space", "run", "endpoint"))
		return err == nil
	})

	agent := newAgent(t, run(nil, app, "stdio"))
	agent.send(1, "initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "Click Test", "version": "1"}})
	agent.reply(ctx, 1)
	agent.note("notifications/initialized")
	agent.send(2, "tools/call", map[string]any{"name": "await_human", "_meta": map[string]any{"progressToken": "p"},
		"arguments": map[string]any{"kind": "confirm", "prompt": "Shall I go on?"}})

	for _, what := range []string{"the new client's card", "the question"} {
		if agent.has(2) {
			t.Fatalf("the agent was answered before the person saw %s", what)
		}
		at := screen.button(ctx, what, &said)
		// and away again, so that the look of a button under the pointer is not taken for its end
		if err := run(&said, xdotool, "mousemove", fmt.Sprint(at.X), fmt.Sprint(at.Y), "click", "1", "mousemove", "1199", "799").Run(); err != nil {
			t.Fatalf("xdotool: %v\n%s", err, said.String())
		}
		screen.gone(ctx, at, what, &said)
	}
	var answer struct {
		Result struct {
			IsError           bool
			StructuredContent struct {
				Value    any
				TimedOut bool
			}
		}
	}
	raw := agent.reply(ctx, 2)
	if err := json.Unmarshal(raw, &answer); err != nil {
		t.Fatal(err)
	}
	if answer.Result.IsError || answer.Result.StructuredContent.Value != true {
		t.Errorf("the agent got %s", raw)
	}
	if strings.Contains(said.String(), "call thread") {
		t.Errorf("the window was touched from a foreign thread:\n%s", said.String())
	}
}

// agent is an MCP client over a program's standard streams.
type agent struct {
	t       *testing.T
	in      io.Writer
	replies chan json.RawMessage
	got     map[int]json.RawMessage
}

func newAgent(t *testing.T, cmd *exec.Cmd) *agent {
	t.Helper()
	cmd.Stdout = nil
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); _ = cmd.Wait() })
	a := &agent{t: t, in: in, replies: make(chan json.RawMessage, 256), got: map[int]json.RawMessage{}}
	go func() {
		defer close(a.replies)
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, 1<<24)
		for lines.Scan() {
			a.replies <- json.RawMessage(strings.Clone(lines.Text()))
		}
	}()
	return a
}

func (a *agent) write(message map[string]any) {
	a.t.Helper()
	message["jsonrpc"] = "2.0"
	data, err := json.Marshal(message)
	if err != nil {
		a.t.Fatal(err)
	}
	if _, err := a.in.Write(append(data, '\n')); err != nil {
		a.t.Fatal(err)
	}
}

func (a *agent) send(id int, method string, params any) {
	a.t.Helper()
	a.write(map[string]any{"id": id, "method": method, "params": params})
}

func (a *agent) note(method string) { a.t.Helper(); a.write(map[string]any{"method": method}) }

func (a *agent) keep(raw json.RawMessage) {
	var head struct {
		ID     *int
		Method string
	}
	if json.Unmarshal(raw, &head) == nil && head.ID != nil && head.Method == "" {
		a.got[*head.ID] = raw
	}
}

// has tells whether a reply is there by now.
func (a *agent) has(id int) bool {
	for {
		select {
		case raw, ok := <-a.replies:
			if !ok {
				return a.got[id] != nil
			}
			a.keep(raw)
		default:
			return a.got[id] != nil
		}
	}
}

func (a *agent) reply(ctx context.Context, id int) json.RawMessage {
	a.t.Helper()
	for a.got[id] == nil {
		select {
		case raw, ok := <-a.replies:
			if !ok {
				a.t.Fatalf("the bridge ended before it answered call %d", id)
			}
			a.keep(raw)
		case <-ctx.Done():
			a.t.Fatalf("call %d was not answered", id)
		}
	}
	return a.got[id]
}

// framebuffer is what a virtual X server shows, read from the file it keeps it in.
type framebuffer struct {
	t    *testing.T
	path string
}

// look returns the screen's pixels.
func (f *framebuffer) look() (at func(x, y int) uint32, width, height int) {
	f.t.Helper()
	data, err := os.ReadFile(f.path)
	if err != nil {
		f.t.Fatal(err)
	}
	word := func(i int) int { return int(binary.BigEndian.Uint32(data[4*i:])) }
	header, width, height, bits, stride, colors := word(0), word(4), word(5), word(11), word(12), word(19)
	if bits != 32 {
		f.t.Fatalf("a screen of %d bits", bits)
	}
	pixels := data[header+12*colors:]
	return func(x, y int) uint32 { return binary.LittleEndian.Uint32(pixels[y*stride+4*x:]) & 0xffffff }, width, height
}

// accents are the grounds of a button that says yes, in both looks, once it takes a click.
func accents() map[uint32]bool {
	out := map[uint32]bool{}
	for _, v := range []theme.Variant{theme.Light, theme.Dark} {
		c := color.NRGBAModel.Convert(theme.New(v).Color(theme.Accent, 0)).(color.NRGBA)
		out[uint32(c.R)<<16|uint32(c.G)<<8|uint32(c.B)] = true
	}
	return out
}

// find returns a place on the uppermost button that says yes.
func (f *framebuffer) find() (place image.Point, ok bool) {
	at, width, height := f.look()
	yes := accents()
	for y := range height - 24 {
		run := 0
		for x := range width {
			if !yes[at(x, y)] {
				run = 0
				continue
			}
			if run++; run < 40 {
				continue
			}
			tall := true
			for down := range 20 { // a bar is four high, a button more than thirty
				tall = tall && yes[at(x-39, y+down)]
			}
			if tall {
				return image.Pt(x-36, y+4), true
			}
		}
	}
	return place, false
}

func (f *framebuffer) await(ctx context.Context, what string, said *lockedBuffer, fact func() bool) {
	f.t.Helper()
	for !fact() {
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			f.t.Fatalf("%s\n%s", what, said.String())
		}
	}
}

// button waits for a button that says yes and takes a click.
func (f *framebuffer) button(ctx context.Context, what string, said *lockedBuffer) (place image.Point) {
	f.t.Helper()
	f.await(ctx, what+" never offered a yes", said, func() (ok bool) { place, ok = f.find(); return ok })
	return place
}

// gone waits until no button stands there any more.
func (f *framebuffer) gone(ctx context.Context, place image.Point, what string, said *lockedBuffer) {
	f.t.Helper()
	f.await(ctx, what+" did not take the click", said, func() bool {
		at, _, _ := f.look()
		return !accents()[at(place.X, place.Y)]
	})
}
