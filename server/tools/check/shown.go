package check

import (
	"chaperone/server/egress"
	"strings"
	"unicode"
	"unicode/utf8"
)

// shown is a text as an agent gets to see it: with aliases in place of registered values. What is checked is that, so that no check
// tells more than the page shown to the agent does. Letters that touch a value go with it: they may be the rest of a longer one.
func (d Deps) shown(s string) string {
	if d.Hidden == nil || s == "" || !d.Hidden.Holds(s) {
		return s
	}
	hide := d.Hidden.Hide()
	if hide == nil {
		return s
	}
	var out strings.Builder
	for d.Hidden.Holds(s) {
		runes := []rune(s)
		// The shortest head that holds a value, and of that the shortest tail.
		end := least(1, len(runes), func(n int) bool { return d.Hidden.Holds(string(runes[:n])) })
		begin := end - least(1, end, func(n int) bool { return d.Hidden.Holds(string(runes[end-n : end])) })
		name := ""
		if _, names := hide([]string{string(runes[begin:end])}); len(names) > 0 {
			name = names[0]
		}
		for begin > 0 && word(runes[begin-1]) {
			begin--
		}
		for end < len(runes) && word(runes[end]) {
			end++
		}
		out.WriteString(string(runes[:begin]) + "<" + name + ">")
		s = string(runes[end:])
	}
	return out.String() + s
}

func word(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// least is the least n from low to high for which is holds, where it holds for all greater ones too; high if for none.
func least(low, high int, is func(n int) bool) int {
	for low < high {
		middle := (low + high) / 2
		if is(middle) {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return high
}

// short is a text of the page as it is told in few words. It is shortened after the values in it were replaced.
func (d Deps) short(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	runes := []rune(string(egress.Shown([]byte(d.shown(s)))))
	if len(runes) <= most {
		return string(runes)
	}
	return string(runes[:most-1]) + "…"
}
