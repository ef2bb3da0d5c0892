// Package connect knows the MCP clients that people use: the configuration each of them wants, the file it keeps it in, and
// how to put this program into that file without harming what stands there.
package connect
