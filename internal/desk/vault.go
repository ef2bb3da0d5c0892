package desk

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"chaperone/assets"
	"chaperone/ui"
	"chaperone/ui/model"
	"chaperone/vault"
	"chaperone/vault/keeper"
	"chaperone/vault/otp"
	"chaperone/vault/store"
)

var (
	_ ui.Vault = place{}
	_ ui.Items = items{}
	_ ui.Codes = (*Desk)(nil)
)

// secretOf takes over what the person typed.
func secretOf(name string, v model.Value) (s vault.Secret) {
	_ = v.Use(func(text string) error { s = vault.NewSecret(name, text); return nil })
	return s
}

// place is the desk as ui.Vault.
type place struct{ *Desk }

// State implements ui.Vault.
func (d place) State(ctx context.Context) model.Vault {
	k := d.cfg.Keeper
	items, err := k.List(ctx)
	s := k.State()
	v := model.Vault{Place: model.Keeping(s.Place), LockedBy: d.cfg.Settings.Locked("vaultPlace"), Closed: s.Closed, New: s.New, Notes: s.Notes}
	if err != nil && !errors.Is(err, keeper.ErrPassphrase) {
		v.Problem = err.Error()
	}
	hidden := d.cfg.Hidden()
	for _, it := range items {
		v.Items = append(v.Items, model.Item{
			ID: it.ID, Kind: model.ItemKind(it.Kind), Alias: it.Alias, Account: it.Account, User: it.User, Issuer: it.Issuer, Origins: it.Origins,
			Policy: model.UsePolicy(it.Policy), Note: it.Note, Used: it.Used, UsedBy: it.UsedBy, UsedAt: it.UsedAt, Hidden: hidden[it.Alias],
		})
	}
	return v
}

// Check implements ui.Vault. A file that is closed is not wrong: it waits.
func (d place) Check(ctx context.Context) error {
	if err := d.cfg.Keeper.Check(ctx); !errors.Is(err, keeper.ErrPassphrase) {
		return err
	}
	return nil
}

// Keep implements ui.Vault.
func (d place) Keep(where model.Keeping) error {
	return d.cfg.Settings.Set("vaultPlace", string(where))
}

// Open implements ui.Vault.
func (d place) Open(ctx context.Context, passphrase model.Value) error {
	return d.cfg.Keeper.Open(ctx, secretOf("PASSPHRASE", passphrase))
}

// draftOf takes over what the person wrote. A note that is there stays.
func draftOf(m model.Draft, note string) keeper.Draft {
	return keeper.Draft{Alias: m.Alias, Account: m.Account, User: m.User, Sites: m.Sites, Policy: store.Policy(m.Policy), Note: note}
}

// items is the desk as ui.Items.
type items struct{ *Desk }

// Add implements ui.Items.
func (d items) Add(ctx context.Context, kind model.ItemKind, m model.Draft, v model.Value) error {
	var err error
	switch kind {
	case model.SecretItem:
		_, err = d.cfg.Keeper.AddSecret(ctx, draftOf(m, ""), secretOf(m.Alias, v))
	case model.SignInItem:
		_, err = d.cfg.Keeper.AddSignIn(ctx, draftOf(m, ""), secretOf("", v))
	default:
		err = fmt.Errorf("an item of the kind %q cannot be typed in", kind)
	}
	return err
}

// Change implements ui.Items.
func (d items) Change(ctx context.Context, id string, m model.Draft) error {
	it, err := d.item(ctx, id)
	if err != nil {
		return err
	}
	return d.cfg.Keeper.Change(ctx, id, draftOf(m, it.Note))
}

func (d *Desk) item(ctx context.Context, id string) (keeper.Item, error) {
	list, err := d.cfg.Keeper.List(ctx)
	if err != nil {
		return keeper.Item{}, err
	}
	if i := slices.IndexFunc(list, func(it keeper.Item) bool { return it.ID == id }); i >= 0 {
		return list[i], nil
	}
	return keeper.Item{}, store.ErrNoItem
}

