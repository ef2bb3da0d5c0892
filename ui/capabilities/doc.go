// Package capabilities is the screen of what agents may do at all: what is dangerous and on stands at the top, and
// each capability has a switch.
package capabilities
