package listen

import (
	"bytes"
	"encoding/json"
)

// Hello is the first line that one of our own processes writes to the socket, and what it is answered. A line without
// "chaperone" is an MCP message, and so is everything after Join has been answered.
type Hello struct {
	Chaperone string `json:"chaperone"` // Join, Show, Ask, or the answer
	Version   string `json:"version,omitempty"`
	PID       int    `json:"pid,omitempty"`
}

// What a Hello can be.
const (
	Join     = "join"      // speak MCP from here on; answered with Welcome
	Show     = "show"      // show the window; answered with Shown or NoWindow
	Ask      = "ask"       // who is there; answered with Welcome
	Welcome  = "welcome"   //
	Shown    = "shown"     //
	NoWindow = "no window" // the serving process has none
	Bye      = "bye"       // the person has ended the program; the last line of a connection
)

var helloMark = []byte(`{"chaperone":`)

// ParseHello reads a line that is one of ours.
func ParseHello(line []byte) (h Hello, ok bool) {
	if !bytes.HasPrefix(line, helloMark) {
		return h, false
	}
	return h, json.Unmarshal(line, &h) == nil && h.Chaperone != ""
}

// Line writes it as a line.
func (h Hello) Line() []byte {
	b, err := json.Marshal(h)
	if err != nil {
		panic(err) // strings and a number
	}
	return append(b, '\n')
}
