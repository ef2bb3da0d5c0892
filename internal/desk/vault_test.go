package desk

import (
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"chaperone/server"
	"chaperone/server/journal"
	"chaperone/server/question"
	"chaperone/server/tool"
	"chaperone/ui/model"
	"chaperone/vault/provider"
)

func TestWhatIsKeptIsShownWithoutItsValue(t *testing.T) {
	d, _, _ := newDesk(t)
	view, ctx := d.UI(), t.Context()
	told := make(chan struct{}, 100)
	defer d.Watch(func(topic model.Topic) {
		if topic == model.Secrets {
			told <- struct{}{}
		}
	})()
	if err := view.Vault.Check(ctx); err != nil {
		t.Fatal(err)
	}
	add := func(kind model.ItemKind, m model.Draft, value string) {
		t.Helper()
		if err := view.Items.Add(ctx, kind, m, model.NewValue(value)); err != nil {
			t.Fatal(err)
		}
	}
	add(model.SecretItem, model.Draft{Alias: "API_KEY", Sites: []string{"api.test"}, Policy: "never-ask"}, "hunter2-key")
	add(model.SignInItem, model.Draft{Account: "acme", User: "alice"}, "hunter2-pw")
	if err := view.Items.Add(ctx, model.SecretItem, model.Draft{Alias: "bad name"}, model.NewValue("hunter2-x")); err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("%v", err)
	}
	if len(told) < 2 {
		t.Errorf("the window was told %d times", len(told))
	}
	v := view.Vault.State(ctx)
	if len(v.Items) != 2 || v.Place != model.InKeyring || v.Items[0].Alias != "API_KEY" || v.Items[0].Hidden != 3 || v.Items[0].Origins[0] != "https://api.test" || v.Items[1].Policy != "ask-each-time" {
		t.Errorf("%+v", v)
	}
	if text := fmt.Sprintf("%+v %#v", v, v); strings.Contains(text, "hunter2") {
		t.Errorf("a value is in %s", text)
	}
	id := v.Items[0].ID
	if err := view.Items.Change(ctx, id, model.Draft{Sites: []string{"b.test"}, Policy: "once-per-session"}); err != nil {
		t.Error(err)
	}
	if err := view.Items.Replace(ctx, id, model.NewValue("hunter3-key")); err != nil {
		t.Error(err)
	}
	loan, err := d.cfg.Keeper.Lend(ctx, "API_KEY")
	got := ""
	_ = loan.Secret.Use(func(value string) error { got = value; return nil })
	if err != nil || got != "hunter3-key" || loan.Item.Origins[0] != "https://b.test" {
		t.Errorf("%+v, %v", loan, err)
	}
	if err := view.Items.Remove(ctx, id); err != nil || len(view.Vault.State(ctx).Items) != 1 {
		t.Errorf("%v", err)
	}
}

func TestThePlaceIsTheSetting(t *testing.T) {
	d, _, _ := newDesk(t)
	view, ctx := d.UI(), t.Context()
	if err := view.Vault.Keep(model.InFile); err != nil {
		t.Fatal(err)
	}
	if v := view.Vault.State(ctx); !v.Closed || !v.New || v.Problem != "" || view.Vault.Check(ctx) != nil {
		t.Errorf("%+v", v)
	}
	if err := view.Vault.Open(ctx, model.NewValue("a long passphrase")); err != nil {
		t.Fatal(err)
	}
	if v := view.Vault.State(ctx); v.Closed || v.New || v.Place != model.InFile {
		t.Errorf("%+v", v)
	}
	if err := view.Vault.Open(ctx, model.NewValue("wrong")); err == nil || strings.Contains(err.Error(), "long passphrase") {
		t.Errorf("%v", err)
	}
	if err := view.Vault.Keep("cellar"); err == nil {
		t.Error("a place that is none was taken")
	}
}

const seed = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"

