package desk

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"chaperone/assets"
	"chaperone/internal/settings"
	"chaperone/server/gate"
	"chaperone/server/tool"
	"chaperone/ui/model"
)

// Capabilities implements ui.Capabilities.
func (d *Desk) Capabilities() []model.Capability {
	var list []model.Capability
	for _, c := range d.cfg.Gate.Capabilities() {
		list = append(list, model.Capability{
			Name: string(c.Name), On: c.On, Risky: c.Risky(), Source: sourceOf(c.By), LockedBy: c.Locked, Since: c.Since,
			Tools: d.cfg.Tools(c.Name), Risk: c.Risk,
		})
	}
	return list
}

// Switch implements ui.Capabilities.
func (d *Desk) Switch(name string, on bool) error {
	return d.cfg.Gate.SetCapability(tool.Capability(name), on)
}

func sourceOf(l settings.Layer) model.Source {
	switch l {
	case settings.FromEnvironment:
		return model.FromEnvironment
	case settings.FromUser:
		return model.FromPerson
	default:
		return model.FromDefault
	}
}

// State implements ui.Agents.
func (d *Desk) State() model.State {
	return model.State{Paused: d.cfg.Gate.Paused(), Running: len(d.cfg.Gate.Running()), Clients: d.cfg.Clients()}
}

// Pause implements ui.Agents.
func (d *Desk) Pause() { d.cfg.Gate.Pause() }

// Resume implements ui.Agents.
func (d *Desk) Resume() { d.cfg.Gate.Resume() }

// Settings implements ui.Settings. Capabilities have a screen of their own.
func (d *Desk) Settings() []model.Setting {
	var list []model.Setting
	for _, s := range settings.Table() {
		if s.Key == "capabilities" {
			continue
		}
		value, layer := d.cfg.Settings.Get("", s.Key)
		m := model.Setting{
			Key: s.Key, Group: assets.Say("desk.group." + groupOf(s)), Label: assets.Say("desk.setting." + s.Key),
			Help: said("desk.help."+s.Key, s.Does), Value: text(s, value), Default: text(s, s.Default),
			Source: sourceOf(layer), LockedBy: d.cfg.Settings.Locked(s.Key), Kind: kindOf(s), Choices: s.Enum,
		}
		for _, choice := range s.Enum {
			m.Labels = append(m.Labels, said("desk.choice."+s.Key+"."+choice, choice))
		}
		list = append(list, m)
	}
	return list
}

// Wishes implements ui.Wishes.
func (d *Desk) Wishes() model.Wishes {
	s := d.cfg.Settings
	return model.Wishes{Theme: s.Text("theme"), CloseToTray: s.Bool("closeToTray"), Notifications: s.Bool("notifications")}
}

func groupOf(s settings.Setting) string {
	switch {
	case s.Policy:
		return "policy"
	case s.App:
		return "app"
	default:
		return "browsers"
	}
}

func kindOf(s settings.Setting) model.SettingKind {
	switch {
	case s.Type == settings.Bool:
		return model.Toggle
	case s.Type == settings.Int:
		return model.Number
	case s.Type == settings.List && len(s.Enum) > 0:
		return model.Many
	case s.Type == settings.List:
		return model.List
	case len(s.Enum) > 0:
		return model.Pick
	default:
		return model.Text
	}
}

// said returns the words under key, or other if nobody wrote any.
func said(key, other string) string {
	if words := assets.Say(key); words != key {
		return words
	}
	return other
}

// units are those in which a person sets a time that is kept in milliseconds.
var units = map[string]int{"actionTimeoutMs": 1000, "navigationTimeoutMs": 1000, "idleCloseMs": 60_000}

func unitOf(s settings.Setting) float64 { return float64(max(1, units[s.Key])) }

func number(n int, unit float64) string { return strconv.FormatFloat(float64(n)/unit, 'f', -1, 64) }

func text(s settings.Setting, v any) string {
	switch v := v.(type) {
	case bool:
		return strconv.FormatBool(v)
	case int:
		return number(v, unitOf(s))
	case []string:
		return strings.Join(v, ", ")
	default:
		return fmt.Sprint(v)
	}
}

// Set implements ui.Settings.
func (d *Desk) Set(key, value string) error {
	s, ok := settings.Find(key)
	if !ok {
		return fmt.Errorf("there is no setting %q", key)
	}
	v, err := parse(s, value)
	if err != nil {
		return fmt.Errorf("%s: %w", assets.Say("desk.setting."+key), err)
	}
	return d.cfg.Settings.Set(key, v)
}

// parse reads what a person typed.
func parse(s settings.Setting, value string) (any, error) {
	unit := unitOf(s)
	if unit == 1 {
		return s.Parse(value)
	}
	f, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(value), ",", ".", 1), 64)
	if err != nil {
		return nil, errors.New(assets.Say("desk.number.none", value))
	}
	if f*unit < float64(s.Min) || f*unit > float64(s.Max) {
		return nil, errors.New(assets.Say("desk.number.range", value, number(s.Min, unit), number(s.Max, unit)))
	}
	return s.Check(math.Round(f * unit))
}

// Leases implements ui.Leases: what the person always allows.
func (d *Desk) Leases() []model.Lease {
	var list []model.Lease
	for _, x := range d.cfg.Gate.Decisions() {
		list = append(list, model.Lease{
			ID: idOf(x), Agent: model.Agent{Name: x.Client}, What: assets.Say("server.scope." + x.Scope), Origin: x.Site, Granted: x.At,
		})
	}
	return list
}

func idOf(x gate.Decision) string {
	return strings.Join([]string{x.Scope, x.Tool, x.Site, x.Client}, "\x00")
}

// Revoke implements ui.Leases.
func (d *Desk) Revoke(id string) error {
	for _, x := range d.cfg.Gate.Decisions() {
		if idOf(x) == id {
			return d.cfg.Gate.Revoke(x)
		}
	}
	return fmt.Errorf("this leave is no longer there")
}
