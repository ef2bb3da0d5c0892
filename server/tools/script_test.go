package tools_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

const withEval = "read,navigation,action,human,eval"

func evalRig(t *testing.T, pages map[string]string) (*rig, *httptest.Server) {
	t.Helper()
	r := newRig(t, "BROWX_CAPABILITIES", withEval)
	s := site(t, pages)
	r.do("navigate", args{"url": s.URL + "/"})
	return r, s
}

func TestEvalIsOff(t *testing.T) {
	r := newRig(t)
	for _, name := range []string{"eval_js", "poll_eval"} {
		if got := r.refuse(name, args{"expr": "1"}, "eval"); got.at("requiredCapability") != "eval" {
			t.Errorf("%s", got.text)
		}
	}
	if got := r.refuse("network_body", args{"requestId": "r1"}, "network-body"); got.at("requiredCapability") != "network-body" {
		t.Errorf("%s", got.text)
	}
}

// Values come as JSON does them, and as notes where it has no words.
func TestEvalValues(t *testing.T) {
	r, _ := evalRig(t, map[string]string{"/": `<title>Eval</title><meta http-equiv="Content-Security-Policy" content="script-src 'unsafe-inline'; require-trusted-types-for 'script'">
<button id=save class="big red">Save</button><script>var mine = {a: 1, when: new Date(0)}; class Point { constructor() { this.x = 1 } }
var round = {}; round.self = round; Object.defineProperty(window, 'angry', {get() { throw new Error('no') }});</script>`})
	for expr, want := range map[string]string{
		`1 + 1`:                              `2`,
		`document.title`:                     `"Eval"`,
		`mine`:                               `{"a":1,"when":"1970-01-01T00:00:00.000Z"}`,
		`{a: 1}`:                             `{"a":1}`,
		`[1, undefined, null]`:               `[1,{"$type":"undefined"},null]`,
		`undefined`:                          `null`,
		`10n`:                                `{"$type":"bigint","value":"10"}`,
		`0/0`:                                `{"$type":"number","value":"NaN"}`,
		`new Map([["k", new Set([1])]])`:     `{"$type":"Map","entries":[["k",{"$type":"Set","size":1,"values":[1]}]],"size":1}`,
		`new Uint8Array([1, 2])`:             `{"$type":"Uint8Array","base64":"AQI=","length":2}`,
		`round`:                              `{"self":{"$type":"circular"}}`,
		`new Point()`:                        `{"x":1}`,
		`document.querySelector("#save")`:    `{"$type":"node","children":0,"node":"<button id=\"save\" class=\"big red\">","text":"Save"}`,
		`window`:                             `{"$type":"Window"}`,
		`/a"b/g`:                             `{"$type":"RegExp","value":"/a\"b/g"}`,
		`await Promise.resolve(5)`:           `5`,
		`Promise.resolve({then: undefined})`: `{}`,
		`new Promise(r => setTimeout(r, 20, "late"))`: `"late"`,
		`const x = 2; x * 3`:                          `6`,
		`let y = [1]; y.push(2); y`:                   `[1,2]`,
		`if (true) { return [document.title] }`:       `["Eval"]`,
		`const z = await Promise.resolve(3); z + 1`:   `4`,
		`[..."<é\u2028>"]`:                            `["<","é","\u2028",">"]`,
		`({__proto__: null, ["__proto__"]: 1})`:       `{"__proto__":1}`,
		`this === window`:                             `true`,
		"7 // seven":                                  `7`,
	} {
		got := r.do("eval_js", args{"expr": expr})
		if v := jsonOf(t, got.at("value")); v != strings.ReplaceAll(want, `\u2028`, "\u2028") && v != want || got.at("truncated") != false {
			t.Errorf("%s is %s (%s)", expr, v, got.text)
		}
	}
	if got := r.do("eval_js", args{"expr": "undefined"}); got.at("type") != "undefined" {
		t.Errorf("%s", got.text)
	}
	if got := r.do("eval_js", args{"expr": "() => 1"}); got.at("type") != "function" || !strings.Contains(got.text, "was not called") {
		t.Errorf("%s", got.text)
	}
	// Names of its own neither meet the page's nor become them.
	for range 2 {
		if got := r.do("eval_js", args{"expr": "const Point = 5, kept = Point + 1; kept"}); got.at("value") != 6.0 {
			t.Errorf("%s", got.text)
		}
	}
	if got := r.do("eval_js", args{"expr": "typeof Point + typeof kept"}); got.at("value") != "functionundefined" {
		t.Errorf("%s", got.text)
	}
	// What it does, it does in the page's own world.
	r.do("eval_js", args{"expr": `document.title = 'Set by ' + mine.a`})
	if got := r.do("snapshot", nil); !strings.Contains(got.text, "Set by 1") {
		t.Errorf("%s", got.text)
	}
}

