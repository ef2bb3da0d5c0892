package mask

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"html"
	"math/rand/v2"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"chaperone/vault"

	"golang.org/x/text/unicode/norm"
)

// maker makes values, ways to write them, and documents with them, all from one number.
type maker struct{ *rand.Rand }

func (r maker) pick(from string, n int) string {
	all := []rune(from)
	out := make([]rune, n)
	for i := range out {
		out[i] = all[r.IntN(len(all))]
	}
	return string(out)
}

func (r maker) value() string {
	n := 6 + r.IntN(24)
	switch r.IntN(8) {
	case 0:
		return r.pick("0123456789", n)
	case 1:
		return r.pick(letters+"-_.!@#$%^&*()+=/\\\"'<>?:;,[]{}|~` ", n) + r.pick(letters, 2)
	case 2:
		return r.pick("äöüßéñçабвгд日本語"+letters, n)
	case 3:
		return r.pick(letters, 4) + " " + r.pick(letters, 5) + "\n" + r.pick(letters, 5)
	case 4:
		return r.pick("ab", n)
	default:
		return r.pick(letters+"-_", n)
	}
}

// write writes a value in one of the forms that are found. plain: what it is read with.
func (r maker) write(v string, depth int) string {
	each := func(sep string, f func(c rune) string) string {
		var out []string
		for _, c := range v {
			out = append(out, f(c))
		}
		return strings.Join(out, sep)
	}
	some := func(f func(c rune) string) string {
		return each("", func(c rune) string {
			if r.IntN(2) == 0 && c != '%' && c != '&' && c != '\\' && c != '#' && c != '+' {
				return string(c)
			}
			return f(c)
		})
	}
	percent := func(c rune) string {
		var b strings.Builder
		for _, x := range []byte(string(c)) {
			fmt.Fprintf(&b, []string{"%%%02x", "%%%02X"}[r.IntN(2)], x)
		}
		return b.String()
	}
	var s string
	switch r.IntN(20) {
	case 0:
		s = v
	case 1:
		s = url.QueryEscape(v)
	case 2:
		s = some(percent)
	case 3:
		s = url.PathEscape(url.PathEscape(v))
	case 4, 5:
		enc := []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding}[r.IntN(4)]
		return enc.EncodeToString([]byte(r.pick(letters+"{}:\"", r.IntN(5)) + v + r.pick(letters+"{}:\"", r.IntN(5))))
	case 6:
		s = hex.EncodeToString([]byte(v))
		if r.IntN(2) == 0 {
			s = strings.ToUpper(s)
		}
		return s
	case 7:
		s = html.EscapeString(v)
	case 8:
		s = some(func(c rune) string {
			return fmt.Sprintf([]string{"&#%d;", "&#%05d;", "&#x%x;", "&#X%X;", "&#x%06x;"}[r.IntN(5)], c)
		})
	case 9, 10:
		b, _ := json.Marshal(v)
		s = string(b[1 : len(b)-1])
		if r.IntN(2) == 0 {
			b, _ = json.Marshal(s)
			s = string(b[1 : len(b)-1])
		}
	case 11:
		s = some(func(c rune) string {
			if c < 0x10000 && r.IntN(2) == 0 {
				return fmt.Sprintf(`\u%04x`, c)
			}
			return fmt.Sprintf(`\u{%x}`, c)
		})
	case 12:
		s = each([]string{"\u200b", "\u00ad", " ", "\u00a0", "\r\n", "\ufeff", "\u2060", "\x00"}[r.IntN(8)], func(c rune) string { return string(c) })
	case 13:
		s = norm.NFD.String(v)
	case 14:
		s = norm.NFC.String(v)
	case 15:
		s = backwards(v)
	case 16:
		if utf8.RuneCountInString(v) >= shortestLoose {
			s = strings.ToUpper(v)
			if low := strings.ToLower(s); low != strings.ToLower(v) {
				s = v
			}
		} else {
			s = v
		}
	case 17:
		s = strings.ReplaceAll(strings.ReplaceAll(v, " ", "\u00a0"), "\n", "\r\n")
	case 18:
		b, _ := json.Marshal(strings.Split(v, ""))
		return string(b)
	default:
		s = v
	}
	return s
}

