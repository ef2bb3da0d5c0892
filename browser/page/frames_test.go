package page_test

import (
	"strings"
	"testing"

	"chaperone/browser/page"
)

func TestFramesOfAllKinds(t *testing.T) {
	l := newLab(t)
	tab := l.open(t, "a.test", "/frames.html")
	// The innermost frame's process may come up after the load event of the page.
	if _, err := page.WaitFor(limit(t), tab, page.Wait{Target: &page.Target{Selector: "text=Press deep"}}); err != nil {
		t.Fatal(err)
	}
	text := snapshot(t, tab)
	for _, which := range []string{"pointer", "focusable", "titled", "srcdoc", "sandboxed", "scaled", "deep"} {
		if !strings.Contains(text, `button "Press `+which+`"`) {
			t.Errorf("the button in the frame %s is missing from:\n%s", which, text)
			continue
		}
		a, err := page.Click(limit(t), tab, byRef(t, text, `button "Press `+which+`"`), page.ClickOptions{})
		if err != nil {
			t.Errorf("clicking in the frame %s: %v", which, err)
			continue
		}
		sawOne(t, tab, "click "+which+" true")
		if which == "srcdoc" {
			continue
		}
		if a.Change == nil || !strings.Contains(a.Change.Tree, "added in "+which) {
			t.Errorf("what the click changed in the frame %s is not told: %+v", which, a.Change)
		}
		if _, err := page.Fill(limit(t), tab, byRef(t, text, `textbox "Field `+which+`"`), "typed"); err != nil {
			t.Errorf("filling in the frame %s: %v", which, err)
		}
		sawOne(t, tab, "input field-"+which+"=typed true")
		if _, err := page.Select(limit(t), tab, byRef(t, text, `combobox "Menu `+which+`"`), []string{"blue"}); err != nil {
			t.Errorf("selecting in the frame %s: %v", which, err)
		}
		sawOne(t, tab, "change menu-"+which+"=blue")
	}
	if strings.Contains(text, "Press hidden") {
		t.Errorf("the content of a frame that is not shown is in:\n%s", text)
	}
	if got := snapshot(t, tab); refIn(t, got, `button "Press deep"`) != refIn(t, text, `button "Press deep"`) {
		t.Error("the ref of an unchanged element in the innermost frame has changed")
	}
	found, err := page.Find(limit(t), tab, page.FindOptions{Query: "Press deep"})
	if err != nil || len(found.Candidates) == 0 || found.Candidates[0].Name != "Press deep" {
		t.Errorf("find: %+v, %v", found, err)
	}
	if _, err := page.Press(limit(t), tab, &page.Target{Selector: "#field-deep"}, "x"); err != nil {
		t.Error(err)
	}
	sawOne(t, tab, "input field-deep=typedx true")
	// What lies over the frame in the page around it counts.
	eval[any](t, tab, `(() => { box.setAttribute('role', 'dialog'); box.setAttribute('aria-label', 'Cookies'); box.style = 'position:fixed;inset:0;background:#fff'; })()`)
	_, err = page.Click(within(t, 1e9), tab, page.Target{Selector: "#deep"}, page.ClickOptions{})
	if err == nil || !strings.Contains(err.Error(), `dialog "Cookies"`) {
		t.Errorf("a click on a frame that is covered: %v", err)
	}
}

// A page with very many frames is shown as far as time and place go, and says what it leaves out.
func TestVeryManyFrames(t *testing.T) {
	tab := on(t, `<h1>Many</h1><script>for (let i = 0; i < 240; i++) document.body.insertAdjacentHTML('beforeend', '<iframe srcdoc="<button>B'+i+'</button>"></iframe>')</script>`)
	text, err := page.Snapshot(limit(t), tab, page.SnapshotOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text, `heading "Many"`) || !strings.Contains(text, `button "B0"`) || strings.Count(text, "left out from here on") != 1 || strings.Contains(text, `button "B239"`) {
		t.Errorf("the snapshot:\n%.1500s", text)
	}
}
