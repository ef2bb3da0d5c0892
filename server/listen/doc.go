// Package listen is how agents reach the server: over lines of JSON-RPC (standalone stdio, and the socket that the bridge
// joins) and over Streamable HTTP on the loopback interface.
//
// It promises that every message of a client is worked on by itself, so that a ping, a list or a cancel is answered while a
// call waits; that a client which reads slowly, sends garbage or dies harms nobody else; that all calls of a connection end
// with it; that nothing is said to a process of another user, to a web page, or to anyone without the token; and that every
// byte to a client passes Config.Scan last.
package listen