// put writes documents: values at any depth, whole, or split over texts that stand under one key.
func (r maker) document(values []string, depth int) any {
	filler := func() string {
		s := r.pick("lorem ipsum dolor \n\t\"<>/", r.IntN(20))
		if r.IntN(3) == 0 {
			s += r.write(values[r.IntN(len(values))], 0) + " " + r.pick("xyz .", r.IntN(6))
		}
		return s
	}
	switch n := r.IntN(8); {
	case n == 0 || depth <= 0:
		return filler()
	case n == 1:
		return r.IntN(1 << 20)
	case n == 2:
		return []any{true, nil, 1.5}[r.IntN(3)]
	case n == 3:
		return pieces(r, values[r.IntN(len(values))])
	case n == 4:
		var list []any
		for i, p := range pieces(r, values[r.IntN(len(values))]) {
			list = append(list, map[string]any{"ref": fmt.Sprintf("e%d", i), "text": p, "on": true})
		}
		return list
	case n == 5:
		var list []any
		for range r.IntN(5) {
			list = append(list, r.document(values, depth-1))
		}
		return list
	case n == 6:
		var b strings.Builder
		b.WriteString("main\n")
		for i, p := range pieces(r, strings.ReplaceAll(values[r.IntN(len(values))], "\n", " ")) {
			switch {
			case strings.ContainsAny(p, "\"\\"):
				fmt.Fprintf(&b, "  - text: %s\n", p)
			default:
				fmt.Fprintf(&b, "  %s \"%s\" [ref=e%d]\n", []string{"text", "generic"}[i%2], p, i)
			}
		}
		return b.String()
	default:
		out := map[string]any{}
		for range r.IntN(5) {
			out[filler()] = r.document(values, depth-1)
		}
		return out
	}
}

func pieces(r maker, v string) []string {
	var out []string
	for rs := []rune(v); len(rs) > 0; {
		n := min(1+r.IntN(4), len(rs))
		out = append(out, string(rs[:n]))
		rs = rs[n:]
	}
	return out
}

// leak is a slow and plain look for a run of six characters of a value, in all ways to read a text. It shares no code with what it
// judges.
func leak(text string, values []string) string {
	seen := map[string]bool{}
	var look func(s string, depth int) string
	bare := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
				return -1
			}
			return r
		}, norm.NFD.String(s))
	}
	look = func(s string, depth int) string {
		if seen[s] || depth == 0 {
			return ""
		}
		seen[s] = true
		flat := bare(s)
		var turned []rune
		for _, r := range norm.NFC.String(bare(norm.NFC.String(s))) {
			turned = append(turned, r)
		}
		slices.Reverse(turned)
		back := norm.NFD.String(string(turned))
		for _, v := range values {
			runes := []rune(bare(v))
			for i := 0; i+6 <= len(runes); i++ {
				run := string(runes[i : i+6])
				if strings.Contains(flat, run) || strings.Contains(back, run) {
					return run
				}
				if h := hex.EncodeToString([]byte(run)); strings.Contains(strings.ToLower(flat), h) {
					return "hex of " + run
				}
			}
			if utf8.RuneCountInString(v) >= shortestLoose && len(runes) >= 10 {
				for i := 0; i+10 <= len(runes); i++ {
					if run := strings.ToLower(string(runes[i : i+10])); strings.Contains(strings.ToLower(flat), run) {
						return "small letters of " + run
					}
				}
			}
		}
		if u, err := url.QueryUnescape(s); err == nil {
			if l := look(u, depth-1); l != "" {
				return l
			}
		}
		if l := look(html.UnescapeString(s), depth-1); l != "" {
			return l
		}
		var un string
		if json.Unmarshal([]byte(`"`+s+`"`), &un) == nil {
			if l := look(un, depth-1); l != "" {
				return l
			}
		}
		for _, word := range strings.FieldsFunc(s, func(r rune) bool {
			return r >= 0x80 || r != '+' && r != '/' && r != '-' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
		}) {
			word = strings.NewReplacer("-", "+", "_", "/").Replace(word)
			for o := 0; o < 4 && o < len(word); o++ {
				w := word[o:]
				if b, err := base64.RawStdEncoding.DecodeString(w[:len(w)-len(w)%4]); err == nil && len(b) > 0 {
					for _, v := range values {
						for i := 0; i+6 <= len(v); i++ {
							if bytes.Contains(b, []byte(v[i:i+6])) {
								return "base64 of " + v[i:i+6]
							}
						}
					}
				}
			}
		}
		return ""
	}
	return look(text, 4)
}

// texts are all texts of a document, and those under one key put together.
func texts(doc []byte) []string {
	var out []string
	joined := map[string]string{}
	var walk func(v any, key string)
	d := json.NewDecoder(bytes.NewReader(doc))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return []string{string(doc)}
	}
	walk = func(v any, key string) {
		switch v := v.(type) {
		case map[string]any:
			for k, x := range v {
				out = append(out, k)
				walk(x, k)
			}
		case []any:
			for _, x := range v {
				walk(x, key)
			}
		case string:
			out = append(out, v)
			joined[key] += v
			var lines string
			for line := range strings.Lines(v) {
				a, b, colon := strings.Cut(line, ": ")
				if colon && !strings.Contains(a, `"`) {
					lines += strings.TrimSuffix(b, "\n")
				} else if _, b, ok := strings.Cut(line, `"`); ok {
					b, _, _ = strings.Cut(b, `"`)
					lines += b
				}
			}
			out = append(out, lines)
		}
	}
	walk(v, "")
	for _, s := range joined {
		out = append(out, s)
	}
	return out
}

// layout is a document with its texts and numbers taken out.
func layout(doc []byte) string {
	var b strings.Builder
	done := 0
	walk(doc, func(kind byte, start, end int) {
		if kind == '"' || kind == 'k' || kind == '0' {
			b.Write(doc[done:start])
			b.WriteByte('_')
			done = end
		}
	})
	b.Write(doc[done:])
	return b.String()
}

