package ui

import (
	"context"
	"time"

	"fyne.io/fyne/v2"

	"chaperone/assets"
	"chaperone/ui/model"
	"chaperone/ui/theme"
)

// load reads what changed. The questions and the state of the agents are always read, since the rail and the tray
// show them; a screen is read only while it can be seen.
func (u *UI) load(topics map[model.Topic]bool) func() {
	var apply []func()
	if topics[model.Settings] {
		apply = append(apply, u.wish(u.desk.Wishes.Wishes()))
	}
	if topics[model.Questions] || topics[model.Agents] || topics[model.Browsers] {
		questions, browsers, state := u.desk.Questions.Questions(), u.desk.Browsers.Browsers(), u.desk.Agents.State()
		u.announce(questions)
		u.running.Store(int64(state.Running))
		apply = append(apply, func() {
			u.shell.show(questions, state)
			if u.tray != nil {
				u.tray.show(model.TrayOf(questions, browsers, state))
			}
		})
	}
	p := u.current.Load()
	for _, t := range p.topics {
		if topics[t] {
			apply = append(apply, p.load(), func() {
				if u.starts == p && p == u.current.Load() && u.win.Canvas().Focused() == nil {
					u.begin(p)
				}
			})
			break
		}
	}
	return func() {
		for _, f := range apply {
			f()
		}
	}
}

// wish takes over what the person wants, and returns what shows it.
func (u *UI) wish(w model.Wishes) func() {
	was := u.wishes.Swap(&w)
	return func() {
		if was.Theme != w.Theme {
			u.app.Settings().SetTheme(theme.New(theme.Variant(w.Theme)))
		}
		if u.tray != nil {
			u.shell.hosted(u.tray.hosted())
		}
	}
}

// announce raises a notification for a question that is new, if the person wants any. Nothing depends on it.
func (u *UI) announce(questions []model.Question) {
	now := map[string]bool{}
	for _, q := range questions {
		now[q.ID] = true
		if q.Phase != model.Waiting || u.known[q.ID] || !u.wishes.Load().Notifications || u.visible.Load() && u.foreground.Load() {
			continue
		}
		words := "ui.notify.where"
		if u.tray == nil || !u.tray.hosted() {
			words = "ui.notify.notray"
		}
		card := model.CardOf(q, u.now())
		note := fyne.NewNotification(assets.Say("ui.notify.title", card.Who), assets.Say(words, card.Ask))
		u.bridge.work(func(context.Context) func() { // by itself: a desktop that does not answer must hold nothing up
			if hasNotifications() {
				u.app.SendNotification(note)
			}
			return nil
		})
	}
	u.known = now
}

// tickTime is how often the time that is left is drawn anew.
const tickTime = 250 * time.Millisecond

// clock makes the screen in sight show the time, and only that one.
func (u *UI) clock() {
	u.bridge.all.Go(func() {
		ticker := time.NewTicker(tickTime)
		defer ticker.Stop()
		for {
			select {
			case <-u.bridge.ctx.Done():
				return
			case <-ticker.C:
			}
			p := u.current.Load()
			if !u.visible.Load() || p.tick == nil || !u.ticking.CompareAndSwap(false, true) {
				continue
			}
			u.bridge.show(func() {
				u.ticking.Store(false)
				p.tick()
			})
		}
	})
}