// Replace implements ui.Items. A one-time code takes a seed, or a link for codes of the same make.
func (d items) Replace(ctx context.Context, id string, v model.Value) error {
	it, err := d.item(ctx, id)
	if err != nil {
		return err
	}
	value := secretOf(it.Alias, v)
	if it.Kind == store.Code {
		var key otp.Key
		if key, err = oneKey(v); err != nil {
			return err
		}
		if fromLink(v) && (string(key.Kind) != string(it.CodeKind) || key.Algorithm != it.Algorithm || key.Digits != it.Digits || key.Period != it.Period) {
			return errors.New(assets.Say("desk.seed.other"))
		}
		value = key.Seed
	}
	return d.cfg.Keeper.Replace(ctx, id, value)
}

func oneKey(v model.Value) (key otp.Key, err error) {
	err = v.Use(func(text string) error {
		im, err := otp.Parse(text)
		switch {
		case err != nil:
			return err
		case len(im.Keys) != 1:
			return errors.New(assets.Say("desk.seed.many", len(im.Keys)))
		}
		key = im.Keys[0]
		return nil
	})
	return key, err
}

func fromLink(v model.Value) (link bool) {
	_ = v.Use(func(text string) error {
		for i := range len(text) - 2 {
			link = link || text[i:i+3] == "://"
		}
		return nil
	})
	return link
}

// Remove implements ui.Items.
func (d items) Remove(ctx context.Context, id string) error { return d.cfg.Keeper.Remove(ctx, id) }

// Read implements ui.Codes.
func (d *Desk) Read(_ context.Context, from model.SeedSource, before model.Seeds) (model.Seeds, error) {
	var found otp.Import
	var err error
	if len(from.Picture) > 0 {
		found, err = otp.ParsePicture(from.Picture)
	} else {
		err = from.Text.Use(func(text string) (err error) {
			found, err = otp.Parse(text)
			return err
		})
	}
	if err != nil {
		return before, err
	}
	all, _ := before.Keys.(otp.Import)
	for _, key := range found.Keys {
		if !slices.ContainsFunc(all.Keys, func(k otp.Key) bool {
			return k.Issuer == key.Issuer && k.Account == key.Account && k.Seed.Same(key.Seed)
		}) {
			all.Keys = append(slices.Clip(all.Keys), key)
		}
	}
	for _, why := range found.Skipped {
		if !slices.Contains(all.Skipped, why) {
			all.Skipped = append(slices.Clip(all.Skipped), why)
		}
	}
	all.Batches = append(slices.Clip(all.Batches), found.Batches...)
	return seedsOf(all), nil
}

func seedsOf(im otp.Import) model.Seeds {
	s := model.Seeds{Skipped: im.Skipped, Missing: im.Missing(), Keys: im}
	for _, k := range im.Keys {
		account := k.Account
		if account == "" {
			account = k.Issuer
		}
		s.Found = append(s.Found, model.Found{Issuer: k.Issuer, Account: k.Account, Alias: keeper.AliasOf("TOTP", account)})
	}
	return s
}

// AddSeeds implements ui.Codes.
func (d *Desk) AddSeeds(ctx context.Context, found model.Seeds, m model.Draft) (model.Seeds, error) {
	all, _ := found.Keys.(otp.Import)
	if len(all.Keys) > 1 {
		m.Account = ""
	}
	var left []otp.Key
	var errs []error
	for _, key := range all.Keys {
		if key.Account == "" && key.Issuer == "" && m.Account == "" {
			left, errs = append(left, key), append(errs, errors.New(assets.Say("desk.seed.unnamed")))
			continue
		}
		if _, err := d.cfg.Keeper.AddCodes(ctx, []otp.Key{key}, draftOf(m, "")); err != nil {
			left, errs = append(left, key), append(errs, err)
			if ctx.Err() != nil {
				break
			}
		}
	}
	all.Keys = left
	return seedsOf(all), errors.Join(errs...)
}

// Code implements ui.Codes.
func (d *Desk) Code(ctx context.Context, id string) (model.Code, error) {
	it, err := d.item(ctx, id)
	if err != nil {
		return model.Code{}, err
	}
	c, err := d.cfg.Keeper.CodeNow(ctx, id)
	if err != nil {
		return model.Code{}, err
	}
	return model.Code{Text: model.NewValue(c.Text), Ends: c.Ends, Good: seconds(it.Period)}, nil
}
