package desk

import (
	"context"
	"net/url"

	"chaperone/browser"
	"chaperone/ui/model"
)

// thumbnailWidth is in pixels of the picture; a tile shows it at half that on an ordinary screen.
const thumbnailWidth = 640

// Browsers implements ui.Browsers.
func (d *Desk) Browsers() []model.Browser {
	working := map[string]bool{}
	for _, r := range d.cfg.Gate.Running() {
		working[r.Session] = true
	}
	var list []model.Browser
	for _, s := range d.cfg.Browsers.Sessions() {
		name, id := d.cfg.Gate.Owner(s.ID())
		b := model.Browser{
			ID: s.ID(), Agent: model.Agent{ID: id, Name: name}, Mode: model.Mode(s.Mode()), Tabs: len(s.Tabs()), Headless: s.Headless(),
			Working: working[s.ID()], Taken: d.cfg.Gate.Taken(s.ID()), Opened: s.OpenedAt(),
		}
		if t := s.Showing(); t != nil {
			b.Title, b.Origin = t.Title(), originOf(t.URL())
		}
		list = append(list, b)
	}
	return list
}

// originOf is scheme, host and port of an address, empty where a page has none worth naming.
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// Thumbnail implements ui.Browsers.
func (d *Desk) Thumbnail(ctx context.Context, id string) ([]byte, error) {
	s, err := d.open(id)
	if err != nil {
		return nil, err
	}
	t := s.Showing()
	if t == nil {
		return nil, browser.ErrNoTab
	}
	return t.Thumbnail(ctx, thumbnailWidth)
}

// open finds a session without using up the news that its browser has ended, which is the agent's.
func (d *Desk) open(id string) (*browser.Session, error) {
	for _, s := range d.cfg.Browsers.Sessions() {
		if s.ID() == id {
			return s, nil
		}
	}
	return nil, browser.ErrNoSession
}

// Show implements ui.Browsers.
func (d *Desk) Show(ctx context.Context, id string) error {
	s, err := d.open(id)
	if err != nil {
		return err
	}
	return s.Show(ctx)
}

// TakeOver implements ui.Browsers.
func (d *Desk) TakeOver(ctx context.Context, id string) error {
	s, err := d.open(id)
	if err != nil {
		return err
	}
	d.cfg.Gate.TakeOver(id)
	s.SetTaken(true)
	if s.Headless() {
		return nil
	}
	return s.Show(ctx)
}

// HandBack implements ui.Browsers.
func (d *Desk) HandBack(_ context.Context, id string) error {
	if s, err := d.open(id); err == nil {
		s.SetTaken(false)
	}
	d.cfg.Gate.HandBack(id)
	return nil
}

// browsers is the desk as ui.Browsers, whose Close ends one browser and not the desk.
type browsers struct{ *Desk }

// Close implements ui.Browsers.
func (d browsers) Close(ctx context.Context, id string) error {
	err := d.cfg.Browsers.CloseSession(ctx, id)
	d.cfg.Closed(id)
	return err
}
