package mask

import "bytes"

// In an outline each element has a line: role "name" [value="…"], or text: words. A value that is split over elements is split
// over lines, and its pieces are what the lines say: streams of them are read as one text.
const streams = 2

// lines calls piece for what each line of text says in a stream: 0: its first quoted words, or what stands behind the colon;
// 1: its value="…". In a written text line ends and quotes are escaped, as in JSON. It ends early, with true, once piece says no.
func lines(text []byte, stream int, written bool, piece func(start, end int) bool) bool {
	quote, eol, is := plainQuote, plainEnd, plainValue
	if written {
		quote, eol, is = writtenQuote, writtenEnd, writtenValue
	}
	if stream == 1 {
		for at := 0; ; {
			i := bytes.Index(text[at:], is)
			if i < 0 {
				return false
			}
			start := at + i + len(is)
			end := quoteEnd(text, start, quote)
			if !piece(start, end) {
				return true
			}
			at = end
		}
	}
	for at := 0; at < len(text); {
		next, end := len(text), len(text)
		if i := bytes.Index(text[at:], eol); i >= 0 {
			end = at + i
			next = end + len(eol)
		}
		if from, to := says(text, at, end, quote); from < to && !piece(from, to) {
			return true
		}
		at = next
	}
	return false
}

var (
	plainQuote, writtenQuote = []byte(`"`), []byte(`\"`)
	plainEnd, writtenEnd     = []byte("\n"), []byte(`\n`)
	plainValue, writtenValue = []byte(`value="`), []byte(`value=\"`)
)

func says(text []byte, start, end int, quote []byte) (int, int) {
	line := text[start:end]
	i, c := bytes.Index(line, quote), bytes.Index(line, colon)
	if c >= 0 && (i < 0 || c < i) {
		return start + c + len(colon), end
	}
	if i >= 0 {
		if i > 0 && line[i-1] == '=' {
			return 0, 0 // attributes only
		}
		from := start + i + len(quote)
		return from, quoteEnd(text[:end], from, quote)
	}
	for end > start && text[end-1] <= ' ' {
		end--
	}
	if end > start && (text[end-1] == ':' || text[end-1] == ']') {
		return 0, 0 // an element without words
	}
	for start < end && (text[start] <= ' ' || text[start] == '-' || text[start] == '*') {
		start++
	}
	return start, end
}

var colon = []byte(": ")

// quoteEnd is where the quoted text that begins at i ends.
func quoteEnd(text []byte, i int, quote []byte) int {
	for at := i; ; {
		n := bytes.Index(text[at:], quote)
		if n < 0 {
			break
		}
		at += n
		// A quote that is part of the text has one more backslash before it than its kind: two more where it is written.
		if at == i || text[at-1] != '\\' {
			return at
		}
		at += len(quote)
	}
	if n := bytes.IndexByte(text[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(text)
}
