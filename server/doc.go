// Package server is the MCP server. A call goes one way, in flow.go: who is asking, are the arguments right, may it pass, what
// does the tool say, what may leave, what was it. Refusals, errors and panics leave by the same door as results.
//
// adapt.go is the only file that turns our tools into those of the MCP library, and our replies into its results.
package server
