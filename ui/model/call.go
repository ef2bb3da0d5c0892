package model

import "time"

// Call is one call of an agent, masked, as the journal keeps it.
type Call struct {
	ID      string
	At      time.Time
	Agent   Agent
	Browser string // session
	Tool    string // "click"
	Target  string // what it was done to, in words: `“Sign in”`; "" where nothing
	Origin  string // where: "https://login.acme.test"; "" where nowhere
	Outcome string // in a few words: "moved to /home", "you denied it"
	Running bool   // still being worked on; Outcome, Failed, Took and Tokens are then empty
	Failed  bool
	Pending bool // it came back early, while the person had not answered yet
	Took    time.Duration
	Tokens  int
}

// CallDetail is what a row of the activity list opens to, exactly as the agent got it.
type CallDetail struct {
	Arguments string // masked JSON
	Result    string // masked JSON or text
	Picture   []byte // of a screenshot; nil where none
	Hidden    []HiddenValue
	Typed     []TypedSecret
}

// HiddenValue is a secret that stood in a result and was kept out of it.
type HiddenValue struct {
	Alias string
	Times int
}

// TypedSecret is a secret that a call typed.
type TypedSecret struct{ Alias, Site string }

// Filter narrows the activity list. Empty fields narrow nothing.
type Filter struct {
	Agent    string // Agent.Name
	Browser  string // session
	Failures bool
}
