package egress

import (
	"bytes"
	"strings"

	"chaperone/browser/pagejs"
)

const ellipsis = "…"

// Shown makes an ellipsis of what cuts kept, in a text or in a whole message: the last thing that is done to all that leaves. A text
// within quotes in a document is not left.
func Shown(b []byte) []byte {
	open, shut := pagejs.CutMarks()
	if !bytes.Contains(b, []byte(open)) && !bytes.Contains(b, []byte(shut)) {
		return b
	}
	return []byte(shown(string(b), open, shut))
}

func shownText(s string) string {
	open, shut := pagejs.CutMarks()
	if !strings.Contains(s, open) && !strings.Contains(s, shut) {
		return s
	}
	return shown(s, open, shut)
}

func shown(s, open, shut string) string {
	var b strings.Builder
	for {
		i, j := strings.Index(s, open), strings.Index(s, shut)
		switch {
		case i < 0 && j < 0:
			b.WriteString(s)
			return b.String()
		case i < 0 || j >= 0 && j < i:
			b.WriteString(s[:j] + ellipsis)
			s = s[j+len(shut):]
			continue
		}
		b.WriteString(s[:i] + ellipsis)
		s = s[i+len(open):]
		end := strings.Index(s, shut)
		if again := strings.Index(s, open); end >= 0 && (again < 0 || end < again) {
			s = s[end+len(shut):]
			continue
		}
		// The end was cut off: all up to that of the text goes.
		s = s[textLeft(s):]
	}
}

// textLeft is where a text ends that is the rest of a line, or of what is quoted there.
func textLeft(s string) int {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			if i+1 < len(s) && (s[i+1] == '"' || s[i+1] == 'n') {
				return i
			}
			i++
		case '"', '\n':
			return i
		}
	}
	return len(s)
}

// parts calls change for the parts of a text between marks and leaves the marks: nothing that is read as one, such as a URL, may
// reach over them.
func parts(s string, change func(string) string) string {
	open, shut := pagejs.CutMarks()
	var b strings.Builder
	for {
		i, j := strings.Index(s, open), strings.Index(s, shut)
		mark := open
		if i < 0 || j >= 0 && j < i {
			i, mark = j, shut
		}
		if i < 0 {
			if b.Len() == 0 {
				return change(s)
			}
			b.WriteString(change(s))
			return b.String()
		}
		b.WriteString(change(s[:i]) + mark)
		s = s[i+len(mark):]
	}
}
