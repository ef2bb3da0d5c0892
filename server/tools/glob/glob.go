// Package glob matches texts against the patterns that agents give.
package glob

import "strings"

// Part reports whether something like pattern stands in s; * stands for anything.
func Part(pattern, s string) bool { return Match("*"+pattern+"*", s) }

// Match reports whether s as a whole is like pattern, in which * stands for anything.
func Match(pattern, s string) bool {
	parts := strings.Split(pattern, "*")
	if !strings.HasPrefix(s, parts[0]) {
		return false
	}
	s = s[len(parts[0]):]
	for i, p := range parts[1:] {
		if i == len(parts)-2 {
			return strings.HasSuffix(s, p)
		}
		at := strings.Index(s, p)
		if at < 0 {
			return false
		}
		s = s[at+len(p):]
	}
	return s == ""
}
