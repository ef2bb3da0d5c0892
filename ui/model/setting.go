package model

import (
	"strings"
	"time"
)

// SettingKind is how a setting is edited.
type SettingKind string

// The kinds of setting. A List is edited as text, its items separated by commas.
const (
	Toggle SettingKind = "toggle" // "true" or "false"
	Text   SettingKind = "text"
	Number SettingKind = "number"
	List   SettingKind = "list"
	Pick   SettingKind = "pick" // one of Choices
	Many   SettingKind = "many" // any of Choices; edited as a List
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
	Labels   []string // the choices in words; may be fewer
	Source   Source
	LockedBy string // the environment variable that set it; "" where the person may change it
}

// Choice is choice i in words.
func (s Setting) Choice(i int) string {
	if i < len(s.Labels) {
		return s.Labels[i]
	}
	return s.Choices[i]
}

// Chosen tells whether a Many has a choice.
func (s Setting) Chosen(choice string) bool {
	for part := range strings.SplitSeq(s.Value, ",") {
		if strings.TrimSpace(part) == choice {
			return true
		}
	}
	return false
}

// With is the value of a Many after one of its choices was switched.
func (s Setting) With(choice string) string {
	var list []string
	for _, c := range s.Choices {
		if s.Chosen(c) != (c == choice) {
			list = append(list, c)
		}
	}
	return strings.Join(list, ", ")
}

// Wishes is how the person wants the window to be.
type Wishes struct {
	Theme         string // "light" or "dark"; anything else follows the desktop
	CloseToTray   bool   // closing the window leaves the app running
	Notifications bool   // the desktop may tell of new questions
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
