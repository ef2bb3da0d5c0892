package listen

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	neturl "net/url"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	mcpclient "github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

const rightToken = "the-right-token"

func (f *fixture) http(t *testing.T) string {
	t.Helper()
	url, err := f.srv.ListenHTTP(HTTP{Addr: "127.0.0.1:0", Token: func() string { return rightToken }})
	if err != nil {
		t.Fatal(err)
	}
	return url
}

// post sends one message like a client and returns the answer's message.
type post struct {
	url, session string
}

func (p *post) do(t *testing.T, message string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.url, strings.NewReader(message))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+rightToken)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if p.session != "" {
		r.Header.Set("Mcp-Session-Id", p.session)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if id := resp.Header.Get("Mcp-Session-Id"); id != "" {
		p.session = id
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(body)
}

func shaken(t *testing.T, url, name string) *post {
	t.Helper()
	p := &post{url: url}
	resp, body := p.do(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":%q,"version":"1"}}}`, name))
	if resp.StatusCode != http.StatusOK || p.session == "" {
		t.Fatalf("the handshake: %s %s", resp.Status, body)
	}
	return p
}

func TestGuardOnEveryRoute(t *testing.T) {
	f := newFixture(t, nil)
	endpoint := f.http(t)
	u, _ := neturl.Parse(endpoint)
	const shake = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`
	type request struct {
		host, origin, token, site string
	}
	right := "Bearer " + rightToken
	cases := []struct {
		name string
		r    request
		want int // 0: the guard lets it through
	}{
		{"right", request{token: right}, 0},
		{"right, localhost", request{host: "localhost:" + u.Port(), token: right}, 0},
		{"right, IPv6", request{host: "[::1]:" + u.Port(), token: right}, 0},
		{"own origin", request{origin: "http://127.0.0.1:" + u.Port(), token: right}, 0},
		{"scheme in other letters", request{token: "bearer " + rightToken}, 0},
		{"no token", request{}, 401},
		{"wrong token", request{token: "Bearer wrong"}, 401},
		{"beginning of the token", request{token: right[:len(right)-1]}, 401},
		{"more than the token", request{token: right + "x"}, 401},
		{"empty token", request{token: "Bearer "}, 401},
		{"another scheme", request{token: "Basic " + rightToken}, 401},
		{"token without scheme", request{token: rightToken}, 401},
		{"foreign host", request{host: "evil.test", token: right}, 403},
		{"foreign host with our port", request{host: "evil.test:" + u.Port(), token: right}, 403},
		{"a host that begins like ours", request{host: "127.0.0.1.evil.test", token: right}, 403},
		{"a host that ends like ours", request{host: "evil.localhost.test", token: right}, 403},
		{"an address of the network", request{host: "192.168.0.7:" + u.Port(), token: right}, 403},
		{"all addresses", request{host: "0.0.0.0:" + u.Port(), token: right}, 403},
		{"foreign origin", request{origin: "https://evil.test", token: right}, 403},
		{"origin of another port", request{origin: "http://127.0.0.1:1", token: right}, 403},
		{"origin of no port", request{origin: "http://localhost", token: right}, 403},
		{"https origin of our port", request{origin: "https://127.0.0.1:" + u.Port(), token: right}, 403},
		{"a rebound name as origin", request{host: "evil.test", origin: "http://evil.test:" + u.Port(), token: right}, 403},
		{"a foreign name with our port as origin", request{origin: "http://evil.test:" + u.Port(), token: right}, 403},
		{"the origin of files and sandboxes", request{origin: "null", token: right}, 403},
		{"an extension's origin", request{origin: "chrome-extension://abcdefghijklmnop", token: right}, 403},
		{"a page that sends no origin", request{site: "cross-site", token: right}, 403},
		{"a page of another port that sends no origin", request{site: "same-site", token: right}, 403},
		{"typed by a person", request{site: "none", token: right}, 0},
	}
	for _, path := range []string{"/mcp", "/", "/mcp/", "/other", "/.well-known/oauth-protected-resource", "/mcp?x=1", "//mcp", "/%6dcp"} {
		for _, method := range []string{"POST", "GET", "DELETE", "OPTIONS", "PUT", "HEAD"} {
			for _, c := range cases {
				ctx, cancel := context.WithCancel(t.Context())
				r, err := http.NewRequestWithContext(ctx, method, "http://"+u.Host+path, strings.NewReader(shake))
				if err != nil {
					t.Fatal(err)
				}
				r.Header.Set("Content-Type", "application/json")
				r.Host = c.r.host
				for name, value := range map[string]string{"Origin": c.r.origin, "Authorization": c.r.token, "Sec-Fetch-Site": c.r.site} {
					if value != "" {
						r.Header.Set(name, value)
					}
				}
				client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
				resp, err := client.Do(r)
				if err != nil {
					t.Fatal(err)
				}
				what := fmt.Sprintf("%s: %s %s", c.name, method, path)
				refused := resp.StatusCode == 401 || resp.StatusCode == 403
				if c.want != 0 && resp.StatusCode != c.want || c.want == 0 && refused {
					t.Errorf("%s: %s", what, resp.Status)
				}
				if refused && method != "HEAD" {
					var body struct {
						Error struct{ Message string }
					}
					data, _ := io.ReadAll(resp.Body)
					if err := json.Unmarshal(data, &body); err != nil || body.Error.Message == "" || resp.Header.Get("Content-Type") != "application/json" {
						t.Errorf("%s: the refusal is %s", what, data)
					}
					if bytes.Contains(data, []byte(rightToken)) {
						t.Errorf("%s: the refusal tells the token", what)
					}
				}
				for name := range resp.Header {
					if strings.HasPrefix(name, "Access-Control-") {
						t.Errorf("%s: %s is sent", what, name)
					}
				}
				cancel()
				_ = resp.Body.Close()
			}
		}
	}
}

func TestUnknownPathAndSession(t *testing.T) {
	url := newFixture(t, nil).http(t)
	p := &post{url: strings.TrimSuffix(url, "/mcp") + "/elsewhere"}
	if resp, body := p.do(t, "{}"); resp.StatusCode != 404 || !json.Valid([]byte(body)) {
		t.Errorf("an unknown path: %s %s", resp.Status, body)
	}
	for _, id := range []string{"", "nonsense", strings.Repeat("x", 5000)} {
		p := &post{url: url, session: id}
		if resp, body := p.do(t, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`); resp.StatusCode != 404 {
			t.Errorf("the session %.20q: %s %s", id, resp.Status, body)
		}
	}
}

