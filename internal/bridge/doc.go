// Package bridge carries lines of JSON-RPC between an MCP client on standard input and output and the running app.
//
// It promises that every request of the client is answered, by the app or with an error that says why not; that it ends soon
// after the client has; and that it outlives the app: when that comes back, the client goes on without being started again.
package bridge
