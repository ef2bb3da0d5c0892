package e2e

import (
	"context"
	"fmt"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
	"github.com/jezek/xgb/xtest"
	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// screen is the X11 desktop, seen and touched as a person does: by what is painted, and with the mouse.
type screen struct {
	t      *testing.T
	conn   *xgb.Conn
	root   xproto.Window
	width  uint16
	height uint16
}

// newScreen needs a display and the program with its window; ./dev test has both.
func newScreen(t *testing.T) *screen {
	t.Helper()
	if os.Getenv("DISPLAY") == "" || os.Getenv("CHAPERONE_BINARY") == "" {
		t.Skip("needs DISPLAY and CHAPERONE_BINARY, which ./dev test sets")
	}
	conn, err := xgb.NewConn()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	if err := xtest.Init(conn); err != nil {
		t.Fatal(err)
	}
	s := xproto.Setup(conn).DefaultScreen(conn)
	return &screen{t: t, conn: conn, root: s.Root, width: s.WidthInPixels, height: s.HeightInPixels}
}

// patch finds the largest solid field of one colour that is at least as big as a button, right of the rail.
func (s *screen) patch(red, green, blue byte) (image.Point, bool) {
	s.t.Helper()
	reply, err := xproto.GetImage(s.conn, xproto.ImageFormatZPixmap, xproto.Drawable(s.root), 0, 0, s.width, s.height, 0xffffffff).Reply()
	if err != nil {
		s.t.Fatal(err)
	}
	w, h := int(s.width), int(s.height)
	is := func(x, y int) bool {
		p := reply.Data[(y*w+x)*4:]
		return p[0] == blue && p[1] == green && p[2] == red
	}
	const minWidth, minHeight = 48, 22
	for y := 0; y < h-minHeight; y += 4 {
		run := 0
		for x := 200; x < w; x++ {
			if !is(x, y) {
				run = 0
				continue
			}
			if run++; run < minWidth {
				continue
			}
			// The words on a button interrupt its middle: its upper and lower edges are looked at.
			left, bottom := x-minWidth+1, y
			for bottom < h-1 && is(left, bottom+1) {
				bottom++
			}
			if bottom-y+1 >= minHeight {
				return image.Pt(left+minWidth/2, (y+bottom)/2), true
			}
		}
	}
	return image.Point{}, false
}

func (s *screen) click(at image.Point) {
	const motion, press, release = 6, 4, 5
	xtest.FakeInput(s.conn, motion, 0, 0, s.root, int16(at.X), int16(at.Y), 0)
	xtest.FakeInput(s.conn, press, 1, 0, s.root, 0, 0, 0)
	xtest.FakeInput(s.conn, release, 1, 60, s.root, 0, 0, 0)
	s.conn.Sync()
}

// app starts the program with its window in a workspace of its own.
func app(t *testing.T, workspace string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Getenv("CHAPERONE_BINARY"))
	cmd.Env = append(os.Environ(), "BROWX_WORKSPACE="+workspace, "BROWX_HEADLESS=1", "BROWX_HTTP_ADDR=127.0.0.1:0", "FYNE_SCALE=1", "FYNE_THEME=light")
	out := &logs{}
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	exited := make(chan struct{})
	go func() { _ = cmd.Wait(); close(exited) }()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-exited:
		case <-time.After(10 * time.Second):
			t.Error("the app did not end within 10 s of SIGTERM")
			_ = cmd.Process.Kill()
			<-exited
		}
		if t.Failed() {
			t.Logf("the app's log:\n%s", out)
		}
	})
	return cmd
}

// join starts `chaperone stdio`, which joins the running app.
func join(t *testing.T, workspace, name string) *agent {
	t.Helper()
	a := &agent{t: t, logs: &logs{}}
	env := []string{"BROWX_WORKSPACE=" + workspace}
	a.mcp = client.NewClient(transport.NewStdioWithOptions(os.Getenv("CHAPERONE_BINARY"), env, []string{"stdio"}, transport.WithCommandStderrWriter(a.logs)))
	if err := a.mcp.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.mcp.Close() })
	hello := mcp.InitializeRequest{}
	hello.Params.ProtocolVersion = "2025-06-18"
	hello.Params.ClientInfo = mcp.Implementation{Name: name, Version: "1"}
	if _, err := a.mcp.Initialize(limit(t), hello); err != nil {
		t.Fatalf("initialize: %v\n%s", err, a.logs)
	}
	return a
}

// The accent of the light theme: the permissive button of a card is painted in it.
const accentRed, accentGreen, accentBlue = 0x0f, 0x76, 0x6e

// TestAClickOnApproveReleasesTheAgent is the main job with a person in it: two waits, for the new client and for the question,
// end by real clicks on what the window shows, and by nothing else.
func TestAClickOnApproveReleasesTheAgent(t *testing.T) {
	s := newScreen(t)
	workspace := t.TempDir()
	app(t, workspace)
	eventually(t, "the app listens", func() bool {
		_, err := os.Stat(filepath.Join(workspace, "run", "endpoint"))
		return err == nil
	})
	a := join(t, workspace, "Desktop test")
	answer := make(chan result, 1)
	go func() {
		request := mcp.CallToolRequest{}
		request.Params.Name, request.Params.Arguments = "await_human", args{"kind": "confirm", "prompt": "May I go on?"}
		request.Params.Meta = &mcp.Meta{ProgressToken: "p1"}
		ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
		defer cancel()
		reply, err := a.mcp.CallTool(ctx, request)
		if err != nil {
			answer <- result{text: err.Error(), failed: true}
			return
		}
		r := result{failed: reply.IsError}
		for _, item := range reply.Content {
			if c, ok := item.(mcp.TextContent); ok {
				r.text += c.Text
			}
		}
		answer <- r
	}()
	clicks := 0
	deadline := time.Now().Add(50 * time.Second)
	for {
		select {
		case r := <-answer:
			if r.failed || !strings.Contains(r.text, `"value":true`) {
				t.Fatalf("the agent got %s", r.text)
			}
			if clicks == 0 {
				t.Fatal("the agent was released without a click")
			}
			return
		case <-time.After(500 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			shot := filepath.Join(os.TempDir(), fmt.Sprintf("chaperone-e2e-%d.xwd", os.Getpid()))
			_ = exec.Command("import", "-window", "root", shot+".png").Run()
			t.Fatalf("no answer after %d clicks; picture in %s.png", clicks, shot)
		}
		if at, ok := s.patch(accentRed, accentGreen, accentBlue); ok {
			s.click(at)
			clicks++
		}
	}
}
