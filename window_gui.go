//go:build cgo && !nogui

package main

import (
	"context"
	"errors"
	"log/slog"
	"os"

	"chaperone/browser"
	"chaperone/internal/autostart"
	"chaperone/internal/connect"
	"chaperone/internal/desk"
	_ "chaperone/internal/locale" // before the toolkit reads it
	"chaperone/internal/workspace"
	"chaperone/server/tool"
	"chaperone/ui"
	"chaperone/ui/model"
	"chaperone/vault/origin"

	"fyne.io/fyne/v2/app"
)

const windowBuild = true

// hasWindow reports whether the app can show its window here.
func hasWindow() bool { return browser.HasDisplay() }

// appID names the app to the desktop.
const appID = "app.chaperone.desktop"

// runApp is the app: the server with its doors, the window and the tray. A second start shows the first one's window.
func runApp(ctx context.Context, hidden bool) error {
	if !hasWindow() {
		return headless(ctx)
	}
	// Before the environment loses what only these need.
	vaults := desk.NewVaults(os.Getenv, func(s string) (string, error) { o, err := origin.Parse(s); return string(o), err })
	p, err := assemble(kind{pair: true, level: slog.LevelInfo})
	if err != nil {
		return err
	}
	defer p.close()
	// Before the first client can come in: what it asks waits for the window.
	defer p.server.Answerer().Attend()()
	var window *ui.UI
	shown := make(chan struct{})
	d, ok, err := p.open(true, func() {
		<-shown
		window.Show()
	})
	if err != nil {
		return err
	}
	if !ok {
		if hidden {
			return nil // another client's app was faster
		}
		return showFirst(ctx, p.dir)
	}
	view, err := p.desk(d, vaults)
	if err != nil {
		return err
	}
	defer view.Close()
	// Before the toolkit looks for the bus: where there is none it would start one that stays.
	ui.PrepareBus()
	window = ui.New(app.NewWithID(appID), view.UI(), ui.Config{Version: version, Hidden: hidden || p.settings.Bool("startHidden"), Log: p.log})
	close(shown)
	defer p.autostart()()
	defer context.AfterFunc(ctx, window.Quit)()
	window.Run()
	return nil
}

// autostart keeps the desktop's list of what to start as the settings have it, and follows them until stop is called. Where the
// person never switched it on, nothing is touched.
func (p *program) autostart() (stop func()) {
	home, err := workspace.Home(os.Getenv)
	self, selfErr := selfOf("")
	if err := errors.Join(err, selfErr); err != nil {
		p.log.Warn("starting when you sign in cannot be set", "error", err)
		return func() {}
	}
	entry := autostart.Entry{Home: home, Binary: self.Binary, Args: []string{"--hidden"}, Workspace: os.Getenv("BROWX_WORKSPACE")}
	set := func() {
		if err := entry.Set(p.settings.Bool("autostart")); err != nil {
			p.log.Error(err.Error())
		}
	}
	if p.settings.Bool("autostart") {
		set() // the program may have moved
	}
	return p.settings.Subscribe(func(key string) {
		if key == "autostart" {
			set()
		}
	})
}

// desk is what the window sees of the program.
func (p *program) desk(d *door, vaults desk.Vaults) (*desk.Desk, error) {
	self, err := selfOf(d.endpoint.HTTP)
	if err != nil {
		return nil, err
	}
	home, err := workspace.Home(os.Getenv)
	if err != nil {
		return nil, err
	}
	var view *desk.Desk
	clients := &desk.Clients{
		Home: home, Self: func() connect.Self { return self }, Token: d.token, Gate: p.server.Gate(),
		Here: func() []string {
			var list []string
			for _, c := range p.listen.Clients() {
				list = append(list, p.server.Gate().Identity(&c))
			}
			return list
		},
		Told: func() { view.Tell(model.Connect) },
	}
	view = desk.New(desk.Config{
		Questions: p.server.Questions(), Answers: p.server.Answerer(), Journal: p.server.Journal(), Gate: p.server.Gate(), Browsers: p.browser,
		Settings: p.settings, Connect: clients, Tools: func(c tool.Capability) int { return p.server.ToolsNeeding(c) },
		Clients: func() int { return len(p.listen.Clients()) }, Closed: p.server.Gate().SessionClosed, Exports: p.dir.Path("exports"),
		Keeper: p.keeper, Vaults: vaults, Uses: p.server.Uses, Hidden: p.server.Hidden,
	})
	tell := func() {
		view.Tell(model.Agents)
		view.Tell(model.Connect)
	}
	p.changed.Store(&tell)
	return view, nil
}
