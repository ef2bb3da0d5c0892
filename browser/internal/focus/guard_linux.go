package focus

import (
	"encoding/binary"
	"io"
	"os"
	"sync"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// Guard watches the active window of an X11 desktop for one browser.
type Guard struct {
	pid  uint32
	conn *xgb.Conn
	root xproto.Window

	active, ofPID xproto.Atom

	mu     sync.Mutex
	until  time.Time     // the focus is given back until then
	theirs xproto.Window // the last active window that is not the browser's
}

// Watch begins to watch for the browser with that process id. It returns nil, which is a Guard that does nothing, where there
// is no X11 desktop or its window manager does not say which window is active.
func Watch(pid int) *Guard {
	if os.Getenv("DISPLAY") == "" {
		return nil
	}
	// The library reports a desktop without an authority file, which works all the same.
	xgb.Logger.SetOutput(io.Discard)
	conn, err := xgb.NewConn()
	if err != nil {
		return nil
	}
	g := &Guard{pid: uint32(pid), conn: conn, root: xproto.Setup(conn).DefaultScreen(conn).Root}
	if g.active, err = atom(conn, "_NET_ACTIVE_WINDOW"); err == nil {
		g.ofPID, err = atom(conn, "_NET_WM_PID")
	}
	if err == nil {
		err = xproto.ChangeWindowAttributesChecked(conn, g.root, xproto.CwEventMask, []uint32{xproto.EventMaskPropertyChange}).Check()
	}
	if err != nil {
		conn.Close()
		return nil
	}
	g.note()
	go g.run()
	return g
}

func atom(conn *xgb.Conn, name string) (xproto.Atom, error) {
	reply, err := xproto.InternAtom(conn, false, uint16(len(name)), name).Reply()
	if err != nil {
		return 0, err
	}
	return reply.Atom, nil
}

// Arm has the focus given back for that long from now on, if the browser takes it.
func (g *Guard) Arm(d time.Duration) {
	if g == nil {
		return
	}
	g.mu.Lock()
	g.until = time.Now().Add(d)
	g.mu.Unlock()
}

// Close ends the watch.
func (g *Guard) Close() {
	if g != nil {
		g.conn.Close()
	}
}

func (g *Guard) run() {
	for {
		event, err := g.conn.WaitForEvent()
		if event == nil && err == nil {
			return // the connection has ended
		}
		if change, ok := event.(xproto.PropertyNotifyEvent); ok && change.Atom == g.active {
			g.note()
		}
	}
}

// note looks which window is active now, and hands the focus back when the browser has just taken it.
func (g *Guard) note() {
	now := g.property(g.root, g.active)
	if now == 0 {
		return
	}
	ours := g.property(xproto.Window(now), g.ofPID) == g.pid
	g.mu.Lock()
	armed, theirs := time.Now().Before(g.until), g.theirs
	if !ours {
		g.theirs = xproto.Window(now)
	}
	g.mu.Unlock()
	if ours && armed && theirs != 0 {
		g.activate(theirs)
	}
}

func (g *Guard) property(w xproto.Window, a xproto.Atom) uint32 {
	reply, err := xproto.GetProperty(g.conn, false, w, a, xproto.GetPropertyTypeAny, 0, 1).Reply()
	if err != nil || len(reply.Value) < 4 {
		return 0
	}
	return binary.NativeEndian.Uint32(reply.Value)
}

// fromPager is the source of a request that a person's tool made (EWMH, _NET_ACTIVE_WINDOW): window managers obey it.
const fromPager = 2

func (g *Guard) activate(w xproto.Window) {
	message := xproto.ClientMessageEvent{
		Format: 32, Window: w, Type: g.active,
		Data: xproto.ClientMessageDataUnionData32New([]uint32{fromPager, 0, 0, 0, 0}),
	}
	xproto.SendEvent(g.conn, false, g.root, xproto.EventMaskSubstructureNotify|xproto.EventMaskSubstructureRedirect, string(message.Bytes()))
}
