// Package connect is the screen on which agents are let in: how each program is set up, who may come in, and the
// address and token for those that come over HTTP.
package connect
