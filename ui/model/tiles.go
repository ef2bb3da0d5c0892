package model

import (
	"time"

	"chaperone/assets"
)

// Tile is one browser as it is shown.
type Tile struct {
	ID     string
	Title  string
	Site   string
	Who    string
	About  string // mode, tabs, since when
	State  string // "Working", "You have it", ""
	Yours  bool   // the person has taken it over
	Window bool   // there is a window to show
	Own    bool   // it is the person's own browser: Close only lets go
}

// TileOf turns a browser into its tile.
func TileOf(b Browser, now time.Time) Tile {
	t := Tile{
		ID: b.ID, Title: Line(b.Title, 120), Site: Host(b.Origin), Who: Who(b.Agent),
		Yours: b.Taken, Window: !b.Headless, Own: b.Mode == Attached,
	}
	if t.Title == "" {
		t.Title = assets.Say("ui.browsers.untitled")
	}
	mode := said("ui.mode."+string(b.Mode), string(b.Mode))
	t.About = assets.Say("ui.browsers.about", b.ID, mode, Clock(b.Opened, now))
	if b.Tabs > 1 {
		t.About += assets.Say("ui.browsers.tabs", b.Tabs)
	}
	if b.Headless {
		t.About += assets.Say("ui.browsers.headless")
	}
	switch {
	case b.Taken:
		t.State = assets.Say("ui.browsers.yours")
	case b.Working:
		t.State = assets.Say("ui.browsers.working")
	}
	return t
}
