// Package tools lists the sets of tools, and names what they need of the server.
package tools

import (
	"context"
	"encoding/json"

	"chaperone/browser"
	"chaperone/internal/settings"
	"chaperone/server/client"
	"chaperone/server/gate"
	"chaperone/server/tool"
)

// Deps are what the tools need.
type Deps struct {
	Browser   *browser.Browser
	Gate      *gate.Gate
	Ask       gate.Asker
	Settings  *settings.Store
	Workspace string
	// Call calls another tool by the same flow.
	Call func(ctx context.Context, name string, args json.RawMessage) Reply
	Sets Sets
}

// Reply is what a call within a call came to.
type Reply struct {
	JSON   json.RawMessage
	Text   string
	Images []tool.Image
	Failed bool
}

// Sets lists the sets of tools as a client has them, and switches them.
type Sets interface {
	List(*client.Client) []SetState
	Switch(c *client.Client, name string, on bool) error
}

// SetState is a set as a client has it.
type SetState struct {
	Name  string      `json:"name"`
	Does  string      `json:"does"`
	On    bool        `json:"on"`
	Tools []ToolState `json:"tools"`
}

// ToolState is one tool of a set.
type ToolState struct {
	Name    string          `json:"name"`
	Does    string          `json:"does"`
	Needs   tool.Capability `json:"needs"`
	Allowed bool            `json:"allowed"`
	Listed  bool            `json:"listed"`
}

// All returns the sets of tools.
func All(d Deps) []tool.Set { return nil }
