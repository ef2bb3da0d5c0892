package e2e

import (
	"bufio"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/websocket"
)

// The values that must never leave.
const (
	leakValue = "s3cr3t-Huntér2!x"
	leakPIN   = "48159263"
)

// forbidden are forms of the values, made here by other means than the mask's own. A window of six letters of the long value is
// enough to fail.
func forbidden() []string {
	var list []string
	letters := []rune(leakValue)
	reversed := slices.Clone(letters)
	slices.Reverse(reversed)
	for _, word := range [][]rune{letters, reversed, []rune(strings.ToUpper(leakValue))} {
		for i := 0; i+6 <= len(word); i++ {
			list = append(list, string(word[i:i+6]))
		}
	}
	list = append(list, leakPIN, url.QueryEscape(leakValue), url.PathEscape(leakValue), strings.ToLower(url.PathEscape(leakValue)), hex.EncodeToString([]byte(leakValue)), strings.ToUpper(hex.EncodeToString([]byte(leakValue))),
		html.EscapeString(leakValue), strings.ReplaceAll(leakValue, "é", `\u00e9`), strings.Join(strings.Split(leakValue, ""), " "), strings.Join(strings.Split(leakValue, ""), "\u200b"))
	for _, value := range []string{leakValue, leakPIN} {
		for pad := range 3 {
			code := base64.RawStdEncoding.EncodeToString([]byte(strings.Repeat("a", pad) + value))
			core := code[(pad*8+5)/6 : len(code)-2]
			list = append(list, core, strings.NewReplacer("+", "-", "/", "_").Replace(core))
		}
	}
	return list
}

// leaks returns what of the values stands in bytes that left, as they are and with JSON's escapes undone once and twice.
func leaks(raw []byte) (found []string) {
	once := unescaped(raw)
	for _, text := range []string{string(raw), once, unescaped([]byte(once))} {
		for _, form := range forbidden() {
			if at := strings.Index(text, form); at >= 0 {
				found = append(found, fmt.Sprintf("%q in …%s…", form, text[max(0, at-80):min(len(text), at+len(form)+40)]))
			}
		}
	}
	return found
}

