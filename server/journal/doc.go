// Package journal keeps what agents did: the last calls with arguments and results exactly as the agent got them, masked, for
// the person to look through, and a line for each call in the audit folder of the workspace.
package journal
