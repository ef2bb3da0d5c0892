package settings_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"chaperone/assets"
	"chaperone/ui/model"
	"chaperone/ui/settings"
	"chaperone/ui/uitest"
	"chaperone/ui/widget"
)

func TestSettingsAreKeptWhenThePersonSaysSo(t *testing.T) {
	test.NewTempApp(t)
	var did []string
	s := settings.New(time.Now, "Chaperone 1.2.3", settings.Callbacks{
		Set: func(key, value string) { did = append(did, key+"="+value) }, Revoke: func(id string) { did = append(did, "revoke "+id) }})
	w := test.NewTempWindow(t, s.Object())
	w.Resize(fyne.NewSize(900, 900))
	table := []model.Setting{
		{Key: "n", Label: "Time", Kind: model.Number, Value: "5000"},
		{Key: "b", Label: "Unseen", Kind: model.Toggle, Value: "false"},
		{Key: "w", Label: "Folder", Kind: model.Text, Value: "/home", LockedBy: "BROWX_WORKSPACE"},
	}
	s.Show(table, []model.Lease{{ID: "l1", Agent: model.Agent{Name: "Codex"}, What: "download files"}})
	words := func() string { return uitest.Words(s.Object()) }
	var entries []*widget.Entry
	var toggle *widget.Switch
	for _, o := range uitest.Seen(s.Object()) {
		switch o := o.(type) {
		case *widget.Entry:
			entries = append(entries, o)
		case *widget.Switch:
			toggle = o
		}
	}
	if !entries[1].Disabled() || !strings.Contains(words(), "BROWX_WORKSPACE") {
		t.Error("what the environment fixed can be changed, or does not say so")
	}
	if uitest.Find(s.Object(), assets.Say("ui.settings.save")) != nil {
		t.Error("Save is offered before anything changed")
	}
	entries[0].SetText("9000")
	table[0].Value = "6000" // somebody else changed it meanwhile
	s.Show(table, nil)
	if entries[0].Text != "9000" {
		t.Errorf("what the person was typing became %q", entries[0].Text)
	}
	test.Tap(uitest.Find(s.Object(), assets.Say("ui.settings.save")))
	test.Tap(toggle)
	if got := strings.Join(did, ", "); got != "n=9000, b=true" {
		t.Errorf("did: %s", got)
	}
	if toggle.On() {
		t.Error("a switch shows what was asked for and not what is")
	}
	s.Done("n", errors.New("actionTimeoutMs: 9000 is too much"))
	if !strings.Contains(words(), "9000 is too much") {
		t.Error("a refusal is not said")
	}
	s.Show(table, []model.Lease{{ID: "l1", Agent: model.Agent{Name: "Codex"}, What: "download files"}})
	test.Tap(uitest.Find(s.Object(), assets.Say("ui.settings.revoke")))
	if did[len(did)-1] != "revoke l1" {
		t.Errorf("did: %v", did)
	}
}