func unescaped(raw []byte) string {
	s := string(raw)
	for _, p := range [][2]string{{`\u00e9`, "é"}, {`\"`, `"`}, {`\\`, `\`}, {`\u003c`, "<"}, {`\u003e`, ">"}, {`\u0026`, "&"}, {`\u200b`, ""}} {
		s = strings.ReplaceAll(s, p[0], p[1])
	}
	return s
}

// echoSite gives back what it was sent in every way that a page has.
func echoSite(t *testing.T) *httptest.Server {
	t.Helper()
	page, err := os.ReadFile("testdata/echo.html")
	if err != nil {
		t.Fatal(err)
	}
	js, _ := json.Marshal(leakValue)
	echo := strings.NewReplacer("VALUEJS", string(js), "VALUE", html.EscapeString(leakValue), "ENCODED", url.PathEscape(leakValue), "PIN", leakPIN).Replace(string(page))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/ws":
			websocket.Handler(func(conn *websocket.Conn) {
				for {
					var msg string
					if websocket.Message.Receive(conn, &msg) != nil || websocket.Message.Send(conn, "echo "+msg) != nil {
						return
					}
				}
			}).ServeHTTP(w, r)
		case r.URL.Path == "/sse":
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "data: sse %s\n\n", leakValue)
		case r.URL.Path == "/file":
			w.Header().Set("Content-Disposition", `attachment; filename="file-`+leakPIN+`.txt"`)
			fmt.Fprint(w, leakValue)
		case strings.HasPrefix(r.URL.Path, "/api"):
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(map[string]any{"v": leakValue, leakValue: 1, "pin": 48159263, "list": strings.Split(leakValue, ""), "b": base64.StdEncoding.EncodeToString([]byte("alice:" + leakValue))})
		case r.Method == http.MethodPost, strings.HasPrefix(r.URL.Path, "/echo"):
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, echo)
		default:
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, `<!doctype html><title>Sign in</title><link rel="icon" href="data:,"><form method="post" action="/"><input name="p" type="password" aria-label="Password"><input name="pin" aria-label="Pin"><button>Go</button></form>`)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// rawClient speaks JSON-RPC over a program's lines and keeps every byte that came out.
type rawClient struct {
	t    *testing.T
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	errs *logs
	n    int

	// Over HTTP:
	url, token, session string
}

func startRaw(t *testing.T, workspace string, capabilities string, command ...string) *rawClient {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(workspace, "config.json"), []byte(`{"pairClients":false}`), 0o600); err != nil {
		t.Fatal(err)
	}
	c := &rawClient{t: t, errs: &logs{}}
	c.cmd = exec.CommandContext(t.Context(), path, command...)
	c.cmd.Env = append(os.Environ(), "BROWX_WORKSPACE="+workspace, "BROWX_HEADLESS=1", "BROWX_CAPABILITIES="+capabilities, "BROWX_VAULT=memory", "BROWX_CREDENTIALS_PROVIDER=none")
	if os.Getuid() == 0 {
		c.cmd.Env = append(c.cmd.Env, "BROWX_NO_SANDBOX=1")
	}
	c.cmd.Stderr = c.errs
	if command[0] != "serve" { // which then has no terminal in which a person could answer
		if c.in, err = c.cmd.StdinPipe(); err != nil {
			t.Fatal(err)
		}
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.out = bufio.NewReaderSize(out, 1<<20)
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if c.in != nil {
			_ = c.in.Close()
		}
		_ = c.cmd.Process.Signal(os.Interrupt)
		_ = c.cmd.Wait()
		eventually(t, "no process uses the workspace any more", func() bool { return len(using(workspace)) == 0 })
	})
	if command[0] == "serve" {
		c.find(workspace)
		go func() { _, _ = io.Copy(c.errs, c.out) }()
	}
	c.ask("initialize", args{"protocolVersion": "2025-06-18", "capabilities": args{}, "clientInfo": args{"name": "raw", "version": "1"}})
	c.send(args{"jsonrpc": "2.0", "method": "notifications/initialized"})
	return c
}

// find waits for the endpoint of a server.
func (c *rawClient) find(workspace string) {
	c.t.Helper()
	eventually(c.t, "the server listens", func() bool {
		var e struct{ HTTP string }
		data, _ := os.ReadFile(filepath.Join(workspace, "run", "endpoint"))
		_ = json.Unmarshal(data, &e)
		token, _ := os.ReadFile(filepath.Join(workspace, "run", "token"))
		c.url, c.token = e.HTTP, strings.TrimSpace(string(token))
		return c.url != ""
	})
}

// post sends a message over HTTP and returns all that came back: header lines, and the body, be it one message or a stream of them.
func (c *rawClient) post(message any) (raw []byte, messages [][]byte) {
	c.t.Helper()
	body, err := json.Marshal(message)
	if err != nil {
		c.t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(limit(c.t), http.MethodPost, c.url, strings.NewReader(string(body)))
	if err != nil {
		c.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Authorization", "Bearer "+c.token)
	if c.session != "" {
		r.Header.Set("Mcp-Session-Id", c.session)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		c.t.Fatalf("%v\n%s", err, c.errs)
	}
	defer func() { _ = resp.Body.Close() }()
	if id := resp.Header.Get("Mcp-Session-Id"); id != "" {
		c.session = id
	}
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	for k, list := range resp.Header {
		raw = append(raw, (k + ": " + strings.Join(list, ", ") + "\n")...)
	}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(strings.TrimPrefix(line, "data:"))
		if strings.HasPrefix(line, "{") {
			messages = append(messages, []byte(line))
		}
	}
	return append(raw, data...), messages
}

func (c *rawClient) send(message any) {
	c.t.Helper()
	if c.url != "" {
		c.post(message)
		return
	}
	line, err := json.Marshal(message)
	if err != nil {
		c.t.Fatal(err)
	}
	if _, err := c.in.Write(append(line, '\n')); err != nil {
		c.t.Fatalf("write: %v\n%s", err, c.errs)
	}
}

// ask sends a request and returns all bytes that came until its answer, with the answer last.
func (c *rawClient) ask(method string, params any) (raw, answer []byte) {
	c.t.Helper()
	c.n++
	if c.url != "" {
		raw, messages := c.post(args{"jsonrpc": "2.0", "id": c.n, "method": method, "params": params})
		if len(messages) == 0 {
			c.t.Fatalf("%s: no answer in %s", method, raw)
		}
		return raw, messages[len(messages)-1]
	}
	c.send(args{"jsonrpc": "2.0", "id": c.n, "method": method, "params": params})
	for {
		line, err := c.out.ReadBytes('\n')
		if err != nil {
			c.t.Fatalf("%s: %v\n%s", method, err, c.errs)
		}
		raw = append(raw, line...)
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		if json.Unmarshal(line, &m) == nil && m.Method == "" && string(m.ID) == fmt.Sprint(c.n) {
			return raw, line
		}
	}
}

func (c *rawClient) call(tool string, in args) (raw []byte, text string) {
	c.t.Helper()
	raw, line := c.ask("tools/call", args{"name": tool, "arguments": in, "_meta": args{"progressToken": "p"}})
	var r struct {
		Result struct {
			Content []struct{ Text string } `json:"content"`
		} `json:"result"`
	}
	_ = json.Unmarshal(line, &r)
	for _, item := range r.Result.Content {
		text += item.Text
	}
	return raw, text
}

const allCapabilities = "read,navigation,action,human,eval,network-body,secrets,credentials"

// echoCalls are the calls of each tool on the page that echoes. A tool that is not here fails the test: say how it is called.
func echoCalls(site string, ref func(string) string) map[string][]args {
	sel := func(s string) args { return args{"selector": s} }
	with := func(a args, more args) args {
		for k, v := range more {
			a[k] = v
		}
		return a
	}
	return map[string][]args{
		"snapshot": {{}, {"maxNodes": 3000}}, "find": {{"query": "password"}, {"query": "Row"}, {"query": leakValue}}, "text_search": {{"text": "password"}, {"text": "Head", "includeHidden": true}, {"text": leakValue}},
		"screenshot": {{}, {"describe": true}, {"fullPage": true}}, "frames_list": {{}}, "console_read": {{}, {"limit": 500}}, "network_read": {{}, {"limit": 500}}, "network_body": nil, "ws_read": {{}, {"limit": 500}},
		"click":        {sel("#fetch"), sel("#toggle"), sel("#error"), sel("#dialog"), sel("#row"), sel("#nope-" + leakValue), {"ref": leakValue}},
		"double_click": {sel("#toggle")}, "hover": {sel("#row"), sel("text=" + leakValue)}, "drag": {{"from": sel("#row"), "to": sel("#toggle")}},
		"fill":          {with(sel("#plain"), args{"value": "<PASSWORD>"}), with(sel("#plain"), args{"value": leakValue}), with(sel("#nope"), args{"value": leakValue, "timeoutMs": 300}), with(sel("#menu"), args{"value": leakValue, "timeoutMs": 300})},
		"fill_form":     {{"fields": []args{with(sel("#plain"), args{"value": "<PASSWORD>"}), with(sel("#given"), args{"value": "<PIN>"})}}, {"fields": leakValue}},
		"press":         {with(sel("#plain"), args{"key": "<PIN>"}), {"key": leakValue}, with(sel("#plain"), args{"key": leakValue}), {"key": "<NOPE>"}},
		"select":        {with(sel("#menu"), args{"values": []string{leakValue}}), with(sel("#menu"), args{"values": []string{"none-" + leakValue}, "timeoutMs": 300})},
		"choose_option": {with(sel("#menu"), args{"option": leakValue}), with(sel("#menu"), args{"option": "none-" + leakValue, "timeoutMs": 300})},
		"scroll":        {{"to": "bottom"}, {"to": "top"}}, "wait_for": {{"text": "password"}, {"text": "none-" + leakValue, "timeoutMs": 300}, with(sel("#p1"), args{"timeoutMs": 300})},
		"batch":    {{"calls": []args{{"tool": "snapshot", "label": leakValue}, {"tool": "text_search", "args": args{"text": "pin"}}, {"tool": leakValue}}}},
		"name_ref": {{"name": leakValue, "ref": ref("p1")}}, "list_named_refs": {{}},
		"tabs": {{"action": "list"}, {"action": "close", "id": leakValue}}, "list_sessions": {{}}, "get_config": {{}, {"key": leakValue}}, "set_config": {{"key": "snapshotMode", "value": leakValue}}, "reset_config": {{"key": leakValue}},
		"toolsets": {{}, {"on": []string{leakValue}}}, "set_viewport": {{"width": 1200, "height": 800}, {"width": leakValue, "height": 3}}, "set_dialog_policy": {{"mode": leakValue}, {"mode": "raise"}},
		"open_session": {{"mode": "incognito"}, {"session": leakValue}}, "close_sessions": {{"prefix": leakValue}}, "close_session": {{"session": leakValue}},
		"await_human": {{"kind": "input", "prompt": leakValue, "timeoutMs": 50}, {"requestId": leakValue}}, "approve_actions": {{"scopes": []string{leakValue}}, {"scopes": []string{"file_download"}}}, "list_approvals": {{}},
		"register_secret": {{"name": "AGAIN", "value": leakValue, "scope": site}, {"name": leakValue, "value": "x"}, {"name": "BAD", "value": leakValue, "scope": "https://u:" + leakValue + "@a.test/"}, {"name": "BAD", "value": []string{leakValue}}},
		"list_secrets":    {{}}, "get_totp": {{"account": leakValue}, {"account": "acme"}}, "get_credential": {{"account": leakValue}, {"account": "acme"}},
		"eval_js":     {{"expr": "document.body.innerText"}, {"expr": "[...document.querySelectorAll('#split b')].map(e => e.textContent)"}, {"expr": "({[document.querySelector('#given').value]: +document.body.className.slice(2)})"}, {"expr": "throw new Error(document.title)"}, {"expr": "document.querySelector('#p1')"}, {"expr": "[...document.cookie]"}},
		"poll_eval":   {{"expr": "document.title", "timeoutMs": 500}, {"expr": "false", "timeoutMs": 300}},
		"cookies_get": {{"name": "echo"}, {}}, "cookies_list": {{}}, "localstorage_get": {{"key": "plain"}, {"key": leakValue}}, "localstorage_list": {{}}, "sessionstorage_get": {{"key": "s"}}, "sessionstorage_list": {{}},
		"idb_list_databases": {{}}, "idb_list_stores": {{"database": "db-" + leakPIN}}, "idb_get": {{"database": "db-" + leakPIN, "store": "store-" + leakPIN}}, "caches_list_storages": {{}}, "caches_list": {{"cache": "cache-" + leakPIN}}, "caches_get": {{"cache": "cache-" + leakPIN, "url": "/cached/" + url.PathEscape(leakValue)}},
		"dump_storage_state": {{}},
		"inspect":            {with(sel("#p1"), args{"styles": []string{"content", "background-image"}}), with(sel(".q"), args{"styles": []string{"content", "background-image"}})}, "point_probe": {{"coords": args{"x": 60, "y": 90}}, {"coords": args{"x": 60, "y": 90}, "crop": true}},
		"verify_visible": {sel("#p1"), with(sel("#nope"), args{"timeoutMs": 200})}, "verify_text": {with(sel("#p1"), args{"text": "wrong", "timeoutMs": 200})}, "verify_value": {with(sel("#given"), args{"value": "wrong", "timeoutMs": 200}), with(sel("#plain"), args{"value": "<PASSWORD>", "timeoutMs": 200})},
		"verify_count": {with(sel("p"), args{"count": 99, "timeoutMs": 200})}, "verify_attribute": {with(sel(".q"), args{"attribute": "title", "value": "wrong", "timeoutMs": 200})}, "verify_predicate": {with(sel("#p1"), args{"is": "focused", "timeoutMs": 200})},
		"extract":      {{"schema": args{"type": "object", "properties": args{"words": args{"type": "string", "x-browx-source": args{"selector": "#p1"}}, "given": args{"type": "string", "x-browx-source": args{"selector": "#given", "prop": "value"}}, "pin": args{"type": "string", "x-browx-source": args{"selector": ".q", "attr": "data-testid"}}}}}},
		"shadow_trees": {{}}, "generate_locator": {{"ref": ref("row")}}, "watch": {{"durationMs": 300}},
		"plan": {{"query": "Row", "verb": "click"}, {"query": leakValue, "verb": "click"}}, "execute": {{"descriptor": args{"id": leakValue}}}, "act_and_diff": {{"action": args{"tool": "click", "args": sel("#toggle")}}},
		"navigate": {{"url": site + "/echo/again?q=" + leakPIN}, {"url": "http://" + leakValue + ".test/"}}, "reload": {{}}, "go_back": {{}}, "go_forward": {{}},
	}
}

// order has what leaves the page come last.
func order(calls map[string][]args) []string {
	var names []string
	for name := range calls {
		names = append(names, name)
	}
	rank := func(n string) int {
		switch n {
		case "navigate", "reload", "go_back", "go_forward", "open_session":
			return 2
		case "close_session", "close_sessions":
			return 3
		case "console_read", "network_read", "snapshot", "network_body", "ws_read":
			return 0
		}
		return 1
	}
	slices.SortFunc(names, func(a, b string) int {
		if d := rank(a) - rank(b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	return names
}

// TestNothingLeaves has a page echo two secrets in every way it can and calls every tool that there is. Every byte that the program
// writes, to the client, to its log and to files, is looked through.
func TestNothingLeaves(t *testing.T) {
	t.Run("stdio", func(t *testing.T) { nothingLeaves(t, "stdio", "--standalone") })
	t.Run("http", func(t *testing.T) { nothingLeaves(t, "serve") })
}

func nothingLeaves(t *testing.T, command ...string) {
	site := echoSite(t)
	workspace := t.TempDir()
	c := startRaw(t, workspace, allCapabilities, command...)
	for name, value := range map[string]string{"PASSWORD": leakValue, "PIN": leakPIN} {
		if raw, text := c.call("register_secret", args{"name": name, "value": value, "scope": site.URL}); !strings.Contains(text, `"ok":true`) || len(leaks(raw)) > 0 {
			t.Fatalf("%s %v", text, leaks(raw))
		}
	}
	c.call("navigate", args{"url": site.URL})
	c.call("fill", args{"selector": "[name=p]", "value": "<PASSWORD>"})
	c.call("fill", args{"selector": "[name=pin]", "value": "<PIN>"})
	raw, _ := c.call("click", args{"selector": "button"})
	if found := leaks(raw); len(found) > 0 {
		t.Errorf("click: %q", found)
	}
	_, text := c.call("wait_for", args{"selector": "#done", "timeoutMs": 15000})
	if !strings.Contains(text, `"ok":true`) {
		t.Fatalf("the page never echoed all: %s", text)
	}
	leaksOfProcesses(t, workspace, c.cmd.Process.Pid)
	ref := func(id string) string {
		_, text := c.call("hover", args{"selector": "#" + id})
		var r struct{ Element struct{ Ref string } }
		_ = json.Unmarshal([]byte(text), &r)
		return r.Element.Ref
	}
	calls := echoCalls(site.URL, ref)
	// Bodies are asked for by the ids that the list gives.
	_, text = c.call("network_read", args{"limit": 500})
	var list struct {
		Requests []struct {
			RequestID string `json:"requestId"`
		}
	}
	_ = json.Unmarshal([]byte(text), &list)
	for _, q := range list.Requests {
		calls["network_body"] = append(calls["network_body"], args{"requestId": q.RequestID})
	}
	if len(calls["network_body"]) < 3 {
		t.Errorf("the page made only %d requests", len(calls["network_body"]))
	}
	all := everyTool(t, c)
	for _, name := range all {
		if _, known := calls[name]; !known {
			t.Errorf("say in echoCalls how the tool %s is called", name)
		}
	}
	masked := 0
	for _, name := range order(calls) {
		if !slices.Contains(all, name) {
			t.Errorf("echoCalls has the tool %s, which is not there", name)
			continue
		}
		for i, in := range calls[name] {
			raw, text := c.call(name, in)
			if found := leaks(raw); len(found) > 0 {
				t.Errorf("%s, call %d: %d leaks, such as %s", name, i, len(found), found[0])
			}
			if strings.Contains(text, "<PASSWORD>") || strings.Contains(text, "<PIN>") {
				masked++
			}
			if name == "click" || name == "navigate" {
				c.call("set_dialog_policy", args{"mode": "accept"})
			}
		}
	}
	if masked < 30 {
		t.Errorf("only %d answers had something to mask: the test tests little", masked)
	}
	if found := leaks([]byte(c.errs.String())); len(found) > 0 {
		t.Errorf("the log: %s", found[0])
	}
	if log := c.errs.String(); strings.Contains(log, "DEFECT") {
		t.Errorf("something passed the one door and was stopped only in the last line:\n%s", log)
	}
	// What is written to files, the browser's own profile apart.
	_ = filepath.WalkDir(workspace, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == "profiles" || d.Name() == "private") {
			if err == nil {
				return fs.SkipDir
			}
			return nil
		}
		if data, err := os.ReadFile(path); err == nil && d.Type().IsRegular() && !strings.Contains(path, "downloads") {
			if found := leaks(data); len(found) > 0 {
				t.Errorf("%s: %s", path, found[0])
			}
		}
		return nil
	})
}

// everyTool is every tool that can be called, also those that are not listed.
func everyTool(t *testing.T, c *rawClient) []string {
	t.Helper()
	_, text := c.call("toolsets", args{})
	var sets struct {
		Sets []struct {
			Tools []struct{ Name string } `json:"tools"`
		} `json:"sets"`
	}
	if err := json.Unmarshal([]byte(text), &sets); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	var names []string
	for _, s := range sets.Sets {
		for _, one := range s.Tools {
			names = append(names, one.Name)
		}
	}
	if len(names) < 60 {
		t.Fatalf("toolsets names only %d tools: %s", len(names), text)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// leaksOfProcesses looks through the arguments and the environment of the program and of the browsers that it started.
func leaksOfProcesses(t *testing.T, workspace string, pid int) {
	t.Helper()
	pids := append(using(workspace), pid)
	for _, pid := range pids {
		for _, file := range []string{"cmdline", "environ"} {
			data, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, file))
			if err != nil {
				continue
			}
			if found := leaks(data); len(found) > 0 {
				t.Errorf("%s of %d: %s", file, pid, found[0])
			}
		}
	}
	if _, err := os.Stat("/proc/self"); err == nil && len(pids) < 3 {
		t.Errorf("only the processes %v were looked at", pids)
	}
}
