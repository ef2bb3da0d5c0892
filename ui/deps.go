package ui

import (
	"context"

	"chaperone/ui/model"
)

// Desk is all that the window needs of the app. Every field must be set. Methods may be called from any goroutine;
// those without a context must return within milliseconds when they only read. An error is shown to the person
// as it is, so it names the thing and the way out.
type Desk struct {
	Changes      Changes
	Questions    Questions
	Activity     Activity
	Browsers     Browsers
	Capabilities Capabilities
	Agents       Agents
	Connect      Connect
	Settings     Settings
	Wishes       Wishes
	Leases       Leases
}

// Changes tells the window that something it shows is no longer true.
type Changes interface {
	// Watch calls f with the topic of every change, on any goroutine, until stop is called. f returns at once.
	Watch(f func(model.Topic)) (stop func())
}

// Questions is what agents want from the person.
type Questions interface {
	// Questions returns those that wait, oldest first, and after them those that were answered or ended in the
	// last hour or so, newest first.
	Questions() []model.Question
	// Answer gives the person's answer. It fails if the question is no longer waiting.
	Answer(id string, a model.Answer) error
}

// Activity is what agents did.
type Activity interface {
	// Calls returns the last 2,000 calls, newest first.
	Calls() []model.Call
	// Call returns what one of them was given and got.
	Call(id string) (model.CallDetail, error)
	// Export writes the calls that pass the filter as JSON lines and returns the file.
	Export(f model.Filter) (file string, err error)
}

// Browsers is the browsers that agents use.
type Browsers interface {
	// Browsers returns the open ones, oldest first.
	Browsers() []model.Browser
	// Thumbnail returns a small PNG or JPEG of what the browser shows now. It is asked for every few seconds, and
	// only while somebody can see it.
	Thumbnail(ctx context.Context, id string) ([]byte, error)
	// Show brings its window to the front.
	Show(ctx context.Context, id string) error
	// TakeOver stops the agent in it and brings its window to the front.
	TakeOver(ctx context.Context, id string) error
	// HandBack lets the agent go on.
	HandBack(ctx context.Context, id string) error
	// Close ends it. A browser that is the person's own is only let go.
	Close(ctx context.Context, id string) error
}

// Capabilities is what agents may do at all.
type Capabilities interface {
	// Capabilities returns all of them in the order they are shown.
	Capabilities() []model.Capability
	// Switch acts at once and for all agents.
	Switch(name string, on bool) error
}

// Agents stops and starts all agents together.
type Agents interface {
	State() model.State
	Pause()
	Resume()
}

// Connect lets agents in.
type Connect interface {
	Programs() []model.Program
	// Preview says what Add would do, and changes nothing.
	Preview(program string) (model.Change, error)
	// Add makes the change that was shown, keeping a backup. It fails if the file is no longer as it was shown.
	Add(program string, shown model.Change) error
	Paired() []model.Paired
	Forget(id string) error
	Endpoint() model.Endpoint
	// Renew makes a new token; clients that have the old one are let in no longer.
	Renew() error
}

// Settings is the table of settings.
type Settings interface {
	Settings() []model.Setting
	// Set checks and keeps a value.
	Set(key, value string) error
}

// Wishes is how the person wants the window to be. Their topic is that of the settings.
type Wishes interface{ Wishes() model.Wishes }

// Leases is the leaves that the person gave for longer than once.
type Leases interface {
	Leases() []model.Lease
	Revoke(id string) error
}
