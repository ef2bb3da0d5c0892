package model_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"chaperone/ui/model"
)

func TestAValueIsNeverPrinted(t *testing.T) {
	v := model.NewValue("hunter2")
	in := struct {
		V model.Value
		P *model.Value
	}{v, &v}
	text, _ := json.Marshal(in)
	var logged strings.Builder
	slog.New(slog.NewTextHandler(&logged, nil)).Info("typed", "value", v, "answer", model.Answer{Value: v})
	for _, got := range []string{fmt.Sprint(v), fmt.Sprintf("%v %+v %#v %s %q %x", v, v, v, v, v, v), fmt.Sprintf("%v %+v %#v", in, in, in), string(text), logged.String()} {
		if strings.Contains(got, "hunter2") || strings.Contains(got, "68756e74657232") {
			t.Errorf("it was printed: %s", got)
		}
	}
	used := ""
	_ = v.Use(func(text string) error { used = text; return nil })
	if used != "hunter2" || v.Empty() || !v.Same(model.NewValue("hunter2")) || v.Same(model.Value{}) || !(model.Value{}).Empty() {
		t.Error("it does not hold what it was given")
	}
}

func TestItemsSayWhereTheyMayGoAndWentLast(t *testing.T) {
	many := make([]string, 20)
	for i := range many {
		many[i] = fmt.Sprintf("https://s%d.test", i)
	}
	for _, c := range []struct {
		it   model.Item
		want string
	}{
		{model.Item{Kind: model.SecretItem, Alias: "API_KEY", Policy: "never-ask", Origins: []string{"https://a.test", "http://localhost:3000"}},
			"API_KEY||a.test, http://localhost:3000|Not used yet|Never ask"},
		{model.Item{Kind: model.SecretItem, Alias: "API_KEY", Policy: "ask-each-time", Used: noon.Add(-3 * time.Minute), UsedBy: "Codex", UsedAt: "https://a.test", Hidden: 12},
			"API_KEY||No sites named: you are asked each time where it may go|Last used on a.test by Codex, 3 min ago · hidden from results 12 times since start|Ask each time"},
		{model.Item{Kind: model.CodeItem, Alias: "TOTP_BOB", Account: "bob", Issuer: "ACME", Policy: "once-per-session", Origins: []string{"https://a.test"}, Used: noon, UsedBy: "Codex", Hidden: 1},
			"bob|ACME · <TOTP_BOB>|a.test|Last used by Codex, just now · hidden from results once since start|Once per session"},
		{model.Item{Kind: model.SignInItem, Alias: "PASSWORD_ACME", Account: "acme", User: "alice\u202e", Policy: "x", Origins: many},
			"acme|alice · <PASSWORD_ACME>|s0.test, s1.test, s2.test, s3.test, and 16 more|Not used yet|x"},
	} {
		r := model.ItemRowOf(c.it, noon)
		if got := strings.Join([]string{r.Name, r.About, r.Sites, r.Used, r.Policy}, "|"); got != c.want {
			t.Errorf("%q, want\n%q", got, c.want)
		}
	}
}

func TestWhatThePersonWroteIsRead(t *testing.T) {
	for written, want := range map[string]string{"": "", "a.test": "a.test", " a.test, https://b.test;\nc.test  d.test,": "a.test|https://b.test|c.test|d.test"} {
		if got := strings.Join(model.SitesOf(written), "|"); got != want {
			t.Errorf("%q is %q, want %q", written, got, want)
		}
	}
	for code, want := range map[string]string{"394201": "394 201", "39420": "39420", "9428708": "9428 708", "94287082": "9428 7082", "": ""} {
		if got := model.Digits(code); got != want {
			t.Errorf("%q is %q, want %q", code, got, want)
		}
	}
	for in, want := range map[string]string{"the name is taken": "The name is taken.", "Done.": "Done.", "": "", "élan": "Élan."} {
		if got := model.Sentence(errors.New(in)); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}

func TestProvidersSayHowTheyStand(t *testing.T) {
	for _, c := range []struct {
		p    model.Provider
		want string
	}{
		{model.Provider{Name: "keyring", Found: true, SignedIn: model.SignedInYes}, "This vault|Ready||true|true"},
		{model.Provider{Name: "oathtool", Found: true, Path: "/usr/bin/oathtool", SignedIn: model.SignedInUnknown}, "oathtool|Found|/usr/bin/oathtool|false|true"},
		{model.Provider{Name: "bitwarden", Found: true, Path: "/bw", SignedIn: model.SignedInNo, Problem: "Run bw login."}, "Bitwarden|Not signed in|Run bw login.|false|true"},
		{model.Provider{Name: "lastpass"}, "LastPass|Not found||false|true"},
		{model.Provider{Name: "none"}, "None|||false|false"},
	} {
		r := model.ProviderRowOf(c.p)
		if got := fmt.Sprintf("%s|%s|%s|%v|%v", r.Title, r.State, r.More, r.Good, r.Test); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestPrivateQuestionsSayWhatBecomesOfTheSecret(t *testing.T) {
	for _, c := range []struct {
		q           model.Question
		mask, offer bool
		used        string
	}{
		{model.Question{Kind: model.Input, Private: true, Alias: "API_KEY", Secrets: true}, true, false, "It is used as <API_KEY>; the agent does not see it."},
		{model.Question{Kind: model.Input, Private: true}, true, false, "The agent does not see it."},
		{model.Question{Kind: model.Input, Secrets: true}, false, true, ""},
		{model.Question{Kind: model.Input}, false, false, ""},
	} {
		got := model.CardOf(c.q, noon)
		if got.Mask != c.mask || got.Offer != c.offer || got.Used != c.used {
			t.Errorf("%+v: %v, %v, %q", c.q, got.Mask, got.Offer, got.Used)
		}
	}
}

func TestACallSaysWhatItTypedAndWhatWasHidden(t *testing.T) {
	got := strings.Join(model.SecretLines(model.CallDetail{
		Typed:  []model.TypedSecret{{Alias: "A", Site: "https://a.test"}, {Alias: "B"}},
		Hidden: []model.HiddenValue{{Alias: "A", Times: 1}, {Alias: "B", Times: 2}},
	}), "\n")
	want := "<A> was typed on https://a.test\n<B> was typed by this call\n<A> stood in the result, and was hidden from the agent\n<B> stood in the result 2 times, and was hidden from the agent"
	if got != want {
		t.Errorf("%s", got)
	}
}
