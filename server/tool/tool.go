package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"time"
)

// Effect says what a call may change, so that clients can tell harmless tools from others.
type Effect int

// The effects.
const (
	Reads    Effect = iota // changes nothing
	Sets                   // changes something; the same call again changes nothing more
	Changes                // changes something, each time
	Destroys               // may remove or send something for good
)

// Info is what a tool says of itself.
type Info struct {
	Name   string     // snake_case, at most 50 characters
	Title  string     // for people
	Does   string     // for a model that has never seen the tool
	Needs  Capability // without it the tool is refused, and not listed
	Effect Effect
	Local  bool // touches nothing outside this program and its browser
	Pages  bool // works on the page that the session shows now
	// AnySession: the argument session means nothing to it, so that it may be anybody's.
	AnySession bool
	Site       bool          // Pages, and not a way off it: refused where the page's site is not allowed
	Limit      time.Duration // deadline where the caller gives none; 0: the setting actionTimeoutMs; Unlimited: none
	Types      bool          // puts its arguments named value into fields: the journal keeps them only when no field was protected
	Keeps      []string      // the only arguments that the journal keeps; nil: all
	Extra      bool          // left out of the list of its set unless the set was asked for by name
	Set        string        // filled in by the set
}

// Limits that are no durations.
const (
	Unlimited  time.Duration = -1 // waits for a person and keeps its own time
	Navigating time.Duration = -2 // the setting navigationTimeoutMs
)

// Tool is one declared tool.
type Tool struct {
	Info
	Schema json.RawMessage // of the arguments: a flat JSON Schema object

	args *structType
	run  func(context.Context, any) (Result, error)
}

// Set is a group of tools that is switched on and off together.
type Set struct {
	Name    string
	Does    string
	Default bool // listed unless somebody says otherwise
	Tools   []Tool
}

// NewSet makes a set of tools.
func NewSet(name, does string, byDefault bool, tools ...Tool) Set {
	for i := range tools {
		tools[i].Set = name
	}
	return Set{Name: name, Does: does, Default: byDefault, Tools: tools}
}

// New declares a tool whose arguments are the struct A. A declaration that cannot work is a mistake of ours and panics; the
// tests meet every declaration.
func New[A any](info Info, run func(context.Context, A) (Result, error)) Tool {
	st, err := describe(reflect.TypeFor[A](), info.Name)
	if err != nil {
		panic(fmt.Sprintf("tool %s: %v", info.Name, err))
	}
	return Tool{
		Info:   info,
		Schema: st.schema(),
		args:   st,
		run:    func(ctx context.Context, args any) (Result, error) { return run(ctx, *args.(*A)) },
	}
}

// Bound is a call whose arguments have been checked.
type Bound struct {
	Tool Tool
	Args any // *A
}

// Bind checks raw arguments against the declaration. What is wrong with them is an *ArgumentError.
func (t Tool) Bind(raw json.RawMessage) (Bound, error) {
	v := reflect.New(t.args.typ)
	if err := t.args.bind(raw, v.Elem()); err != nil {
		err.Tool = t.Name
		return Bound{}, err
	}
	return Bound{Tool: t, Args: v.Interface()}, nil
}

// Run calls the handler.
func (b Bound) Run(ctx context.Context) (Result, error) { return b.Tool.run(ctx, b.Args) }

// Session is the session that the call names, "default" where it names none.
func (b Bound) Session() string {
	if s, ok := b.Args.(interface{ session() *string }); ok {
		if name := *s.session(); name != "" {
			return name
		}
	}
	return DefaultSession
}

// SetSession has the call work on another session than it named: each client has a default of its own.
func (b Bound) SetSession(name string) {
	if s, ok := b.Args.(interface{ session() *string }); ok {
		*s.session() = name
	}
}

// Deadline is how long the call may take, as its caller said, or 0.
func (b Bound) Deadline() time.Duration {
	if d, ok := b.Args.(interface{ deadline() time.Duration }); ok {
		return d.deadline()
	}
	return 0
}

// PicksUp is the id of an earlier call the outcome of which this one fetches, or "".
func (b Bound) PicksUp() string {
	if p, ok := b.Args.(interface{ PicksUp() string }); ok {
		return p.PicksUp()
	}
	return ""
}

// Visits are the addresses that the call would open.
func (b Bound) Visits() []string {
	if v, ok := b.Args.(interface{ Visits() []string }); ok {
		return v.Visits()
	}
	return nil
}

// Words says what the call is aimed at, for people: an element, an address, a key.
func (b Bound) Words() string {
	if w, ok := b.Args.(interface{ Words() string }); ok {
		return w.Words()
	}
	if t, ok := b.Args.(interface{ target() string }); ok {
		return t.target()
	}
	return ""
}

// Result is what a handler returns: one JSON object, or plain text, and pictures.
type Result struct {
	Value  any    // becomes the JSON object of the result; a struct or a map
	Text   string // plain text in place of the object
	Images []Image
	Failed bool   // the value says ok:false: the client is told that the call did not work
	Notice string // something the agent should know beside the result
	// Private: a field that received an argument never shows its value, so the journal does not keep the argument either.
	Private bool
	Cuts    []Cut
	Unkept  bool // the journal does not keep it
}

// Failing is a result value that can say itself what went wrong, beside what it knows.
type Failing interface {
	Fail(Failure)
}

// Failure is the result of a call that did not work.
type Failure struct {
	OK                 bool           `json:"ok"`
	Error              string         `json:"error"`
	Hint               string         `json:"hint"`
	Code               string         `json:"code,omitempty"`
	RequiredCapability string         `json:"requiredCapability,omitempty"`
	Failure            *FailureSource `json:"failure,omitempty"`
}

// FailureSource says on whose side something went wrong.
type FailureSource struct {
	Source string `json:"source"` // "server", "app" (the page) or "unknown"
	Hint   string `json:"hint"`
}

// Image is a picture of a result. It is never put into text.
type Image struct {
	MIME string
	Data []byte
}

// Cut has a text of the result shortened after it was masked. The head is kept, whole lines only.
type Cut struct {
	Path   string // "snapshotDelta.tree"; empty: the plain text
	Tokens int
}
