package browsers_test

import (
	"errors"
	"image/color"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"chaperone/assets"
	"chaperone/ui/browsers"
	"chaperone/ui/model"
	"chaperone/ui/uitest"
)

func TestATileTakesOverHandsBackAndCloses(t *testing.T) {
	test.NewTempApp(t)
	var did []string
	note := func(what string) func(string) { return func(id string) { did = append(did, what+" "+id) } }
	now := time.Date(2030, 1, 2, 12, 0, 0, 0, time.UTC)
	s := browsers.New(func() time.Time { return now }, browsers.Callbacks{
		Show: note("show"), TakeOver: note("take"), HandBack: note("back"), Close: note("close")})
	w := test.NewTempWindow(t, s.Object())
	w.Resize(fyne.NewSize(900, 700))
	words := func() string { return uitest.Words(s.Object()) }
	if !strings.Contains(words(), assets.Say("ui.browsers.empty")) {
		t.Error("no browser, and nothing says so")
	}
	b := model.Browser{ID: "shop", Title: "Basket", Origin: "https://shop.test", Agent: model.Agent{Name: "Codex"}, Mode: model.Private, Opened: now}
	s.Show([]model.Browser{b})
	s.Thumbnail("shop", uitest.Picture(40, 30, color.White))
	s.Thumbnail("shop", []byte("no picture"))
	tap := func(key string) {
		t.Helper()
		o := uitest.Find(s.Object(), assets.Say(key))
		if o == nil {
			t.Fatalf("there is no %q in\n%s", assets.Say(key), words())
		}
		test.Tap(o)
	}
	tap("ui.browsers.take")
	tap("ui.browsers.show") // still busy: nothing
	s.Done("shop", errors.New("the tab hangs"))
	if !strings.Contains(words(), "the tab hangs") {
		t.Error("what failed is not said")
	}
	b.Taken = true
	s.Show([]model.Browser{b})
	tap("ui.browsers.back")
	s.Done("shop", nil)
	tap("ui.browsers.close")
	if got := strings.Join(did, ", "); got != "take shop, back shop" {
		t.Fatalf("one click closed it: %s", got)
	}
	tap("ui.browsers.close.sure")
	if did[len(did)-1] != "close shop" {
		t.Errorf("did: %v", did)
	}
	b.Headless = true
	s.Show([]model.Browser{b})
	if uitest.Find(s.Object(), assets.Say("ui.browsers.show")) != nil {
		t.Error("a browser without a window offers to show it")
	}
}
