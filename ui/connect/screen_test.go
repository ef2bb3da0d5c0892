package connect_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"chaperone/assets"
	"chaperone/ui/connect"
	"chaperone/ui/model"
	"chaperone/ui/uitest"
)

func TestTheChangeIsShownBeforeItIsMade(t *testing.T) {
	test.NewTempApp(t)
	var did []string
	var made model.Change
	s := connect.New(func() time.Time { return time.Date(2030, 1, 2, 12, 0, 0, 0, time.UTC) }, connect.Callbacks{
		Copy: func(text string) { did = append(did, "copy "+text) }, Preview: func(p string) { did = append(did, "preview "+p) },
		Secret: func(v model.Value) {
			_ = v.Use(func(text string) error { did = append(did, "copy "+text); return nil })
		},
		Add:    func(p string, c model.Change) { did, made = append(did, "add "+p), c },
		Forget: func(id string) { did = append(did, "forget "+id) }, Renew: func() { did = append(did, "renew") },
	})
	w := test.NewTempWindow(t, s.Object())
	w.Resize(fyne.NewSize(900, 900))
	s.Show([]model.Program{{ID: "cursor", Name: "Cursor", Snippet: "the snippet", File: "/home/ada/mcp.json"}},
		[]model.Paired{{ID: "p1", Name: "Codex"}}, model.Endpoint{URL: "http://127.0.0.1:7420/mcp", Token: "s3cret-token"})
	words := func() string { return uitest.Words(s.Object()) }
	tap := func(label string) {
		t.Helper()
		o := uitest.Find(s.Object(), label)
		if o == nil {
			t.Fatalf("there is no %q in\n%s", label, words())
		}
		test.Tap(o)
	}
	if strings.Contains(words(), "s3cret-token") {
		t.Error("the token stands on the screen")
	}
	tap(assets.Say("ui.connect.add"))
	change := model.Change{File: "/home/ada/mcp.json", Backup: "/home/ada/mcp.json.bak", Before: "{}\n", After: "{\"chaperone\":1}\n"}
	s.Previewed("cursor", change, nil)
	for _, want := range []string{"- {}", "+ {\"chaperone\":1}", "/home/ada/mcp.json.bak"} {
		if !strings.Contains(words(), want) {
			t.Errorf("the change does not show %q:\n%s", want, words())
		}
	}
	if strings.Join(did, ", ") != "preview cursor" {
		t.Fatalf("something was done before the person agreed: %v", did)
	}
	tap(assets.Say("ui.connect.apply"))
	if made != change {
		t.Errorf("not the change that was shown: %+v", made)
	}
	s.Added("cursor", errors.New("the file was changed meanwhile"))
	if !strings.Contains(words(), "the file was changed meanwhile") {
		t.Error("a failure is not said")
	}
	did = nil
	tap(assets.Say("ui.copy"))
	tap(assets.Say("ui.connect.token.copy"))
	tap(assets.Say("ui.connect.renew"))
	tap(assets.Say("ui.connect.forget"))
	if got := strings.Join(did, ", "); got != "copy the snippet, copy s3cret-token, forget p1" {
		t.Errorf("did: %s", got)
	}
	tap(assets.Say("ui.connect.renew.sure"))
	if did[len(did)-1] != "renew" {
		t.Errorf("did: %v", did)
	}
	s.Show(nil, nil, model.Endpoint{})
	if !strings.Contains(words(), assets.Say("ui.connect.http.off")) || !strings.Contains(words(), assets.Say("ui.connect.paired.none")) {
		t.Errorf("what is not there is not said:\n%s", words())
	}
}
