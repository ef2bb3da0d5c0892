package mask

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf16"

	"chaperone/vault"

	"golang.org/x/text/unicode/norm"
)

func of(pairs ...string) *Mask {
	var list []vault.Secret
	for i := 0; i+1 < len(pairs); i += 2 {
		list = append(list, vault.NewSecret(pairs[i], pairs[i+1]))
	}
	return New(list)
}

func TestNothingRegistered(t *testing.T) {
	var m *Mask
	doc := []byte(`{"a":1}`)
	if got := m.Text("x"); got != "x" {
		t.Errorf("%q", got)
	}
	if got := m.JSON(doc); &got[0] != &doc[0] {
		t.Error("the document was copied")
	}
	if got := m.Bytes(doc); &got[0] != &doc[0] {
		t.Error("the bytes were copied")
	}
	if _, hits := m.Scan("x"); hits != nil || m.Holds("x") {
		t.Error("something was found")
	}
	if New(nil) != nil || of("A", "") != nil {
		t.Error("a mask without a value is not nil")
	}
}

const (
	password = "s3cr3t-hunter2"
	odd      = `p@ss&"w<r>d/1\`
	phrase   = "correct horse\nbattery staple"
	marks    = "Größe-é-naïve-42"
	six      = "Zk3xQ9"
	cyrillic = "пароль-секрет"
)

// encoded are the forms of a value that a page, a log or a network body may show.
func encoded(v string) map[string]string {
	out := map[string]string{
		"typed": v, "query": url.QueryEscape(v), "path": url.PathEscape(v),
		"component": strings.ReplaceAll(url.QueryEscape(v), "+", "%20"),
		"double":    url.QueryEscape(url.QueryEscape(v)),
		"html":      html.EscapeString(v), "html twice": html.EscapeString(html.EscapeString(v)),
		"hex": hex.EncodeToString([]byte(v)), "HEX": strings.ToUpper(hex.EncodeToString([]byte(v))),
		"hex dump": strings.TrimSpace(joined(v, " ", func(c byte) string { return fmt.Sprintf("%02x", c) })),
		"bytes":    joined(v, ", ", func(c byte) string { return fmt.Sprintf("0x%02X", c) }),
		"codes":    joined(v, ",", func(c byte) string { return fmt.Sprint(c) }),
		"every %":  joined(v, "", func(c byte) string { return fmt.Sprintf("%%%02X", c) }), "every % lower": joined(v, "", func(c byte) string { return fmt.Sprintf("%%%02x", c) }),
		"every %25": joined(v, "", func(c byte) string { return fmt.Sprintf("%%25%02X", c) }),
		"reversed":  backwards(v), "NFD": norm.NFD.String(v), "NFC": norm.NFC.String(v),
		"url in html": html.EscapeString("?a=1&b=" + url.QueryEscape(v)),
	}
	for name, enc := range map[string]*base64.Encoding{"base64": base64.StdEncoding, "base64raw": base64.RawStdEncoding, "base64url": base64.URLEncoding, "base64urlraw": base64.RawURLEncoding} {
		for _, pre := range []string{"", "u", "us", "user:"} {
			for _, post := range []string{"", "x", "xy", "xyz"} {
				out[name+pre+post] = enc.EncodeToString([]byte(pre + v + post))
			}
		}
	}
	out["base64 in query"] = url.QueryEscape(base64.StdEncoding.EncodeToString([]byte(v)))
	runes := func(sep, format string) string {
		var b []string
		for _, r := range v {
			b = append(b, fmt.Sprintf(format, r))
		}
		return strings.Join(b, sep)
	}
	out["decimal"], out["decimal zeros"], out["hexa"], out["HEXA"] = runes("", "&#%d;"), runes("", "&#%07d;"), runes("", "&#x%x;"), runes("", "&#X%04X;")
	out["decimal bare"] = runes(" ", "&#%d")
	out["js braces"] = runes("", `\u{%x}`)
	out["zero width"], out["soft hyphen"], out["spaced"], out["nbsp"], out["lines"] = runes("\u200b", "%c"), runes("\u00ad", "%c"), runes(" ", "%c"), runes("\u00a0", "%c"), runes("\r\n", "%c")
	out["nbsp entity"], out["shy entity"] = runes("&nbsp;", "%c"), runes("&shy;", "%c")
	var u, u16 strings.Builder
	for _, c := range utf16.Encode([]rune(v)) {
		fmt.Fprintf(&u, `\u%04x`, c)
		u16.WriteString(string([]byte{byte(c), byte(c >> 8)}))
	}
	out["js"] = u.String()
	out["js twice"] = strings.ReplaceAll(u.String(), `\`, `\\`)
	ascii := true
	for _, c := range []byte(v) {
		ascii = ascii && c < 0x80
	}
	if ascii {
		out["utf16"] = u16.String()
		out["js x"] = joined(v, "", func(c byte) string { return fmt.Sprintf(`\x%02x`, c) })
		out["octal"] = joined(v, "", func(c byte) string { return fmt.Sprintf(`\%03o`, c) })
	}
	out["base64 utf16"] = base64.StdEncoding.EncodeToString([]byte(binaries(v)[1]))
	j, _ := json.Marshal(v)
	out["json"] = string(j[1 : len(j)-1])
	j, _ = json.Marshal(string(j))
	out["json twice"] = string(j)
	j, _ = json.Marshal(string(j))
	out["json thrice"] = string(j)
	out["json slashes"] = strings.ReplaceAll(out["json"], "/", `\/`)
	quoted := make([]string, 0)
	for _, r := range v {
		q, _ := json.Marshal(string(r))
		quoted = append(quoted, string(q))
	}
	out["list"], out["list of lines"] = "["+strings.Join(quoted, ",")+"]", "[\n"+strings.Join(quoted, ",\n")+"\n]"
	out["words"] = strings.ReplaceAll(v, " ", "\u00a0")
	out["crlf"] = strings.ReplaceAll(v, "\n", "\r\n")
	if len([]rune(v)) >= shortestLoose {
		out["upper"], out["lower"] = strings.ToUpper(v), strings.ToLower(v)
		out["reversed upper"] = strings.ToUpper(backwards(v))
	}
	return out
}

func TestForms(t *testing.T) {
	for alias, v := range map[string]string{"PW": password, "ODD": odd, "PHRASE": phrase, "MARKS": marks, "SIX": six, "CYRILLIC": cyrillic} {
		m := of("OTHER", "tops3cretOther", alias, v, "PIN", "4821")
		for name, form := range encoded(v) {
			for _, around := range [][2]string{{"", ""}, {"a ", " b"}, {"<p title=\"", "\">"}, {"{\"x\": \"", "\"}"}} {
				in := around[0] + form + around[1]
				got, hits := m.Scan(in)
				if !strings.HasPrefix(got, around[0]) || !strings.HasSuffix(got, around[1]) || !strings.Contains(got, "<"+alias+">") {
					t.Errorf("%s, %s: %q became %q", alias, name, in, got)
					continue
				}
				if left := got[len(around[0]) : len(got)-len(around[1])]; len(strings.Replace(left, "<"+alias+">", "", 1)) > 20 {
					t.Errorf("%s, %s: too much is left of %q: %q", alias, name, in, got)
				}
				if len(hits) != 1 || hits[0].Alias != alias {
					t.Errorf("%s, %s: hits %v", alias, name, hits)
				}
				if again := m.Text(got); again != got {
					t.Errorf("%s, %s: %q, then %q", alias, name, got, again)
				}
				if !m.Holds(in) {
					t.Errorf("%s, %s: Holds says no", alias, name)
				}
				doc, _ := json.Marshal(map[string]any{"a": in, in: []any{1, in}})
				out := m.JSON(doc)
				if !json.Valid(out) || strings.Count(strings.ReplaceAll(string(out), `\u003c`, "<"), alias) != 3 {
					t.Errorf("%s, %s: %s became %s", alias, name, doc, out)
				}
			}
		}
	}
}

func TestOverlaps(t *testing.T) {
	m := of("AAA", "abcdefgh", "BBB", "efghijkl")
	for in, want := range map[string]string{
		"abcdefghijkl":       "<AAA>",
		"x abcdefghijkl y":   "x <AAA> y",
		"efghijklabcdefgh":   "<BBB><AAA>",
		"efghijkl efghijkl":  "<BBB> <BBB>",
		"abcdefgabcdefgh":    "abcdefg<AAA>",
		"a b c d e f g h ij": "<AAA> ij",
	} {
		if got := m.Text(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
	_, hits := m.Scan("abcdefghijkl abcdefgh")
	if fmt.Sprint(hits) != "[{AAA 2} {BBB 1}]" {
		t.Errorf("%v", hits)
	}
	if got := of("A", "abab").Text("x ababab y"); got != "x <A> y" {
		t.Errorf("%q", got)
	}
	if got := of("A", "hunter2x", "B", "hunter2x-longer").Text("hunter2x-longer hunter2x"); got != "<B> <A>" {
		t.Errorf("%q", got)
	}
	if got := of("A", "same-value", "B", "same-value").Text("same-value"); got != "<A>" {
		t.Errorf("%q", got)
	}
}

func TestValuesThatAreTrouble(t *testing.T) {
	long := strings.Repeat("0123456789abcdef-", 6000)
	for _, v := range []string{"a", "A", "<", `"`, "{", "}", ":", ",", "1", "<A", "A>", "<A>", "<V>", "V", `\`, "u003c", "true", "null", ".*", "[a-z]+", "(?i)x", "$1", "\x00", "\xff\xfe", "\xff\xfe\xfd\xfc\xfb\xfa\xf9", " ", "      a", "a      ",
		"''''''''", `""""""""`, "{}[]{}[]", "%%%%%%%%", "&&&&&&&&", `\\\\\\\\`, "&amp;&amp;", "%41%42%43", `\u0041\u0042`, "<<<<<<<<", "<VALUE>x", "x<VALUE>", "<W><VALUE>", long, strings.Repeat("a", 100_000), "aaaaaa", "      ", "\n\n\n\n\n\n\n", "日本語のパスワード", "😀😀😀😀😀😀", "ﬁﬁﬁﬁﬁﬁ", "İİİİİİİİİİ"} {
		for _, alias := range []string{"VALUE", "A"} {
			m := of(alias, v, "W", "another-value", "X", "<VALUE>x1")
			for _, in := range []string{v, "a" + v + "b", v + v, `{"a":1,"b":[true,null,"x"]}`, strings.Repeat(`{"k":"<V>"} `, 20)} {
				once := m.Text(in)
				if twice := m.Text(once); twice != once {
					t.Errorf("%.40q in %.60q: %.80q, then %.80q", v, in, once, twice)
				}
				doc, _ := json.Marshal(map[string]any{"k": in, "n": []any{1, 23, "x"}})
				out := m.JSON(doc)
				if !json.Valid(out) {
					t.Errorf("%.40q in %.60q: %.100s", v, doc, out)
				}
				if again := m.JSON(out); string(again) != string(out) {
					t.Errorf("%.40q in %.60q: %.100s, then %.100s", v, doc, out, again)
				}
				m.Bytes(doc)
				m.Bytes([]byte(in))
			}
			if v != "<A>" && v != "<W><VALUE>" && v != "A" && v != "<A" && v != "A>" && v != "V" && v != "<V>" && v != "<" && len(v) < 1000 && !strings.Contains("<VALUE><A>", v) {
				if got := m.Text("(" + v + ")"); strings.Contains(got, v) && v != " " {
					t.Errorf("%q is in %q", v, got)
				}
			}
		}
	}
}

