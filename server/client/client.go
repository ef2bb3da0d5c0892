// Package client says who is asking: the MCP client behind a call, as its transport and the operating system saw it.
package client

import "context"

// Client is one connected MCP client. Its ID is stable for the life of the connection.
type Client struct {
	ID        string    // "c1", unique in this run
	Name      string    // clientInfo.name of initialize, as the client says it; untrusted
	Version   string    // clientInfo.version; untrusted
	Transport string    // "stdio", "socket" or "http"
	PID       int       // of the process at the other end, 0 where unknown
	Program   string    // its executable, read from the operating system
	Parents   []Process // nearest first
}

// Process is one process in a client's ancestry.
type Process struct {
	PID     int
	Program string
}

type key struct{}

// With returns ctx carrying c.
func With(ctx context.Context, c *Client) context.Context { return context.WithValue(ctx, key{}, c) }

// From returns the client that ctx carries; ok is false when the call did not come through a transport of ours.
func From(ctx context.Context) (c *Client, ok bool) {
	c, ok = ctx.Value(key{}).(*Client)
	return c, ok
}
