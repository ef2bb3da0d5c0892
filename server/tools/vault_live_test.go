package tools_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"chaperone/server/question"
	"chaperone/vault"
	"chaperone/vault/keeper"
	"chaperone/vault/otp"
	"chaperone/vault/store"
)

// answers lets the person answer each question that comes as how says. asked returns what was asked since it was called last.
func (r *rig) answers(how func(question.Question) question.Answer) (asked func() []question.Question) {
	r.t.Helper()
	cards := make(chan question.Card, 100)
	stop := r.server.Questions().Subscribe(func(e question.Event) {
		if e.Card.End == question.Open && e.Card.Count == 1 {
			cards <- e.Card
		}
	})
	leave := r.server.Answerer().Attend()
	done := make(chan struct{})
	seen := make(chan question.Question, 100)
	go func() {
		for {
			select {
			case c := <-cards:
				seen <- c.Question
				if err := r.server.Answerer().Answer(c.ID, how(c.Question)); err != nil {
					r.t.Errorf("%v", err)
				}
			case <-done:
				return
			}
		}
	}()
	r.t.Cleanup(func() { close(done); stop(); leave() })
	return func() []question.Question {
		var list []question.Question
		for len(seen) > 0 {
			list = append(list, <-seen)
		}
		return list
	}
}

func TestWhatThePersonKeepsIsThere(t *testing.T) {
	site := newVaultSite(t)
	r := newRig(t, "BROWX_CAPABILITIES", withSecrets)
	for _, d := range []struct {
		alias string
		sites []string
		p     store.Policy
	}{{"NEVER", []string{site.URL}, store.NeverAsk}, {"EACH", []string{site.URL}, store.AskEachTime}, {"ONCE", []string{site.URL}, store.OncePerSession}, {"NOWHERE", nil, store.NeverAsk}, {"ELSEWHERE", []string{"https://other.test"}, store.NeverAsk}} {
		if _, err := r.kept.AddSecret(t.Context(), keeper.Draft{Alias: d.alias, Sites: d.sites, Policy: d.p}, vault.NewSecret("", "kept-"+strings.ToLower(d.alias)+"-hunter2")); err != nil {
			t.Fatal(err)
		}
	}
	got := r.do("list_secrets", nil)
	if strings.Contains(got.text, "hunter2") || strings.Count(got.text, `"source":"person"`) != 5 || !strings.Contains(got.text, site.URL) {
		t.Errorf("the list says %s", got.text)
	}
	if got := r.try("register_secret", args{"name": "NEVER", "value": "my-own-value"}); !got.failed || !strings.Contains(got.text, "the person keeps") {
		t.Errorf("its name was taken: %s", got.text)
	}
	fill := func(alias string) result {
		r.do("navigate", args{"url": site.URL})
		got := r.try("fill", args{"selector": "[name=p]", "value": "<" + alias + ">"})
		if strings.Contains(got.text, "hunter2") {
			t.Errorf("%s: it shows: %s", alias, got.text)
		}
		return got
	}
	if got := fill("EACH"); !got.failed || !strings.Contains(got.text, "Nobody can answer") {
		t.Errorf("nobody is there to ask: %s", got.text)
	}
	asked := r.answers(func(q question.Question) question.Answer {
		if len(q.Terms) > 1 {
			return question.Answer{Yes: true, Term: question.ForSession}
		}
		return question.Answer{Yes: true}
	})
	for _, c := range []struct {
		alias string
		want  [2]int // how often the person is asked, at the first and the second use
	}{{"NEVER", [2]int{0, 0}}, {"EACH", [2]int{1, 1}}, {"ONCE", [2]int{1, 0}}, {"NOWHERE", [2]int{1, 1}}} {
		for i, want := range c.want {
			if got := fill(c.alias); got.failed {
				t.Errorf("%s: %s", c.alias, got.text)
			}
			list := asked()
			if len(list) != want {
				t.Errorf("%s, use %d: asked %d times", c.alias, i+1, len(list))
			}
			for _, q := range list {
				if q.Site != site.URL || !strings.Contains(q.Ask, "<"+c.alias+">") || !strings.Contains(q.Ask, "Password") || !strings.Contains(q.Ask, site.URL) || q.Client == nil {
					t.Errorf("the card says %+v", q)
				}
			}
			r.do("click", args{"selector": "button"})
			sent := site.sent()
			if value := "kept-" + strings.ToLower(c.alias) + "-hunter2"; sent[len(sent)-1] != value {
				t.Errorf("%s: the server received %q", c.alias, sent[len(sent)-1])
			}
			if text := r.do("snapshot", nil).text; !strings.Contains(text, "Your password is <"+c.alias+">") {
				t.Errorf("%s: the page shows %s", c.alias, text)
			}
		}
	}
	if got := fill("ELSEWHERE"); !got.failed || !strings.Contains(got.text, "https://other.test") || len(asked()) != 0 {
		t.Errorf("on another site: %s", got.text)
	}
	// A new value is taken at the next use, and the old one stays hidden.
	list, _ := r.kept.List(t.Context())
	for _, it := range list {
		if it.Alias == "NEVER" {
			if err := r.kept.Replace(t.Context(), it.ID, vault.NewSecret("", "kept-anew-hunter2")); err != nil {
				t.Fatal(err)
			}
		}
	}
	changed := make(chan struct{}, 100)
	defer r.kept.Subscribe(func() { changed <- struct{}{} })()
	fill("NEVER")
	r.do("click", args{"selector": "button"})
	if sent := site.sent(); sent[len(sent)-1] != "kept-anew-hunter2" {
		t.Errorf("the server received %q", sent[len(sent)-1])
	}
	for written := false; !written; {
		select {
		case <-changed:
		case <-time.After(20 * time.Second):
			t.Fatalf("where it went is not written down: %+v", list)
		}
		list, _ = r.kept.List(t.Context())
		written = slices.ContainsFunc(list, func(it keeper.Item) bool { return it.Alias == "NEVER" && it.UsedAt == site.URL })
	}
}

