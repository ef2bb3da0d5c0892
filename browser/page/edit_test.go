package page_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"chaperone/browser/page"
)

// hiding is a context under which the hidden value is masked, as a server has it.
func hiding(t *testing.T) context.Context {
	t.Helper()
	mask := func(s string) string { return strings.ReplaceAll(s, hidden, "<PASSWORD>") }
	return page.WithHide(limit(t), func(texts []string) (found []int, names []string) {
		for i, s := range texts {
			if mask(s) != s {
				found, names = append(found, i), []string{"PASSWORD"}
			}
		}
		return found, names
	}, mask)
}

// A secret in a field is replaced as a whole or not at all: with a letter more or less nothing would recognise it.
func TestSecretsAreNotEdited(t *testing.T) {
	l := newLab(t)
	here := "http://a.test:" + l.Port
	for name, body := range map[string]string{"input": `<input id=f>`, "password": `<input id=f type=password>`, "area": `<textarea id=f></textarea>`, "editable": `<div id=f contenteditable role=textbox></div>`, "shadow": `<x-a id=host></x-a>`} {
		tab := l.open(t, "a.test", "/report.html")
		eval[any](t, tab, fmt.Sprintf("document.body.innerHTML = %q + '<input id=out>'", body))
		field := page.Target{Selector: "#f"}
		holds := func() string { return eval[string](t, tab, "(self.f.value ?? self.f.textContent)") }
		if name == "shadow" {
			eval[any](t, tab, `self.f = document.createElement('input'); f.id = 'f'; host.attachShadow({mode: 'open'}).append(f)`)
		}
		if _, err := page.FillSecret(hiding(t), tab, field, secretFor(here)); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, key := range []string{"End", "Backspace", "x", "Home", "Delete", "Shift+ArrowRight", "y", "Control+x", "Control+z"} {
			if _, err := page.Press(hiding(t), tab, &field, key); err != nil {
				t.Errorf("%s, %s: %v", name, key, err)
			}
			if got := holds(); got != hidden {
				t.Fatalf("%s: after %s it holds %q", name, key, got)
			}
		}
		if _, err := page.PressSecret(hiding(t), tab, &field, secretFor(here)); err == nil || !strings.Contains(err.Error(), "holds a secret already") {
			t.Errorf("%s: typed into itself: %v", name, err)
		}
		// As a whole it can be replaced, and what is typed then is the agent's own.
		for _, key := range []string{"Control+a", "Delete", "a", "b", "Backspace"} {
			if _, err := page.Press(hiding(t), tab, &field, key); err != nil {
				t.Errorf("%s, %s: %v", name, key, err)
			}
		}
		if got := holds(); got != "a" {
			t.Errorf("%s: emptied and typed anew it holds %q", name, got)
		}
		if _, err := page.Fill(hiding(t), tab, field, "plain"); err != nil {
			t.Error(err)
		}
		for _, key := range []string{"End", "Backspace"} {
			if _, err := page.Press(hiding(t), tab, &field, key); err != nil {
				t.Error(err)
			}
		}
		if got := holds(); got != "plai" {
			t.Errorf("%s: filled with something else it holds %q", name, got)
		}
	}
}

// Pages bring values back in fields that nobody has seen receive them.
func TestSecretsThatPagesPutBack(t *testing.T) {
	l := newLab(t)
	tab := l.open(t, "a.test", "/report.html")
	eval[any](t, tab, fmt.Sprintf("document.body.innerHTML = '<input id=f value=%q>'", hidden))
	field := page.Target{Selector: "#f"}
	for _, key := range []string{"End", "Backspace", "Home", "Delete"} {
		if _, err := page.Press(hiding(t), tab, &field, key); err != nil {
			t.Error(err)
		}
	}
	if got := valueOf(t, tab, "#f"); got != hidden {
		t.Errorf("the field holds %q", got)
	}
}

// What is selected in a field for passwords must not get elsewhere.
func TestSelectionsAreNotCarriedOff(t *testing.T) {
	l := newLab(t)
	here := "http://a.test:" + l.Port
	for name, body := range map[string]string{"typed by hand": `<input id=f type=password value=handmade>`, "editable": `<div id=f contenteditable role=textbox><p>x</p></div>`, "closed": `<x-c id=host></x-c>`} {
		tab := l.open(t, "a.test", "/report.html")
		eval[any](t, tab, fmt.Sprintf("document.body.innerHTML = %q + '<input id=out style=\"display:block;width:300px;height:40px\">'", body))
		out := page.Target{Selector: "#out"}
		switch name {
		case "editable":
			if _, err := page.FillSecret(hiding(t), tab, page.Target{Selector: "#f"}, secretFor(here)); err != nil {
				t.Fatal(err)
			}
		case "closed":
			eval[any](t, tab, `self.f = document.createElement('input'); f.value = 'handmade'; f.type = 'password'; host.attachShadow({mode: 'closed'}).append(f)`)
		}
		eval[any](t, tab, "f.focus()")
		for _, key := range []string{"Control+a", "Control+c"} {
			if _, err := page.Press(hiding(t), tab, nil, key); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := page.Click(hiding(t), tab, out, page.ClickOptions{Button: "middle"}); err != nil {
			t.Fatal(err)
		}
		if got := valueOf(t, tab, "#out"); got != "" {
			t.Errorf("%s: a middle click brought %q", name, got)
		}
		if _, err := page.Press(hiding(t), tab, &out, "Control+v"); err != nil {
			t.Fatal(err)
		}
		if got := valueOf(t, tab, "#out"); strings.Contains(got, "hand") || strings.Contains(got, "s3c") {
			t.Errorf("%s: a paste brought %q", name, got)
		}
	}
}