func TestTokenIsRenewed(t *testing.T) {
	f := newFixture(t, nil)
	var token atomic.Value
	token.Store(rightToken)
	url, err := f.srv.ListenHTTP(HTTP{Addr: "localhost:0", Token: func() string { return token.Load().(string) }})
	if err != nil {
		t.Fatal(err)
	}
	p := shaken(t, url, "a")
	token.Store("another")
	if resp, _ := p.do(t, `{"jsonrpc":"2.0","id":2,"method":"ping"}`); resp.StatusCode != 401 {
		t.Errorf("the old token: %s", resp.Status)
	}
	token.Store("")
	if resp, _ := p.do(t, `{"jsonrpc":"2.0","id":2,"method":"ping"}`); resp.StatusCode != 401 {
		t.Errorf("while there is none: %s", resp.Status)
	}
}

func TestAddresses(t *testing.T) {
	f := newFixture(t, nil)
	for _, addr := range []string{"0.0.0.0:7420", ":7420", "192.168.1.1:7420", "example.com:7420", "127.0.0.1", "127.0.0.1:x", "127.0.0.1:70000", "[::]:7420", ""} {
		if _, err := f.srv.ListenHTTP(HTTP{Addr: addr}); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%q", addr)) {
			t.Errorf("%q: %v", addr, err)
		}
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	url, err := f.srv.ListenHTTP(HTTP{Addr: taken.Addr().String(), Token: func() string { return rightToken }})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(url, taken.Addr().String()) {
		t.Errorf("the endpoint is at %s, which was taken", url)
	}
	shaken(t, url, "a")
}

func TestBodyLimit(t *testing.T) {
	url := newFixture(t, nil).http(t)
	p := shaken(t, url, "a")
	call := func(n int) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"size","arguments":{"text":%q}}}`, strings.Repeat("x", n))
	}
	if resp, body := p.do(t, call(10<<20)); resp.StatusCode != 200 || !strings.Contains(body, fmt.Sprint(10<<20)) {
		t.Errorf("10 MB: %s %.200s", resp.Status, body)
	}
	r, _ := http.NewRequest(http.MethodPost, url, strings.NewReader(call(17<<20)))
	r.Header.Set("Authorization", "Bearer "+rightToken)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Expect", "100-continue")
	if resp, err := http.DefaultClient.Do(r); err != nil || resp.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("17 MB: %v %v", resp, err)
	}
	if resp, _ := p.do(t, `{"jsonrpc":"2.0","id":2,"method":"ping"}`); resp.StatusCode != 200 {
		t.Errorf("afterwards: %s", resp.Status)
	}
}

func TestHTTPClients(t *testing.T) {
	f := newFixture(t, func(c *Config) {
		c.Scan = func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("hunter2"), []byte("<PW>")) }
	})
	url := f.http(t)
	a, b := shaken(t, url, "Alpha"), shaken(t, url, "Beta")
	_, who := a.do(t, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"who"}}`)
	if !strings.Contains(who, "Alpha") || !strings.Contains(who, `\"Transport\":\"http\"`) {
		t.Errorf("who is a: %s", who)
	}
	if self, _ := os.Executable(); !strings.Contains(who, fmt.Sprintf(`\"PID\":%d`, os.Getpid())) || !strings.Contains(who, self) {
		t.Errorf("the process behind the connection is not known: %s", who)
	}
	if _, who = b.do(t, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"who"}}`); !strings.Contains(who, "Beta") {
		t.Errorf("who is b: %s", who)
	}
	if _, body := a.do(t, `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hunter2"}}}`); !strings.Contains(body, "<PW>") || strings.Contains(body, "hunter2") {
		t.Errorf("it went out as %s", body)
	}
	if n := len(f.srv.Clients()); n != 2 {
		t.Errorf("%d clients", n)
	}
	r, _ := http.NewRequest(http.MethodDelete, url, nil)
	r.Header.Set("Authorization", "Bearer "+rightToken)
	r.Header.Set("Mcp-Session-Id", a.session)
	if resp, err := http.DefaultClient.Do(r); err != nil || resp.StatusCode != 200 {
		t.Fatalf("ending a session: %v %v", resp, err)
	}
	await(t, "the client's end", f.gone)
	if list := f.srv.Clients(); len(list) != 1 || list[0].Name != "Beta" {
		t.Errorf("connected: %+v", list)
	}
}

