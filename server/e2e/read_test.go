package e2e

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"strings"
	"testing"
)

func TestFramesAndShadowRoots(t *testing.T) {
	a, l := start(t), newLab(t)
	a.do("navigate", args{"url": l.URL + "/frames.html"})
	page := a.do("snapshot", nil)
	for _, words := range []string{"Press near", "Outer frame", "Press nested", "In srcdoc", "In the open shadow", "In the closed shadow"} {
		if !strings.Contains(page.text, words) {
			t.Errorf("the snapshot lacks %q:\n%s", words, page.text)
		}
	}
	for _, name := range []string{"near", "nested"} {
		l.forget()
		a.do("click", args{"ref": page.ref(t, "button", "Press "+name)})
		if got, _ := l.saw(t, "inner-click").(map[string]any); got["name"] != name || got["trusted"] != true {
			t.Errorf("clicking in the frame %s: the page saw %v", name, got)
		}
	}
	fields := strings.Split(page.text, "Inner field")
	if len(fields) != 3 {
		t.Fatalf("two inner fields were expected:\n%s", page.text)
	}
	for i, name := range []string{"near", "nested"} {
		ref := fields[i+1][strings.Index(fields[i+1], "[ref=")+5:]
		a.do("fill", args{"ref": ref[:strings.IndexByte(ref, ']')], "value": "typed in " + name})
		if got, _ := l.saw(t, "inner-input").(map[string]any); got["name"] != name || got["value"] != "typed in "+name || got["trusted"] != true {
			t.Errorf("typing in the frame %s: the page saw %v", name, got)
		}
	}
	a.do("click", args{"ref": page.ref(t, "button", "In the open shadow")})
	l.saw(t, "shadow")
	a.do("click", args{"ref": page.ref(t, "button", "In the closed shadow")})
	l.saw(t, "closed-shadow")
	if r := a.do("frames_list", nil); len(r.list("frames")) != 5 {
		t.Errorf("frames: %s", r.text)
	}
	again := a.do("snapshot", nil)
	if x, y := page.ref(t, "button", "Press nested"), again.ref(t, "button", "Press nested"); x != y {
		t.Errorf("the ref of an unchanged element went from %s to %s", x, y)
	}
}

func TestStrictPolicyPages(t *testing.T) {
	a, l := start(t), newLab(t)
	a.do("navigate", args{"url": l.URL + "/strict"})
	page := a.do("snapshot", nil)
	a.do("find", args{"query": "strict button"})
	a.do("text_search", args{"text": "Strict"})
	a.do("screenshot", nil)
	a.do("fill", args{"ref": page.ref(t, "textbox", "Strict field"), "value": "x"})
	a.do("click", args{"ref": page.ref(t, "button", "Strict button")})
	l.saw(t, "strict-input")
	l.saw(t, "strict-click")
	if !l.quiet("violation") {
		t.Errorf("our page code broke the page's policy: %v", l.saw(t, "violation"))
	}
}

func TestGiantPageIsCapped(t *testing.T) {
	a, l := start(t), newLab(t)
	a.do("navigate", args{"url": l.URL + "/giant.html", "timeoutMs": 30000})
	page := a.do("snapshot", args{"timeoutMs": 30000})
	if len(page.text) > 400_000 {
		t.Errorf("the snapshot of a giant page has %d bytes", len(page.text))
	}
	if !strings.Contains(page.text, "maxNodes") {
		t.Errorf("the cut does not say how to ask for more: …%s", page.text[max(0, len(page.text)-500):])
	}
	r := a.do("find", args{"query": "Open 19999", "timeoutMs": 30000})
	if r.str("candidates", 0, "name") != "Open 19999" {
		t.Errorf("find: %s", r.text)
	}
	ref := r.str("candidates", 0, "ref")
	if r := a.do("click", args{"ref": ref, "timeoutMs": 30000}); r.str("navigation", "kind") != "hash" || len(r.text) > 10_000 {
		t.Errorf("the click's result has %d bytes: %v", len(r.text), r.at("navigation"))
	}
}

