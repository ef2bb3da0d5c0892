package page_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"chaperone/browser"
	"chaperone/browser/page"
)

const hidden = "s3cr3t-hunter2"

func secretFor(sites ...string) page.Secret {
	return page.Secret{Name: "PASSWORD", Sites: sites, Use: func(typing func(string) error) error { return typing(hidden) }}
}

// valueOf reads what a field holds, as the page itself sees it.
func valueOf(t *testing.T, tab *browser.Tab, selector string) string {
	t.Helper()
	return eval[string](t, tab, fmt.Sprintf("document.querySelector(%q).value", selector))
}

func TestSecretsGoOnlyToTheirSites(t *testing.T) {
	l := newLab(t)
	site := func(host string) string { return "http://" + host + ":" + l.Port }
	tab := l.open(t, "a.test", "/receive.html?top&b="+l.Port)
	for i := 0; strings.Count(snapshot(t, tab), `textbox "Secret`) < 7; i++ {
		if i > 50 {
			t.Fatalf("the frames never came:\n%s", snapshot(t, tab))
		}
	}
	for _, c := range []struct {
		field string
		sites []string
		ok    bool
	}{
		{"Secret top", []string{site("a.test")}, true},
		{"Secret top", []string{site("b.test"), site("a.test")}, true},
		{"Secret top", nil, true},
		{"Secret top", []string{site("b.test")}, false},
		{"Secret top", []string{"http://a.test"}, false},
		{"Secret top", []string{strings.Replace(site("a.test"), "http:", "https:", 1)}, false},
		{"Secret top", []string{site("sub.a.test")}, false},
		{"Secret same", []string{site("a.test")}, true},
		{"Secret cross", []string{site("b.test")}, true},
		{"Secret cross", []string{site("a.test")}, false},
		{"Secret nested", []string{site("a.test")}, true},
		{"Secret nested", []string{site("b.test")}, false},
		{"Secret srcdoc", []string{site("a.test")}, false},
		{"Secret data", []string{site("a.test")}, false},
		{"Secret sandboxed", []string{site("a.test")}, false},
		{"Secret srcdoc", nil, true},
	} {
		target := byRef(t, snapshot(t, tab), fmt.Sprintf("textbox %q", c.field))
		a, err := page.FillSecret(limit(t), tab, target, secretFor(c.sites...))
		var wrong *page.SiteError
		if c.ok != (err == nil) || !c.ok && !errors.As(err, &wrong) {
			t.Errorf("%s for %v: %v", c.field, c.sites, err)
			continue
		}
		told, _ := json.Marshal(a)
		if strings.Contains(string(told), hidden) || err != nil && strings.Contains(err.Error(), hidden) {
			t.Errorf("%s: the result shows it: %s %v", c.field, told, err)
		}
		text := snapshot(t, tab)
		if strings.Contains(text, hidden) {
			t.Errorf("%s: the snapshot shows it:\n%s", c.field, text)
		}
		got := saw(t, tab)
		// The page itself tells what it got.
		if want := strings.TrimPrefix(c.field, "Secret ") + " got " + hidden + " true"; c.ok != strings.Contains(strings.Join(got, "; "), want) {
			t.Errorf("%s for %v: the page saw %q", c.field, c.sites, got)
		}
		if c.ok {
			if _, err := page.Fill(limit(t), tab, target, ""); err != nil {
				t.Fatal(err)
			}
			saw(t, tab)
		}
	}
}

// Pages that move the focus, or themselves, while they are given a secret.
func TestSecretsStayInTheirField(t *testing.T) {
	l := newLab(t)
	here := "http://a.test:" + l.Port
	for name, c := range map[string]struct{ body, field string }{
		"focus is moved on":         {`<input id=f onfocus="g.focus()"><input id=g>`, "f"},
		"moved on before input":     {`<input id=f onbeforeinput="g.focus()"><input id=g>`, "f"},
		"moved by selection":        {`<input id=f onselect="g.focus()"><input id=g>`, "f"},
		"moved to a frame":          {`<input id=f onfocus="w.contentDocument.querySelector('input').focus()"><iframe id=w srcdoc="<input id=g>"></iframe><input id=g hidden>`, "f"},
		"type changes at the input": {`<input id=f type=password oninput="f.type='text'"><input id=g>`, "f"},
		"editable":                  {`<div id=f contenteditable role=textbox onfocus="setTimeout(()=>g.focus())"></div><input id=g>`, "f"},
		"prevented":                 {`<input id=f onbeforeinput="event.preventDefault()"><input id=g>`, "f"},
	} {
		tab := l.open(t, "a.test", "/report.html")
		eval[any](t, tab, fmt.Sprintf("document.body.innerHTML = %q", c.body))
		_, err := page.FillSecret(limit(t), tab, page.Target{Selector: "#f"}, secretFor(here))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		got := eval[string](t, tab, "(f.value || f.textContent) + '|' + g.value + '|' + (window.w ? w.contentDocument.querySelector('input').value : '')")
		if got != hidden+"||" {
			t.Errorf("%s: the fields hold %q", name, got)
		}
		eval[any](t, tab, "f.type = 'text'")
		if text := snapshot(t, tab); strings.Contains(text, hidden) && name != "editable" {
			t.Errorf("%s: the field shows it:\n%s", name, text)
		}
	}
}

