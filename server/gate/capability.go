package gate

import (
	"fmt"
	"slices"
	"time"

	"chaperone/assets"
	"chaperone/internal/settings"
	"chaperone/server/tool"
)

// CapabilityState is a capability as it stands.
type CapabilityState struct {
	tool.CapabilityInfo
	On     bool
	By     settings.Layer // who set it
	Locked string         // the variable of the environment that fixes it, or ""
	Since  time.Time      // when it was switched on, where that is known
}

func (g *Gate) capabilitiesSet() map[tool.Capability]bool {
	set := map[tool.Capability]bool{}
	for _, name := range g.cfg.Settings.List("capabilities") {
		set[tool.Capability(name)] = true
	}
	return set
}

// Has reports whether a capability is on.
func (g *Gate) Has(c tool.Capability) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return c == "" || g.caps[c]
}

// Capabilities lists all capabilities as they stand.
func (g *Gate) Capabilities() []CapabilityState {
	_, by := g.cfg.Settings.Get("", "capabilities")
	locked := g.cfg.Settings.Locked("capabilities")
	if by == settings.FromDefault {
		locked = ""
	}
	since := map[tool.Capability]time.Time{}
	if err := g.cfg.Settings.Load("capabilitySince", &since); err != nil {
		g.log.Warn("when capabilities were switched on is not known", "error", err)
	}
	list := make([]CapabilityState, 0, 16)
	for _, info := range tool.Capabilities() {
		list = append(list, CapabilityState{CapabilityInfo: info, On: g.Has(info.Name), By: by, Locked: locked, Since: since[info.Name]})
	}
	return list
}

// SetCapability switches a capability on or off, by the person's will. Calls that run and need it are stopped.
func (g *Gate) SetCapability(c tool.Capability, on bool) error {
	if _, known := tool.CapabilityOf(c); !known {
		return fmt.Errorf("there is no capability %q", c)
	}
	names := g.cfg.Settings.List("capabilities")
	switch has := slices.Contains(names, string(c)); {
	case on == has:
		return nil
	case on:
		names = append(names, string(c))
	default:
		names = slices.DeleteFunc(names, func(n string) bool { return n == string(c) })
	}
	return g.cfg.Settings.Set("capabilities", names)
}

// settingChanged takes over what was changed in the settings.
func (g *Gate) settingChanged(key string) {
	switch key {
	case "capabilities":
		g.capabilitiesChanged()
	case "allowedOrigins", "blockedOrigins", "confirmRequired":
		fresh := readSites(g.cfg.Settings)
		g.mu.Lock()
		g.sites = fresh
		g.mu.Unlock()
	default:
		return
	}
	g.tell()
}

func (g *Gate) capabilitiesChanged() {
	fresh := g.capabilitiesSet()
	since := map[tool.Capability]time.Time{}
	_ = g.cfg.Settings.Load("capabilitySince", &since)
	g.mu.Lock()
	var on []tool.Capability
	for c := range fresh {
		if !g.caps[c] {
			since[c] = time.Now()
			on = append(on, c)
		}
	}
	for c := range g.caps {
		if !fresh[c] {
			delete(since, c)
		}
	}
	g.caps = fresh
	for _, p := range g.running {
		if need := p.call.Tool.Needs; need != "" && !fresh[need] {
			p.cancel(capabilityOff(p.call.Tool))
		}
	}
	g.mu.Unlock()
	if err := g.cfg.Settings.Save("capabilitySince", since); err != nil {
		g.log.Warn("when capabilities were switched on is not kept", "error", err)
	}
	for _, c := range on {
		g.warn(c)
	}
}

// WarnRisky logs a warning for each risky capability that is on: at the start.
func (g *Gate) WarnRisky() {
	for _, c := range g.Capabilities() {
		if c.On {
			g.warn(c.Name)
		}
	}
}

func (g *Gate) warn(c tool.Capability) {
	if info, _ := tool.CapabilityOf(c); info.Risky() {
		g.log.Warn("a risky capability is on", "capability", string(c), "risk", info.Risk)
	}
}

func (g *Gate) capability(t tool.Info) error {
	if g.Has(t.Needs) {
		return nil
	}
	return capabilityOff(t)
}

func capabilityOff(t tool.Info) *Refusal {
	return &Refusal{
		Code: CapabilityOff, Capability: t.Needs,
		Why:  assets.Say("server.capability.off", t.Name, string(t.Needs)),
		Hint: assets.Say("server.capability.hint", string(t.Needs)),
	}
}
