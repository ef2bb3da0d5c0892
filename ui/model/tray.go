package model

import "chaperone/assets"

// Icon is what the tray icon says at a glance.
type Icon string

// The states of the icon, the most urgent last.
const (
	Idle   Icon = "idle"
	Active Icon = "working"
	Paused Icon = "paused"
	Needed Icon = "needed"
)

// Do is what an entry of the tray menu does.
type Do int

// What the tray menu can do.
const (
	DoNothing Do = iota
	DoRequests
	DoBrowser
	DoPause
	DoResume
	DoOpen
	DoQuit
)

// TrayItem is one entry; Do DoNothing is a line between entries.
type TrayItem struct {
	Label string
	Do    Do
	Arg   string
}

// Tray is the icon and its menu.
type Tray struct {
	Icon  Icon
	Items []TrayItem
}

// mostInTray is how many browsers have a line of their own.
const mostInTray = 8

// TrayOf makes the tray whole from what is going on.
func TrayOf(questions []Question, browsers []Browser, s State) Tray {
	t := Tray{Icon: Idle}
	if s.Running > 0 {
		t.Icon = Active
	}
	if s.Paused {
		t.Icon = Paused
	}
	if n := Open(questions); n > 0 {
		t.Icon = Needed
		t.Items = append(t.Items, TrayItem{Label: assets.Say("ui.tray.needed", n), Do: DoRequests}, TrayItem{})
	}
	for i, b := range browsers {
		if i == mostInTray {
			t.Items = append(t.Items, TrayItem{Label: assets.Say("ui.tray.more", len(browsers)-i), Do: DoBrowser})
			break
		}
		where := Host(b.Origin)
		if where == "" {
			where = Line(b.ID, 40)
		}
		t.Items = append(t.Items, TrayItem{Label: assets.Say("ui.tray.browser", Who(b.Agent), where), Do: DoBrowser, Arg: b.ID})
	}
	if len(browsers) > 0 {
		t.Items = append(t.Items, TrayItem{})
	}
	pause := TrayItem{Label: assets.Say("ui.pause"), Do: DoPause}
	if s.Paused {
		pause = TrayItem{Label: assets.Say("ui.resume"), Do: DoResume}
	}
	t.Items = append(t.Items, pause, TrayItem{},
		TrayItem{Label: assets.Say("ui.tray.open"), Do: DoOpen}, TrayItem{Label: assets.Say("ui.tray.quit"), Do: DoQuit})
	return t
}
