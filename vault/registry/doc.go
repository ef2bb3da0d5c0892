// Package registry knows which secret values are in use, under which alias, in which session, and where each may go. It keeps
// them in memory only.
package registry