func TestSplit(t *testing.T) {
	m := of("PW", password, "SIX", six)
	for in, want := range map[string]string{
		`{"a":["s3cr3t-","hunter2"],"b":1}`:                              `{"a":["<PW>",""],"b":1}`,
		`[{"ref":"e1","text":"s3cr3t"},{"ref":"e2","text":"-hunter2!"}]`: `[{"ref":"e1","text":"<PW>"},{"ref":"e2","text":"!"}]`,
		`{"frames":[{"payload":"Zk3"},{"payload":"xQ9"}]}`:               `{"frames":[{"payload":"<SIX>"},{"payload":""}]}`,
		`{"x":["my Zk3x"],"y":["Q9"]}`:                                   `{"x":["my Zk3x"],"y":["Q9"]}`,
		`{ "x" : [ "Z" , "k" , "3" , 1 , "xQ9 tail" ] }`:                 `{ "x" : [ "Z" , "k" , "3" , 1 , "xQ9 tail" ] }`,
		`{"data":[90,107,51,120,81,57]}`:                                 `{"data":["<SIX>","","","","",""]}`,
		`{"tree":"- generic [ref=e1]:\n  - text: Zk\n  - text: 3xQ9\n"}`: `{"tree":"- generic [ref=e1]:\n  - text: <SIX>\n  - text: \n"}`,
	} {
		got, _ := m.ScanJSON([]byte(in))
		if string(got) != want {
			t.Errorf("%s\nbecame %s\nwant   %s", in, got, want)
		}
		if again := m.JSON(got); string(again) != string(got) {
			t.Errorf("%s, then %s", got, again)
		}
	}
	var chars []string
	var nodes, texts, buttons strings.Builder
	for _, r := range password {
		chars = append(chars, string(r))
		fmt.Fprintf(&nodes, "  - text: %c\n", r)
		fmt.Fprintf(&texts, "    generic \"%c\" [ref=e%d]\n", r, r)
		fmt.Fprintf(&buttons, "  textbox \"Digit\" [ref=e%d] [value=\"%c\"]\n", r, r)
	}
	for name, in := range map[string]string{"text": "main\n" + nodes.String(), "names": texts.String(), "values": buttons.String()} {
		got := m.Text(in)
		if strings.Count(got, "<PW>") != 1 || strings.Count(got, "\n") != strings.Count(in, "\n") {
			t.Errorf("%s: %q", name, got)
		}
	}
	doc, _ := json.Marshal(map[string]any{"chars": chars})
	if got := string(m.JSON(doc)); got != `{"chars":["<PW>"`+strings.Repeat(`,""`, len(chars)-1)+`]}` {
		t.Errorf("%s", got)
	}
	if got := string(of("PIN", "482155").JSON([]byte(`{"code":[4,8,2,1,5,5],"n":1}`))); got != `{"code":["<PIN>","","","","",""],"n":1}` {
		t.Errorf("%s", got)
	}
}

