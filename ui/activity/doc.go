// Package activity is the screen of what agents did: a long list of calls, newest first, each of which opens to
// what the agent sent and got.
package activity