func TestOneTimeCodesByAlias(t *testing.T) {
	site := newVaultSite(t)
	r := newRig(t, "BROWX_CAPABILITIES", withSecrets)
	in, err := otp.Parse("otpauth://totp/ACME:bob?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=ACME")
	if err != nil {
		t.Fatal(err)
	}
	items, err := r.kept.AddCodes(t.Context(), in.Keys, keeper.Draft{Account: "acme", Sites: []string{site.URL}, Policy: store.NeverAsk})
	if err != nil {
		t.Fatal(err)
	}
	r.do("navigate", args{"url": site.URL})
	before, err := r.kept.CodeNow(t.Context(), items[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	got := r.do("fill", args{"selector": "[name=p]", "value": "<TOTP_ACME>", "timeoutMs": 20000})
	after, err := r.kept.CodeNow(t.Context(), items[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	r.do("click", args{"selector": "button"})
	if sent := site.sent(); len(sent) != 1 || sent[0] != before.Text && sent[0] != after.Text {
		t.Errorf("the server received %q, the code was %s, then %s", sent, before.Text, after.Text)
	}
	if strings.Contains(got.text, before.Text) || strings.Contains(got.text, after.Text) {
		t.Errorf("fill shows the code: %s", got.text)
	}
}

func TestAnswersThatAreSecrets(t *testing.T) {
	site := newVaultSite(t)
	r := newRig(t, "BROWX_CAPABILITIES", withSecrets)
	r.answers(func(q question.Question) question.Answer { return question.Answer{Text: "typed-hunter2", Secret: true} })
	r.do("navigate", args{"url": site.URL})
	got := r.do("await_human", args{"kind": "input", "prompt": "Your password?"})
	if got.at("value") != "<ANSWER_1>" || strings.Contains(got.text, "hunter2") || !strings.Contains(got.text, site.URL) {
		t.Errorf("the answer is %s", got.text)
	}
	r.do("fill", args{"selector": "[name=p]", "value": "<ANSWER_1>"})
	r.do("click", args{"selector": "button"})
	if sent := site.sent(); len(sent) != 1 || sent[0] != "typed-hunter2" {
		t.Errorf("the server received %q", sent)
	}
	if got := r.do("register_secret", args{"name": "PIN", "scope": site.URL}); got.at("registered") != "PIN" || strings.Contains(got.text, "hunter2") {
		t.Errorf("register_secret without a value says %s", got.text)
	}
	for _, e := range r.server.Journal().Entries(0) {
		if strings.Contains(fmt.Sprintf("%+v %s", e, e.Arguments), "hunter2") {
			t.Errorf("the journal holds it: %+v", e)
		}
	}
	off := newRig(t)
	off.answers(func(q question.Question) question.Answer { return question.Answer{Text: "typed-hunter3", Secret: true} })
	if got := off.try("await_human", args{"kind": "input", "prompt": "Your password?"}); !got.failed || strings.Contains(got.text, "hunter3") {
		t.Errorf("with secrets switched off: %s", got.text)
	}
}

// The person is shown a site and says yes to that: a page that has changed meanwhile gets nothing.
func TestTheApprovedSiteIsTheOne(t *testing.T) {
	good, evil := newVaultSite(t), newVaultSite(t)
	r := newRig(t, "BROWX_CAPABILITIES", withSecrets)
	for alias, sites := range map[string][]string{"NOWHERE": nil, "BOTH": {good.URL, evil.URL}} {
		if _, err := r.kept.AddSecret(t.Context(), keeper.Draft{Alias: alias, Sites: sites, Policy: store.AskEachTime}, vault.NewSecret("", "kept-"+strings.ToLower(alias)+"-hunter2")); err != nil {
			t.Fatal(err)
		}
	}
	r.answers(func(q question.Question) question.Answer {
		r.try("navigate", args{"url": evil.URL})
		return question.Answer{Yes: true}
	})
	for _, alias := range []string{"NOWHERE", "BOTH"} {
		r.do("navigate", args{"url": good.URL})
		if got := r.try("fill", args{"selector": "[name=p]", "value": "<" + alias + ">"}); !got.failed || !strings.Contains(got.text, good.URL) {
			t.Errorf("%s: %s", alias, got.text)
		}
		r.do("click", args{"selector": "button"})
		if sent := evil.sent(); strings.Contains(strings.Join(sent, ""), "hunter2") {
			t.Errorf("%s: the other site received %q", alias, sent)
		}
	}
}
