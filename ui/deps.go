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
	Vault        Vault
	Items        Items
	Codes        Codes
	Providers    Providers
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

// Vault is the place where values are kept. All but State may take as long as a keyring takes, and end with ctx.
type Vault interface {
	// State says what is kept and how the place stands. It reads no value and asks no keyring, but it may wait for
	// another call that does.
	State(ctx context.Context) model.Vault
	// Check asks the place whether it can keep values. A keyring may ask the person for its password.
	Check(ctx context.Context) error
	// Keep chooses the place.
	Keep(place model.Keeping) error
	// Open opens the encrypted file with its passphrase, or makes it where there is none.
	Open(ctx context.Context, passphrase model.Value) error
}

// Items is what is kept. Values go in and never come out.
type Items interface {
	// Add keeps a secret or a sign-in.
	Add(ctx context.Context, kind model.ItemKind, d model.Draft, value model.Value) error
	// Change changes all but the value.
	Change(ctx context.Context, id string, d model.Draft) error
	// Replace gives an item another value.
	Replace(ctx context.Context, id string, value model.Value) error
	Remove(ctx context.Context, id string) error
}

// Codes is the one-time codes.
type Codes interface {
	// Read finds seeds in a source, and adds those to what was found before. Nothing is kept.
	Read(ctx context.Context, from model.SeedSource, before model.Seeds) (model.Seeds, error)
	// AddSeeds keeps what was found. It returns what of it was not kept, with an error that says why.
	AddSeeds(ctx context.Context, found model.Seeds, d model.Draft) (left model.Seeds, err error)
	// Code computes the code of now, for the person's eyes.
	Code(ctx context.Context, id string) (model.Code, error)
}

// Providers is the vaults that codes and sign-ins can come from.
type Providers interface {
	// Providers lists them, without asking any.
	Providers() []model.Provider
	// Test looks whether one can be used.
	Test(ctx context.Context, name string) model.Provider
}