// A page that leaves when its field gets the focus: whatever is there afterwards must get nothing.
func TestSecretsDoNotReachTheNextPage(t *testing.T) {
	l := newLab(t)
	rounds := 24
	if n, err := strconv.Atoi(os.Getenv("CHAPERONE_SOAK")); err == nil {
		rounds = n
	}
	for i := range rounds {
		tab := l.open(t, "a.test", fmt.Sprintf("/leave.html?to=%s&way=%d", l.Port, i%4))
		_, err := page.FillSecret(within(t, 3*time.Second), tab, page.Target{Selector: "#f"}, secretFor("http://a.test:"+l.Port))
		if err != nil && strings.Contains(err.Error(), hidden) {
			t.Fatal(err)
		}
		for j := 0; !strings.Contains(tab.URL(), "b.test"); j++ {
			if j > 400 {
				t.Fatalf("round %d: the page did not leave: %s", i, tab.URL())
			}
			saw(t, tab)
		}
		if got := strings.Join(saw(t, tab), ";"); strings.Contains(got, "s3c") {
			t.Fatalf("round %d: the next page got %q", i, got)
		}
		if got := valueOf(t, tab, "#f"); got != "" {
			t.Fatalf("round %d: the next page's field holds %q", i, got)
		}
	}
}

func TestSecretsByKeys(t *testing.T) {
	l := newLab(t)
	here, other := "http://a.test:"+l.Port, "http://b.test:"+l.Port
	tab := l.open(t, "a.test", "/receive.html?top&b="+l.Port)
	code := page.Secret{Name: "CODE", Sites: []string{here}, Use: func(typing func(string) error) error { return typing("123456") }}
	eval[any](t, tab, `document.body.insertAdjacentHTML('beforeend', '<div id=boxes>' + '<input maxlength=1 class=one oninput="this.nextElementSibling && setTimeout(() => this.nextElementSibling.focus())">'.repeat(6) + '</div><input id=plain value=ab><button id=b>B</button>')`)
	boxes := `Array.from(document.querySelectorAll('.one'), (e) => e.value).join('')`
	eval[any](t, tab, "document.querySelector('.one').focus()")
	if _, err := page.PressSecret(limit(t), tab, nil, code); err != nil || eval[string](t, tab, boxes) != "123456" {
		t.Errorf("the boxes hold %q, %v", eval[string](t, tab, boxes), err)
	}
	if text := snapshot(t, tab); strings.Contains(text, `value="1"`) {
		t.Errorf("the boxes are shown:\n%s", text)
	}
	// Keys are added where the caret is.
	eval[any](t, tab, "plain.focus(); plain.setSelectionRange(1, 1)")
	if _, err := page.PressSecret(limit(t), tab, nil, code); err != nil || valueOf(t, tab, "#plain") != "a123456b" {
		t.Errorf("the field holds %q, %v", valueOf(t, tab, "#plain"), err)
	}
	eval[any](t, tab, "b.focus()")
	if _, err := page.PressSecret(limit(t), tab, nil, code); err == nil || !strings.Contains(err.Error(), "field") {
		t.Errorf("a button took it: %v", err)
	}
	// The frame that has the focus is the one that counts.
	target := byRef(t, snapshot(t, tab), `textbox "Secret cross"`)
	if _, err := page.Click(limit(t), tab, target, page.ClickOptions{}); err != nil {
		t.Fatal(err)
	}
	saw(t, tab)
	var wrong *page.SiteError
	if _, err := page.PressSecret(limit(t), tab, nil, code); !errors.As(err, &wrong) || wrong.Site != other {
		t.Errorf("in the frame of another site: %v", err)
	}
	code.Sites = []string{other}
	if _, err := page.PressSecret(limit(t), tab, nil, code); err != nil || !strings.Contains(strings.Join(saw(t, tab), ";"), "cross got 123456 true") {
		t.Errorf("in its frame: %v", err)
	}
	if _, err := page.PressSecret(limit(t), tab, &page.Target{Selector: "#plain"}, code); !errors.As(err, &wrong) || wrong.Site != here {
		t.Errorf("with a target: %v", err)
	}
}

func TestFormsWithSecretsAreCheckedWhole(t *testing.T) {
	l := newLab(t)
	tab := l.open(t, "a.test", "/report.html")
	eval[any](t, tab, `document.body.innerHTML = '<input id=u><input id=p type=password>'`)
	ok, bad := secretFor("http://a.test:"+l.Port), secretFor("http://b.test:"+l.Port)
	fields := func(s *page.Secret) []page.Field {
		return []page.Field{{Target: page.Target{Selector: "#u"}, Value: "alice"}, {Target: page.Target{Selector: "#p"}, Secret: s}}
	}
	if _, err := page.FillForm(limit(t), tab, fields(&bad), false); err == nil || eval[string](t, tab, "u.value + p.value") != "" {
		t.Errorf("half filled: %q, %v", eval[string](t, tab, "u.value + p.value"), err)
	}
	a, err := page.FillForm(limit(t), tab, fields(&ok), false)
	if told, _ := json.Marshal(a); err != nil || eval[string](t, tab, "u.value + p.value") != "alice"+hidden || strings.Contains(string(told), hidden) {
		t.Errorf("%q, %s, %v", eval[string](t, tab, "u.value + p.value"), told, err)
	}
}
