package tools_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/websocket"
)

// wireSite serves what pages can be answered.
type wireSite struct {
	*httptest.Server
	mu    sync.Mutex
	heard []string // what came in over sockets
	hold  chan struct{}
}

const json2 = `{"user":"ada","next":"/page2"}`

func newWireSite(t *testing.T, pages map[string]string) *wireSite {
	s := &wireSite{hold: make(chan struct{})}
	mux := http.NewServeMux()
	for path, text := range pages {
		kind := "text/html"
		if strings.HasSuffix(path, ".js") {
			kind = "text/javascript"
		}
		mux.HandleFunc(path, func(w http.ResponseWriter, q *http.Request) {
			if path == "/" && q.URL.Path != "/" {
				http.NotFound(w, q)
				return
			}
			w.Header().Set("Content-Type", kind)
			fmt.Fprint(w, text)
		})
	}
	answer := func(path, kind string, status int, body []byte) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(status)
			_, _ = w.Write(body)
		})
	}
	answer("/api", "application/json", 200, []byte(json2))
	answer("/api2", "application/vnd.api+json; charset=utf-8", 201, []byte(json2))
	answer("/octets", "application/octet-stream", 200, []byte("plain after all"))
	answer("/bytes", "application/octet-stream", 200, []byte{0, 1, 2, 254, 255})
	answer("/latin", "text/plain; charset=iso-8859-1", 200, []byte("caf\xe9"))
	answer("/none", "text/plain", 204, nil)
	answer("/bad", "text/plain", 500, []byte("it broke"))
	answer("/long", "text/plain", 200, bytes.Repeat([]byte("a line of text\n"), 40000))
	answer("/huge", "text/plain", 200, bytes.Repeat([]byte("a line of text\n"), 1<<20))
	mux.Handle("/moved", http.RedirectHandler("/api", 302))
	mux.HandleFunc("/slow", func(w http.ResponseWriter, q *http.Request) {
		fmt.Fprint(w, "first ")
		w.(http.Flusher).Flush()
		select {
		case <-s.hold:
		case <-q.Context().Done():
		}
		fmt.Fprint(w, "second")
	})
	mux.HandleFunc("/events", func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "data: one\n\nevent: price\ndata: {\"p\":2}\n\n")
		w.(http.Flusher).Flush()
		<-q.Context().Done()
	})
	mux.Handle("/echo", websocket.Handler(func(ws *websocket.Conn) {
		for {
			var message string
			if websocket.Message.Receive(ws, &message) != nil {
				return
			}
			s.mu.Lock()
			s.heard = append(s.heard, message)
			s.mu.Unlock()
			if message == "binary" {
				_ = websocket.Message.Send(ws, []byte{0, 255, 7})
				continue
			}
			_ = websocket.Message.Send(ws, "echo "+message)
		}
	}))
	s.Server = httptest.NewServer(mux)
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

const withBodies = "read,navigation,action,human,eval,network-body"

