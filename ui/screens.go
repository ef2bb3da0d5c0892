package ui

import (
	"context"
	"time"

	"fyne.io/fyne/v2"

	"chaperone/assets"
	"chaperone/ui/activity"
	"chaperone/ui/browsers"
	"chaperone/ui/capabilities"
	"chaperone/ui/connect"
	"chaperone/ui/model"
	"chaperone/ui/requests"
	"chaperone/ui/settings"
)

// screens is the rail from top to bottom. A further screen is a line here.
var screens = []func(*UI) *page{
	requestsPage,
	activityPage,
	browsersPage,
	capabilitiesPage,
	vaultPage,
	connectPage,
	settingsPage,
}

// page is one screen, tied to the desk.
type page struct {
	key     string // names it, and its words
	object  fyne.CanvasObject
	topics  []model.Topic
	load    func() func()    // reads the desk, off the window's thread, and returns what shows it
	tick    func()           // draws the time; nil where none is shown
	drop    func([]fyne.URI) // takes what was dropped onto the window; nil for nothing
	visible func(bool)       // the person can or can no longer see it; nil where that does not matter
	focus   func() bool      // puts the focus where a person would start, if there is such a place; nil for the first control
	approve func()           // Ctrl+Enter; nil for nothing
}

func requestsPage(u *UI) *page {
	var s *requests.Screen
	s = requests.New(model.NewGuard(u.now), u.now, func(id string, a model.Answer) {
		u.bridge.work(func(context.Context) func() {
			err := u.desk.Questions.Answer(id, a)
			u.bridge.changed(model.Questions)
			if err == nil {
				return nil
			}
			return func() { s.Failed(id, err) }
		})
	})
	return &page{
		key: "ui.requests", object: s.Object(), topics: []model.Topic{model.Questions},
		load: func() func() {
			questions := u.desk.Questions.Questions()
			return func() { s.Show(questions) }
		},
		tick: func() {
			if s.Waiting() {
				s.Tick()
			}
		},
		visible: s.Visible, focus: s.FocusFirst, approve: s.Approve,
	}
}

func activityPage(u *UI) *page {
	var s *activity.Screen
	s = activity.New(activity.Callbacks{
		Open: func(id string) {
			u.bridge.work(func(context.Context) func() {
				d, err := u.desk.Activity.Call(id)
				return func() { s.Detail(id, d, err) }
			})
		},
		Export: func(f model.Filter) {
			u.bridge.work(func(context.Context) func() {
				file, err := u.desk.Activity.Export(f)
				return func() { s.Exported(file, err) }
			})
		},
		Copy: u.copy,
	})
	return &page{
		key: "ui.activity", object: s.Object(), topics: []model.Topic{model.Activity},
		load: func() func() {
			calls := u.desk.Activity.Calls()
			return func() { s.Show(calls) }
		},
	}
}

// pictureTime is how often the browsers are looked at, and how long a look may take.
const pictureTime = 2 * time.Second

func browsersPage(u *UI) *page {
	var s *browsers.Screen
	act := func(f func(ctx context.Context, id string) error) func(string) {
		return func(id string) {
			u.bridge.work(func(ctx context.Context) func() {
				ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
				defer cancel()
				err := f(ctx, id)
				u.bridge.changed(model.Browsers)
				return func() { s.Done(id, err) }
			})
		}
	}
	d := u.desk.Browsers
	s = browsers.New(u.now, browsers.Callbacks{
		Show: act(d.Show), TakeOver: act(d.TakeOver), HandBack: act(d.HandBack), Close: act(d.Close),
	})
	looking := false
	var looked time.Time
	return &page{
		key: "ui.browsers", object: s.Object(), topics: []model.Topic{model.Browsers},
		load: func() func() {
			list := d.Browsers()
			return func() { s.Show(list) }
		},
		tick: func() {
			ids := s.IDs()
			if looking || len(ids) == 0 || u.now().Sub(looked) < pictureTime {
				return
			}
			looking, looked = true, u.now()
			u.bridge.work(func(ctx context.Context) func() {
				pictures := map[string][]byte{}
				for _, id := range ids {
					ctx, cancel := context.WithTimeout(ctx, pictureTime)
					picture, err := d.Thumbnail(ctx, id)
					cancel()
					if err != nil {
						u.log.Debug("no thumbnail", "browser", id, "error", err)
						continue
					}
					pictures[id] = picture
				}
				return func() {
					looking = false
					for id, picture := range pictures {
						s.Thumbnail(id, picture)
					}
				}
			})
		},
	}
}

func capabilitiesPage(u *UI) *page {
	var s *capabilities.Screen
	s = capabilities.New(u.now, func(name string, on bool) {
		u.bridge.work(func(context.Context) func() {
			err := u.desk.Capabilities.Switch(name, on)
			u.bridge.changed(model.Capabilities)
			return func() { s.Done(name, err) }
		})
	})
	return &page{
		key: "ui.capabilities", object: s.Object(), topics: []model.Topic{model.Capabilities},
		load: func() func() {
			list := u.desk.Capabilities.Capabilities()
			return func() { s.Show(list) }
		},
	}
}

func connectPage(u *UI) *page {
	var s *connect.Screen
	act := func(f func() error) {
		u.bridge.work(func(context.Context) func() {
			err := f()
			u.bridge.changed(model.Connect)
			return func() { s.Done(err) }
		})
	}
	d := u.desk.Connect
	s = connect.New(u.now, connect.Callbacks{
		Copy: u.copy, Secret: u.clip.copy,
		Preview: func(program string) {
			u.bridge.work(func(context.Context) func() {
				c, err := d.Preview(program)
				return func() { s.Previewed(program, c, err) }
			})
		},
		Add: func(program string, shown model.Change) {
			u.bridge.work(func(context.Context) func() {
				err := d.Add(program, shown)
				u.bridge.changed(model.Connect)
				return func() { s.Added(program, err) }
			})
		},
		Forget: func(id string) { act(func() error { return d.Forget(id) }) },
		Renew:  func() { act(d.Renew) },
	})
	return &page{
		key: "ui.connect", object: s.Object(), topics: []model.Topic{model.Connect, model.Agents},
		load: func() func() {
			programs, paired, endpoint := d.Programs(), d.Paired(), d.Endpoint()
			return func() { s.Show(programs, paired, endpoint) }
		},
	}
}

func settingsPage(u *UI) *page {
	var s *settings.Screen
	s = settings.New(u.now, assets.Say("ui.settings.about", u.config.Version), settings.Callbacks{
		Set: func(key, value string) {
			u.bridge.work(func(context.Context) func() {
				err := u.desk.Settings.Set(key, value)
				u.bridge.changed(model.Settings)
				return func() { s.Done(key, err) }
			})
		},
		Revoke: func(id string) {
			u.bridge.work(func(context.Context) func() {
				err := u.desk.Leases.Revoke(id)
				u.bridge.changed(model.Leases)
				return func() { s.Revoked(err) }
			})
		},
	})
	return &page{
		key: "ui.settings", object: s.Object(), topics: []model.Topic{model.Settings, model.Leases},
		load: func() func() {
			list, leases := u.desk.Settings.Settings(), u.desk.Leases.Leases()
			return func() { s.Show(list, leases) }
		},
	}
}

func (u *UI) copy(text string) { u.app.Clipboard().SetContent(text) }
