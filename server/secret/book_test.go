package secret

import (
	"context"
	"errors"
	"strings"
	"testing"

	"chaperone/browser/page"
	"chaperone/server/client"
	"chaperone/server/question"
	"chaperone/server/tool"
	"chaperone/vault"
	"chaperone/vault/origin"
	"chaperone/vault/registry"
)

type noMask struct{}

func (noMask) Holds(string) bool { return false }

type world struct {
	*Book
	on       bool
	receiver page.Receiver
	asked    []question.Question
	answer   question.Answer
}

func (w *world) Ask(_ context.Context, q question.Question) (question.Answer, error) {
	w.asked = append(w.asked, q)
	return w.answer, nil
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{on: true, receiver: page.Receiver{Site: "https://app.test", Role: "textbox", Name: "Password", Protected: true}}
	reg := registry.New(func([]vault.Secret) registry.Mask { return noMask{} }, func([]registry.Owned) {})
	for alias, p := range map[string]registry.Policy{"FREE": registry.NeverAsk, "EACH": registry.AskEachTime, "ONCE": registry.AskOnce} {
		err := reg.Register(registry.Entry{Alias: alias, Session: "s", Client: "c", Policy: p, Source: registry.Person, Secret: vault.NewSecret(alias, "hunter2-"+alias), Scoped: true, Origins: []origin.Origin{"https://app.test"}})
		if err != nil {
			t.Fatal(err)
		}
	}
	w.Book = New(Config{Registry: reg, Ask: w, On: func() bool { return w.on }, Receiver: func(context.Context, string, *tool.Target) (page.Receiver, error) { return w.receiver, nil }})
	return w
}

func (w *world) lend(text, never string) error {
	_, err := w.Lend(context.Background(), Call{Client: &client.Client{ID: "c", Name: "Codex"}, Session: "s", Tool: "fill", Typings: []tool.Typing{{Text: text, Never: never}}})
	return err
}

func TestLend(t *testing.T) {
	for name, c := range map[string]struct {
		text, never string
		yes, open   bool // the person says yes; the field is not protected
		off         bool
		asked       int
		code, words string // of the refusal
	}{
		"never asked about":                   {text: "<FREE>"},
		"asked about, yes":                    {text: "<EACH>", yes: true, asked: 1},
		"asked about, no":                     {text: "<EACH>", asked: 1, code: Denied, words: "was not typed"},
		"a menu":                              {text: "<FREE>", never: "a menu", code: NotHere, words: "a menu"},
		"unknown, protected":                  {text: "<NOPE>", code: Unknown, words: "<NOPE>"},
		"unknown, open field":                 {text: "<NOPE>", open: true},
		"unknown in a menu":                   {text: "<NOPE>", never: "a menu"},
		"a tag":                               {text: "<b>"},
		"switched off, protected":             {text: "<FREE>", off: true, code: Unknown, words: "placeholder"},
		"switched off, open field":            {text: "<FREE>", off: true, open: true},
		"its name, protected, no":             {text: "FREE", asked: 1, code: Denied, words: "<FREE>"},
		"its name, protected, yes":            {text: "FREE", yes: true, asked: 1},
		"its name, open field":                {text: "FREE", open: true},
		"not as a whole":                      {text: "x<FREE>"},
		"an alias that is longer than a page": {text: "<" + strings.Repeat("A", 5000) + ">", code: Unknown, words: "…"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.answer.Yes, w.receiver.Protected, w.on = c.yes, !c.open, !c.off
			err := w.lend(c.text, c.never)
			var r *Refusal
			if c.code == "" && err != nil || c.code != "" && (!errors.As(err, &r) || r.Code != c.code || !strings.Contains(err.Error(), c.words) || r.Hint == "") {
				t.Errorf("%v, want %q with %q", err, c.code, c.words)
			}
			if err != nil && strings.Contains(err.Error(), "hunter2") {
				t.Errorf("the refusal holds a value: %v", err)
			}
			if len(w.asked) != c.asked {
				t.Errorf("asked %d times: %+v", len(w.asked), w.asked)
			}
			for _, q := range w.asked {
				if q.Site != "https://app.test" || q.Client.Name != "Codex" || !strings.Contains(q.Ask, strings.Trim(c.text, "<>")) || !strings.Contains(q.Ask, "https://app.test") {
					t.Errorf("the card says %+v", q)
				}
			}
		})
	}
}

func TestTermsOfSecrets(t *testing.T) {
	w := newWorld(t)
	w.answer = question.Answer{Yes: true, Term: question.ForSession}
	for range 3 {
		if err := w.lend("<ONCE>", ""); err != nil {
			t.Fatal(err)
		}
		if err := w.lend("<EACH>", ""); err != nil {
			t.Fatal(err)
		}
	}
	if len(w.asked) != 4 {
		t.Errorf("asked %d times, want once for one and thrice for the other", len(w.asked))
	}
	w.receiver.Site = "https://other.test"
	var wrong *page.SiteError
	if err := w.lend("<ONCE>", ""); !errors.As(err, &wrong) {
		t.Errorf("on another site: %v", err)
	}
	if len(w.asked) != 4 {
		t.Error("the person is asked about a site that the secret may not go to")
	}
	w.SessionClosed("s")
	if _, ok := w.Secret("s", "<ONCE>"); ok || len(w.Names("s")) != 0 {
		t.Error("a secret outlives its session")
	}
}

func TestAddressesHoldNoNames(t *testing.T) {
	w := newWorld(t)
	for address, refused := range map[string]bool{
		"https://app.test/?p=<FREE>": true, "https://app.test/%3CFREE%3E": true, "https://app.test/%3cfree%3e": true, "https://app.test/%253CFREE%253E": true, "https://u:<FREE>@app.test/": true,
		"https://app.test/FREE": false, "https://app.test/?p=<NOPE>": false, "https://app.test/%3Cb%3E": false,
	} {
		_, err := w.Lend(t.Context(), Call{Session: "s", Tool: "navigate", Visits: []string{address}})
		if (err != nil) != refused {
			t.Errorf("%s: %v", address, err)
		}
	}
}