func TestCodesComeFromSeveralSources(t *testing.T) {
	d, _, _ := newDesk(t)
	view, ctx := d.UI(), t.Context()
	read := func(text string, before model.Seeds) model.Seeds {
		t.Helper()
		found, err := view.Codes.Read(ctx, model.SeedSource{Text: model.NewValue(text)}, before)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	if _, err := view.Codes.Read(ctx, model.SeedSource{Text: model.NewValue("GEZDGNB0")}, model.Seeds{}); err == nil || !strings.Contains(err.Error(), "character 8 is one of") {
		t.Errorf("%v", err)
	}
	if _, err := view.Codes.Read(ctx, model.SeedSource{Picture: []byte("no picture")}, model.Seeds{}); err == nil {
		t.Error("no picture was read")
	}
	found := read("otpauth://totp/ACME:bob?secret="+seed+"&issuer=ACME", model.Seeds{})
	found = read("otpauth://totp/ACME:bob?secret="+seed+"&issuer=ACME", found) // the same again
	// one part of an export of two: an entry with a name, batch 1 of 2
	entry := append([]byte{0x0a, 10}, "1234567890"...)
	entry = append(entry, 0x12, 5)
	entry = append(entry, "carol"...)
	payload := append([]byte{0x0a, byte(len(entry))}, entry...)
	payload = append(payload, 0x10, 1, 0x18, 2, 0x20, 0, 0x28, 9)
	found = read("otpauth-migration://offline?data="+base64.StdEncoding.EncodeToString(payload), found)
	if len(found.Found) != 2 || found.Found[0].Account != "bob" || found.Found[1].Account != "carol" || len(found.Missing) != 1 {
		t.Fatalf("%+v", found)
	}
	if text := fmt.Sprintf("%+v %#v", found, found); strings.Contains(text, seed) {
		t.Errorf("a seed is in %s", text)
	}
	if left, err := view.Codes.AddSeeds(ctx, found, model.Draft{Sites: []string{"acme.test"}}); err != nil || len(left.Found) != 0 {
		t.Fatalf("%+v, %v", left, err)
	}
	more := read("otpauth://totp/dave?secret="+seed, found)
	if left, err := view.Codes.AddSeeds(ctx, more, model.Draft{}); err == nil || len(left.Found) != 2 || strings.Contains(err.Error(), seed) {
		t.Errorf("what is there already: %+v, %v", left, err)
	}
	unnamed := read(seed, model.Seeds{})
	if left, err := view.Codes.AddSeeds(ctx, unnamed, model.Draft{}); err == nil || len(left.Found) != 1 {
		t.Errorf("without a name: %+v, %v", left, err)
	}
	codes := view.Vault.State(ctx).Of(model.CodeItem)
	if len(codes) != 3 {
		t.Fatalf("%+v", codes)
	}
	c, err := view.Codes.Code(ctx, codes[0].ID)
	if err != nil || c.Text.Empty() || c.Good != 30*time.Second || !c.Ends.After(time.Now()) {
		t.Errorf("%+v, %v", c, err)
	}
	if err := view.Items.Replace(ctx, codes[0].ID, model.NewValue("gezd gnbv gy3t qojq")); err != nil {
		t.Error(err)
	}
	if err := view.Items.Replace(ctx, codes[0].ID, model.NewValue("otpauth://totp/bob?digits=8&secret="+seed)); err == nil {
		t.Error("a link for other codes was taken")
	}
	if err := view.Items.Replace(ctx, codes[0].ID, model.NewValue("hunter2")); err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("no seed: %v", err)
	}
}

