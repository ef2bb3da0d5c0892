// Package acted writes what an action did: the ActionResult that every acting and navigating tool returns.
package acted

import (
	"chaperone/server/tool"
)

// Result is an ActionResult.
type Result struct {
	OK            bool                `json:"ok"`
	Action        Action              `json:"action"`
	Navigation    Navigation          `json:"navigation"`
	Structure     *Structure          `json:"structure,omitempty"`
	Console       *Console            `json:"console,omitempty"`
	PageErrors    []string            `json:"pageErrors,omitempty"`
	Element       any                 `json:"element,omitempty"`
	Elements      any                 `json:"elements,omitempty"`
	Dialogs       []Dialog            `json:"dialogs,omitempty"`
	Downloads     []Download          `json:"downloads,omitempty"`
	Permissions   []string            `json:"permissionRequests,omitempty"`
	FileChooser   *FileChooser        `json:"fileChooser,omitempty"`
	Auth          []Auth              `json:"authRequests,omitempty"`
	SnapshotDelta *Delta              `json:"snapshotDelta,omitempty"`
	Network       *Network            `json:"network,omitempty"`
	Failure       *tool.FailureSource `json:"failure,omitempty"`
	Warnings      []string            `json:"warnings,omitempty"`
	Error         string              `json:"error,omitempty"`
	Hint          string              `json:"hint,omitempty"`
}

// Action says what was done. The value is the one asked for; what is in the page is in Element.
type Action struct {
	Type     string      `json:"type"`
	Ref      string      `json:"ref,omitempty"`
	Selector string      `json:"selector,omitempty"`
	Named    string      `json:"named,omitempty"`
	Coords   *tool.Point `json:"coords,omitempty"`
	Value    string      `json:"value,omitempty"`
	URL      string      `json:"url,omitempty"`
}

// Of names an action on a target.
func Of(kind string, t tool.Target, value string) Action {
	return Action{Type: kind, Ref: t.Ref, Selector: t.Selector, Named: t.Named, Coords: t.Coords, Value: value}
}

// Navigation says how the address changed. Kind is null when it did not.
type Navigation struct {
	Changed bool    `json:"changed"`
	From    string  `json:"from"`
	To      string  `json:"to"`
	Kind    *string `json:"kind"`
}

// Structure says what came into the page and what went.
type Structure struct {
	Appeared []Node `json:"appeared,omitempty"`
	Removed  []Node `json:"removed,omitempty"`
	NewTabs  []Tab  `json:"newTabs,omitempty"`
}

// Node is an element of the page.
type Node struct {
	Ref  string `json:"ref,omitempty"`
	Role string `json:"role"`
	Name string `json:"name"`
}

// Tab is a tab that the action opened.
type Tab struct {
	ID      string `json:"id"`
	URL     string `json:"url"`
	Title   string `json:"title"`
	Current bool   `json:"current"`
}

// Console counts what the page wrote there.
type Console struct {
	Errors   []string `json:"errors"`
	Warnings int      `json:"warnings"`
}

// Dialog is one that the page opened, and the answer it got.
type Dialog struct {
	Type     string `json:"type"`
	Message  string `json:"message"`
	Default  string `json:"default,omitempty"`
	Accepted bool   `json:"accepted"`
	Text     string `json:"text,omitempty"`
	By       string `json:"by"`
}

// Download is one that the action began.
type Download struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	URL      string `json:"url"`
	State    string `json:"state"`
	Received int64  `json:"received"`
	Total    int64  `json:"total,omitempty"`
}

// FileChooser is a file dialog that the page asked for and that was not shown.
type FileChooser struct {
	Multiple bool   `json:"multiple"`
	Hint     string `json:"hint"`
}

// Auth is a question for a user name and password, which was answered with none.
type Auth struct {
	Source string `json:"source"`
	Origin string `json:"origin"`
	Scheme string `json:"scheme"`
	Realm  string `json:"realm"`
}

// Delta is the page after the action, as much of it as was asked for.
type Delta struct {
	Mode      string `json:"mode"`
	Scope     string `json:"scope,omitempty"`
	Tree      string `json:"tree,omitempty"`
	Truncated bool   `json:"truncated,omitempty"`
}

// Network is what the action caused there.
type Network struct {
	Summary   Summary    `json:"summary"`
	Requests  []Request  `json:"requests,omitempty"`
	Mutations []Mutation `json:"mutations,omitempty"`
	WSFrames  []WSFrame  `json:"wsFrames,omitempty"`
}

// Summary counts requests.
type Summary struct {
	Total              int            `json:"total"`
	ByType             map[string]int `json:"byType,omitempty"`
	Failed             int            `json:"failed"`
	EgressOffAllowlist int            `json:"egressOffAllowlist,omitempty"`
}

// Request is one request of the page.
type Request struct {
	ID     string `json:"requestId"`
	Method string `json:"method"`
	URL    string `json:"url"`
	Status int    `json:"status"`
	Type   string `json:"type"`
	Millis int64  `json:"ms"`
	Failed string `json:"failed,omitempty"`
}

// Mutation is a request that changed something on the server.
type Mutation struct {
	Method     string   `json:"method"`
	URLPattern string   `json:"urlPattern"`
	Status     int      `json:"status"`
	OK         bool     `json:"ok"`
	Millis     int64    `json:"durationMs"`
	Shape      []string `json:"responseShape"`
}

// WSFrame is one message of a WebSocket or an event stream.
type WSFrame struct {
	URL     string `json:"url"`
	Dir     string `json:"dir"`
	Kind    string `json:"kind"`
	Opcode  int    `json:"opcode"`
	Payload string `json:"payload"`
	TS      int64  `json:"ts"`
}

var _ tool.Failing = (*Result)(nil)

// Fail says what went wrong, beside what the action did all the same.
func (r *Result) Fail(f tool.Failure) {
	r.OK, r.Error, r.Hint = false, f.Error, f.Hint
	if r.Failure == nil {
		r.Failure = f.Failure
	}
}

// Warn adds a warning.
func (r *Result) Warn(words string) { r.Warnings = append(r.Warnings, words) }
