package tools_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

const planPage = `<title>Plan</title><link rel=icon href="data:,"><form onsubmit="event.preventDefault(); document.getElementById('out').textContent='sent ' + this.mail.value"><label>Mail <input name=mail></label>
<label>Size <select name=size><option>Small<option>Large</select></label><button>Send form</button></form><p id=out></p><button onclick="this.remove()">Go away</button>`

func TestPlanAndExecute(t *testing.T) {
	s := site(t, map[string]string{"/": planPage})
	r := newRig(t)
	r.do("navigate", args{"url": s.URL})
	plan := func(a args) map[string]any {
		t.Helper()
		return r.do("plan", a).json
	}
	p := plan(args{"query": "mail", "verb": "fill", "verbArgs": args{"value": "ada@example.com"}})
	e := p["evidence"].(map[string]any)
	if p["verb"] != "fill" || p["ref"] == "" || e["role"] != "textbox" || e["name"] != "Mail" || e["query"] != "mail" || e["actionable"] != true || e["alternatives"] == nil || p["expiresAt"].(float64) < float64(time.Now().UnixMilli()) {
		t.Errorf("%v", p)
	}
	// Nothing is done before it is executed.
	r.do("verify_value", args{"selector": "[name=mail]", "value": ""})
	got := r.do("execute", args{"descriptor": p})
	if got.at("action", "type") != "fill" || got.at("element", "value") != "ada@example.com" || got.at("tokensEstimate") == nil || strings.Count(got.text, "tokensEstimate") != 1 {
		t.Errorf("%s", got.text)
	}
	r.do("verify_value", args{"selector": "[name=mail]", "value": "ada@example.com"})
	r.do("execute", args{"descriptor": plan(args{"query": "size", "verb": "select", "verbArgs": args{"values": []string{"Large"}}})})
	r.do("verify_value", args{"selector": "select", "value": "Large"})
	r.do("execute", args{"descriptor": plan(args{"query": "send form button", "verb": "click"})})
	r.do("verify_text", args{"selector": "#out", "text": "sent ada@example.com"})

	reason := func(d map[string]any, want string) {
		t.Helper()
		if got := r.refuse("execute", args{"descriptor": d}); got.at("reason") != want {
			t.Errorf("want %s: %s", want, got.text)
		}
	}
	changed := func(key string, v any) map[string]any {
		d := map[string]any{}
		for k, x := range p {
			d[k] = x
		}
		d[key] = v
		return d
	}
	reason(changed("ref", "e9999"), "invalid")
	reason(changed("verb", "click"), "invalid")
	reason(changed("args", args{"value": "mallory@example.com"}), "invalid")
	reason(changed("args", args{"value": "ada@example.com", "selector": "#other"}), "invalid")
	reason(changed("expiresAt", p["expiresAt"].(float64)+3600000), "invalid")
	reason(changed("id", "p-forged"), "invalid")
	reason(map[string]any{"id": p["id"]}, "invalid")
	reason(map[string]any{}, "invalid")
	short := plan(args{"query": "mail", "verb": "hover", "ttlMs": 1})
	<-time.After(time.Until(time.UnixMilli(int64(short["expiresAt"].(float64)))) + time.Millisecond)
	reason(short, "expired")
	away := plan(args{"query": "go away", "verb": "click"})
	r.do("execute", args{"descriptor": away})
	reason(away, "ref-gone")
	r.do("tabs", args{"action": "new", "url": s.URL})
	reason(p, "invalid")
	r.do("tabs", args{"action": "select", "id": "t1"})
	r.do("reload", nil)
	reason(p, "ref-gone")
	// In another session it stands for nothing.
	other := newRig(t)
	other.session += "-2"
	other.do("open_session", args{"mode": "incognito"})
	if got := other.refuse("execute", args{"descriptor": p}); got.at("reason") != "invalid" {
		t.Errorf("%s", got.text)
	}
	r.refuse("plan", args{"query": "mail", "verb": "fill"}, "value")
	r.refuse("plan", args{"query": "mail", "verb": "fill", "verbArgs": args{"value": "x", "ref": "e1"}}, "ref")
	r.refuse("plan", args{"query": "mail", "verb": "hover", "verbArgs": args{"key": "x"}}, "takes no verbArgs")
	r.refuse("plan", args{"query": "zzzz qqqq", "verb": "click"}, "nothing in the page fits")
	r.refuse("plan", args{"query": "mail", "verb": "upload"}, "verb must be one of")
}