func TestEvalErrors(t *testing.T) {
	r, _ := evalRig(t, map[string]string{"/": `<title>Eval</title>`})
	got := r.refuse("eval_js", args{"expr": "null.x"}, "the script threw TypeError: Cannot read properties of null")
	if got.at("thrown", "name") != "TypeError" || !strings.Contains(fmt.Sprint(got.at("thrown", "stack")), "at ") || got.at("failure", "source") != "app" {
		t.Errorf("%s", got.text)
	}
	r.refuse("eval_js", args{"expr": "throw {code: 7}"}, `{\"code\":7}`)
	r.refuse("eval_js", args{"expr": "throw new RangeError('too far')"}, "RangeError: too far")
	r.refuse("eval_js", args{"expr": "await Promise.reject('gone')"}, "the script threw gone")
	r.refuse("eval_js", args{"expr": "1 +"}, "cannot be read", "SyntaxError", "expression")
	r.refuse("eval_js", args{"expr": "JSON.parse('{')"}, "the script threw SyntaxError")
	r.refuse("eval_js", args{"expr": "1", "frame": "nope"}, "nope", "frames_list")
	if got := r.refuse("eval_js", args{"expr": "alert('hello'); 5"}, "hello", "set_dialog_policy"); got.at("dialogs", 0, "message") != "hello" || got.at("value") != 5.0 {
		t.Errorf("%s", got.text)
	}
}

// A script that does not end is stopped in its time, whatever it does, and the page works on.
func TestEvalEnds(t *testing.T) {
	r, _ := evalRig(t, map[string]string{"/": `<title>Eval</title><script>var ticks = 0; setInterval(() => ticks++, 10)</script>`})
	for expr, words := range map[string]string{
		`while (true) {}`:                               "was stopped",
		`for (;;) await 0`:                              "was stopped",
		`await 1; while (true) {}`:                      "was stopped",
		`const a = 1; while (a) {}`:                     "was stopped",
		`new Promise(() => {})`:                         "did not come",
		`({get x() { while (true) {} }})`:               "was stopped",
		`new Promise(r => globalThis.resolveLater = r)`: "did not come",
	} {
		began := time.Now()
		r.refuse("eval_js", args{"expr": expr, "timeoutMs": 1500}, words)
		if took := time.Since(began); took > 2200*time.Millisecond {
			t.Errorf("%s took %s", expr, took)
		}
		before := r.do("eval_js", args{"expr": "ticks"}).at("value").(float64)
		r.do("poll_eval", args{"expr": fmt.Sprintf("ticks > %v", before)})
	}
}

// A script whose caller has gone is stopped too.
func TestEvalCancelled(t *testing.T) {
	r, _ := evalRig(t, map[string]string{"/": `<title>Eval</title><script>var ticks = 0; setInterval(() => ticks++, 10)</script>`})
	ctx, cancel := context.WithCancel(t.Context())
	var call mcp.CallToolRequest
	call.Params.Name = "eval_js"
	call.Params.Arguments = args{"session": r.session, "expr": "window.begun = true; while (true) {}", "timeoutMs": 60000}
	time.AfterFunc(700*time.Millisecond, cancel)
	_, _ = r.client.CallTool(ctx, call)
	r.do("poll_eval", args{"expr": "begun && ticks", "timeoutMs": 8000})
}

