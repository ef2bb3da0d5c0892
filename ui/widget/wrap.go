package widget

import (
	"sort"
	"strings"
	"unicode/utf8"

	"chaperone/ui/model"
)

// wrapper breaks text into lines of a width.
type wrapper struct {
	measure  func(string) float32
	width    float32
	verbatim bool // break anywhere and keep blanks
}

// wrap returns the lines, at most most of them unless it is zero, and whether something was left out.
func (w wrapper) wrap(spans []model.Span, most int) (lines [][]model.Span, cut bool) {
	var line []model.Span
	var used float32
	add := func(s model.Span) {
		if n := len(line); n > 0 && line[n-1].Masked == s.Masked {
			line[n-1].Text += s.Text
			return
		}
		line = append(line, s)
	}
	end := func() { lines, line, used = append(lines, line), nil, 0 }
	// no more is broken than is shown, and one line that tells that there was more
	full := func() bool { return most > 0 && len(lines) > most }
	for _, s := range spans {
		for _, word := range w.words(s.Text) {
			if full() {
				break
			}
			if word == "\n" {
				end()
				continue
			}
			width := w.measure(word)
			if used+width > w.width && used > 0 && (!w.verbatim || strings.TrimSpace(word) != "") {
				if strings.TrimSpace(word) == "" {
					end()
					continue
				}
				if !w.verbatim || w.measure(word) <= w.width {
					end()
				}
			}
			for used+width > w.width && !full() {
				head, tail := w.split(word, w.width-used)
				if head == "" && used > 0 {
					end()
					continue
				}
				if head == "" { // not even one letter fits
					_, n := utf8.DecodeRuneInString(word)
					head, tail = word[:n], word[n:]
				}
				add(model.Span{Text: head, Masked: s.Masked})
				if tail == "" {
					word, width = "", 0
					used = w.width
					break
				}
				end()
				word, width = tail, w.measure(tail)
			}
			if word == "" || (used == 0 && !w.verbatim && strings.TrimSpace(word) == "") {
				continue
			}
			add(model.Span{Text: word, Masked: s.Masked})
			used += width
		}
	}
	if len(line) > 0 || len(lines) == 0 {
		end()
	}
	if most > 0 && len(lines) > most {
		lines = lines[:most]
		lines[most-1] = w.ellipsis(lines[most-1])
		return lines, true
	}
	return lines, false
}

// words cuts text into words, the blanks between them, and line breaks. A trailing blank stands by itself.
func (w wrapper) words(text string) []string {
	var out []string
	start := 0
	kind := func(r rune) int {
		switch r {
		case '\n':
			return 2
		case ' ', '\t':
			return 1
		}
		return 0
	}
	last := -1
	for i, r := range text {
		k := kind(r)
		if i > start && (k != last || k == 2) {
			out = append(out, text[start:i])
			start = i
		}
		last = k
	}
	if start < len(text) {
		out = append(out, text[start:])
	}
	return out
}

// split returns the longest head of word that fits into room.
func (w wrapper) split(word string, room float32) (head, tail string) {
	var ends []int // where a head may end
	for i := range word {
		ends = append(ends, i)
	}
	ends = append(ends, len(word))
	// to measure is dear, so what is likely is tried first: letters differ little in width
	fits := func(i int) bool { return w.measure(word[:ends[i]]) <= room }
	from, to := 0, len(ends)
	likely := int(float32(len(ends)) * room / max(1, w.measure(word)))
	if i := likely*9/10 - 1; i > 0 && i < len(ends) {
		if fits(i) {
			from = i + 1
		} else {
			to = i
		}
	}
	if i := likely*11/10 + 2; i > from && i < to && !fits(i) {
		to = i
	}
	n := from + sort.Search(to-from, func(i int) bool { return !fits(from + i) })
	if n == 0 {
		return "", word
	}
	return word[:ends[n-1]], word[ends[n-1]:]
}

// line returns the spans as one line, cut if they are too wide.
func (w wrapper) line(spans []model.Span) (line []model.Span, cut bool) {
	var width float32
	for _, s := range spans {
		s.Text = strings.ReplaceAll(s.Text, "\n", " ")
		line = append(line, s)
		width += w.measure(s.Text)
	}
	if width <= w.width {
		return line, false
	}
	return w.ellipsis(line), true
}

// ellipsis ends a line with a sign that more was there.
func (w wrapper) ellipsis(line []model.Span) []model.Span {
	room := w.width - w.measure("…")
	var out []model.Span
	for _, s := range line {
		width := w.measure(s.Text)
		if width > room {
			head, _ := w.split(s.Text, room)
			if head != "" {
				out = append(out, model.Span{Text: head, Masked: s.Masked})
			}
			break
		}
		out = append(out, s)
		room -= width
	}
	if n := len(out); n > 0 {
		out[n-1].Text = strings.TrimRight(out[n-1].Text, " ") + "…"
		return out
	}
	return append(out, model.Span{Text: "…"})
}
