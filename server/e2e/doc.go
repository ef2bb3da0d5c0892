// Package e2e drives the built program as an agent does, over stdio, against pages that report what they saw. The page is the
// witness: a tool's own word counts for nothing here. There is no code besides the tests.
package e2e
