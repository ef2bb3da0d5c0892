package ui

import (
	"context"
	"errors"
	"io"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/storage"

	"chaperone/assets"
	"chaperone/ui/model"
	"chaperone/ui/vault"
)

// vaultLimit is how long the vault may take; a keyring has a limit of its own, and a person may be answering it.
const vaultLimit = 3 * time.Minute

// mostPicture bounds what is read of a picture file.
const mostPicture = 32 << 20

func vaultPage(u *UI) *page {
	var s *vault.Screen
	d := u.desk
	// Nothing of the vault runs on the window's thread: a keyring may take as long as it likes.
	work := func(f func(ctx context.Context) func()) {
		u.bridge.work(func(ctx context.Context) func() {
			ctx, cancel := context.WithTimeout(ctx, vaultLimit)
			defer cancel()
			return f(ctx)
		})
	}
	act := func(f func(ctx context.Context) error, done func(error)) {
		work(func(ctx context.Context) func() {
			err := f(ctx)
			u.bridge.changed(model.Secrets)
			return func() { done(err) }
		})
	}
	s = vault.New(u.now, vault.Callbacks{
		Check: func(answer func(error)) { act(d.Vault.Check, answer) },
		Keep: func(place model.Keeping) {
			act(func(context.Context) error { return d.Vault.Keep(place) }, func(err error) { s.Chosen(err) })
		},
		Open: func(passphrase model.Value) {
			act(func(ctx context.Context) error { return d.Vault.Open(ctx, passphrase) }, func(err error) { s.Opened(err) })
		},
		Add: func(kind model.ItemKind, draft model.Draft, v model.Value) {
			act(func(ctx context.Context) error { return d.Items.Add(ctx, kind, draft, v) }, func(err error) { s.Added(kind, err) })
		},
		Save: func(id string, draft model.Draft, v model.Value) {
			act(func(ctx context.Context) error {
				if err := d.Items.Change(ctx, id, draft); err != nil || v.Empty() {
					return err
				}
				return d.Items.Replace(ctx, id, v)
			}, func(err error) { s.Saved(id, err) })
		},
		Remove: func(id string) {
			act(func(ctx context.Context) error { return d.Items.Remove(ctx, id) }, func(err error) { s.Removed(id, err) })
		},
		Read: func(from model.SeedSource, before model.Seeds) {
			work(func(ctx context.Context) func() {
				found, err := d.Codes.Read(ctx, from, before)
				return func() { s.Read(found, err) }
			})
		},
		Pick: func() { u.pickPicture(func(data []byte, err error) { s.Picture(data, err) }) },
		Seeds: func(found model.Seeds, draft model.Draft) {
			work(func(ctx context.Context) func() {
				left, err := d.Codes.AddSeeds(ctx, found, draft)
				u.bridge.changed(model.Secrets)
				return func() { s.SeedsAdded(left, err) }
			})
		},
		Code: func(id string) {
			work(func(ctx context.Context) func() {
				c, err := d.Codes.Code(ctx, id)
				return func() { s.Code(id, c, err) }
			})
		},
		Copy: u.clip.copy,
		Test: func(name string) {
			work(func(ctx context.Context) func() {
				p := d.Providers.Test(ctx, name)
				return func() { s.Tested(p) }
			})
		},
	})
	loading, again := false, false
	var load func()
	load = func() {
		if loading {
			again = true
			return
		}
		loading = true
		work(func(ctx context.Context) func() {
			state, list := d.Vault.State(ctx), d.Providers.Providers()
			return func() {
				loading = false
				s.Show(state)
				s.Providers(list)
				if again {
					again = false
					load()
				}
			}
		})
	}
	return &page{
		key: "ui.vault", object: s.Object(), topics: []model.Topic{model.Secrets, model.Settings, model.Activity},
		load: func() func() { return load },
		tick: func() {
			if s.Ticking() {
				s.Tick()
			}
		},
		drop: func(what []fyne.URI) {
			for _, one := range what {
				u.readPicture(one, func(data []byte, err error) { s.Picture(data, err) })
				return
			}
		},
		visible: s.Visible,
		focus: func() bool {
			u.win.Canvas().Focus(s.First())
			return true
		},
	}
}

// pickPicture has the person choose a picture file, and hands over what is in it.
func (u *UI) pickPicture(done func([]byte, error)) {
	d := dialog.NewFileOpen(func(file fyne.URIReadCloser, err error) {
		if file == nil {
			if err != nil {
				done(nil, unreadable(err))
			}
			return
		}
		u.readAll(file, done)
	}, u.win)
	d.SetFilter(storage.NewExtensionFileFilter([]string{".png", ".jpg", ".jpeg", ".webp", ".gif"}))
	d.Resize(fyne.NewSize(760, 520))
	d.Show()
}

// readPicture reads a file that was dropped.
func (u *UI) readPicture(where fyne.URI, done func([]byte, error)) {
	if where.Scheme() != "file" {
		done(nil, errors.New(assets.Say("vault.drop.files")))
		return
	}
	file, err := storage.Reader(where)
	if err != nil {
		done(nil, unreadable(err))
		return
	}
	u.readAll(file, done)
}

func (u *UI) readAll(file io.ReadCloser, done func([]byte, error)) {
	u.bridge.work(func(context.Context) func() {
		defer file.Close()
		data, err := io.ReadAll(io.LimitReader(file, mostPicture+1))
		switch {
		case err != nil:
			data, err = nil, unreadable(err)
		case len(data) > mostPicture:
			data, err = nil, unreadable(errors.New(assets.Say("vault.picture.large")))
		}
		return func() { done(data, err) }
	})
}

func unreadable(err error) error { return errors.New(assets.Say("vault.picture.none", err)) }
