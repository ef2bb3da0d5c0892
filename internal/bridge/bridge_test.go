package bridge

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

const patience = 10 * time.Second

// fakeApp is the app's end of the socket, by hand.
type fakeApp struct {
	t    *testing.T
	path string
	l    net.Listener
	in   chan *talk
}

type talk struct {
	t    *testing.T
	c    net.Conn
	from *bufio.Reader
}

func newApp(t *testing.T, path string) *fakeApp {
	t.Helper()
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	a := &fakeApp{t: t, path: path, l: l, in: make(chan *talk, 10)}
	t.Cleanup(a.stop)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			k := &talk{t, c, bufio.NewReader(c)}
			if hello, _ := k.from.ReadString('\n'); !strings.Contains(hello, `"chaperone":"join"`) {
				t.Errorf("the bridge says %s", hello)
			}
			_, _ = io.WriteString(c, `{"chaperone":"welcome"}`+"\n")
			a.in <- k
		}
	}()
	return a
}

func (a *fakeApp) stop() { _ = a.l.Close() }

func (a *fakeApp) talk() *talk {
	a.t.Helper()
	select {
	case k := <-a.in:
		return k
	case <-time.After(patience):
		a.t.Fatal("the bridge does not come")
		return nil
	}
}

func (k *talk) hear(part string) {
	k.t.Helper()
	_ = k.c.SetReadDeadline(time.Now().Add(patience))
	line, err := k.from.ReadString('\n')
	if err != nil || !strings.Contains(line, part) {
		k.t.Fatalf("the app hears %q (%v), not %s", line, err, part)
	}
}

func (k *talk) say(line string) {
	k.t.Helper()
	if _, err := io.WriteString(k.c, line+"\n"); err != nil {
		k.t.Error(err)
	}
}

// fakeClient is the client's end.
type fakeClient struct {
	t      *testing.T
	in     io.WriteCloser
	out    *bufio.Reader
	ended  chan error
	starts chan bool
	log    *notes
}

type notes struct {
	mu sync.Mutex
	b  strings.Builder
}

func (n *notes) Write(p []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.b.Write(p)
}

func (n *notes) String() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.b.String()
}

func newClient(t *testing.T, path string, start func() error) *fakeClient {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	f := &fakeClient{t: t, in: inW, out: bufio.NewReader(outR), ended: make(chan error, 1), starts: make(chan bool, 10), log: &notes{}}
	go func() {
		f.ended <- Run(context.Background(), inR, outW, Config{
			Dial:  func() (net.Conn, error) { return net.Dial("unix", path) },
			Start: func(context.Context) error { f.starts <- true; return start() },
			Log:   f.log,
		})
		_ = outW.Close()
	}()
	t.Cleanup(func() { _ = inW.Close(); _ = outR.Close() })
	return f
}

func (f *fakeClient) say(line string) {
	f.t.Helper()
	if _, err := io.WriteString(f.in, line+"\n"); err != nil {
		f.t.Error(err)
	}
}

func (f *fakeClient) hear(part string) string {
	f.t.Helper()
	got := make(chan string, 1)
	go func() {
		line, _ := f.out.ReadString('\n')
		got <- line
	}()
	select {
	case line := <-got:
		if !strings.Contains(line, part) || !json.Valid([]byte(line)) {
			f.t.Fatalf("the client hears %q, not %s", line, part)
		}
		return line
	case <-time.After(patience):
		f.t.Fatalf("the client hears nothing, not %s; log: %s", part, f.log)
		return ""
	}
}

func (f *fakeClient) end() error {
	f.t.Helper()
	select {
	case err := <-f.ended:
		return err
	case <-time.After(2 * time.Second):
		f.t.Fatal("the bridge still runs after two seconds")
		return nil
	}
}

func noStart() error { return errors.New("no app can be started here") }