// A secret is planned by its name and reaches the page through the same door as ever.
func TestPlanWithASecret(t *testing.T) {
	vault := newVaultSite(t)
	r := newRig(t, "BROWX_CAPABILITIES", withSecrets)
	r.do("register_secret", args{"name": "PASSWORD", "value": secretValue, "scope": vault.URL})
	r.do("navigate", args{"url": vault.URL})
	p := r.do("plan", args{"query": "password field", "verb": "fill", "verbArgs": args{"value": "<PASSWORD>"}})
	if p.at("args", "value") != "<PASSWORD>" {
		t.Errorf("%s", p.text)
	}
	if got := r.do("execute", args{"descriptor": p.json}); got.at("element", "value") != "filled" || strings.Contains(got.text, secretValue) {
		t.Errorf("%s", got.text)
	}
	r.do("click", args{"selector": "button"})
	if sent := vault.sent(); len(sent) != 1 || sent[0] != secretValue {
		t.Errorf("the server received %q", sent)
	}
	// What is on its page is masked in the reasons.
	if got := r.do("plan", args{"query": "link", "verb": "click"}); strings.Contains(got.text, secretValue) {
		t.Errorf("%s", got.text)
	}
	r.do("navigate", args{"url": vault.URL})
	tools := ""
	for _, e := range r.server.Journal().Entries(0) {
		tools += e.Tool + " "
		if strings.Contains(string(e.Arguments), secretValue) {
			t.Errorf("the journal keeps %s", e.Arguments)
		}
	}
	if !strings.Contains(tools, "plan execute fill") {
		t.Errorf("the journal has %s", tools)
	}
}

func TestExecuteNeedsItsCapability(t *testing.T) {
	s := site(t, map[string]string{"/": planPage})
	r := newRig(t, "BROWX_CAPABILITIES", "read,navigation,human")
	r.do("navigate", args{"url": s.URL})
	p := r.do("plan", args{"query": "send form", "verb": "click"})
	if got := r.refuse("execute", args{"descriptor": p.json}); got.at("requiredCapability") != "action" {
		t.Errorf("%s", got.text)
	}
	if got := r.refuse("act_and_diff", args{"action": args{"tool": "click", "args": args{"selector": "button"}}}); got.at("requiredCapability") != "action" {
		t.Errorf("%s", got.text)
	}
}

func TestActAndDiff(t *testing.T) {
	s := site(t, map[string]string{"/": `<title>Diff</title><link rel=icon href="data:,"><style>.on{color:rgb(200,0,0)}</style><button id=b onclick="p.className='on two'; p.setAttribute('aria-busy','true'); p.style.opacity='0.5'; old.remove(); const n=document.createElement('section'); n.innerHTML='<i>new <u>part</u></i>'; document.body.append(n); q.dataset.x='1'; pw.setAttribute('value', 'other-secret')">Go</button>
<p id=p class=one data-testid=para>text</p><div id=old><i>a</i></div><div id=part><span id=q></span></div><input id=pw type=password value="first-secret" aria-label=Password><iframe srcdoc="<button onclick=&quot;this.className='pressed'&quot;>Inner</button>"></iframe>`})
	r := newRig(t)
	r.do("navigate", args{"url": s.URL})
	got := r.do("act_and_diff", args{"action": args{"tool": "click", "args": args{"selector": "#b"}}})
	if got.at("ok") != true || got.at("action", "action", "type") != "click" {
		t.Errorf("%s", got.text)
	}
	of := map[string]map[string]any{}
	for _, x := range got.at("diff", "changed").([]any) {
		one := x.(map[string]any)
		of[one["path"].(string)] = one
	}
	p := of["p#p"]
	if p == nil || p["testId"] != "para" || !reflect.DeepEqual(p["classDelta"], map[string]any{"added": []any{"on", "two"}, "removed": []any{"one"}}) ||
		!reflect.DeepEqual(p["attrDelta"], map[string]any{"aria-busy": map[string]any{"before": nil, "after": "true"}}) ||
		!strings.Contains(fmt.Sprint(p["styleDelta"]), "rgb(200, 0, 0)") || !strings.Contains(fmt.Sprint(p["styleDelta"]), "opacity: 0.5") {
		t.Errorf("%v in %s", p, got.text)
	}
	if of["span#q"] == nil || len(got.at("diff", "added").([]any)) != 1 || got.at("diff", "added", 0, "text") != "new part" || len(got.at("diff", "removed").([]any)) != 1 || got.at("diff", "removed", 0, "path") != "div#old" || strings.Contains(got.text, "-secret") {
		t.Errorf("%s", got.text)
	}
	// Only inside of a part, and in a frame of the same process.
	if got := r.do("act_and_diff", args{"action": args{"tool": "click", "args": args{"selector": "role=button[name=Inner]"}}}); !strings.Contains(fmt.Sprint(got.at("diff", "changed")), "pressed") {
		t.Errorf("%s", got.text)
	}
	r.do("reload", nil)
	if got := r.do("act_and_diff", args{"action": args{"tool": "click", "args": args{"selector": "#b"}}, "scope": "#part"}); len(got.at("diff", "changed").([]any)) != 1 || len(got.at("diff", "added").([]any)) != 0 {
		t.Errorf("%s", got.text)
	}
	// An action that does not work says why, and so does one that leaves the page.
	if got := r.refuse("act_and_diff", args{"action": args{"tool": "click", "args": args{"selector": "#nothing", "timeoutMs": 2000}}}, "the action did not work", "no element matches"); got.at("diff") == nil || got.at("action", "ok") != false {
		t.Errorf("%s", got.text)
	}
	r.refuse("act_and_diff", args{"action": args{"tool": "navigate", "args": args{"url": s.URL}}}, "tool must be one of")
	r.refuse("act_and_diff", args{"action": args{"tool": "click", "args": args{"selector": "#b", "session": "default"}}}, "another session")
	r.refuse("act_and_diff", args{"action": args{"tool": "click", "args": args{"selctor": "#b"}}}, "did you mean selector")
}
