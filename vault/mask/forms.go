package mask

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// The lengths, in characters, from which a value is searched in more than one form. Below, such a form turns up by chance.
const (
	shortestEncoded = 6  // in all forms but the next two
	shortestLoose   = 10 // in other case, and with punctuation between its characters

	// longestDump is the length in bytes up to which a value is searched as a list of bytes.
	longestDump = 4096
)

// pattern is one form of a value.
type pattern struct {
	low   string // in small letters
	text  string // as it must stand; empty: case does not matter
	whose int    // index of the secret
	size  int    // of the value in characters
	// base64: at its ends stand characters that belong to the value in part.
	left, right, padded bool
}

// forms collects patterns, by the view that they are searched in.
type forms struct {
	folded, alnum, unlisted []pattern
}

// add adds the forms of one value of shortestEncoded characters or more.
func (f *forms) add(whose int, value string) {
	size := utf8.RuneCountInString(value)
	p := pattern{whose: whose, size: size}
	for _, v := range spellings(value) {
		for _, w := range []string{v, backwards(v)} {
			texts := []string{w, strings.ReplaceAll(w, " ", "+")}
			for d, n := []byte(w), 0; n < deepest; n++ {
				next := decoded(d)
				if string(next) == string(d) {
					break
				}
				texts, d = append(texts, string(next)), next
			}
			for _, t := range texts {
				f.typed(p, t)
			}
		}
		for _, b := range binaries(v) {
			f.literal(p, hex.EncodeToString([]byte(b)))
		}
		for _, b := range wrapped(v) {
			f.base64(p, b)
		}
		if len(v) > longestDump {
			continue
		}
		for _, sep := range []string{":", "-", ",", "0x", ",0x"} {
			f.literal(p, joined(v, sep, func(c byte) string { return hex.EncodeToString([]byte{c}) }))
		}
		f.literal(p, joined(v, ",", func(c byte) string { return strconv.Itoa(int(c)) }))
	}
}

// typed adds a value in its own characters.
func (f *forms) typed(p pattern, v string) {
	text, low := folded(v)
	if utf8.RuneCountInString(text) < shortestEncoded {
		return
	}
	p.text, p.low = text, low
	if p.size >= shortestLoose {
		p.text = ""
	}
	f.folded = append(f.folded, p)
	f.unlisted = append(f.unlisted, p)
	if bare := unquoted(text); bare != text && utf8.RuneCountInString(bare) >= shortestEncoded {
		q := p
		q.low = unquoted(low)
		if q.text != "" {
			q.text = bare
		}
		f.unlisted = append(f.unlisted, q)
	}
	if loose := strings.Map(keepAlnum, low); utf8.RuneCountInString(loose) >= shortestLoose {
		p.low, p.text = loose, ""
		f.alnum = append(f.alnum, p)
	}
}

func keepAlnum(r rune) rune {
	if r < utf8.RuneSelf && punctuation(byte(r)) {
		return -1
	}
	return r
}

// literal adds an encoding in which case does not matter.
func (f *forms) literal(p pattern, s string) {
	p.low = s
	f.folded = append(f.folded, p)
	f.unlisted = append(f.unlisted, p)
}

// base64 adds what base64 makes of any text with v in it: v begins at one of three offsets.
func (f *forms) base64(p pattern, v string) {
	for _, q := range base64Forms(v) {
		q.whose, q.size = p.whose, p.size
		f.folded = append(f.folded, q)
		f.unlisted = append(f.unlisted, q)
	}
}

func base64Forms(v string) (out []pattern) {
	for offset := range 3 {
		whole := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("\x00", offset) + v + "\x00\x00"))
		// The characters all bits of which are of v.
		first, last := (offset*8+5)/6, (offset+len(v))*8/6
		inner := whole[first:last]
		q := pattern{left: offset > 0, right: (offset+len(v))%3 != 0, padded: true}
		for _, s := range []string{inner, strings.NewReplacer("+", "-", "/", "_").Replace(inner)} {
			q.text, q.low = s, strings.ToLower(s)
			out = append(out, q)
			if !strings.ContainsAny(inner, "+/") {
				break
			}
		}
	}
	return out
}

// spellings are what a page may make of a value without changing what a person reads.
func spellings(v string) []string {
	out := []string{v, norm.NFC.String(v), norm.NFD.String(v), strings.TrimFunc(v, unicode.IsSpace)}
	if strings.Contains(v, "\n") {
		unix := strings.ReplaceAll(v, "\r\n", "\n")
		out = append(out, unix, strings.ReplaceAll(unix, "\n", "\r\n"))
	}
	return distinct(out)
}

// binaries are the bytes in which a text is kept.
func binaries(v string) []string {
	units := utf16.Encode([]rune(v))
	little, big := make([]byte, 0, 2*len(units)), make([]byte, 0, 2*len(units))
	for _, u := range units {
		little, big = append(little, byte(u), byte(u>>8)), append(big, byte(u>>8), byte(u))
	}
	return []string{v, string(little), string(big)}
}

// wrapped are the bytes that base64 is made of: the value itself, in UTF-16, and as it stands in URLs and in JSON.
func wrapped(v string) []string {
	out := append(binaries(v), url.QueryEscape(v), url.PathEscape(v))
	quoted := strconv.Quote(v)
	return distinct(append(out, quoted[1:len(quoted)-1]))
}

func distinct(list []string) []string {
	var out []string
	for _, s := range list {
		if s != "" && !slices.Contains(out, s) && (len(out) == 0 || utf8.RuneCountInString(s) >= shortestEncoded) {
			out = append(out, s)
		}
	}
	return out
}

// backwards turns the characters around; marks stay with their letters.
func backwards(s string) string {
	r := []rune(norm.NFC.String(s))
	slices.Reverse(r)
	return string(r)
}

func joined(v, sep string, each func(byte) string) string {
	var b strings.Builder
	for i := range len(v) {
		if i > 0 {
			b.WriteString(sep)
		}
		b.WriteString(each(v[i]))
	}
	return b.String()
}
