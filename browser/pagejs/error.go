package pagejs

import (
	"encoding/json"
	"errors"
	"strings"
)

// Error is what a page function refused, in a form that a caller can act on.
type Error struct {
	Code    string          // one of the codes below
	Message string          // a sentence for the agent
	Data    json.RawMessage // the error's own fields, such as the element that covers another
}

func (e *Error) Error() string { return e.Message }

// The codes of errors.
const (
	Stale       = "stale"        // the element of a ref is no longer in the page
	BadSelector = "bad-selector" // the selector cannot be read
	NotFound    = "not-found"    // no element matches
	NotVisible  = "not-visible"
	NotStable   = "not-stable"
	NotEnabled  = "not-enabled"
	NotEditable = "not-editable"
	Covered     = "covered"
	OutOfView   = "out-of-view"
	BadValue    = "bad-value" // the value does not fit the field
	NoOption    = "no-option" // no such option
	Reverted    = "reverted"  // the page put its old value back
	WrongOrigin = "wrong-origin"
	Timeout     = "timeout"
	Cancelled   = "cancelled"
	BadArgs     = "bad-args"
)

// Is reports whether err is an error of that code.
func Is(err error, code string) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == code
}

// mark begins the text of errors that our own functions throw.
const mark = "chaperone:{"

// ParseError reads the description of a thrown value. What is not one of our own errors becomes a plain one: a defect of
// ours, or of the page.
func ParseError(text string) error {
	if i := strings.Index(text, mark); i >= 0 {
		line, _, _ := strings.Cut(text[i+len(mark)-1:], "\n")
		var e struct {
			Code    string `json:"code"`
			Message string `json:"message"`
		}
		if json.Unmarshal([]byte(line), &e) == nil && e.Code != "" {
			return &Error{Code: e.Code, Message: e.Message, Data: json.RawMessage(line)}
		}
	}
	return errors.New("page code: " + text)
}
