// Package ui is the window and the tray of the app. It shows what its Desk says and hands the person's answers
// back; it starts nothing of its own and knows no other part of the app.
package ui

import (
	"log/slog"
	"sync/atomic"
	"time"

	"fyne.io/fyne/v2"

	"chaperone/assets"
	"chaperone/ui/model"
	"chaperone/ui/theme"
	"chaperone/ui/widget"
)

// Config is what the window may be told.
type Config struct {
	Version string           // for the foot of the settings
	Hidden  bool             // start in the tray, if there is one
	Log     *slog.Logger     // for what the person need not see
	Now     func() time.Time // the clock; time.Now if nil
	// After sends once a time is over; time.After if nil.
	After func(time.Duration) <-chan time.Time
}

// UI is the window and the tray.
type UI struct {
	app    fyne.App
	desk   Desk
	config Config
	log    *slog.Logger
	now    func() time.Time
	bridge *bridge

	win   fyne.Window
	shell *shell
	pages []*page
	tray  *tray

	current    atomic.Pointer[page]
	visible    atomic.Bool // the window is shown
	foreground atomic.Bool // and has the keyboard
	ticking    atomic.Bool
	known      map[string]bool // questions that were seen before; owned by the reader
	running    atomic.Int64    // calls in flight
	starts     *page           // it was opened by keys, and nothing on it could take the focus yet
	closes     bool            // the person knows what closing does without a tray
	wishes     atomic.Pointer[model.Wishes]
	clip       *clip // for what must not stay in the clipboard
}

// New makes the window of app, hidden. Run shows it.
func New(app fyne.App, desk Desk, config Config) *UI { return build(app, desk, config, onWindowThread) }

func build(app fyne.App, desk Desk, config Config, do func(func())) *UI {
	u := &UI{app: app, desk: desk, config: config, log: config.Log, now: config.Now, bridge: newBridge(do), known: map[string]bool{}}
	if u.log == nil {
		u.log = slog.New(slog.DiscardHandler)
	}
	if u.now == nil {
		u.now = time.Now
	}
	after := config.After
	if after == nil {
		after = time.After
	}
	u.clip = &clip{board: app.Clipboard, after: after, do: u.bridge.work}
	wishes := desk.Wishes.Wishes()
	u.wishes.Store(&wishes)
	app.Settings().SetTheme(theme.New(theme.Variant(wishes.Theme)))
	u.win = app.NewWindow(assets.Say("app.name"))
	u.win.SetIcon(fyne.NewStaticResource("chaperone.png", assets.AppIcon()))
	u.win.SetMaster()
	u.win.SetPadded(false)
	for _, make := range screens {
		u.pages = append(u.pages, make(u))
	}
	u.shell = newShell(u)
	u.win.SetContent(u.shell.object)
	u.win.Resize(fyne.NewSize(1100, 720))
	u.win.CenterOnScreen()
	u.win.SetCloseIntercept(u.closePressed)
	u.shortcuts()
	u.open(u.pages[0])
	return u
}

// Run shows the window and the tray and returns when the person has quit, or Quit was called.
func (u *UI) Run() {
	defer u.start()()
	u.app.Run()
}

// start ties the window to the desk and shows it.
func (u *UI) start() (stop func()) {
	unwatch := u.desk.Changes.Watch(func(t model.Topic) { u.bridge.changed(t) })
	life := u.app.Lifecycle()
	life.SetOnEnteredForeground(func() { u.foreground.Store(true) })
	life.SetOnExitedForeground(func() { u.foreground.Store(false) })
	u.tray = newTray(u)
	for t := range model.Topics {
		u.bridge.changed(t)
	}
	u.bridge.read(u.load)
	u.clock()
	if !u.config.Hidden || !u.tray.hosted() {
		u.present()
	}
	return func() {
		unwatch()
		u.bridge.close()
	}
}

// Show brings the window to the front, from any goroutine.
func (u *UI) Show() { u.bridge.show(u.present) }

// Quit ends Run without asking, from any goroutine.
func (u *UI) Quit() { u.bridge.show(u.leave) }

// present shows the window.
func (u *UI) present() {
	u.win.Show()
	u.win.RequestFocus()
	u.seen(true)
	u.bridge.changed(u.current.Load().topics...)
}

// hide puts the window away; the app goes on.
func (u *UI) hide() {
	u.seen(false)
	u.win.Hide()
}

func (u *UI) seen(v bool) {
	u.visible.Store(v)
	if p := u.current.Load(); p.visible != nil {
		p.visible(v)
	}
}

// open shows another screen.
func (u *UI) open(p *page) {
	was := u.current.Load()
	if was == p {
		return
	}
	if was != nil && was.visible != nil {
		was.visible(false)
	}
	u.current.Store(p)
	u.shell.open(p)
	if p.visible != nil {
		p.visible(u.visible.Load())
	}
	u.bridge.changed(p.topics...)
}

// begin puts the focus where a person would start on the page, as soon as there is something on it.
func (u *UI) begin(p *page) {
	u.starts = nil
	if p.focus != nil {
		if !p.focus() {
			u.starts = p
		}
		return
	}
	first := widget.First(p.object)
	if first == nil {
		u.starts = p
		return
	}
	u.win.Canvas().Focus(first)
}

func (u *UI) page(key string) *page {
	for _, p := range u.pages {
		if p.key == key {
			return p
		}
	}
	return u.pages[0]
}

// closePressed is the window's own close button. It quits if the person wants that; else, without a tray, the person
// is told how to come back before the window goes.
func (u *UI) closePressed() {
	if !u.wishes.Load().CloseToTray {
		u.quitPressed()
		return
	}
	if u.tray != nil && !u.tray.hosted() && !u.closes {
		u.shell.askClose()
		return
	}
	u.hide()
}

// quitPressed is Quit in the tray or on the keyboard. It asks while agents are working.
func (u *UI) quitPressed() {
	if u.running.Load() > 0 {
		u.present()
		u.shell.askQuit()
		return
	}
	u.leave()
}

func (u *UI) leave() {
	u.clip.clear(0)
	u.bridge.close()
	u.app.Quit()
}
