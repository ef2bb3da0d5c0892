package secret

import (
	"fmt"
	"strings"

	"chaperone/server/question"
)

// Codes of refusals, for programs.
const (
	NotInURL = "secret-in-url"
	NotHere  = "secret-not-here"
	Unknown  = "unknown-secret"
	Denied   = "denied"
)

// Refusal says why a secret, or what looks like the name of one, was not used. It never holds a value.
type Refusal struct {
	Code  string
	Words string
	Hint  string
}

func (r *Refusal) Error() string { return r.Words }

// Advice says what to do.
func (r *Refusal) Advice() (hint, source string) { return r.Hint, "server" }

// unknown says that a name in brackets for a protected field stands for nothing.
func unknown(alias string, names []string, on bool) error {
	if len(alias) > 64 {
		alias = alias[:64] + "…"
	}
	r := &Refusal{Code: Unknown, Words: fmt.Sprintf("no secret is called <%s> in this session, and a placeholder is never typed into a password field", alias)}
	switch {
	case !on:
		r.Hint = "The capability secrets is switched off: the person can switch it on in Chaperone under Capabilities."
	case len(names) == 0:
		r.Hint = "There are no secrets in this session: register one with register_secret, or have the person lend one."
	default:
		r.Hint = "The secrets of this session are <" + strings.Join(names, ">, <") + ">."
	}
	return r
}

func denied(a question.Answer, words string) error {
	if a.Yes {
		return nil
	}
	why := "the person said no"
	if a.Note != "" {
		why += ": " + a.Note
	}
	if a.Repeat {
		why = "the person said no to the same a moment ago, and was not asked again"
	}
	return &Refusal{Code: Denied, Words: why + "; " + words, Hint: "Do not try this again; find another way or ask what they want instead."}
}
