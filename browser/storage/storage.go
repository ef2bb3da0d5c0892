package storage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"chaperone/browser"
	"chaperone/browser/pagejs"
)

// Error says why something of a storage cannot be shown.
type Error struct {
	Words string
	Way   string // out
}

func (e *Error) Error() string { return e.Words }

// Advice says what to do about it.
func (e *Error) Advice() (hint, source string) { return e.Way, "app" }

// reserve is what page code leaves of the time of a call, so that there is time to say how far it came.
const reserve = 400 * time.Millisecond

// left is the time that page code may take, in milliseconds.
func left(ctx context.Context) int {
	deadline, ok := ctx.Deadline()
	if !ok {
		return 5000
	}
	rest := time.Until(deadline)
	return max(1, int((rest - min(reserve, rest/4)).Milliseconds()))
}

// call calls page code. Words of it that say what is not there become an error with a way out.
func call(ctx context.Context, f *browser.Frame, fn string, args map[string]any, out any) error {
	err := f.Call(ctx, fn, args, out)
	var said *pagejs.Error
	if !errors.As(err, &said) {
		return err
	}
	var more struct {
		There []string `json:"there"`
	}
	_ = json.Unmarshal(said.Data, &more)
	e := &Error{Words: said.Message}
	switch said.Code {
	case "no-storage":
		e.Way = "frames_list lists the frames with their origins: name one with an origin in frame."
	case "busy":
		e.Way = "Try again later, or with a greater timeoutMs; the page works on."
	case "not-found":
		e.Way = "The names are " + names(more.There) + "."
		if len(more.There) == 0 {
			e.Way = "There is none: the page may not have made it yet. Storage belongs to an origin: frame names another one."
		}
	case "bad-args":
		e.Way = "Correct the arguments and call again."
	default:
		return err
	}
	return e
}

// names lists names, each of them whole.
func names(list []string) string {
	var out []string
	for i, n := range list {
		if i == 30 {
			out = append(out, fmt.Sprintf("and %d more", len(list)-i))
			break
		}
		if len(n) > 200 {
			n = fmt.Sprintf("[a name of %d bytes]", len(n))
		}
		out = append(out, n)
	}
	return strings.Join(out, ", ")
}

// Item is an entry of localStorage or sessionStorage.
type Item struct {
	Key    string  `json:"key"`
	Length int     `json:"length"` // of the value, in characters
	Value  *string `json:"value,omitempty"`
}

// Items are entries of localStorage or sessionStorage.
type Items struct {
	Origin    string `json:"origin"`
	Items     []Item `json:"items"`
	Truncated bool   `json:"truncated"` // some have no value, since all would be too much
}

// ReadItems reads localStorage or sessionStorage: the entry of a key, which may not be there, or all.
func ReadItems(ctx context.Context, f *browser.Frame, session bool, key *string, values bool) (Items, error) {
	args := map[string]any{"session": session, "values": values}
	if key != nil {
		args["key"] = *key
	}
	out := Items{}
	err := call(ctx, f, "storageItems", args, &out)
	return out, err
}
