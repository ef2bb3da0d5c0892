package e2e

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestFormIsFilledAndSubmitted(t *testing.T) {
	a, l := start(t), newLab(t)
	a.do("navigate", args{"url": l.URL + "/form.html"})
	page := a.do("snapshot", nil)
	for _, c := range []struct{ role, name, value string }{
		{"textbox", "Name", "Ada <b>Lovelace</b> & Søn"},
		{"textbox", "Notes", "two\nlines"},
		{"textbox", "Password", "hunter-2-hunter"},
		{"textbox", "Rich text", "rich words"},
		{"spinbutton", "Amount", "42"},
	} {
		r := a.do("fill", args{"ref": page.ref(t, c.role, c.name), "value": c.value})
		if c.name == "Name" && r.str("element", "value") != c.value {
			t.Errorf("fill %s: the element reads %q", c.name, r.str("element", "value"))
		}
		if c.name == "Password" && strings.Contains(r.text, c.value) && strings.Contains(fmt.Sprint(r.at("element")), c.value) {
			t.Errorf("the element of a password field shows its value: %s", r.text)
		}
	}
	for label, value := range map[string]string{"Born": "2031-02-03", "At": "23:59", "Meeting": "2031-02-03T04:05", "Month": "2031-02", "Week": "2031-W06"} {
		a.do("fill", args{"selector": fmt.Sprintf("input[name=%s]", strings.ToLower(label)), "value": value})
	}
	a.refuse("fill", args{"selector": "input[name=born]", "value": "03.02.2031"}, "YYYY-MM-DD")
	a.do("click", args{"ref": page.ref(t, "checkbox", "I agree")})
	a.do("click", args{"ref": page.ref(t, "radio", "Large")})
	a.do("select", args{"selector": "select[name=country]", "values": []string{"France"}})
	a.do("select", args{"selector": "select[name=tags]", "values": []string{"red", "blue"}})
	r := a.do("click", args{"selector": `role=button[name="Send"]`})
	got, _ := l.saw(t, "submit").(map[string]any)
	want := map[string]any{
		"name": "Ada <b>Lovelace</b> & Søn", "notes": "two\r\nlines", "password": "hunter-2-hunter", "born": "2031-02-03", "at": "23:59",
		"meeting": "2031-02-03T04:05", "month": "2031-02", "week": "2031-W06", "amount": "42", "agree": "on", "size": "l", "country": "fr",
		"rich": "rich words", "trusted": true,
	}
	for k, v := range want {
		if k == "notes" && strings.ReplaceAll(fmt.Sprint(got[k]), "\r\n", "\n") == "two\nlines" {
			continue
		}
		if got[k] != v {
			t.Errorf("the page received %s = %q, want %q", k, got[k], v)
		}
	}
	if fmt.Sprint(got["tags"]) != "[red blue]" {
		t.Errorf("the page received tags %v", got["tags"])
	}
	for _, name := range []string{"name", "notes", "password", "amount", "rich"} {
		if !l.reported("input", map[string]any{"name": name, "trusted": true}) {
			t.Errorf("the page saw no trusted input in %s", name)
		}
	}
	if !strings.Contains(r.text, "sent") {
		t.Errorf("the result does not show what appeared: %s", r.text)
	}
	if after := a.do("snapshot", nil); strings.Contains(after.text, "hunter-2-hunter") || !strings.Contains(after.text, "Lovelace") {
		t.Errorf("the snapshot after the form was filled:\n%s", after.text)
	}
}

func TestFillFormIsAllOrNothing(t *testing.T) {
	a, l := start(t), newLab(t)
	a.do("navigate", args{"url": l.URL + "/form.html"})
	a.refuse("fill_form", args{"fields": []args{{"selector": "input[name=name]", "value": "half"}, {"selector": "#nowhere", "value": "x"}}}, "nowhere")
	if !l.quiet("input") {
		t.Error("a form whose second field does not exist was half filled")
	}
	a.do("fill_form", args{"fields": []args{{"selector": "input[name=name]", "value": "Ada"}, {"selector": "textarea", "value": "note"}}, "submit": true})
	if got, _ := l.saw(t, "submit").(map[string]any); got["name"] != "Ada" || got["notes"] != "note" {
		t.Errorf("the page received %v", got)
	}
}

