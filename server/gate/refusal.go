package gate

import (
	"errors"

	"chaperone/server/tool"
)

// Code names the reason of a refusal for programs.
type Code string

// The codes.
const (
	CapabilityOff Code = "capability-off"
	Paused        Code = "paused"
	TakenOver     Code = "taken-over"
	BadURL        Code = "bad-url"
	SiteBlocked   Code = "site-blocked"
	SiteNotListed Code = "site-not-listed"
	Denied        Code = "denied"
	NotYours      Code = "not-your-session"
	NotPaired     Code = "not-paired"
	ClientGone    Code = "client-gone"
	Ending        Code = "ending"
)

// Refusal says why a call did not pass, or was stopped, and what can be done about it.
type Refusal struct {
	Code       Code
	Why        string
	Hint       string
	Capability tool.Capability // of CapabilityOff
}

func (r *Refusal) Error() string { return r.Why }

// Stops reports whether err ended a call that had begun, by the person's will.
func Stops(err error) bool {
	var r *Refusal
	return errors.As(err, &r) && (r.Code == Paused || r.Code == TakenOver || r.Code == Ending)
}
