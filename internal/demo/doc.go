// Package demo shows in two minutes what Chaperone does: a small shop served from this program, and a scripted agent that
// speaks MCP over stdio like any other client and tells in plain words what it saw. It promises to stop before the one step
// that costs money until the person has approved it, to talk to this computer only, and to claim nothing that it has not
// read back from a tool's answer.
package demo
