package browser_test

import (
	"encoding/binary"
	"os"
	"testing"

	"chaperone/browser"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// desktop is the X11 desktop of the test, with a window that stands for what the person is doing.
type desktop struct {
	conn   *xgb.Conn
	root   xproto.Window
	active xproto.Atom
	mine   xproto.Window
}

// newDesktop needs an X server with a window manager, which ./dev test starts.
func newDesktop(t *testing.T) *desktop {
	t.Helper()
	if os.Getenv("DISPLAY") == "" {
		t.Skip("no display: ./dev test starts one")
	}
	conn, err := xgb.NewConn()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	screen := xproto.Setup(conn).DefaultScreen(conn)
	name := "_NET_ACTIVE_WINDOW"
	atom, err := xproto.InternAtom(conn, false, uint16(len(name)), name).Reply()
	if err != nil {
		t.Fatal(err)
	}
	d := &desktop{conn: conn, root: screen.Root, active: atom.Atom}
	if d.mine, err = xproto.NewWindowId(conn); err != nil {
		t.Fatal(err)
	}
	xproto.CreateWindow(conn, screen.RootDepth, d.mine, d.root, 700, 500, 200, 100, 0, xproto.WindowClassInputOutput, screen.RootVisual, 0, nil)
	xproto.MapWindow(conn, d.mine)
	eventually(t, "the person's window is the active one", func() bool { return d.now() == d.mine })
	return d
}

func (d *desktop) now() xproto.Window {
	reply, err := xproto.GetProperty(d.conn, false, d.root, d.active, xproto.GetPropertyTypeAny, 0, 1).Reply()
	if err != nil || len(reply.Value) < 4 {
		return 0
	}
	return xproto.Window(binary.NativeEndian.Uint32(reply.Value))
}

func TestAgentsLeaveThePersonsFocusAlone(t *testing.T) {
	d := newDesktop(t)
	srv := site(t, map[string]string{"/": `<button onclick="document.title = event.isTrusted">x</button><a target=_blank href="/">new</a>`})
	s := open(t, func(o *browser.Options) { o.Headless = false })
	tab := current(t, s)
	navigate(t, tab, srv.URL+"/")
	for range 3 {
		if _, err := click(t, tab, "button"); err != nil {
			t.Fatal(err)
		}
		if got := eval[string](t, tab.MainFrame(), "document.title"); got != "true" {
			t.Errorf("the page saw %q", got)
		}
	}
	second, err := s.NewTab(limit(t))
	if err != nil {
		t.Fatal(err)
	}
	navigate(t, second, srv.URL+"/")
	if _, err := second.Thumbnail(limit(t), 320); err != nil {
		t.Errorf("a thumbnail: %v", err)
	}
	eventually(t, "the person's window is the active one again", func() bool { return d.now() == d.mine })

	if err := s.Show(limit(t)); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the browser's window comes to the front when it is asked for", func() bool { return d.now() != d.mine })
}
