package mask

import "bytes"

// In an outline each element has a line: role "name" [value="…"], or text: words. A value that is split over elements is split
// over lines, and its pieces are what the lines say: their words are read as one text, and their values as another.

// line is what a line says.
type line struct {
	words, value [2]int // from and to; empty: it says none
	next         int    // where the next line begins
}

// lineAt reads the line of text that begins at start. In a written text line ends and quotes are escaped, as in JSON.
func lineAt(text []byte, start int, written bool) line {
	l := line{next: len(text)}
	rest := text[start:]
	if i := indexOf(rest, '\n', 'n', written); i >= 0 {
		rest = rest[:i]
		l.next = start + i + 1
		if written {
			l.next++
		}
	}
	end := start + len(rest)
	// Most lines begin with a role, and a colon or a quote behind it.
	i := 0
	for i < len(rest) && (rest[i] == ' ' || rest[i] == '-') {
		i++
	}
	for i < len(rest) && rest[i] >= 'a' && rest[i] <= 'z' {
		i++
	}
	open, c := -1, -1
	if i+1 < len(rest) && rest[i] == ' ' && rest[i+1] == '"' && !written {
		open = i + 1
	} else {
		open = indexOf(rest, '"', '"', written)
		if i+1 < len(rest) && rest[i] == ':' && rest[i+1] == ' ' {
			c = i
		} else if open >= 0 {
			c = colonIn(rest[:open])
		} else {
			c = colonIn(rest)
		}
	}
	if c >= 0 {
		l.words = [2]int{start + c + 2, end}
	} else if open < 0 {
		// Without a mark all of it is words, but for the line of an element that has none.
		for len(rest) > 0 && rest[len(rest)-1] <= ' ' {
			rest = rest[:len(rest)-1]
		}
		if n := len(rest); n == 0 || rest[n-1] == ':' || rest[n-1] == ']' {
			return l
		}
		from := start
		for rest[from-start] <= ' ' || rest[from-start] == '-' || rest[from-start] == '*' {
			if from++; from-start == len(rest) {
				return l
			}
		}
		l.words = [2]int{from, start + len(rest)}
		return l
	}
	if open < 0 {
		return l
	}
	size := 1
	if written {
		size = 2
	}
	from := open + size
	shut := quoteEnd(rest, from, written)
	if open > 0 && rest[open-1] == '=' {
		shut = open // attributes only
	} else if l.words[1] == 0 {
		l.words = [2]int{start + from, start + shut}
	}
	if tail := rest[min(shut, len(rest)):]; len(tail) > 9 {
		at := min(len(rest)-len(tail), open)
		is := plainValue
		if written {
			is = writtenValue
		}
		if bytes.IndexByte(tail[1:], '"') >= 0 {
			if i := bytes.Index(rest[at:], is); i >= 0 {
				v := at + i + len(is)
				l.value = [2]int{start + v, start + quoteEnd(rest, v, written)}
			}
		}
		// name="…" value="…": the first quote may be that of value itself.
		if l.value[1] == 0 && shut == open && bytes.HasSuffix(rest[:open], plainValue[:6]) {
			l.value = [2]int{start + from, start + quoteEnd(rest, from, written)}
		}
	}
	return l
}

var plainValue, writtenValue = []byte(`value="`), []byte(`value=\"`)

// indexOf finds c, or its escape in a written text.
func indexOf(s []byte, c, escape byte, written bool) int {
	if !written {
		return bytes.IndexByte(s, c)
	}
	for at := 0; ; {
		i := bytes.IndexByte(s[at:], '\\')
		if i < 0 || at+i+1 >= len(s) {
			return -1
		}
		if at += i; s[at+1] == escape {
			return at
		}
		at += 2
	}
}

func colonIn(s []byte) int {
	for at := 0; ; {
		i := bytes.IndexByte(s[at:], ':')
		if i < 0 || at+i+1 >= len(s) {
			return -1
		}
		if at += i; s[at+1] == ' ' {
			return at
		}
		at++
	}
}

// quoteEnd is where the quoted words that begin at i end. A quote among the words has a backslash before it.
func quoteEnd(s []byte, i int, written bool) int {
	for at := i; at < len(s); {
		n := indexOf(s[at:], '"', '"', written)
		if n < 0 {
			break
		}
		if at += n; at == i || s[at-1] != '\\' {
			return at
		}
		if written {
			at++
		}
		at++
	}
	return len(s)
}

// eachLine calls piece for what the lines of a text say, in each of the two streams; it ends early, with true, once piece says so.
func eachLine(text []byte, written bool, piece func(stream, from, to int) bool) bool {
	for at := 0; at < len(text); {
		l := lineAt(text, at, written)
		if l.words[0] < l.words[1] && piece(0, l.words[0], l.words[1]) || l.value[0] < l.value[1] && piece(1, l.value[0], l.value[1]) {
			return true
		}
		at = l.next
	}
	return false
}

// streams is how many texts the lines make.
const streams = 2
