package question

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"chaperone/server/client"
)

// Kind says what a person is asked for, and so which answers fit.
type Kind string

// The kinds. The first five are those of await_human.
const (
	Acknowledge Kind = "acknowledge"  // that it is done, or seen
	Confirm     Kind = "confirm"      // yes or no
	Choose      Kind = "choose"       // one of Choices
	Input       Kind = "input"        // a text
	PickElement Kind = "pick_element" // a click on an element in the page
	Pairing     Kind = "pairing"      // whether a client may come in
	Policy      Kind = "policy"       // whether something outside the rules may happen, and for how long
)

// Term is how long a yes lasts.
type Term string

// The terms.
const (
	Once       Term = "once"
	ForSession Term = "session" // until the session closes
	ForHour    Term = "hour"
	Always     Term = "always" // remembered, listed and revocable
)

// Question is one thing that a person is asked.
type Question struct {
	Kind    Kind
	Ask     string   // in one sentence, our words
	Quote   string   // the agent's own words; untrusted
	Warning string   // what a yes risks
	Choices []string // of Choose
	Terms   []Term   // offered with a yes
	Scope   string   // of Policy: "navigate_off_allowlist", "capability:eval", …
	Site    string   // the origin that it is about
	Session string
	Tool    string
	Client  *client.Client
	Picture []byte        // PNG or JPEG of what it is about
	Timeout time.Duration // 0: five minutes
	Private bool          // Input: what is typed is a secret, and is neither shown nor kept
	// Pick waits for the person's click in the page and returns the ref of the element; only for PickElement.
	Pick PickFunc
}

// Answer is what the person said.
type Answer struct {
	Yes      bool   // Confirm, Pairing, Policy
	Term     Term   // with a yes
	Choice   int    // Choose: index
	Text     string // Input
	Secret   bool   // Input: the text is a secret
	Ref      string // PickElement
	Declined bool   // the person does not want to answer
	Note     string // from the person to the agent
	Repeat   bool   // not asked again: the same was denied a moment ago
}

// Card is a question as it stands.
type Card struct {
	ID       string
	Question Question
	Count    int // how often it was asked
	Opened   time.Time
	Deadline time.Time
	Ended    time.Time // zero while it is open
	End      End
	Answer   Answer // when answered
}

// End says how a question ended.
type End string

// The ways to end.
const (
	Open     End = ""
	Answered End = "answered"
	TimedOut End = "timed_out"
	GivenUp  End = "given_up" // the client cancelled its call, or is gone
	Stopped  End = "stopped"  // the person paused, or the program ends
)

// Event tells that a card was opened, changed or ended.
type Event struct{ Card Card }

var (
	// ErrTimedOut means that the person did not answer in time.
	ErrTimedOut = errors.New("the person did not answer in time")
	// ErrNobody means that no window and no terminal is there in which a person could answer.
	ErrNobody = errors.New("nobody can answer: this server runs without a window")
	// ErrEnded means that an answer came after the question had ended.
	ErrEnded = errors.New("the question has ended")
)

// fits reports why an answer is not one to this question.
func (q Question) fits(a Answer) error {
	if a.Declined {
		return nil
	}
	switch q.Kind {
	case Choose:
		if a.Choice < 0 || a.Choice >= len(q.Choices) {
			return fmt.Errorf("the choice %d is none of the %d", a.Choice, len(q.Choices))
		}
	case PickElement:
		return errors.New("an element is picked in the page")
	case Policy, Confirm, Pairing:
		if a.Yes && a.Term != "" && a.Term != Once && !slices.Contains(q.Terms, a.Term) {
			return fmt.Errorf("the term %q was not offered", a.Term)
		}
	}
	return nil
}

// key is equal for questions that a person would take for the same.
func (q Question) key() string {
	who := ""
	if q.Client != nil {
		who = q.Client.ID
	}
	return strings.Join([]string{who, string(q.Kind), q.Ask, q.Quote, q.Scope, q.Site, q.Session, q.Tool, strings.Join(q.Choices, "\x01")}, "\x00")
}

// denies reports whether an answer is a no that also goes for the same question asked again.
func (q Question) denies(a Answer) bool {
	switch q.Kind {
	case Confirm, Policy, Pairing:
		return !a.Yes
	default:
		return a.Declined
	}
}
