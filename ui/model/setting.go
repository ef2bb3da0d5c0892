package model

import "time"

// SettingKind is how a setting is edited.
type SettingKind string

// The kinds of setting. A List is edited as text, its items separated by commas.
const (
	Toggle SettingKind = "toggle" // "true" or "false"
	Text   SettingKind = "text"
	Number SettingKind = "number"
	List   SettingKind = "list"
	Pick   SettingKind = "pick" // one of Choices
)

// Setting is one row of the settings screen.
type Setting struct {
	Key      string // "actionTimeoutMs"
	Group    string // heading it stands under, in words
	Label    string // in words
	Help     string // one sentence; "" where the label says it all
	Kind     SettingKind
	Value    string
	Default  string
	Choices  []string
	Source   Source
	LockedBy string // the environment variable that set it; "" where the person may change it
}

// Lease is a leave that the person gave and that is still good.
type Lease struct {
	ID      string
	Agent   Agent
	What    string // in words: "open sites that are not on your list"
	Origin  string // where it is good; "" means everywhere
	Granted time.Time
	Expires time.Time // zero means until it is revoked
	Session bool      // good only while the client stays connected
	Uses    int
}