func TestClicks(t *testing.T) {
	a, l := start(t), newLab(t)
	a.do("navigate", args{"url": l.URL + "/actions.html"})
	page := a.do("snapshot", nil)
	a.do("click", args{"ref": page.ref(t, "button", "Plain"), "modifiers": []string{"Shift"}})
	if got, _ := l.saw(t, "click").(map[string]any); got["id"] != "plain" || got["trusted"] != true || got["shift"] != true {
		t.Errorf("the page saw %v", got)
	}
	a.do("double_click", args{"selector": "#plain"})
	if got := l.saw(t, "dblclick"); got != "plain" {
		t.Errorf("double click on %v", got)
	}
	a.do("click", args{"selector": "#plain", "button": "right"})
	l.saw(t, "contextmenu")
	l.forget()
	a.do("click", args{"selector": "text=Far below"})
	if got, _ := l.saw(t, "click").(map[string]any); got["id"] != "far" {
		t.Errorf("scrolled into view and clicked %v", got)
	}
	l.forget()
	a.do("click", args{"selector": "#late"}) // enabled only after a while
	if got, _ := l.saw(t, "click").(map[string]any); got["id"] != "late" {
		t.Errorf("waited for the button and clicked %v", got)
	}
	if r := a.do("click", args{"selector": "#load"}); !strings.Contains(r.text, "slow answer") {
		t.Errorf("a click that loads data reports the state before: %s", r.text)
	}
	r := a.do("click", args{"selector": "#post"})
	if last := len(r.list("network", "mutations")) - 1; r.str("network", "mutations", last, "urlPattern") != l.URL+"/api/orders/:id" || fmt.Sprint(r.at("network", "mutations", last, "responseShape")) != "[id items total]" {
		t.Errorf("mutations: %v", r.at("network"))
	}
	if strings.Contains(r.text, "token=abc") {
		t.Errorf("a query left: %s", r.text)
	}
	r = a.do("click", args{"selector": "#fail"})
	if !strings.Contains(fmt.Sprint(r.at("console", "errors")), "a console error") || !strings.Contains(fmt.Sprint(r.at("pageErrors")), "an uncaught error") {
		t.Errorf("console %v, page errors %v", r.at("console"), r.at("pageErrors"))
	}
	a.do("click", args{"selector": "#uncover"})
	a.refuse("click", args{"selector": "#plain", "timeoutMs": 3000}, "Cookie banner")
	a.refuse("click", args{"ref": "e99999"}, "e99999", "snapshot")
	a.refuse("click", args{"selector": "##"}, "selector")
}

func TestNavigationAndTabs(t *testing.T) {
	a, l := start(t), newLab(t)
	a.do("navigate", args{"url": l.URL + "/actions.html"})
	r := a.do("click", args{"selector": "text=New tab"})
	id := r.str("structure", "newTabs", 0, "id")
	if id == "" || !strings.HasSuffix(r.str("structure", "newTabs", 0, "url"), "/small.html") || r.str("structure", "newTabs", 0, "title") != "Small page" {
		t.Fatalf("new tab: %v", r.at("structure"))
	}
	a.do("tabs", args{"action": "select", "id": id})
	if page := a.do("snapshot", nil); !strings.Contains(page.text, "Nothing more.") {
		t.Errorf("the selected tab reads:\n%s", page.text)
	}
	a.do("tabs", args{"action": "close", "id": id})
	a.refuse("snapshot", nil, "tabs")
	list := a.do("tabs", args{"action": "list"})
	if len(list.list("tabs")) != 1 {
		t.Errorf("tabs: %s", list.text)
	}
	a.do("tabs", args{"action": "select", "id": list.str("tabs", 0, "id")})
	if r := a.do("click", args{"selector": "text=Part"}); r.str("navigation", "kind") != "hash" {
		t.Errorf("navigation: %v", r.at("navigation"))
	}
	if r := a.do("click", args{"selector": "text=Away"}); r.str("navigation", "kind") != "full_load" || r.at("navigation", "changed") != true {
		t.Errorf("navigation: %v", r.at("navigation"))
	}
	a.do("go_back", nil)
	if r := a.do("go_forward", nil); !strings.HasSuffix(r.str("navigation", "to"), "/small.html") {
		t.Errorf("forward: %v", r.at("navigation"))
	}
	a.do("reload", nil)
	gone := httptest.NewServer(nil)
	gone.Close()
	a.refuse("navigate", args{"url": gone.URL}, "ERR_CONNECTION_REFUSED")
	a.refuse("navigate", args{"url": "not a url"})
	r = a.do("navigate", args{"url": l.URL + "/file"})
	if !strings.Contains(r.text, "report.csv") {
		t.Errorf("a download: %s", r.text)
	}
	if r := a.try("navigate", args{"url": l.URL + "/private"}); !strings.Contains(r.text, "the garden") {
		t.Errorf("a password question: %s", r.text)
	}
}

