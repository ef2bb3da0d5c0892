package page_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
)

// tricky holds what makes names and roles differ between implementations.
const tricky = `
<h1>Main <em>title</em></h1><h2 aria-label="Labelled heading">text</h2>
<label for=a>Outer label</label><input id=a><label>Wrapping <input id=b></label>
<span id=l1>First</span> <span id=l2 hidden>Second</span><input aria-labelledby="l1 l2">
<input aria-label="By aria" title=never><input title="By title"><input placeholder="By placeholder">
<button>Plain</button><button aria-label="Aria wins">text</button><button><img alt="Picture words" src="data:,"></button><button title="Title only"></button>
<button>Two <span hidden>hidden</span><span>words</span></button><input type=submit><input type=submit value="Go"><input type=reset><input type=button value="Push">
<a href="#x">Link <b>bold</b></a><a href="#y" aria-label="Named link">x</a><a>no link</a><a href="#z"><img alt="Logo" src="data:,"></a>
<select aria-label="Menu"><option>one<option selected>two</select><select multiple aria-label="List"><option>x</select>
<input type=checkbox id=c><label for=c>Check me</label><label><input type=radio name=r> Pick me</label><input type=search aria-label="Search box">
<input type=range aria-label="Volume"><input type=number aria-label="Count"><input type=email aria-label="Mail"><input type=tel aria-label="Phone">
<textarea aria-label="Long text"></textarea><div role=textbox contenteditable aria-label="Rich"></div>
<div role=button tabindex=0>Div button</div><div role=checkbox aria-checked=true tabindex=0 aria-label="Div check"></div><div role=switch aria-checked=false tabindex=0>Switch it</div>
<div role=tablist><div role=tab aria-selected=true tabindex=0>Tab one</div><div role=tab tabindex=-1>Tab two</div></div>
<div role=slider tabindex=0 aria-label="Slide" aria-valuenow=3 aria-valuemin=0 aria-valuemax=9></div>
<details><summary>More about it</summary><p>inside</details><fieldset><legend>Group</legend><input aria-label="In group"></fieldset>
<img alt="A picture" src="data:,"><img alt="" src="data:,"><svg role=img aria-label="Drawn"></svg><figure><img alt="Fig" src="data:,"><figcaption>Caption</figcaption></figure>
<div aria-hidden=true><button>Not exposed</button></div><div style="display:none"><button>Not shown</button></div><div style="visibility:hidden"><button>Not visible</button></div>
<button aria-describedby=l1>Described</button><button disabled>Disabled one</button><label>Styled <input type=checkbox style="position:absolute;opacity:0"></label>
<style>.pre::before{content:"Pre "}</style><button class=pre>fixed</button>`

// same names Chromium's roles as ARIA does, and only those that an agent acts on or reads by.
var same = map[string]string{
	"button": "button", "link": "link", "textbox": "textbox", "searchbox": "searchbox", "checkbox": "checkbox", "radio": "radio", "combobox": "combobox",
	"heading": "heading", "slider": "slider", "spinbutton": "spinbutton", "switch": "switch", "tab": "tab", "listbox": "listbox", "image": "img", "img": "img",
}

func TestNamesAndRolesAgreeWithChromium(t *testing.T) {
	tab := on(t, tricky)
	text := snapshot(t, tab)
	tree, err := cdp.Call(limit(t), tab.MainFrame().Session(), accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	if err != nil {
		t.Fatal(err)
	}
	value := func(v *accessibility.Value) string {
		var s string
		if v != nil {
			_ = json.Unmarshal(v.Value, &s)
		}
		return strings.Join(strings.Fields(s), " ")
	}
	checked := 0
	for _, n := range tree.Nodes {
		role, ours := same[value(n.Role)]
		if !ours || n.Ignored {
			continue
		}
		name := value(n.Name)
		if name == "" {
			continue
		}
		checked++
		want := fmt.Sprintf("%s %q", role, name)
		if role == "img" {
			// A picture that is all there is in a button or a link is named there and not repeated.
			want = fmt.Sprintf("%q", name)
		}
		if !strings.Contains(text, want) {
			t.Errorf("Chromium has %s; the snapshot does not", want)
		}
	}
	if checked < 35 {
		t.Errorf("only %d nodes were compared", checked)
	}
	for _, hidden := range []string{"Not exposed", "Not shown", "Not visible"} {
		if strings.Contains(text, hidden) && !strings.Contains(text, hidden+`" [ref`) {
			t.Errorf("%q is hidden from people and shown as if it were not", hidden)
		}
		if hidden != "Not exposed" && strings.Contains(text, hidden) {
			t.Errorf("%q is in the snapshot", hidden)
		}
	}
	if t.Failed() {
		t.Logf("the snapshot:\n%s", text)
	}
}
