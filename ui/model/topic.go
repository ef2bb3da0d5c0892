package model

// Topic names a part of the app that changed, so that the window reads only that part again.
type Topic int

// The parts of the app that the window watches.
const (
	Questions    Topic = iota // a question came, was answered, repeated or ended
	Activity                  // a call began or ended
	Browsers                  // a browser opened, closed, moved to another page, or changed hands
	Capabilities              // a capability was switched
	Agents                    // a client came or went, or the agents were paused or resumed
	Connect                   // a client was paired or forgotten, a file was changed, the token renewed
	Settings                  // a setting was changed
	Leases                    // a lease was granted, used, revoked, or ran out
	Secrets                   // something was put into the vault, changed, used or taken out, or its place changed
	Topics                    // how many there are
)