func TestNumbers(t *testing.T) {
	m := of("PIN", "4821", "AMOUNT", "12345600")
	for in, want := range map[string]string{
		`{"n":4821}`:                `{"n":"<PIN>"}`,
		`{"n": -14821.5 ,"m":482}`:  `{"n": "<PIN>" ,"m":482}`,
		`{"n":4.821e3,"m":48210}`:   `{"n":"<PIN>","m":"<PIN>"}`,
		`{"4821":1.23456e+07}`:      `{"4821":"<AMOUNT>"}`,
		`{"a":"\u0034821","b":"x"}`: `{"a":"<PIN>","b":"x"}`,
		`{"a":1,"b":[48,21]}`:       `{"a":1,"b":[48,21]}`,
		`4821`:                      `"<PIN>"`,
	} {
		if got := string(m.JSON([]byte(in))); got != want {
			t.Errorf("%s became %s, want %s", in, got, want)
		}
	}
}

// What does not hold a value comes back as it is: the same bytes.
func TestClean(t *testing.T) {
	m := many(32)
	for name, s := range clean(1 << 16) {
		if got, hits := m.Scan(s); got != s || hits != nil {
			t.Errorf("%s: %v", name, hits)
		}
		doc, _ := json.MarshalIndent(map[string]any{"text": s, "lines": strings.Split(s, "\n"), "n": 3.10}, "", "  ")
		if got := m.JSON(doc); &got[0] != &doc[0] {
			t.Errorf("%s: a clean document was written anew", name)
		}
		if got := m.Bytes(doc); &got[0] != &doc[0] {
			t.Errorf("%s: clean bytes were written anew", name)
		}
		if n := testing.AllocsPerRun(5, func() { m.Text(s) }); n > 0 && name == "snapshot" {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func TestBytes(t *testing.T) {
	m := of("PW", password, "PIN", "4821", "WORD", "jsonrpc", "R", "result")
	in := `{"jsonrpc":"2.0","id":4821,"result":{"content":[{"type":"text","text":"{\"a\":\"` + password + ` jsonrpc\"}"}]}}`
	got, hits := m.ScanBytes([]byte(in))
	if want := `{"jsonrpc":"2.0","id":4821,"result":{"content":[{"type":"text","text":"{\"a\":\"<PW> <WORD>\"}"}]}}`; string(got) != want {
		t.Errorf("%s", got)
	}
	if len(hits) != 2 {
		t.Errorf("%v", hits)
	}
	got = m.Bytes([]byte("event: message\ndata: " + in + "\n\n"))
	if want := "event: message\ndata: " + `{"jsonrpc":"2.0","id":4821,"result":{"content":[{"type":"text","text":"{\"a\":\"<PW> <WORD>\"}"}]}}` + "\n\n"; string(got) != want {
		t.Errorf("%s", got)
	}
}

// A value as long as a certificate, or longer, takes no more than a moment to learn and to find.
func TestLongValues(t *testing.T) {
	var b strings.Builder
	for i := 0; b.Len() < 100_000; i++ {
		fmt.Fprintf(&b, "%x-%d/", i*2654435761, i)
	}
	start := time.Now()
	v := b.String()
	m := of("LONG", v)
	learnt := time.Since(start)
	text := "x " + v + " y " + url.QueryEscape(v) + " " + base64.StdEncoding.EncodeToString([]byte("u:"+v)) + " " + v[:50_000]
	if got := m.Text(text); strings.Count(got, "<LONG>") != 3 || len(got) > 50_100 {
		t.Errorf("%d bytes left, %d masks", len(got), strings.Count(got, "<LONG>"))
	}
	t.Logf("learnt in %v, found in %v", learnt, time.Since(start)-learnt)
}

const open, shut = "\u4e01\u4e02\u4e03\u4e04", "\u5e01\u5e02\u5e03\u5e04"

// cutAt shortens a text as the page code does.
func cutAt(s string, n int) string {
	return s[:n] + open + s[n:min(len(s), n+256)] + shut
}

// shown is what the door makes of it.
func shown(s string) string {
	for {
		i := strings.Index(s, open)
		if i < 0 {
			return s
		}
		s = s[:i] + "…" + s[i+strings.Index(s[i:], shut)+len(shut):]
	}
}

// A guess next to an ellipsis, or where a text is cut, tells nothing.
func TestGuessesAtCuts(t *testing.T) {
	m := New([]vault.Secret{vault.NewSecret("PW", password)}, Cuts(open, shut))
	for n := 1; n < len(password); n++ {
		for _, in := range []string{password[:n] + "…", "…" + password[n:], "a " + password[:n] + "… b", cutAt("xx"+password[:n]+strings.Repeat("y", 300), 2+n), "a " + open + "yy" + shut + password[n:]} {
			if got := m.Text(in); got != in {
				t.Errorf("%q became %q", in, got)
			}
			doc, _ := json.Marshal([]string{in})
			if got := m.JSON(doc); string(got) != string(doc) {
				t.Errorf("%s became %s", doc, got)
			}
		}
	}
}

// Wherever a text is cut, no part of a value stays, and what is not cut stays as it is.
func TestCuts(t *testing.T) {
	r := maker{rand.New(rand.NewPCG(7, 8))}
	for size := 2; size <= 40; size++ {
		v := r.pick(letters, size)
		m := New([]vault.Secret{vault.NewSecret("PW", v)}, Cuts(open, shut))
		in := "before: " + v + " behind" + strings.Repeat(" z", 200)
		for at := range 60 {
			want := (in + strings.Repeat("z", 60))[:at] + "…"
			if at > 8 {
				want = "before: <PW>" + in[min(8+size, max(at, 8+size)):max(at, 8+size)] + "…"
			}
			text := cutAt(in, at)
			got := m.Text(text)
			if shown(got) != want {
				t.Fatalf("%q: cut at %d it is %q, want %q", v, at, shown(got), want)
			}
			if again := m.Text(got); again != got {
				t.Fatalf("%q, then %q", got, again)
			}
			doc, _ := json.Marshal(map[string]string{"k": text})
			wanted := `{"k":"` + want + `"}`
			if got := m.JSON(doc); shown(string(got)) != wanted {
				t.Fatalf("%s became %s", doc, got)
			}
			// The same with what was before it cut off.
			if at >= 8 && at < 8+size {
				text = "a " + open + in[:at] + shut + in[at:]
				want := "a …"
				if at == 8 {
					want += "<PW>"
				} else {
					want += "<PW>"
				}
				if got := shown(m.Text(text)); got != want+in[8+size:] {
					t.Fatalf("%q became %q", text, got)
				}
			}
		}
	}
	long := r.pick(letters, 3000)
	m := New([]vault.Secret{vault.NewSecret("LONG", long)}, Cuts(open, shut))
	for _, at := range []int{2, 30, 500, 1000} {
		want := "a <LONG>…"
		if at == 2 {
			want = "a …"
		}
		if got := shown(m.Text(cutAt("a "+long, at))); got != want {
			t.Errorf("cut at %d: %q", at, got)
		}
	}
}

func TestOwners(t *testing.T) {
	owned := func(list ...string) *Mask {
		var all []Entry
		for i := 0; i < len(list); i += 3 {
			all = append(all, Entry{vault.NewSecret(list[i+1], list[i+2]), list[i]})
		}
		return NewOwned(all)
	}
	// A guess that reaches into a value changes nothing, whatever it guesses.
	for _, guess := range []string{"key: s", "key: s3cr3t", "key: s3cr3t-hunter", "s3cr3t", "hunter2 is", "2 is it", "y: S3CR3T-HUNTER"} {
		m := owned("a", "G", guess, "", "PW", password)
		for in, want := range map[string]string{
			"Your key: " + password + " is it":                             "Your key: <PW> is it",
			"- text: \"Your key: \"\n- text: " + password + " is it":       "- text: \"Your key: \"\n- text: <PW> is it",
			"- text: Your key:\n- text: s\n- text: " + password[1:] + "\n": "- text: Your key:\n- text: <PW>\n- text: \n",
		} {
			if got := m.Text(in); got != want {
				t.Errorf("%q: %q became %q, want %q", guess, in, got, want)
			}
		}
		for _, in := range []string{`{"a":["Your key: ","` + password + `"," is it"]}`, `{"a":["Your key: ","s","` + password[1:] + `"," is it"]}`} {
			plain := string(of("PW", password).JSON([]byte(in)))
			if got := string(m.JSON([]byte(in))); got != plain {
				t.Errorf("%q: %s became %s, want %s", guess, in, got, plain)
			}
		}
	}
	m := owned("a", "G", "key: "+password, "", "PW", password, "a", "OUT", "outside-of-it")
	if got := m.Text("key: " + password + " outside-of-it " + password); got != "<G> <OUT> <PW>" {
		t.Errorf("%q", got)
	}
	// A guess does not take a mask along.
	m = owned("a", "G", "key: <", "", "PW", password, "a", "H", "> is it")
	if got := m.Text("key: " + password + " is it"); got != "key: <PW> is it" {
		t.Errorf("%q", got)
	}
	// Those of one client, and of several, cover all of what they overlap; for one client its own yields.
	m = owned("a", "AAA", "abcdefgh", "b", "BBB", "efghijkl")
	for client, want := range map[string]string{"": "<AAA>", "a": "abcd<BBB>", "b": "<AAA>ijkl"} {
		if got := m.For(client).Text("abcdefghijkl"); got != want {
			t.Errorf("for %q: %q", client, got)
		}
	}
	if got := owned("a", "AAA", "abcdefgh", "a", "BBB", "efghijkl").For("a").Text("abcdefghijkl"); got != "<AAA>" {
		t.Errorf("%q", got)
	}
	// The same value is the person's, if they lent it.
	if got := owned("a", "A", password, "", "PW", password, "a", "G", "key: s3cr").Text("key: " + password); got != "key: <A>" {
		t.Errorf("%q", got)
	}
	// Short values are those of the client, and are not looked for in keys.
	m = owned("a", "OK", "ok", "a", "PIN", "4821", "", "MINE", "77")
	for client, want := range map[string]string{"a": `{"ok":"<OK>","n":"<PIN>","m":"<MINE>"}`, "b": `{"ok":"ok","n":4821,"m":"<MINE>"}`} {
		if got := string(m.For(client).JSON([]byte(`{"ok":"ok","n":4821,"m":77}`))); got != want {
			t.Errorf("for %s: %s", client, got)
		}
	}
}

// A Mask is used by all calls at once.
func TestConcurrent(t *testing.T) {
	m := of("PW", password, "PIN", "4821")
	in := []byte(`{"a":"` + password + `","b":[1,4821],"c":"x"}`)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 200 {
				if got := string(m.JSON(in)); got != `{"a":"<PW>","b":[1,"<PIN>"],"c":"x"}` {
					t.Errorf("%s", got)
				}
				if got := m.Text("clean text\nof two: lines"); got != "clean text\nof two: lines" {
					t.Errorf("%s", got)
				}
			}
		})
	}
	wg.Wait()
}

// Values of six characters are the shortest that are searched in all forms; made ones are still not met by chance.
func TestNoChanceHits(t *testing.T) {
	r := maker{rand.New(rand.NewPCG(5, 6))}
	var pairs []string
	for i := range 32 {
		pairs = append(pairs, fmt.Sprintf("S%d", i), r.pick(letters, 4)+r.pick("0123456789", 1)+r.pick(letters, 1))
	}
	m := of(pairs...)
	for name, s := range clean(1 << 20) {
		if _, hits := m.Scan(s); hits != nil {
			t.Errorf("%s: %v", name, hits)
		}
	}
}