func TestEvalBig(t *testing.T) {
	r, _ := evalRig(t, map[string]string{"/": `<title>Eval</title>`})
	got := r.do("eval_js", args{"expr": `"line\n".repeat(200000)`})
	if got.at("truncated") != true || len(got.text) < 200<<10 || len(got.text) > 257<<10 || !strings.Contains(got.text, "more lines") {
		t.Errorf("%d bytes: %.200s", len(got.text), got.text)
	}
	// What is too much is not sent at all.
	if got := r.do("eval_js", args{"expr": `"x".repeat(3e8)`}); got.at("truncated") != true || got.at("value", "omitted") != true || got.at("value", "length") != 3e8 {
		t.Errorf("%.300s", got.text)
	}
	if got := r.do("eval_js", args{"expr": `Array.from({length: 3e6}, (_, i) => ({i, s: "some words"}))`, "timeoutMs": 20000}); got.at("truncated") != true || len(got.text) > 257<<10 {
		t.Errorf("%d bytes: %.300s", len(got.text), got.text)
	}
	if got := r.do("eval_js", args{"expr": `let o = {}; for (let i = 0; i < 5000; i++) o = {o}; o`}); got.at("truncated") != true {
		t.Errorf("%.300s", got.text)
	}
}

// Frames: of the page's process and of their own, with the page's world of that frame.
func TestEvalFrames(t *testing.T) {
	other := site(t, map[string]string{"/in": `<title>Inner</title><script>var who = 'other'</script>`})
	inner := strings.Replace(other.URL, "127.0.0.1", "localhost", 1)
	r, _ := evalRig(t, map[string]string{
		"/":     `<script>var who = 'page'</script><iframe name=same src=/same></iframe><iframe name=far src="` + inner + `/in"></iframe><iframe name=dead sandbox src=/same></iframe><iframe name=data src="data:text/html,<script>var who='data'</script>"></iframe>`,
		"/same": `<script>var who = 'same'</script>`,
	})
	for frame, want := range map[string]string{"": "page", "same": "same", "far": "other", "data": "data"} {
		a := args{"expr": "await Promise.resolve(); who"}
		if frame != "" {
			a["frame"] = frame
		}
		if got := r.do("poll_eval", a); got.at("value") != want {
			t.Errorf("%s: %s", frame, got.text)
		}
	}
	// Scripts of its own a sandboxed frame runs none; an agent's it does.
	if got := r.do("eval_js", args{"expr": "typeof who", "frame": "dead"}); got.at("value") != "undefined" {
		t.Errorf("%s", got.text)
	}
}

func TestPollEval(t *testing.T) {
	r, s := evalRig(t, map[string]string{"/": `<script>setTimeout(() => { window.ready = {n: 3} }, 300)</script>`, "/next": `<title>Next</title><script>setTimeout(() => { window.ready = 'next' }, 200)</script>`})
	if got := r.do("poll_eval", args{"expr": "ready", "intervalMs": 50}); got.at("value", "n") != 3.0 || got.at("polls").(float64) < 2 || got.at("elapsedMs") == nil {
		t.Errorf("%s", got.text)
	}
	began := time.Now()
	got := r.refuse("poll_eval", args{"expr": "[document.title.length, 0][1]", "timeoutMs": 700}, "no true value")
	if took := time.Since(began); took > 1100*time.Millisecond || got.at("value") != 0.0 {
		t.Errorf("after %s: %s", took, got.text)
	}
	r.refuse("poll_eval", args{"expr": "nothing.there", "timeoutMs": 500}, "ReferenceError", "nothing is not defined")
	r.refuse("poll_eval", args{"expr": "1 +", "timeoutMs": 60000}, "cannot be read")
	r.refuse("poll_eval", args{"expr": "while (true) {}", "timeoutMs": 1500}, "was stopped")
	// It goes on in the next document.
	r.do("eval_js", args{"expr": "setTimeout(() => { location.href = '" + s.URL + "/next' }, 200); delete window.ready"})
	if got := r.do("poll_eval", args{"expr": "ready", "intervalMs": 20}); got.at("value") != "next" {
		t.Errorf("%s", got.text)
	}
}
