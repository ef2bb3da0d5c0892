package model

import "regexp"

// Span is a piece of text; Masked ones stand for a value that was kept back.
type Span struct {
	Text   string
	Masked bool
}

var alias = regexp.MustCompile(`<[A-Z][A-Z0-9_]*>`)

// Spans cuts text at the masks in it.
func Spans(text string) []Span {
	var out []Span
	from := 0
	for _, at := range alias.FindAllStringIndex(text, -1) {
		if at[0] > from {
			out = append(out, Span{Text: text[from:at[0]]})
		}
		out = append(out, Span{Text: text[at[0]:at[1]], Masked: true})
		from = at[1]
	}
	if from < len(text) {
		out = append(out, Span{Text: text[from:]})
	}
	return out
}
