package ui

import (
	"testing"

	"fyne.io/fyne/v2/test"
	base "fyne.io/fyne/v2/theme"

	"chaperone/assets"
	"chaperone/ui/model"
	"chaperone/ui/theme"
	"chaperone/ui/uitest"
)

func TestClosingQuitsWhereThePersonWantsThat(t *testing.T) {
	fake := uitest.New()
	fake.Want.CloseToTray = false
	fake.Now.Running = 1
	b := newBench(t, fake)
	b.until("it is known that an agent works", func() bool { return b.ui.running.Load() == 1 })
	if b.sees(assets.Say("ui.tray.none"))() {
		t.Error("the person is told that closing keeps the app running, and it does not")
	}
	b.ui.closePressed()
	if b.ui.bridge.closed.Load() || !b.sees(assets.Say("ui.quit.ask"))() {
		t.Fatal("closing quit under a working agent without asking")
	}
	test.Tap(b.button(assets.Say("ui.quit.no")))
	fake.Do(model.Agents, func() { fake.Now.Running = 0 })
	b.until("nobody works", func() bool { return b.ui.running.Load() == 0 })
	b.ui.closePressed()
	if !b.ui.bridge.closed.Load() {
		t.Error("closing did not quit")
	}
}

func TestWhatThePersonWantsActsAtOnce(t *testing.T) {
	fake := uitest.New()
	b := newBench(t, fake)
	b.until("the notice of the missing tray", b.sees(assets.Say("ui.tray.none")))
	ground := func() any { return b.ui.app.Settings().Theme().Color(theme.Ground, base.VariantLight) }
	light := ground()
	fake.Do(model.Settings, func() { fake.Want = model.Wishes{Theme: "dark"} })
	b.until("dark", func() bool { return ground() != light })
	b.until("no notice", func() bool { return !b.sees(assets.Say("ui.tray.none"))() })
	fake.Do(model.Settings, func() { fake.Want = model.Wishes{Theme: "light", CloseToTray: true} })
	b.until("light", func() bool { return ground() == light })
	b.until("the notice again", b.sees(assets.Say("ui.tray.none")))
}
