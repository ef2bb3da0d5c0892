package model

import "time"

// Mode is how a browser keeps what it learns.
type Mode string

// The modes of a session.
const (
	Kept     Mode = "persistent"
	Private  Mode = "incognito"
	Attached Mode = "attached" // the person's own
)

// Browser is one session.
type Browser struct {
	ID       string // session name
	Agent    Agent  // its owner
	Mode     Mode
	Title    string // of the current tab
	Origin   string // of the current tab
	Tabs     int
	Headless bool // has no window to show
	Working  bool // a call is running in it
	Taken    bool // the person has taken it over
	Opened   time.Time
}