// check makes secrets and a document from a number, masks it, and says what is wrong.
func check(seed uint64) error {
	r := maker{rand.New(rand.NewPCG(seed, 77))}
	var values []string
	var list []vault.Secret
	for i := range 1 + r.IntN(4) {
		v := r.value()
		values = append(values, v)
		list = append(list, vault.NewSecret(fmt.Sprintf("S%d", i), v))
	}
	m := New(list)
	for _, s := range list {
		if m.Holds(s.Mask()) {
			return nil // such are refused
		}
	}
	doc, err := json.Marshal(r.document(values, 4))
	if err != nil {
		return nil
	}
	if r.IntN(2) == 0 {
		var b bytes.Buffer
		_ = json.Indent(&b, doc, "", "  ")
		doc = b.Bytes()
	}
	before := bytes.Clone(doc)
	out, hits := m.ScanJSON(doc)
	switch {
	case !bytes.Equal(before, doc):
		return fmt.Errorf("the document itself was changed")
	case !json.Valid(out):
		return fmt.Errorf("%s is no JSON", out)
	case layout(out) != layout(doc):
		return fmt.Errorf("the layout of %s became that of %s", doc, out)
	case (len(hits) > 0) == bytes.Equal(doc, out):
		return fmt.Errorf("hits %v for %s", hits, doc)
	}
	if again := m.JSON(out); !bytes.Equal(again, out) {
		return fmt.Errorf("%s, then %s", out, again)
	}
	for _, s := range texts(out) {
		if l := leak(s, values); l != "" {
			return fmt.Errorf("values %q: %s is in %q, of %s, which was %s", values, l, s, out, doc)
		}
	}
	// The filter misses nothing that the search finds.
	for _, s := range texts(doc) {
		b := []byte(s)
		if found := m.find(b, true); len(found) > 0 && !m.filter.may(b, true) {
			return fmt.Errorf("values %q: the filter does not see %q", values, s)
		}
	}
	var x, y any
	if json.Unmarshal(doc, &x) == nil && json.Unmarshal(out, &y) == nil && reflect.TypeOf(x) != reflect.TypeOf(y) {
		return fmt.Errorf("%s became %s", doc, out)
	}
	if wire := m.Bytes(doc); !json.Valid(wire) {
		return fmt.Errorf("%s became %s in the last look", doc, wire)
	}
	return nil
}

var cases = flag.Uint64("cases", 4000, "how many made documents TestCorpus masks")

func TestCorpus(t *testing.T) {
	n := *cases
	if testing.Short() {
		n = min(n, 1000)
	}
	bad := 0
	for _, seed := range []uint64{81481, 110334} { // found by longer runs
		if err := check(seed); err != nil {
			t.Errorf("%d: %v", seed, err)
		}
	}
	for seed := range n {
		if err := check(seed); err != nil {
			t.Errorf("%d: %v", seed, err)
			if bad++; bad > 8 {
				break
			}
		}
	}
}

func FuzzMask(f *testing.F) {
	for i := range uint64(64) {
		f.Add(i)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		if err := check(seed); err != nil {
			t.Error(err)
		}
	})
}

// FuzzText is about any bytes at all: nothing breaks, doing it again changes nothing, and a value as it was typed is gone.
func FuzzText(f *testing.F) {
	for _, s := range []string{"hunter2", "s3cr3t-hunter2", "a", `"`, "<A>", "AAAAAA", "\xff\xfe\xfd", "%41%42%43", `\u0041\u0042`, "&amp;&#65;", "abababab", "{}[],:", "      a", "日本語日本語", "é\u0301é\u0301é\u0301"} {
		f.Add(s, "x"+s+"y"+s, "b")
		f.Add(s, url.QueryEscape(s)+base64.StdEncoding.EncodeToString([]byte(s)), s+s)
		f.Add("<B>"+s, "<B><A>"+s+s, s)
	}
	f.Fuzz(func(t *testing.T, v, text, w string) {
		m := of("A", v, "B", w)
		once := m.Text(text)
		if twice := m.Text(once); twice != once {
			t.Errorf("%q and %q in %q: %q, then %q", v, w, text, once, twice)
		}
		m.Bytes([]byte(text))
		doc, _ := json.Marshal(map[string]string{"k": text, text: w})
		out := m.JSON(doc)
		if !json.Valid(out) {
			t.Errorf("%s became %s", doc, out)
		}
		if again := m.JSON(out); !bytes.Equal(again, out) {
			t.Errorf("%s, then %s", out, again)
		}
		if valid := utf8.ValidString(v) && v != "" && !strings.Contains("<A><B>", v); valid {
			rest := strings.NewReplacer("<A>", "\x01", "<B>", "\x01").Replace(once)
			if strings.Contains(rest, v) && !strings.Contains(v, "\x01") {
				t.Errorf("%q is in %q", v, once)
			}
		}
	})
}
