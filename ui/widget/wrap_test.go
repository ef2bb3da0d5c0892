package widget

import (
	"strings"
	"testing"
	"unicode/utf8"

	"chaperone/ui/model"
)

// one letter, one unit
func count(s string) float32 { return float32(utf8.RuneCountInString(s)) }

func text(lines [][]model.Span) string {
	var out []string
	for _, l := range lines {
		var b strings.Builder
		for _, s := range l {
			if s.Masked {
				b.WriteString("[" + s.Text + "]")
				continue
			}
			b.WriteString(s.Text)
		}
		out = append(out, b.String())
	}
	return strings.Join(out, "|")
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		name, in string
		width    float32
		most     int
		verbatim bool
		want     string
		cut      bool
	}{
		{"fits", "one two", 10, 0, false, "one two", false},
		{"at a blank", "one two three", 8, 0, false, "one two |three", false},
		{"a word too long", "abcdefghij", 4, 0, false, "abcd|efgh|ij", false},
		{"after a word", "x abcdefghij", 4, 0, false, "x |abcd|efgh|ij", false},
		{"line breaks", "a\n\nb", 4, 0, false, "a||b", false},
		{"no more than two lines", "one two three four", 5, 2, false, "one |two…", true},
		{"a mask stays a mask", "pw <PW> end", 7, 0, false, "pw [<PW>]|end", false},
		{"a long mask", "<ABCDEFGH>", 4, 0, false, "[<ABC]|[DEFG]|[H>]", false},
		{"code keeps its blanks", "{\n  \"a\": 1\n}", 9, 0, true, "{|  \"a\": 1|}", false},
		{"other letters", "ééééé", 2, 0, false, "éé|éé|é", false},
		{"nothing", "", 4, 0, false, "", false},
		{"no room at all", "ab", 0, 0, false, "a|b", false},
	} {
		w := wrapper{measure: count, width: c.width, verbatim: c.verbatim}
		lines, cut := w.wrap(model.Spans(c.in), c.most)
		if got := text(lines); got != c.want || cut != c.cut {
			t.Errorf("%s: %q, cut %v; want %q, cut %v", c.name, got, cut, c.want, c.cut)
		}
	}
}

func TestOneLine(t *testing.T) {
	w := wrapper{measure: count, width: 8}
	for in, want := range map[string]string{"short": "short", "a long sentence": "a long…", "is <PASSWORD>": "is [<PAS…]", "two\nlines": "two lin…"} {
		line, cut := w.line(model.Spans(in))
		if got := text([][]model.Span{line}); got != want || cut != (want != in) {
			t.Errorf("%q became %q, cut %v; want %q", in, got, cut, want)
		}
	}
}

// No letter may be lost or doubled, whatever the text and the width.
func FuzzWrapKeepsEveryLetter(f *testing.F) {
	f.Add("one <PW> two\n three", 5, true)
	f.Add("ééé\t ééé", 1, false)
	f.Fuzz(func(t *testing.T, in string, width int, verbatim bool) {
		if width < 0 || width > 200 || len(in) > 2000 || !utf8.ValidString(in) {
			t.Skip()
		}
		w := wrapper{measure: count, width: float32(width), verbatim: verbatim}
		lines, _ := w.wrap(model.Spans(in), 0)
		var out strings.Builder
		for _, l := range lines {
			for _, s := range l {
				out.WriteString(s.Text)
			}
		}
		bare := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if bare(out.String()) != bare(in) {
			t.Errorf("%q at %d became %q", in, width, out.String())
		}
	})
}