func TestGarbageOverHTTP(t *testing.T) {
	url := newFixture(t, nil).http(t)
	p := shaken(t, url, "a")
	for _, body := range []string{"", "not json", "[]", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, `{"jsonrpc":"2.0"`, "\x00", "null", "7"} {
		if resp, answer := p.do(t, body); resp.StatusCode >= 500 {
			t.Errorf("%q: %s %s", body, resp.Status, answer)
		}
	}
	if resp, _ := p.do(t, `{"jsonrpc":"2.0","id":2,"method":"ping"}`); resp.StatusCode != 200 {
		t.Errorf("afterwards: %s", resp.Status)
	}
}

// One client of the protocol without sessions cannot cancel the other's request of the same id.
func TestCancelsWithoutSessionsDoNotCross(t *testing.T) {
	f := newFixture(t, nil)
	url := f.http(t)
	meta := func(name string) string {
		return fmt.Sprintf(`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":%q,"version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`, name)
	}
	send := func(ctx context.Context, method, tool, body string) *http.Response {
		r, _ := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+rightToken)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set(mcp.HeaderProtocolVersion, "2026-07-28")
		r.Header.Set("Mcp-Method", method)
		r.Header.Set("Mcp-Name", tool)
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			return nil
		}
		_ = resp.Body.Close()
		return resp
	}
	ctx, hangUp := context.WithCancel(t.Context())
	go send(ctx, "tools/call", "block", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"block",`+meta("a")+`}}`)
	await(t, "the call", f.blocked)
	if resp := send(t.Context(), "notifications/cancelled", "", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,`+meta("b")+`}}`); resp == nil || resp.StatusCode != 202 {
		t.Errorf("the cancel: %+v", resp)
	}
	send(t.Context(), "tools/list", "", `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{`+meta("b")+`}}`)
	if f.running.Load() != 1 {
		t.Error("another client's cancel ended the call")
	}
	hangUp()
	await(t, "the end of the call when its client hangs up", f.ended)
}

func TestLibraryClientOverHTTP(t *testing.T) {
	for _, version := range []string{mcp.LATEST_LEGACY_PROTOCOL_VERSION, "2025-03-26", mcp.ProtocolVersion20260728} {
		t.Run(version, func(t *testing.T) {
			f := newFixture(t, nil)
			opts := []mcpclient.ClientOption{mcpclient.WithProtocolVersion(version)}
			web := []transport.StreamableHTTPCOption{transport.WithHTTPHeaders(map[string]string{"Authorization": "Bearer " + rightToken})}
			if version != mcp.ProtocolVersion20260728 {
				opts = append(opts, mcpclient.WithLegacyProtocolOnly())
				web = append(web, transport.WithContinuousListening())
			}
			tr, err := transport.NewStreamableHTTP(f.http(t), web...)
			if err != nil {
				t.Fatal(err)
			}
			exercise(t, f, mcpclient.NewClient(tr, opts...), version)
		})
	}
}

func TestCloseEndsStreams(t *testing.T) {
	f := newFixture(t, nil)
	url := f.http(t)
	p := shaken(t, url, "a")
	r, _ := http.NewRequest(http.MethodGet, url, nil)
	r.Header.Set("Authorization", "Bearer "+rightToken)
	r.Header.Set("Mcp-Session-Id", p.session)
	resp, err := http.DefaultClient.Do(r)
	if err != nil || resp.StatusCode != 200 {
		t.Fatalf("the stream: %v %v", resp, err)
	}
	defer resp.Body.Close()
	go func() {
		r, _ := http.NewRequest(http.MethodPost, url, strings.NewReader(`{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"block"}}`))
		r.Header = resp.Request.Header.Clone()
		r.Header.Set("Content-Type", "application/json")
		if resp, err := http.DefaultClient.Do(r); err == nil {
			_ = resp.Body.Close()
		}
	}()
	await(t, "the call", f.blocked)
	soon(t, "closing", f.srv.Close)
	await(t, "the end of the call", f.ended)
	soon(t, "the end of the stream", func() { _, _ = io.ReadAll(resp.Body) })
	if n := len(f.srv.Clients()); n != 0 {
		t.Errorf("%d clients are left", n)
	}
}
