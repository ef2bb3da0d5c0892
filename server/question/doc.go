// Package question is the broker of what only a person can answer. It knows no window: whoever shows questions to the person
// (the window, a terminal) subscribes to it and answers through the one Answerer, a handle that no tool, page or transport
// has. A question ends exactly once: answered, timed out, or given up by all who asked.
package question
