package model

import "time"

// Kind is the sort of answer a question wants.
type Kind string

// The kinds of question. Policy is a leave that the gate asks for; Pairing is a client's first visit.
const (
	Acknowledge Kind = "acknowledge"
	Confirm     Kind = "confirm"
	Choose      Kind = "choose"
	Input       Kind = "input"
	PickElement Kind = "pick_element"
	Pairing     Kind = "pairing"
	Policy      Kind = "policy"
)

// Grant is how long an approval lasts.
type Grant string

// What the person may offer with an approval.
const (
	Once    Grant = "once"
	Session Grant = "session" // while this client stays connected
	Hour    Grant = "hour"
	Always  Grant = "always"
)

// Phase is where a question stands.
type Phase int

// A question waits, was answered by the person, or ended without an answer.
const (
	Waiting Phase = iota
	Answered
	Ended
)

// Ender says why a question ended without an answer.
type Ender string

// Those who end a question instead of the person.
const (
	ByAgent   Ender = "agent"   // the client cancelled or went away
	ByTime    Ender = "time"    // the deadline passed
	ByBrowser Ender = "browser" // the browser or tab it was about is gone
	ByApp     Ender = "app"     // the app paused, quit, or took the ground away
)

// Question is one thing that somebody wants from the person.
type Question struct {
	ID      string
	Kind    Kind
	Agent   Agent
	Browser string   // the browser session it is about; "" where none
	Origin  string   // "https://app.example.com"; "" where none
	Ask     string   // what is wanted, one sentence in our own words
	Says    string   // the agent's own words, untrusted; "" where none
	Detail  string   // a further line in our own words, such as a file and its size; "" where none
	Picture []byte   // PNG or JPEG of the target; nil where none
	Choices []string // for Choose
	Grants  []Grant  // what an approval may offer, for Policy and Pairing; empty means once
	Repeats int      // how often the same was asked; 0 and 1 both mean once
	Private bool     // Input: what is typed is a secret, and is masked
	Alias   string   // the secret that it is about: of a private Input what it will be called; "" where none
	Secrets bool     // Input: the answer may be given as a secret

	Asked time.Time
	Until time.Time // when it ends by itself; zero means never

	Phase   Phase
	At      time.Time // when it was answered or ended
	EndedBy Ender     // for Ended
	Answer  Answer    // for Answered
}

// Answer is what the person said.
type Answer struct {
	Approved bool   // false denies, or leaves a choice or an input unanswered
	Grant    Grant  // with an approval of a question that offers Grants
	Choice   int    // for Choose, from 0
	Text     string // for Input
	Secret   bool   // for Input: Value is the answer, and the agent gets an alias instead
	Value    Value  // for Input, of a private question or a secret answer
	Note     string // what the person wants the agent to know; "" where nothing
}
