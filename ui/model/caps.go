package model

import (
	"time"

	"chaperone/assets"
)

// Switch is one capability as it is shown.
type Switch struct {
	Name   string
	Title  string
	Does   string
	On     bool
	Risky  bool
	Unused bool   // no tool needs it in this version, so it cannot be switched on
	Locked string // "locked by BROWX_CAPABILITIES"; "" where it may be switched
	Risk   string // what is said before a risky one goes on
}

// Rights is the whole screen of capabilities.
type Rights struct {
	Warning  string   // heading of the warning; "" while nothing risky is on
	Warnings []string // one sentence each
	Usual    []Switch
	Risky    []Switch
	Unused   []Switch // usual or risky, but nothing needs them yet
}

// RightsOf turns capabilities into the screen.
func RightsOf(caps []Capability, now time.Time) Rights {
	var r Rights
	for _, c := range caps {
		s := Switch{
			Name: c.Name, On: c.On, Risky: c.Risky,
			Title: said("ui.cap."+c.Name, c.Name), Does: said("ui.cap."+c.Name+".does", ""),
		}
		if c.Tools > 0 {
			if s.Does != "" {
				s.Does += " · "
			}
			s.Does += tools(c.Tools)
		}
		if c.LockedBy != "" {
			s.Locked = assets.Say("ui.locked", c.LockedBy)
		}
		s.Unused = c.Tools == 0
		if c.Risky {
			s.Risk = Line(c.Risk, 400)
			if s.Risk == "" {
				s.Risk = assets.Say("ui.cap.risk")
			}
		}
		switch {
		case s.Unused:
			r.Unused = append(r.Unused, s)
		case c.Risky:
			r.Risky = append(r.Risky, s)
		default:
			r.Usual = append(r.Usual, s)
		}
		if c.Risky && c.On {
			warning := assets.Say("ui.cap.warning", s.Title, s.Risk, since(c, now))
			if s.Unused {
				warning += " " + assets.Say("ui.cap.unused")
			}
			r.Warnings = append(r.Warnings, warning)
		}
	}
	if n := len(r.Warnings); n > 0 {
		r.Warning = Counted("ui.cap.warning", n)
	}
	return r
}

func tools(n int) string {
	if n == 1 {
		return assets.Say("ui.tools.one")
	}
	return assets.Say("ui.tools.many", n)
}

func since(c Capability, now time.Time) string {
	when := assets.Say("ui.since.start")
	if !c.Since.IsZero() {
		when = Clock(c.Since, now)
	}
	switch {
	case c.LockedBy != "":
		return assets.Say("ui.since", when, c.LockedBy)
	case c.Source == FromPerson || c.Source == FromFile:
		return assets.Say("ui.since", when, assets.Say("ui.since.you"))
	}
	return assets.Say("ui.since.when", when)
}