func TestKeysHoverDragScroll(t *testing.T) {
	a, l := start(t), newLab(t)
	a.do("navigate", args{"url": l.URL + "/actions.html"})
	a.do("press", args{"selector": "#keys", "key": "Control+Shift+K"})
	if got, _ := l.saw(t, "key").(map[string]any); got["ctrl"] != true || got["shift"] != true || got["trusted"] != true || got["code"] != "KeyK" {
		t.Errorf("the page saw %v", got)
	}
	a.do("press", args{"key": "ArrowDown"})
	if got, _ := l.saw(t, "key").(map[string]any); got["key"] != "ArrowDown" {
		t.Errorf("the page saw %v", got)
	}
	a.refuse("press", args{"key": "NoSuchKey"}, "Enter")
	a.do("hover", args{"selector": "#hover"})
	if page := a.do("snapshot", nil); !strings.Contains(page.text, "Menu item") {
		t.Errorf("hovering did not open the menu:\n%s", page.text)
	}
	a.do("drag", args{"from": args{"selector": "#from"}, "to": args{"selector": "#to"}})
	l.saw(t, "down")
	l.saw(t, "up")
	a.do("scroll", args{"to": "bottom"})
	if r := a.do("find", args{"query": "Far below button"}); r.at("candidates", 0, "actionable") != true {
		t.Errorf("after scrolling down: %s", r.text)
	}
	r := a.do("batch", args{"calls": []args{{"tool": "scroll", "args": args{"to": "top"}}, {"tool": "click", "args": args{"selector": "#plain"}, "label": "it"}}})
	if !strings.Contains(r.text, `"it"`) {
		t.Errorf("batch: %s", r.text)
	}
	if got, _ := l.saw(t, "click").(map[string]any); got["id"] != "plain" {
		t.Errorf("the page saw %v", got)
	}
}

func TestDialogsRaiseByDefault(t *testing.T) {
	a, l := start(t), newLab(t)
	a.do("navigate", args{"url": l.URL + "/actions.html"})
	a.refuse("click", args{"selector": "#alert"}, "careful", "set_dialog_policy")
	l.saw(t, "after-alert")
	a.do("set_dialog_policy", args{"mode": "accept"})
	r := a.do("click", args{"selector": "#confirm"})
	if l.saw(t, "confirmed") != true || r.str("dialogs", 0, "message") != "sure?" {
		t.Errorf("dialogs: %v", r.at("dialogs"))
	}
}

func TestControlledFields(t *testing.T) {
	a, l := start(t), newLab(t)
	a.do("navigate", args{"url": l.URL + "/tracker.html"})
	a.do("fill", args{"selector": "#tracked", "value": "tracked text"})
	if got := l.saw(t, "state"); got != "tracked text" {
		t.Errorf("the page's state is %v", got)
	}
	a.do("click", args{"selector": "#go"})
	if got := l.saw(t, "go"); got != "tracked text" {
		t.Errorf("the page went on with %v", got)
	}
	r := a.do("fill", args{"selector": "#upper", "value": "shout"})
	if r.str("element", "value") != "SHOUT" || len(r.list("warnings")) == 0 {
		t.Errorf("a field that changes what is typed: %s", r.text)
	}
	r = a.try("fill", args{"selector": "#fixed", "value": "other"})
	if r.str("element", "value") != "keep" && !strings.Contains(r.text, "keep") {
		t.Errorf("a field that puts the old value back: %s", r.text)
	}
}

func TestComboboxWithLateOptions(t *testing.T) {
	a, l := start(t), newLab(t)
	a.do("navigate", args{"url": l.URL + "/combo.html"})
	a.do("choose_option", args{"selector": "#city", "option": "Bern"})
	if got := l.saw(t, "chosen"); got != "Bern" {
		t.Errorf("the page saw %v chosen", got)
	}
	a.refuse("choose_option", args{"selector": "#city", "option": "Atlantis"}, "Atlantis")
}
