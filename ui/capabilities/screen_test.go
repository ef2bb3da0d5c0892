package capabilities_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"chaperone/assets"
	"chaperone/ui/capabilities"
	"chaperone/ui/model"
	"chaperone/ui/uitest"
	"chaperone/ui/widget"
)

var noon = time.Date(2030, 1, 2, 12, 0, 0, 0, time.UTC)

func TestARiskyOneWantsASecondClick(t *testing.T) {
	test.NewTempApp(t)
	var wanted []string
	s := capabilities.New(func() time.Time { return noon }, func(name string, on bool) { wanted = append(wanted, fmt.Sprint(name, " ", on)) })
	w := test.NewTempWindow(t, s.Object())
	w.Resize(fyne.NewSize(900, 700))
	caps := []model.Capability{
		{Name: "read", On: true, Tools: 12},
		{Name: "eval", Risky: true, Tools: 2, Risk: "Any script can run."},
		{Name: "stealth", Risky: true, Tools: 1, On: true, LockedBy: "BROWX_CAPABILITIES", Risk: "It hides."},
	}
	s.Show(caps)
	switches := func() (all []*widget.Switch) {
		for _, o := range uitest.Seen(s.Object()) {
			if sw, ok := o.(*widget.Switch); ok {
				all = append(all, sw)
			}
		}
		return all
	}
	if len(switches()) != 3 {
		t.Fatalf("%d switches", len(switches()))
	}
	words := func() string { return uitest.Words(s.Object()) }
	if !strings.Contains(words(), "It hides.") || strings.Contains(words(), "Any script can run.") {
		t.Errorf("the warning must name what is on and nothing else:\n%s", words())
	}

	test.Tap(switches()[1])
	if len(wanted) != 0 {
		t.Fatal("one click switched a risky capability on")
	}
	if !strings.Contains(words(), "Any script can run.") {
		t.Error("the warning is not shown before the second click")
	}
	test.Tap(uitest.Find(s.Object(), assets.Say("ui.cancel")))
	if strings.Contains(words(), "Any script can run.") || len(wanted) != 0 {
		t.Error("Cancel did not cancel")
	}
	test.Tap(switches()[1])
	test.Tap(uitest.Find(s.Object(), assets.Say("ui.capabilities.on")))
	test.Tap(switches()[0]) // a usual one goes off at once
	test.Tap(switches()[2]) // a locked one does nothing
	if got := strings.Join(wanted, ", "); got != "eval true, read false" {
		t.Errorf("wanted: %s", got)
	}
	if !strings.Contains(words(), "BROWX_CAPABILITIES") {
		t.Error("a locked capability does not name its variable")
	}
	s.Done("read", errors.New("the file cannot be written"))
	if !strings.Contains(words(), "the file cannot be written") {
		t.Error("a switch that failed says nothing")
	}
}

func TestWhatNothingUsesCannotBeSwitchedOn(t *testing.T) {
	test.NewTempApp(t)
	var wanted []string
	s := capabilities.New(func() time.Time { return noon }, func(name string, on bool) { wanted = append(wanted, fmt.Sprint(name, " ", on)) })
	test.NewTempWindow(t, s.Object()).Resize(fyne.NewSize(900, 700))
	caps := []model.Capability{
		{Name: "read", On: true, Tools: 12},
		{Name: "captcha", Risky: true, Risk: "It goes to another company."},
		{Name: "stealth", Risky: true, On: true, Source: model.FromPerson, Risk: "It hides."},
	}
	s.Show(caps)
	switches := func() (all []*widget.Switch) {
		for _, o := range uitest.Seen(s.Object()) {
			if sw, ok := o.(*widget.Switch); ok {
				all = append(all, sw)
			}
		}
		return all
	}
	if !strings.Contains(uitest.Words(s.Object()), assets.Say("ui.capabilities.unused.more")) {
		t.Error("it is not said that nothing uses them")
	}
	if !strings.Contains(uitest.Words(s.Object()), assets.Say("ui.cap.unused")) {
		t.Error("the warning of one that is on does not say that nothing uses it")
	}
	test.Tap(switches()[1])
	test.Tap(switches()[2]) // this one is on, and may go off
	if got := strings.Join(wanted, ", "); got != "stealth false" {
		t.Errorf("wanted: %s", got)
	}
	caps[1].Tools = 1 // a tool came that needs it
	s.Show(caps)
	test.Tap(switches()[1])
	if !strings.Contains(uitest.Words(s.Object()), "It goes to another company.") {
		t.Error("one that is used now cannot be switched on")
	}
}
