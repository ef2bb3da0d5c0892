// Package tool holds the words in which a tool is declared: what it is called, what it does, which capability it needs, and
// its arguments as a Go struct. Schema, argument checks and hints for the client are derived from the declaration, so that
// nothing about a tool is written twice. It imports nothing of ours and knows no MCP library.
package tool
