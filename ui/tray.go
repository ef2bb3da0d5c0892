package ui

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/systray"

	"chaperone/assets"
	"chaperone/ui/model"
)

// tray is the icon in the desktop's tray and its menu, both made whole from their model.
type tray struct {
	ui    *UI
	app   desktop.App // nil where the tray cannot be used
	host  *trayHost
	shown model.Tray
}

// newTray makes the tray. It must be called before the app runs.
func newTray(u *UI) *tray {
	t := &tray{ui: u}
	app, ok := u.app.(desktop.App)
	if !ok || !hasBus() {
		t.host = noTrayHost()
		u.shell.hosted(false)
		return t
	}
	t.app = app
	systray.SetOnTapped(u.Show)
	app.SetSystemTrayIcon(t.icon(model.Idle))
	t.show(model.TrayOf(nil, nil, model.State{}))
	t.host = watchTrayHost(u.bridge.ctx, func(there bool) {
		u.bridge.show(func() { u.shell.hosted(there) })
	})
	u.shell.hosted(t.host.there())
	return t
}

// hosted tells whether the desktop shows our icon.
func (t *tray) hosted() bool { return t.host.there() }

// show shows the icon and the menu, if they are not what is shown already.
func (t *tray) show(m model.Tray) {
	if t.app == nil {
		return
	}
	if m.Icon != t.shown.Icon {
		t.app.SetSystemTrayIcon(t.icon(m.Icon))
	}
	if !slices.Equal(m.Items, t.shown.Items) {
		t.app.SetSystemTrayMenu(t.menu(m))
	}
	t.shown = m
}

func (t *tray) icon(i model.Icon) fyne.Resource {
	double := t.ui.win.Canvas().Scale() > 1.25
	return fyne.NewStaticResource("tray-"+string(i)+".png", assets.TrayIcon(string(i), double))
}

func (t *tray) menu(m model.Tray) *fyne.Menu {
	menu := fyne.NewMenu(assets.Say("app.name"))
	for _, item := range m.Items {
		if item.Do == model.DoNothing {
			menu.Items = append(menu.Items, fyne.NewMenuItemSeparator())
			continue
		}
		entry := fyne.NewMenuItem(item.Label, func() { t.ui.trayPressed(item) })
		// the toolkit adds a Quit of its own unless the last entry is one
		entry.IsQuit = item.Do == model.DoQuit
		menu.Items = append(menu.Items, entry)
	}
	return menu
}

// trayPressed does what an entry says.
func (u *UI) trayPressed(item model.TrayItem) {
	switch item.Do {
	case model.DoRequests:
		p := u.page("ui.requests")
		u.open(p)
		u.present()
		u.begin(p)
	case model.DoBrowser:
		u.open(u.page("ui.browsers"))
		u.present()
	case model.DoPause, model.DoResume:
		u.shell.pause.Tapped(nil)
	case model.DoOpen:
		u.present()
	case model.DoQuit:
		u.quitPressed()
	}
}
