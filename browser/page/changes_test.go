package page_test

import (
	"encoding/json"
	"strings"
	"testing"

	"chaperone/browser/page"
)

// TestChangesAreTold clicks one thing after the other and looks at what the action says came, went and reads differently now.
func TestChangesAreTold(t *testing.T) {
	l := newLab(t)
	tab := l.open(t, "a.test", "/changes.html")
	snapshot(t, tab)
	for _, c := range []struct{ click, appeared, removed, tree string }{
		{"#byClass", `menu "Class menu", menuitem "First item"`, "", "menu \"Class menu\"\n menuitem \"First item\""},
		{"text=First item", "", "", ""},
		{"#byClass", "", `menu "Class menu", menuitem "First item"`, ""},
		{"#byHidden", `link "Hidden link"`, "", "list\n - link \"Hidden link\""},
		{"#byHidden", "", `link "Hidden link"`, ""},
		{"#byStyle", `button "Styled button"`, "", `button "Styled button"`},
		{"#byStyle", "", `button "Styled button"`, ""},
		{"summary", `button "Inside details"`, "", "button \"By details\"\nbutton \"Inside details\""},
		{"summary", "", `button "Inside details"`, `button "By details"`},
		{"#toaster", `alert "Saved well"`, "", "alert: Saved well"},
		{"#counter", "", "", "text: Count is 1 now"},
		{"text=Finish Ada", "", "", `row: Ada | done | button "Finish Ada"`},
		{"text=Drop Bob", "", `row "Bob new Drop Bob", button "Drop Bob"`, ""},
		{"#nothing", "", "", ""},
		{"#busy", "", "", ""},
		{"#two", "", "", "text: Count is x now\nrow: Ada | y | button \"Finish Ada\""},
		{"#dialogger", `dialog "Modal dialog", button "Close it"`, "", "dialog \"Modal dialog\"\n button \"Close it\""},
		{"text=Close it", "", `dialog "Modal dialog", button "Close it"`, ""},
		{"#shadower", "", "", "text: shadow one"},
		{"#disabler", "", "", `button "Later"`},
		{"#combo", `option "Apple"`, "", "listbox\n option \"Apple\""},
		{"role=option", "", `option "Apple"`, `combobox "Fruit" [collapsed] [value="Apple"]`},
	} {
		a, err := page.Click(limit(t), tab, page.Target{Selector: c.click}, page.ClickOptions{})
		if err != nil {
			t.Errorf("%s: %v", c.click, err)
			continue
		}
		change := a.Change
		if change == nil {
			change = &page.Change{}
		}
		if got := names(change.Appeared); got != c.appeared {
			t.Errorf("%s: appeared %s, want %s", c.click, got, c.appeared)
		}
		if got := names(change.Removed); got != c.removed {
			t.Errorf("%s: removed %s, want %s", c.click, got, c.removed)
		}
		if got := withoutRefs(change.Tree); got != c.tree {
			t.Errorf("%s: the tree is\n%s\nwant\n%s", c.click, got, c.tree)
		}
		if c.click == "role=option" {
			if o := a.Element.OwnerControl; o == nil || o.Label != "Fruit" || o.Before != "Choose" || o.After != "Apple" || !o.Changed {
				t.Errorf("the owner of the option: %+v", o)
			}
		}
	}
	a, err := page.Click(page.WithMode(limit(t), page.ModeDiff), tab, page.Target{Selector: "text=Finish Ada"}, page.ClickOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got := withoutRefs(a.Change.Tree); got != "-   row: Ada | y | button \"Finish Ada\"\n+   row: Ada | done | button \"Finish Ada\"" {
		t.Errorf("the diff is\n%s", got)
	}
	if c := a.Element.Container; c == nil || c.Kind != "row" || c.RowKey != "Ada" || !c.Changed {
		t.Errorf("the container: %+v", c)
	}
	if h := a.Element.Hit; h == nil || h.Before != `button "Finish Ada"` || h.After != `button "Finish Ada"` {
		t.Errorf("the hit: %+v", h)
	}
	// What is drawn anew keeps its name and gets another ref, which has to be told.
	a, err = page.Click(limit(t), tab, page.Target{Selector: "#redraw"}, page.ClickOptions{})
	if err != nil || !strings.Contains(a.Change.Tree, `button "Kept one" [ref=`) {
		t.Errorf("what was drawn anew: %+v, %v", a.Change, err)
	}
}

func names(nodes []page.Node) string {
	var all []string
	for _, n := range nodes {
		name, _ := json.Marshal(n.Name)
		all = append(all, n.Role+" "+string(name))
	}
	return strings.Join(all, ", ")
}

func withoutRefs(tree string) string {
	for {
		head, rest, ok := strings.Cut(tree, " [ref=")
		if !ok {
			return tree
		}
		_, rest, _ = strings.Cut(rest, "]")
		tree = head + rest
	}
}

// A box of 6 px under two handles of 8 px: what is really hit is named, or nothing is done at all.
func TestNarrowBoxUnderHandles(t *testing.T) {
	tab := on(t, `<style>body{margin:0} #box,.h{position:absolute;top:50px;height:40px} #box{left:100px;width:6px;background:teal} .h{width:8px;background:#c00a}</style>
	<div id=box tabindex=0 role=button aria-label="Event"></div><div class=h id=left style="left:95px" onmousedown="document.title='resized'" role=button aria-label="Left handle"></div>
	<div class=h id=right style="left:103px" onmousedown="document.title='resized'" role=button aria-label="Right handle"></div><div id=to style="position:absolute;left:400px;top:50px">There</div>`)
	_, err := page.Drag(within(t, 1e9), tab, page.Target{Selector: "#box"}, page.Target{Selector: "#to"}, 4)
	if err == nil || !strings.Contains(err.Error(), "handle") {
		t.Errorf("dragging the covered box: %v", err)
	}
	if got := eval[string](t, tab, "document.title"); got != "Fixture" {
		t.Errorf("the page saw %q", got)
	}
	a, err := page.Drag(limit(t), tab, page.Target{Selector: "#left"}, page.Target{Selector: "#to"}, 4)
	if err != nil || a.Element.Hit == nil || a.Element.Hit.Before != `button "Left handle"` {
		t.Errorf("dragging a handle: %+v, %v", a.Element, err)
	}
}
