package desk

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"time"

	"chaperone/assets"
	"chaperone/ui"
	"chaperone/ui/model"
	"chaperone/vault/provider"
	"chaperone/vault/store"
)

var _ ui.Providers = (*Desk)(nil)

func seconds(n int) time.Duration { return time.Duration(n) * time.Second }

// programs are what the providers run.
var programs = map[string]string{provider.OATHTool: "oathtool", provider.OnePassword: "op", provider.Bitwarden: "bw", provider.LastPass: "lpass"}

// Vaults are the vaults that codes and sign-ins may come from, next to our own.
type Vaults struct {
	Chosen string                    // the one that agents use
	Hooks  map[string]*provider.Hook // by name; those that are missing cannot be tested
	Bin    func(name string) string  // the path of its program that the environment names, if any
}

// NewVaults looks at the environment. It must be called before what providers need is taken out of it.
func NewVaults(getenv func(string) string, parseOrigin func(string) (string, error)) Vaults {
	v := Vaults{Chosen: provider.Keyring, Hooks: map[string]*provider.Hook{}, Bin: func(name string) string {
		return strings.TrimSpace(getenv("BROWX_" + strings.ToUpper(name) + "_BIN"))
	}}
	if h, _, err := provider.New(provider.Config{Getenv: getenv, ParseOrigin: parseOrigin}); err == nil {
		v.Chosen = h.Provider()
	}
	for name := range programs {
		h, _, err := provider.New(provider.Config{ParseOrigin: parseOrigin, Getenv: func(key string) string {
			if key == "BROWX_CREDENTIALS_PROVIDER" {
				return name
			}
			return getenv(key)
		}})
		if err == nil {
			v.Hooks[name] = h
		}
	}
	return v
}

// Providers implements ui.Providers.
func (d *Desk) Providers() []model.Provider {
	var list []model.Provider
	for _, name := range provider.Names() {
		list = append(list, d.glanceAt(name))
	}
	return list
}

// glanceAt tells what is known of a provider without asking it.
func (d *Desk) glanceAt(name string) model.Provider {
	v := d.cfg.Vaults
	p := model.Provider{Name: name, Chosen: v.Chosen == name, SignedIn: model.SignedInUnknown}
	switch program, ok := programs[name]; {
	case name == provider.Keyring:
		p.Found = true
	case ok:
		if v.Bin != nil && v.Bin(name) != "" {
			program = v.Bin(name)
		}
		if path, err := exec.LookPath(program); err == nil {
			p.Found, p.Path = true, path
		}
	}
	return p
}

// Test implements ui.Providers.
func (d *Desk) Test(ctx context.Context, name string) model.Provider {
	p := d.glanceAt(name)
	if name == provider.Keyring {
		err := d.cfg.Keeper.Check(ctx)
		p.Found, p.SignedIn = !errors.Is(err, store.ErrNoKeyring), model.SignedInYes
		if err != nil {
			p.SignedIn, p.Problem = model.SignedInNo, model.Sentence(err)
		}
		return p
	}
	h := d.cfg.Vaults.Hooks[name]
	if h == nil {
		p.Problem = assets.Say("desk.provider.untested")
		return p
	}
	s := h.Status(ctx)
	p.Found, p.SignedIn = s.Found, model.SignedIn(s.SignedIn)
	if s.Path != "" {
		p.Path = s.Path
	}
	if s.Failure != nil {
		p.Problem = model.Sentence(s.Failure)
	}
	return p
}
