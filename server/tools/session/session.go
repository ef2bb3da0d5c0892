// Package session is the set of tools for browsers, tabs and settings.
package session

import (
	"chaperone/internal/settings"
	"chaperone/server/client"
	"chaperone/server/gate"
	"chaperone/server/tool"
	"chaperone/server/tools/opener"
)

// Deps are what the tools of this set need.
type Deps struct {
	Open     *opener.Opener
	Gate     *gate.Gate
	Ask      gate.Asker
	Settings *settings.Store
	Sets     Sets
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

// Set returns the tools.
func Set(d Deps) tool.Set {
	return tool.NewSet("session", "Browsers, tabs and settings.", true,
		openSession(d), closeSession(d), closeSessions(d), listSessions(d), tabs(d), setViewport(d), setDialogPolicy(d),
		getConfig(d), setConfig(d), resetConfig(d), toolsets(d))
}