func TestSecretsAreAnswered(t *testing.T) {
	for _, c := range []struct {
		q    question.Question
		a    model.Answer
		want question.Answer
	}{
		{question.Question{Private: true, Scope: "secret:API_KEY"}, model.Answer{Approved: true, Secret: true, Value: model.NewValue("hunter2")}, question.Answer{Text: "hunter2"}},
		{question.Question{Tool: "await_human"}, model.Answer{Approved: true, Secret: true, Value: model.NewValue("hunter2")}, question.Answer{Text: "hunter2", Secret: true}},
		{question.Question{Private: true}, model.Answer{}, question.Answer{Declined: true}},
	} {
		d, broker, _ := newDesk(t)
		if err := d.cfg.Gate.SetCapability(tool.Secrets, true); err != nil {
			t.Fatal(err)
		}
		asked := make(chan struct{}, 10)
		defer broker.Subscribe(func(question.Event) { asked <- struct{}{} })()
		got := make(chan question.Answer, 1)
		go func() {
			q := c.q
			q.Kind, q.Ask, q.Timeout = question.Input, "Asks you", time.Minute
			a, err := broker.Ask(context.Background(), q)
			if err != nil {
				t.Error(err)
			}
			got <- a
		}()
		<-asked
		open := d.Questions()
		if len(open) != 1 || open[0].Private != c.q.Private || open[0].Secrets != (c.q.Tool == "await_human") || c.q.Scope != "" && open[0].Alias != "API_KEY" {
			t.Fatalf("%+v", open)
		}
		if err := d.Answer(open[0].ID, c.a); err != nil {
			t.Fatal(err)
		}
		if a := <-got; a != c.want {
			t.Errorf("got %+v, want %+v", a, c.want)
		}
		if text := fmt.Sprintf("%+v", d.Questions()); strings.Contains(text, "hunter2") {
			t.Errorf("the answer is remembered: %s", text)
		}
	}
}

func TestACallTellsOfItsSecrets(t *testing.T) {
	d, _, j := newDesk(t)
	at := time.Now()
	defer func() { uses = nil }()
	uses = []server.Use{
		{Alias: "API_KEY", Site: "https://a.test", Client: "Agent", Session: "s", At: at.Add(10 * time.Millisecond)},
		{Alias: "API_KEY", Site: "https://a.test", Client: "Agent", Session: "s", At: at.Add(12 * time.Millisecond)},
		{Alias: "LATER", Site: "https://a.test", Client: "Agent", Session: "s", At: at.Add(time.Second)},
		{Alias: "OTHERS", Site: "https://a.test", Client: "Other", Session: "s", At: at.Add(10 * time.Millisecond)},
	}
	id := j.Begin(journal.Entry{At: at, Client: "Agent", Session: "s", Tool: "fill"})
	j.End(id, func(e *journal.Entry) {
		e.Outcome, e.Millis, e.Hidden = journal.OK, 40, map[string]int{"B": 2, "A": 1}
	})
	detail, err := d.Call(d.Calls()[0].ID)
	if err != nil || fmt.Sprint(detail.Typed, detail.Hidden) != "[{API_KEY https://a.test}] [{A 1} {B 2}]" {
		t.Errorf("%v, %v, %v", detail.Typed, detail.Hidden, err)
	}
}

func TestProvidersAreListed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in program is a shell script")
	}
	d, _, _ := newDesk(t)
	dir := t.TempDir()
	bw := filepath.Join(dir, "bw")
	if err := os.WriteFile(bw, []byte("#!/bin/sh\nexit 1\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	d.cfg.Vaults = NewVaults(func(key string) string {
		return map[string]string{"BROWX_BITWARDEN_BIN": bw, "BROWX_LASTPASS_BIN": filepath.Join(dir, "none"), "BROWX_CREDENTIALS_PROVIDER": "bitwarden"}[key]
	}, func(s string) (string, error) { return s, nil })
	list := map[string]model.Provider{}
	for _, p := range d.Providers() {
		list[p.Name] = p
	}
	if len(list) != len(provider.Names()) || !list["keyring"].Found || !list["bitwarden"].Found || !list["bitwarden"].Chosen || list["bitwarden"].Path != bw || list["lastpass"].Found {
		t.Errorf("%+v", list)
	}
	if p := d.Test(t.Context(), "keyring"); p.SignedIn != model.SignedInYes || p.Problem != "" {
		t.Errorf("%+v", p)
	}
	if p := d.Test(t.Context(), "bitwarden"); p.SignedIn == model.SignedInYes || p.Problem == "" {
		t.Errorf("%+v", p)
	}
	if p := d.Test(t.Context(), "lastpass"); p.Found || p.Problem == "" {
		t.Errorf("%+v", p)
	}
}
