package page_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"chaperone/browser"
	"chaperone/browser/page"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
)

// on opens a page with that body in a browser of its own.
func on(t *testing.T, body string) *browser.Tab {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html><html lang=en><title>Fixture</title><link rel=icon href='data:,'>"+body)
	}))
	t.Cleanup(srv.Close)
	b := browser.New(browser.Config{Profiles: t.TempDir(), Temp: t.TempDir(), NoSandbox: os.Getuid() == 0})
	s, _, err := b.Open(limit(t), browser.Options{ID: "default", Mode: browser.Incognito, Headless: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close(context.WithoutCancel(t.Context())) })
	tab, err := s.Current()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tab.Navigate(limit(t), srv.URL+"/", browser.WaitLoad); err != nil {
		t.Fatal(err)
	}
	return tab
}

func limit(t *testing.T) context.Context {
	t.Helper()
	return within(t, 30*time.Second)
}

func within(t *testing.T, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

// eval asks the page itself.
func eval[T any](t *testing.T, tab *browser.Tab, expression string) T {
	t.Helper()
	var out T
	reply, err := cdp.Call(limit(t), tab.MainFrame().Session(), runtime.Evaluate, runtime.EvaluateParams{Expression: expression, ReturnByValue: new(true), AwaitPromise: new(true)})
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	if reply.ExceptionDetails != nil {
		t.Fatalf("%s: %+v", expression, reply.ExceptionDetails)
	}
	if len(reply.Result.Value) > 0 {
		if err := json.Unmarshal(reply.Result.Value, &out); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func snapshot(t *testing.T, tab *browser.Tab) string {
	t.Helper()
	text, err := page.Snapshot(limit(t), tab, page.SnapshotOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestSelectors(t *testing.T) {
	tab := on(t, `
	<button id=save data-testid=save-btn>Save</button><button id=saveall>Save all</button><button id=gone hidden>Gone</button>
	<h2 id=h>Section <em>two</em></h2><a id=l href="#x">A link</a>
	<table><tr id=r1><td>Ada</td><td><button id=d1>Delete</button></td></tr><tr id=r2><td>Bob</td><td><button id=d2>Delete</button></td></tr></table>
	<label>Agree <input id=c type=checkbox checked></label><input id=sub type=submit value="Go on">
	<div id=host></div><p id=long>some words <b>inside</b> here</p>
	<script>host.attachShadow({mode:'open'}).innerHTML = '<section><button id=deep>Deep</button></section>'</script>`)
	for _, c := range []struct{ selector, want string }{
		{"#save", "save"}, {"css=#save", "save"}, {`[data-testid="save-btn"]:visible`, "save"},
		{`role=button[name="Save"]`, "save"}, {`role=button[name="save a" i]`, "saveall"}, {`role=button[name=/^Save all$/]`, "saveall"},
		{"text=Save all", "saveall"}, {`text="Save"`, "save"}, {"text=a link", "l"}, {`text=/^A l/`, "l"}, {"text=Deep", "deep"},
		{`tr:has-text("Bob") button`, "d2"}, {`tr:has-text("Ada") >> button`, "d1"}, {`tr:has-text("Ada") >> text=Delete`, "d1"},
		{"table >> tr >> nth=1 >> button", "d2"}, {"button >> nth=-1", ""}, {"xpath=//tr[2]//button", "d2"}, {"//h2", "h"},
		{"role=checkbox[checked]", "c"}, {"role=heading[level=2]", "h"}, {"#deep", "deep"}, {"#host >> text=Deep", "deep"}, {"section button", "deep"},
		{"text=Go on", "sub"}, {"button:visible >> nth=0", "save"}, {"#r1 > td:nth-child(2) > button, #none", "d1"}, {"text=Section two", "h"},
	} {
		a, err := page.Hover(limit(t), tab, page.Target{Selector: c.selector})
		if err != nil {
			t.Errorf("%s: %v", c.selector, err)
			continue
		}
		if c.want == "" {
			continue
		}
		got := eval[string](t, tab, `(() => { let e = [...document.querySelectorAll(':hover')].at(-1); while (e && e.shadowRoot) e = [...e.shadowRoot.querySelectorAll(':hover')].at(-1); return e ? (e.id || e.closest('[id]').id) : '' })()`)
		if got != c.want {
			t.Errorf("%s is %q (%+v), want %q", c.selector, got, a.Element, c.want)
		}
	}
	for _, bad := range []string{"##", "role=", "role=button[foo=1]", "text=", ">> a", "xpath=//[", "a:has-text(", "role=button[name"} {
		_, err := page.Hover(limit(t), tab, page.Target{Selector: bad})
		var e *page.ElementError
		if err == nil || !strings.Contains(err.Error(), "cannot be read") {
			t.Errorf("the selector %q: %v (%v)", bad, err, e)
		}
	}
}

func TestRefsLiveAsLongAsTheirElement(t *testing.T) {
	tab := on(t, `<button id=b onclick="menu.hidden = !menu.hidden">Open</button><ul id=menu hidden><li><button>First</button></ul><button id=dead>Dead</button>`)
	first := snapshot(t, tab)
	ref := refIn(t, first, `button "Open"`)
	dead := refIn(t, first, `button "Dead"`)
	if _, err := page.Click(limit(t), tab, page.Target{Ref: ref}, page.ClickOptions{}); err != nil {
		t.Fatal(err)
	}
	second := snapshot(t, tab)
	if !strings.Contains(second, "First") || refIn(t, second, `button "Open"`) != ref {
		t.Errorf("the second snapshot:\n%s", second)
	}
	eval[any](t, tab, `dead.remove()`)
	if _, err := page.Click(within(t, time.Second), tab, page.Target{Ref: dead}, page.ClickOptions{}); err == nil || !strings.Contains(err.Error(), "no longer in the page") {
		t.Errorf("a dead ref: %v", err)
	}
	if _, err := page.Click(limit(t), tab, page.Target{Ref: ref}, page.ClickOptions{}); err != nil {
		t.Errorf("the first ref after all that: %v", err)
	}
}

func refIn(t *testing.T, text, head string) string {
	t.Helper()
	_, rest, ok := strings.Cut(text, head)
	if ok {
		if _, rest, ok = strings.Cut(rest, "[ref="); ok {
			return rest[:strings.IndexByte(rest, ']')]
		}
	}
	t.Fatalf("no %s with a ref in:\n%s", head, text)
	return ""
}

func TestProtectedFieldsAreNeverShown(t *testing.T) {
	tab := on(t, `<input id=p type=password aria-label=Pass value=hunter2hunter2><input id=o autocomplete="one-time-code" aria-label=Code value=hunter2hunter2>
	<input id=was type=password aria-label=Was value=hunter2hunter2><button onclick="was.type='text'">Show</button>`)
	if _, err := page.Click(limit(t), tab, page.Target{Selector: "button"}, page.ClickOptions{}); err != nil {
		t.Fatal(err)
	}
	text := snapshot(t, tab)
	if strings.Contains(text, "hunter2") || strings.Count(text, "filled") != 3 {
		t.Errorf("the snapshot:\n%s", text)
	}
	a, err := page.Fill(limit(t), tab, page.Target{Selector: "#was"}, "other-secret")
	if err != nil {
		t.Fatal(err)
	}
	if data, _ := json.Marshal(a); strings.Contains(string(data), "other-secret") || strings.Contains(string(data), "hunter2") {
		t.Errorf("the result of fill shows it: %s", data)
	}
	if got := eval[string](t, tab, "was.value"); got != "other-secret" {
		t.Errorf("the field holds %q", got)
	}
	for _, oracle := range []string{`#p[v\61lue^="h"]`, `[\76 alue^=h]`, `[v\000061 lue^=h]`, `[*|value^=h]`, `[|value^=h]`, `[/**/value^=h]`, `[ VALUE ^=h]`, `#p/**/[value^=h]`,
		`xpath=//input[@node()[.="x"]]`, `xpath=//input[attribute ::value]`, `a:has-text("x'") , [value^=h]`, `#p[value^="h"]`, `body:has([value^="hunter"]) button`, `xpath=//input[starts-with(@value,"h")]`, `input[ value *= "2" i ] >> nth=0`} {
		if _, err := page.Hover(within(t, 500*time.Millisecond), tab, page.Target{Selector: oracle}); err == nil || !strings.Contains(err.Error(), "refused") {
			t.Errorf("%s answers: %v", oracle, err)
		}
	}
	for _, fine := range []string{`[aria-label="Pass"]`, `input[type=password]`, `xpath=//input[@aria-label="Code"]`, `[data-x="[value]"], #o`, `role=textbox[name="Was"]`} {
		if _, err := page.Hover(limit(t), tab, page.Target{Selector: fine}); err != nil {
			t.Errorf("%s, which asks about no value: %v", fine, err)
		}
	}
	matches, err := page.TextSearch(limit(t), tab, page.SearchOptions{Text: "other-secret"})
	if err != nil || matches.Count != 0 {
		t.Errorf("text search tells of it: %+v, %v", matches, err)
	}
}

// What scripts and styles hold is not text of the page, and what fields hold is not text of what they stand in.
func TestScriptsAndFieldsAreNoText(t *testing.T) {
	tab := on(t, `<div id=all><script>/* scripted-words */</script><style>/* styled-words */</style><textarea autocomplete=one-time-code>held-words</textarea><p>Plain words</p></div>`)
	for _, words := range []string{"scripted-words", "styled-words", "held-words"} {
		for _, hidden := range []bool{false, true} {
			m, err := page.TextSearch(limit(t), tab, page.SearchOptions{Text: words, IncludeHidden: hidden})
			if err != nil || m.Count != 0 {
				t.Errorf("%s was found: %+v, %v", words, m, err)
			}
		}
		for _, selector := range []string{"text=" + words, "div:has-text(" + words + ")", "text=/" + words + "/"} {
			if _, err := page.Hover(within(t, 200*time.Millisecond), tab, page.Target{Selector: selector}); err == nil {
				t.Errorf("%s was found", selector)
			}
		}
	}
	m, err := page.TextSearch(limit(t), tab, page.SearchOptions{Text: "Plain words"})
	if err != nil || m.Count != 1 || strings.Contains(fmt.Sprint(m), "-words") {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestWhatCannotBeReachedIsRefusedAtOnce(t *testing.T) {
	tab := on(t, `<button>Here</button><div style="height:5000px">`)
	for _, p := range []page.Point{{X: -1, Y: 5}, {X: 5, Y: 3000}, {X: 1e9, Y: 1e9}} {
		if _, err := page.Click(limit(t), tab, page.Target{Point: &p}, page.ClickOptions{}); err == nil || !strings.Contains(err.Error(), "outside") {
			t.Errorf("a click at %v: %v", p, err)
		}
	}
	for _, key := range []string{"\x00", "Control+\x01", "\xff"} {
		if _, err := page.Press(limit(t), tab, nil, key); !errors.Is(err, browser.ErrUnknownKey) {
			t.Errorf("the key %q: %v", key, err)
		}
	}
	text := snapshot(t, tab)
	ref := refIn(t, text, `button "Here"`)
	if err := page.Alive(limit(t), tab, ref); err != nil {
		t.Errorf("%s: %v", ref, err)
	}
	eval[any](t, tab, `document.querySelector('button').remove()`)
	for _, dead := range []string{ref, "e999999", "x1", ""} {
		if err := page.Alive(limit(t), tab, dead); err == nil {
			t.Errorf("%q is said to be there", dead)
		}
	}
}

func TestCoveringElementIsNamed(t *testing.T) {
	tab := on(t, `<button>Under</button><div role=dialog aria-label="Cookies" style="position:fixed;inset:0;background:#fffa"><p>We use cookies</div>`)
	_, err := page.Click(within(t, 700*time.Millisecond), tab, page.Target{Selector: "button"}, page.ClickOptions{})
	if err == nil || !strings.Contains(err.Error(), `dialog "Cookies"`) {
		t.Errorf("%v", err)
	}
}

func TestMovingElementIsWaitedFor(t *testing.T) {
	tab := on(t, `<style>@keyframes m { from { transform: translateX(0) } to { transform: translateX(300px) } } button { animation: m .6s linear forwards }</style>
	<button onclick="document.title = getComputedStyle(this).transform">Moving</button>`)
	if _, err := page.Click(limit(t), tab, page.Target{Selector: "button"}, page.ClickOptions{}); err != nil {
		t.Fatal(err)
	}
	if got := eval[string](t, tab, "document.title"); got != "matrix(1, 0, 0, 1, 300, 0)" {
		t.Errorf("clicked at %s", got)
	}
}

func TestFieldsThatRefuse(t *testing.T) {
	tab := on(t, `<input id=ro readonly aria-label=R><input id=dis disabled aria-label=D><input id=date type=date aria-label=Date><input id=num type=number aria-label=N>
	<input id=short maxlength=3 aria-label=S><input id=check type=checkbox aria-label=C><select id=sel aria-label=Sel><option>a</select><p id=text>text</p>`)
	for _, c := range []struct{ selector, value, words string }{
		{"#ro", "x", "read-only"}, {"#dis", "x", "disabled"}, {"#date", "31.12.2030", "YYYY-MM-DD"}, {"#num", "many", "number"}, {"#short", "long", "at most 3"},
		{"#check", "x", "use click"}, {"#sel", "a", "use select"}, {"#text", "x", "not a field"}, {"#none", "x", "no element matches"},
	} {
		_, err := page.Fill(within(t, 600*time.Millisecond), tab, page.Target{Selector: c.selector}, c.value)
		if err == nil || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: %v", c.selector, err)
		}
	}
}

func TestClosedShadowRootsAreReached(t *testing.T) {
	tab := on(t, `<h1>Roots</h1><div id=sealed></div><script>
	const shut = sealed.attachShadow({mode: 'closed'})
	shut.innerHTML = '<button>In the closed root</button>'
	shut.querySelector('button').onclick = e => { document.title = 'closed ' + e.isTrusted }</script>`)
	text := snapshot(t, tab)
	if !strings.Contains(text, `heading "Roots" [level=1]`) {
		t.Errorf("the heading has lost its name:\n%s", text)
	}
	if _, err := page.Click(limit(t), tab, page.Target{Ref: refIn(t, text, `button "In the closed root"`)}, page.ClickOptions{}); err != nil {
		t.Fatal(err)
	}
	if got := eval[string](t, tab, "document.title"); got != "closed true" {
		t.Errorf("the page saw %q", got)
	}
	if _, err := page.Click(limit(t), tab, page.Target{Selector: "text=In the closed root"}, page.ClickOptions{}); err != nil {
		t.Errorf("by its words: %v", err)
	}
}

func TestProtectedFieldsAreCoveredInPictures(t *testing.T) {
	tab := on(t, `<style>body{margin:0;background:#fff} input{position:absolute;left:100px;width:200px;height:40px;border:0;background:#fff;font:30px monospace;color:#000}</style>
	<input id=code autocomplete=one-time-code style="top:100px" value="████████"><input id=open style="top:200px" value="████████"><input type=password style="top:300px">`)
	for _, format := range []string{"png", "jpeg", "webp"} {
		p, err := page.Screenshot(limit(t), tab, page.ScreenshotOptions{Format: format})
		if err != nil {
			t.Fatal(err)
		}
		img, _, err := image.Decode(bytes.NewReader(p.Data))
		if err != nil {
			t.Fatal(err)
		}
		dark := func(y int) (n int) {
			for x := 100; x < 300; x++ {
				if r, g, b, _ := img.At(x, y).RGBA(); r>>8 < 40 && g>>8 < 40 && b>>8 < 40 {
					n++
				}
			}
			return n
		}
		if dark(120) != 0 || dark(220) == 0 {
			t.Errorf("%s: %d dark pixels in the protected field, %d in the open one", format, dark(120), dark(220))
		}
		if !strings.Contains(p.Note, "1 filled") {
			t.Errorf("%s: the note is %q", format, p.Note)
		}
	}
	if got := eval[string](t, tab, "code.value"); got != "████████" {
		t.Errorf("the page was changed: %q", got)
	}
}

func TestProtectedValuesAreNotCarriedElsewhere(t *testing.T) {
	tab := on(t, `<input id=was type=password value=hunter2hunter2><input id=plain value=plainwords><input id=to aria-label=To style="display:block;margin-top:60px"><button onclick="was.type='text'">Show</button>`)
	if _, err := page.Click(limit(t), tab, page.Target{Selector: "button"}, page.ClickOptions{}); err != nil {
		t.Fatal(err)
	}
	key := func(selector string, keys ...string) {
		t.Helper()
		for _, k := range keys {
			if _, err := page.Press(limit(t), tab, &page.Target{Selector: selector}, k); err != nil {
				t.Fatal(err)
			}
		}
	}
	// The way itself works, or the rest would prove nothing.
	key("#plain", "Control+a", "Control+c")
	key("#to", "Control+v")
	if got := eval[string](t, tab, "to.value"); got != "plainwords" {
		t.Fatalf("copying a plain field gave %q", got)
	}
	for _, copied := range []string{"Control+c", "Control+x", "Control+Insert"} {
		key("#was", "Control+a", copied)
		key("#to", "Control+a", "Control+v")
		if got := eval[string](t, tab, "to.value"); strings.Contains(got, "hunter2") {
			t.Errorf("%s carried it over: %q", copied, got)
		}
	}
	key("#was", "Control+a")
	if _, err := page.Drag(limit(t), tab, page.Target{Selector: "#was"}, page.Target{Selector: "#to"}, 0); err != nil {
		t.Fatal(err)
	}
	if got := eval[string](t, tab, "to.value"); strings.Contains(got, "hunter2") {
		t.Errorf("dragging carried it over: %q", got)
	}
	if got := eval[string](t, tab, "was.value"); got != "hunter2hunter2" {
		t.Errorf("the field itself holds %q", got)
	}
}