// request finds the newest request of a path.
func (r *rig) request(path string) string {
	r.t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for time.Now().Before(deadline) {
		list, _ := r.do("network_read", args{"urlPattern": path, "limit": 500}).at("requests").([]any)
		for i := len(list) - 1; i >= 0; i-- {
			one := list[i].(map[string]any)
			if strings.HasSuffix(fmt.Sprint(one["url"]), path) {
				return fmt.Sprint(one["requestId"])
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	r.t.Fatalf("no request of %s", path)
	return ""
}

func TestNetworkBody(t *testing.T) {
	s := newWireSite(t, map[string]string{
		"/":          `<title>Bodies</title><link rel=icon href="data:,"><script>const worker = new Worker('/worker.js')</script>`,
		"/worker.js": `onmessage = async (e) => { await (await fetch(e.data)).text(); postMessage('done') }`,
		"/next":      `<title>Next</title>`,
	})
	r := newRig(t, "BROWX_CAPABILITIES", withBodies)
	r.do("navigate", args{"url": s.URL + "/"})
	fetch := func(path string) string {
		t.Helper()
		r.do("eval_js", args{"expr": fmt.Sprintf("fetch(%q, {cache: 'no-store'}).then(a => a.arrayBuffer()).then(b => b.byteLength, e => String(e))", path), "timeoutMs": 20000})
		return r.request(strings.SplitN(path, "?", 2)[0])
	}
	for _, test := range []struct {
		path, body, kind string
		status           int
		encoded          bool
	}{
		{"/api", json2, "application/json", 200, false},
		{"/api2", json2, "application/vnd.api+json", 201, false},
		{"/octets", "plain after all", "application/octet-stream", 200, false},
		{"/bytes", base64.StdEncoding.EncodeToString([]byte{0, 1, 2, 254, 255}), "application/octet-stream", 200, true},
		{"/latin", "café", "text/plain", 200, false},
		{"/none", "", "text/plain", 204, false},
		{"/bad", "it broke", "text/plain", 500, false},
	} {
		id := fetch(test.path)
		got := r.do("network_body", args{"requestId": id})
		if got.at("body") != test.body || got.at("base64Encoded") != test.encoded || got.at("status") != float64(test.status) || got.at("truncated") != false || got.at("url") != s.URL+test.path {
			t.Errorf("%s: %s", test.path, got.text)
		}
	}
	// The document itself.
	got := r.do("navigate", args{"url": s.URL + "/"})
	if got := r.do("network_body", args{"requestId": got.at("network", "requests", 0, "requestId")}); !strings.HasPrefix(fmt.Sprint(got.at("body")), "<title>Bodies") {
		t.Errorf("%s", got.text)
	}
	// A long one is cut at whole lines, below the limit of a result.
	got = r.do("network_body", args{"requestId": fetch("/long")})
	body := fmt.Sprint(got.at("body"))
	if got.at("truncated") != true || got.at("bytes") != 600000.0 || len(body) < 200<<10 || len(got.text) > 257<<10 || !strings.Contains(body[len(body)-40:], "text\n… ") {
		t.Errorf("%d bytes: …%s", len(got.text), body[max(0, len(body)-100):])
	}
	if got := r.do("network_body", args{"requestId": fetch("/huge"), "timeoutMs": 20000}); got.at("truncated") != true || got.at("bytes") != float64(15<<20) || len(got.text) > 257<<10 {
		t.Errorf("%.300s", got.text)
	}
	// A redirect names the request that followed.
	fetch("/moved")
	first := r.request("/moved")
	got = r.refuse("network_body", args{"requestId": first}, "redirect", "302")
	hint := strings.Fields(strings.TrimSuffix(fmt.Sprint(got.at("hint")), "."))
	if got := r.do("network_body", args{"requestId": hint[len(hint)-1]}); got.at("body") != json2 {
		t.Errorf("%s", got.text)
	}
	// One that is under way is waited for; one that takes too long is said to.
	r.do("eval_js", args{"expr": "void fetch('/slow').then(a => a.text())"})
	slow := r.request("/slow")
	began := time.Now()
	r.refuse("network_body", args{"requestId": slow, "timeoutMs": 800}, "not come in whole", "timeoutMs")
	if took := time.Since(began); took > 1200*time.Millisecond {
		t.Errorf("it took %s", took)
	}
	time.AfterFunc(200*time.Millisecond, func() { close(s.hold) })
	if got := r.do("network_body", args{"requestId": slow}); got.at("body") != "first second" {
		t.Errorf("%s", got.text)
	}
	// Streams and failures.
	r.do("eval_js", args{"expr": "window.es = new EventSource('/events'); void 0"})
	r.refuse("network_body", args{"requestId": r.request("/events")}, "stream", "ws_read")
	r.do("eval_js", args{"expr": "fetch('http://127.0.0.1:1/closed').catch(String)"})
	r.refuse("network_body", args{"requestId": r.request("/closed")}, "failed", "net::ERR_")
	r.refuse("network_body", args{"requestId": "r99999"}, "r99999", "network_read")
	// Workers, while they live.
	r.do("eval_js", args{"expr": "new Promise(done => { worker.onmessage = done; worker.postMessage('/api?from=worker') })"})
	if got := r.do("network_body", args{"requestId": r.request("/api?…")}); got.at("body") != json2 {
		t.Errorf("%s", got.text)
	}
	id := r.request("/api?…")
	r.do("eval_js", args{"expr": "worker.terminate()"})
	// It goes when it likes; before and after it, and in between, the answer is the body or says why there is none.
	for range 30 {
		if got := r.try("network_body", args{"requestId": id}); got.failed && !strings.Contains(got.text, "gone") && !strings.Contains(got.text, "no longer") {
			t.Fatalf("%s", got.text)
		}
	}
	// The page is left, for another site too: what it received is still there.
	id = fetch("/api")
	other := site(t, map[string]string{"/": "<title>Elsewhere</title>"})
	for _, to := range []string{s.URL + "/next", strings.Replace(other.URL, "127.0.0.1", "localhost", 1) + "/"} {
		r.do("navigate", args{"url": to})
		if got := r.do("network_body", args{"requestId": id}); got.at("body") != json2 {
			t.Errorf("%s", got.text)
		}
	}
}

// Where bodies were not asked to be kept when the session was opened, those of pages that were left are gone.
func TestBodyIsGone(t *testing.T) {
	s := newWireSite(t, map[string]string{"/": `<title>Bodies</title>`, "/next": `<title>Next</title>`})
	r := newRig(t)
	r.do("navigate", args{"url": s.URL + "/"})
	defer r.server.Answerer().Attend()()
	r.ask2("set_config", args{"key": "capabilities", "value": strings.Split(withBodies, ",")}, answerYes(r))
	r.do("eval_js", args{"expr": "fetch('/api').then(a => a.text())"})
	id := r.request("/api")
	if got := r.do("network_body", args{"requestId": id}); got.at("body") != json2 {
		t.Errorf("%s", got.text)
	}
	r.do("navigate", args{"url": s.URL + "/next"})
	r.refuse("network_body", args{"requestId": id}, "no longer kept", "before the page is left")
}

func TestBodiesOffTheList(t *testing.T) {
	off := newWireSite(t, map[string]string{"/": `<title>Off</title><h1>Off the list</h1><script>fetch('/api')</script>`})
	on := newWireSite(t, map[string]string{"/": `<title>On</title>`, "/away": `<script>location.href = '` + off.URL + `/'</script>`})
	r := newRig(t, "BROWX_CAPABILITIES", withBodies, "BROWX_ALLOWED_ORIGINS", on.URL, "BROWX_CONFIRM_REQUIRED", "none")
	r.do("navigate", args{"url": on.URL + "/away"})
	deadline := time.Now().Add(10 * time.Second)
	for !r.try("network_read", nil).failed && time.Now().Before(deadline) {
		time.Sleep(10 * time.Millisecond)
	}
	r.do("navigate", args{"url": on.URL + "/"})
	r.refuse("network_body", args{"requestId": r.request(off.URL + "/api")}, "not on the person's list")
}

// sockets reads the newest messages once there were so many: those of workers come by another way than what the page is asked.
func (r *rig) sockets(total int, a args) result {
	r.t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for r.do("ws_read", nil).at("total").(float64) < float64(total) && time.Now().Before(deadline) {
		time.Sleep(10 * time.Millisecond)
	}
	return r.do("ws_read", a)
}

func TestWSRead(t *testing.T) {
	s := newWireSite(t, map[string]string{
		"/": `<title>Sockets</title><script>
const open = (url) => new Promise(r => { const ws = new WebSocket(url); ws.onopen = () => r(ws) });
const answer = (ws, text) => new Promise(r => { ws.onmessage = (e) => r(e.data); ws.send(text) });
const address = location.origin.replace('http', 'ws') + '/echo?token=hunter2';
</script>`,
		"/worker.js": `const ws = new WebSocket(location.origin.replace('http', 'ws') + '/echo'); ws.onopen = () => ws.send('from a worker'); ws.onmessage = () => postMessage('done')`,
		"/shared.js": `let port; const ws = new WebSocket(location.origin.replace('http', 'ws') + '/echo'); ws.onmessage = () => port.postMessage('done'); onconnect = (e) => { port = e.ports[0]; port.onmessage = (m) => ws.send(m.data) }; let opened = new Promise(r => ws.onopen = r);`,
		"/sse.js":    `const es = new EventSource('/events'); es.addEventListener('price', () => postMessage('done'))`,
	})
	r := newRig(t, "BROWX_CAPABILITIES", withEval)
	r.do("navigate", args{"url": s.URL + "/"})
	if got := r.do("ws_read", nil); got.at("total") != 0.0 || len(got.at("frames").([]any)) != 0 {
		t.Errorf("%s", got.text)
	}
	r.do("eval_js", args{"expr": "const ws = await open(address); await answer(ws, 'hello'); await answer(ws, 'binary'); 1"})
	got := r.sockets(4, nil)
	want := []args{
		{"dir": "out", "opcode": 1.0, "payload": "hello"}, {"dir": "in", "opcode": 1.0, "payload": "echo hello"},
		{"dir": "out", "opcode": 1.0, "payload": "binary"}, {"dir": "in", "opcode": 2.0, "payload": "AP8H"},
	}
	for i, w := range want {
		for k, v := range w {
			if got.at("frames", i, k) != v {
				t.Errorf("frame %d: %s is %v (%s)", i, k, got.at("frames", i, k), got.text)
			}
		}
		if got.at("frames", i, "kind") != "ws" || got.at("frames", i, "url") != strings.Replace(s.URL, "http", "ws", 1)+"/echo?…" || got.at("frames", i, "ts").(float64) < 1.6e12 {
			t.Errorf("%s", got.text)
		}
	}
	if len(got.at("frames").([]any)) != len(want) || got.at("total") != 4.0 || strings.Contains(got.text, "hunter2") {
		t.Errorf("%s", got.text)
	}
	// Workers of the page, and those that it shares with others.
	r.do("eval_js", args{"expr": "new Promise(done => { new Worker('/worker.js').onmessage = done })"})
	if got := r.sockets(6, args{"limit": 2}); got.at("frames", 0, "payload") != "from a worker" || got.at("frames", 1, "payload") != "echo from a worker" || got.at("total") != 6.0 {
		t.Errorf("%s", got.text)
	}
	r.do("eval_js", args{"expr": "const shared = new SharedWorker('/shared.js'); await new Promise(r => setTimeout(r, 500)); await new Promise(done => { shared.port.onmessage = done; shared.port.postMessage('from a shared one') })", "timeoutMs": 10000})
	if got := r.sockets(8, args{"limit": 2}); got.at("frames", 0, "payload") != "from a shared one" || got.at("frames", 1, "payload") != "echo from a shared one" || got.at("total") != 8.0 {
		t.Errorf("%s", got.text)
	}
	// Event streams, by EventSource, by fetch and in a worker.
	for _, expr := range []string{
		"new Promise(done => { window.es = new EventSource('/events'); es.addEventListener('price', done) })",
		"new Promise(done => { new Worker('/sse.js').onmessage = done })",
		"const answer = await fetch('/events'); const reader = answer.body.getReader(); for (let s = ''; !s.includes('p'); ) s += new TextDecoder().decode((await reader.read()).value); reader.cancel(); 1",
	} {
		before := r.do("ws_read", nil).at("total").(float64)
		r.do("eval_js", args{"expr": expr})
		got := r.sockets(int(before)+2, args{"urlPattern": "/events", "limit": 2})
		if got.at("frames", 0, "payload") != "one" || got.at("frames", 0, "kind") != "sse" || got.at("frames", 0, "dir") != "in" || got.at("frames", 1, "event") != "price" ||
			got.at("frames", 1, "payload") != `{"p":2}` || got.at("frames", 1, "url") != s.URL+"/events" || r.do("ws_read", nil).at("total") != before+2 {
			t.Errorf("%s: %s", expr, got.text)
		}
	}
	// The newest 500 are kept.
	r.do("eval_js", args{"expr": "const many = await open(address); for (let i = 0; i < 300; i++) await answer(many, 'n' + i); 1", "timeoutMs": 20000})
	got = r.sockets(14+600, args{"limit": 500, "urlPattern": "*/echo"})
	if list := got.at("frames").([]any); len(list) != 500 || got.at("frames", 499, "payload") != "echo n299" {
		t.Errorf("%d frames: %s", len(list), jsonOf(t, list[len(list)-1]))
	}
	// What the server heard is what is told.
	s.mu.Lock()
	defer s.mu.Unlock()
	if strings.Join(s.heard[:4], ",") != "hello,binary,from a worker,from a shared one" || len(s.heard) != 304 {
		t.Errorf("%d: %v", len(s.heard), s.heard[:4])
	}
}