func TestFindAndSearch(t *testing.T) {
	a, l := start(t), newLab(t)
	a.do("navigate", args{"url": l.URL + "/form.html"})
	r := a.do("find", args{"query": "name field"})
	if r.str("candidates", 0, "role") != "textbox" || r.str("candidates", 0, "name") != "Name" || r.str("candidates", 0, "testId") != "name-field" {
		t.Errorf("find: %s", r.text)
	}
	hint := r.str("candidates", 0, "selectorHint")
	a.do("fill", args{"selector": hint, "value": "by hint"})
	if got, _ := l.saw(t, "input").(map[string]any); got["name"] != "name" {
		t.Errorf("the hint %s led to %v", hint, got)
	}
	if r := a.do("find", args{"query": "Never button"}); r.at("candidates", 0, "actionable") != "disabled" {
		t.Errorf("a disabled button: %s", r.text)
	}
	r = a.do("text_search", args{"text": "order form"})
	if r.at("count") != float64(1) || r.str("matches", 0, "role") != "heading" {
		t.Errorf("text search: %s", r.text)
	}
	if r := a.do("name_ref", args{"name": "the name", "ref": a.do("snapshot", nil).ref(t, "textbox", "Name")}); r.failed {
		t.Errorf("name_ref: %s", r.text)
	}
	a.do("fill", args{"named": "the name", "value": "by name"})
	if r := a.do("list_named_refs", nil); !strings.Contains(r.text, "the name") {
		t.Errorf("named refs: %s", r.text)
	}
}

func TestScreenshots(t *testing.T) {
	a, l := start(t), newLab(t)
	a.do("navigate", args{"url": l.URL + "/canvas.html"})
	r := a.do("screenshot", nil)
	img := picture(t, r)
	if b := img.Bounds(); b.Dx() != 1280 || b.Dy() != 720 {
		t.Errorf("the picture is %v", b)
	}
	if strings.Contains(r.text, "base64") {
		t.Error("there is base64 in the text")
	}
	if red, green, _, _ := img.At(350, 225).RGBA(); red>>8 < 200 || green>>8 > 60 {
		t.Error("the red box is not where the page has it")
	}
	a.do("click", args{"coords": args{"x": 350, "y": 225}})
	if got := fmt.Sprint(l.saw(t, "canvas")); got != "[350 225]" {
		t.Errorf("the canvas was clicked at %s", got)
	}
	if page := a.do("snapshot", nil); !strings.Contains(page.text, "canvas") || !strings.Contains(page.text, "screenshot") {
		t.Errorf("there is no hint to use pictures:\n%s", page.text)
	}
	a.do("navigate", args{"url": l.URL + "/actions.html"})
	full := picture(t, a.do("screenshot", args{"fullPage": true}))
	if b := full.Bounds(); b.Dx() > 2000 || b.Dy() > 8000 || b.Dy() < 1000 {
		t.Errorf("the whole page is %v", b)
	}
	one := picture(t, a.do("screenshot", args{"selector": "#plain", "format": "jpeg"}))
	if b := one.Bounds(); b.Dx() > 200 || b.Dy() > 100 {
		t.Errorf("one element is %v", b)
	}
}

func picture(t *testing.T, r result) image.Image {
	t.Helper()
	if len(r.images) != 1 {
		t.Fatalf("%d pictures: %s", len(r.images), r.text)
	}
	data, err := base64.StdEncoding.DecodeString(r.images[0].Data)
	if err != nil {
		t.Fatal(err)
	}
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

func TestConsoleAndNetwork(t *testing.T) {
	a, l := start(t), newLab(t)
	a.do("navigate", args{"url": l.URL + "/actions.html?token=secret-token-value"})
	a.do("click", args{"selector": "#fail"})
	a.do("click", args{"selector": "#post"})
	if r := a.do("console_read", nil); !strings.Contains(r.text, "a console error") || !strings.Contains(fmt.Sprint(r.at("pageErrors")), "an uncaught error") {
		t.Errorf("console: %s", r.text)
	}
	r := a.do("network_read", args{"method": "POST"})
	if len(r.list("requests")) == 0 || !strings.Contains(r.text, "/api/orders/4711") {
		t.Errorf("network: %s", r.text)
	}
	if all := a.do("network_read", nil); strings.Contains(all.text, "secret-token-value") || strings.Contains(all.text, "token=abc") {
		t.Errorf("a query left: %s", all.text)
	}
}

func TestWaitFor(t *testing.T) {
	a, l := start(t), newLab(t)
	a.do("navigate", args{"url": l.URL + "/actions.html"})
	a.do("wait_for", args{"text": "nothing yet"})
	a.do("click", args{"selector": "#load"})
	a.do("wait_for", args{"text": "nothing yet", "gone": true})
	a.do("wait_for", args{"selector": "#late:not([disabled])"})
	a.refuse("wait_for", args{"text": "never to be seen", "timeoutMs": 300}, "never to be seen")
}
