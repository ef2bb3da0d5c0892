package model

import "time"

// Program is an MCP client that can be set up.
type Program struct {
	ID      string // "claude-code"
	Name    string // "Claude Code"
	Hint    string // one line: where the snippet goes
	Snippet string // the exact text
	File    string // the file that Add changes; "" where it can only be copied
	Added   bool   // that file has us already
}

// Change is what adding us to a program would do to its file.
type Change struct {
	File   string
	Before string // "" where the file is new
	After  string
	Backup string // where the file's old content is kept; "" where the file is new
}

// Paired is a client that the person let in.
type Paired struct {
	ID      string
	Name    string
	Program string
	First   time.Time
	Last    time.Time
	Here    bool // connected now
}

// Endpoint is where clients connect over HTTP.
type Endpoint struct {
	URL   string // "http://127.0.0.1:7420/mcp"; "" while it is not served
	Token string
}
