package model

// Agent is who asks: an MCP client as the app knows it.
type Agent struct {
	ID      string // of the client in this run
	Name    string // "Claude Code"; as the client says it, so untrusted
	Program string // "/usr/bin/claude", read from the operating system; "" where unknown
	PID     int    // 0 where unknown
}

// State is what the agents are doing as a whole.
type State struct {
	Paused  bool
	Running int // calls that are being worked on now
	Clients int // clients that are connected
}