func TestLinesGoBothWays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	app := newApp(t, path)
	c := newClient(t, path, noStart)
	k := app.talk()
	c.say(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	k.hear(`"id":1`)
	k.say(`{"jsonrpc":"2.0","id":7,"method":"elicitation/create"}`)
	k.say(`{"jsonrpc":"2.0","method":"notifications/progress"}`)
	k.say(`{"jsonrpc":"2.0","id":1,"result":{}}`)
	c.hear("elicitation/create")
	c.say(`{"jsonrpc":"2.0","id":7,"result":{"action":"accept"}}`)
	k.hear(`"action":"accept"`)
	c.hear("progress")
	c.hear(`"id":1,"result"`)
	long := strings.Repeat("x", 11<<20)
	go c.say(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":"` + long + `"}`)
	k.hear(long)
	go k.say(`{"jsonrpc":"2.0","id":2,"result":"` + long + `"}`)
	c.hear(long)
	c.say("not json")
	k.hear("not json")
}

func TestClientThatCloses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	app := newApp(t, path)
	t.Run("with nothing open", func(t *testing.T) {
		c := newClient(t, path, noStart)
		app.talk()
		_ = c.in.Close()
		if err := c.end(); err != nil {
			t.Error(err)
		}
	})
	t.Run("with an answer that comes at once", func(t *testing.T) {
		c := newClient(t, path, noStart)
		k := app.talk()
		c.say(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
		_ = c.in.Close()
		k.hear("ping")
		k.say(`{"jsonrpc":"2.0","id":1,"result":{}}`)
		c.hear("result")
		if err := c.end(); err != nil {
			t.Error(err)
		}
	})
	t.Run("with a call that waits", func(t *testing.T) {
		c := newClient(t, path, noStart)
		k := app.talk()
		c.say(`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`)
		k.hear("tools/call")
		_ = c.in.Close()
		if err := c.end(); err != nil {
			t.Error(err)
		}
		if _, err := k.from.ReadByte(); err == nil {
			t.Error("the app is not told that the client is gone")
		}
	})
}

func TestAppThatGoesAndComesBack(t *testing.T) {
	for _, way := range []string{"ended by the person", "killed"} {
		t.Run(way, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "s")
			app := newApp(t, path)
			c := newClient(t, path, noStart)
			k := app.talk()
			c.say(`{"jsonrpc":"2.0","id":"init","method":"initialize"}`)
			k.hear("initialize")
			k.say(`{"jsonrpc":"2.0","id":"init","result":{}}`)
			c.hear("init")
			c.say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
			k.hear("initialized")
			for i := range 3 {
				c.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call"}`, i))
				k.hear("tools/call")
			}
			k.say(`{"jsonrpc":"2.0","id":1,"result":{}}`)
			c.hear(`"id":1,"result"`)
			app.stop()
			if way == "ended by the person" {
				k.say(`{"chaperone":"bye"}`)
			}
			_ = k.c.Close()
			told := c.hear(`"error"`) + c.hear(`"error"`)
			if !strings.Contains(told, `"id":0`) || !strings.Contains(told, `"id":2`) {
				t.Errorf("the calls that were open are answered with %s", told)
			}
			c.say(`{"jsonrpc":"2.0","id":10,"method":"ping"}`)
			c.hear(`"id":10`)
			if started := len(c.starts) > 0; started != (way == "killed") {
				t.Errorf("started again: %v", started)
			}
			c.say(`{"jsonrpc":"2.0","id":11,"method":"ping"}`)
			c.hear("ask")
			if len(c.starts) > 1 {
				t.Error("an app that cannot be started is started again and again")
			}

			app = newApp(t, path)
			c.say(`{"jsonrpc":"2.0","id":12,"method":"ping"}`)
			k = app.talk()
			k.hear("initialize")
			k.hear("notifications/initialized")
			k.hear(`"id":12`)
			k.say(`{"jsonrpc":"2.0","id":"init","result":{}}`)
			k.say(`{"jsonrpc":"2.0","id":12,"result":{}}`)
			c.hear("list_changed")
			c.hear(`"id":12,"result"`)
			if !strings.Contains(c.log.String(), "the app") {
				t.Errorf("the log says %q", c.log)
			}
		})
	}
}

func TestAppIsStarted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	c := newClient(t, path, func() error { newApp(t, path); return nil })
	c.say(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	select {
	case <-c.starts:
	case <-time.After(patience):
		t.Fatal("no app is started")
	}
	c = newClient(t, filepath.Join(t.TempDir(), "s"), noStart)
	if err := c.end(); err == nil || !strings.Contains(err.Error(), "no app can be started") {
		t.Errorf("it ended with %v", err)
	}
}

func TestStrangerAtTheSocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = io.WriteString(c, "HTTP/1.1 400 Bad Request\n")
		}
	}()
	c := newClient(t, path, func() error { return nil })
	if err := c.end(); err == nil || !strings.Contains(err.Error(), "not Chaperone") {
		t.Errorf("it ended with %v", err)
	}
}

func TestPeek(t *testing.T) {
	for _, c := range []struct{ line, id, method string }{
		{`{"jsonrpc":"2.0","id":1,"method":"ping"}`, "1", "ping"},
		{`{"method":"ping","params":{"id":9,"method":"x"},"id":"a"}`, `"a"`, "ping"},
		{`{"params":{"id":9},"method":"notifications/x"}`, "", "notifications/x"},
		{`{"id":1,"result":{"method":"x"}}`, "1", ""},
		{`{"result":{"method":"x"},"id":1}`, "1", ""},
		{`{"id":null,"error":{}}`, "", ""},
		{`{"id":1,`, "", ""},
		{`[1]`, "", ""}, {`nonsense`, "", ""}, {``, "", ""},
	} {
		if id, method := peek([]byte(c.line)); string(id) != c.id && !(c.id == "" && string(id) == "null") || method != c.method {
			t.Errorf("%s: %s, %q", c.line, id, method)
		}
	}
}
