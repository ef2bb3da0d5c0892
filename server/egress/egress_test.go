package egress

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"chaperone/server/question"
	"chaperone/server/tool"
	"chaperone/vault"
	"chaperone/vault/mask"
)

func TestURLs(t *testing.T) {
	for in, want := range map[string]string{
		"":                                             "",
		"no address":                                   "no address",
		"https://a.test":                               "https://a.test",
		"https://a.test/x/y":                           "https://a.test/x/y",
		"https://a.test/x?token=1":                     "https://a.test/x?…",
		"https://a.test/x?":                            "https://a.test/x?…",
		"https://a.test?x=1#y":                         "https://a.test?…#…",
		"https://a.test/#/inbox":                       "https://a.test/#…",
		"https://u:p@a.test:8443/x":                    "https://a.test:8443/x",
		"http://u:p@ss@127.0.0.1:9/x?t=secret":         "http://127.0.0.1:9/x?…",
		"see (https://a.test/x?q=1), then go":          "see (https://a.test/x?…), then go",
		`fetch "https://a.test/x?q=1" failed`:          `fetch "https://a.test/x?…" failed`,
		"wss://a.test/live?k=1 and ftp://u@b.test/z#1": "wss://a.test/live?… and ftp://b.test/z#…",
		"blob:https://a.test/9b2f":                     "blob:https://a.test/9b2f",
		"https://a.test/reset/Zk3xQ9pLmN82vTyU1aBcD":   "https://a.test/reset/…",
		"https://a.test/t/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc/end": "https://a.test/t/…/end",
		"https://a.test/c/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b":     "https://a.test/c/…",
		"https://a.test/posts/how-to-make-a-cake-in-2024-and-enjoy-it":  "https://a.test/posts/how-to-make-a-cake-in-2024-and-enjoy-it",
		"https://a.test/order/12345678901234567890123":                  "https://a.test/order/12345678901234567890123",
		"https://a.test/u/123e4567-e89b-12d3-a456-426614174000":         "https://a.test/u/123e4567-e89b-12d3-a456-426614174000",
		"https://a.test/js/chunk.d41d8cd98f00b204e980.js":               "https://a.test/js/chunk.d41d8cd98f00b204e980.js",
		"https://de.wikipedia.org/wiki/Donaudampfschifffahrtselektr":    "https://de.wikipedia.org/wiki/Donaudampfschifffahrtselektr",
		"a :// b":    "a :// b",
		"://":        "://",
		"x://":       "x://",
		"http://a?b": "http://a?…",
	} {
		got := URLs(in)
		if got != want {
			t.Errorf("URLs(%q) = %q, want %q", in, got, want)
		}
		if again := URLs(got); again != got {
			t.Errorf("URLs(%q) is not idempotent: %q", got, again)
		}
	}
}

func FuzzURLs(f *testing.F) {
	for _, s := range []string{"https://u:p@a.test/x?y#z", "://", "a://b@c@d?#?", "http://a.test/%zz?…#…", "(http://a)://b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := URLs(s)
		if again := URLs(once); again != once {
			t.Errorf("%q, then %q", once, again)
		}
	})
}

func TestReply(t *testing.T) {
	e := New(Config{})
	r := e.Reply(tool.Result{Value: map[string]any{
		"url":      "https://a.test/x?t=secret",
		"requests": []any{map[string]any{"requestId": "r1", "url": "https://u:p@a.test/y#z"}},
		"text":     "GET https://a.test/?k=v 404",
		"value":    "https://u:p@a.test/x?t=typed",
		"element":  struct{ Ref, Text string }{"e1", "x"},
	}})
	for _, want := range []string{`"url":"https://a.test/x?…"`, `"url":"https://a.test/y#…"`, `"text":"GET https://a.test/?… 404"`, `"value":"https://a.test/x?t=typed"`} {
		if !strings.Contains(r.Text, want) {
			t.Errorf("%s is not in %s", want, r.Text)
		}
	}
	r = e.Reply(tool.Result{Value: json.RawMessage(`{"matches":[{"ref":"e1","text":"see https://a.test/?q=1"}],"errors":["at https://a.test/?q=1"]}`)})
	if !strings.Contains(r.Text, "see https://a.test/?q=1") || !strings.Contains(r.Text, "at https://a.test/?…") {
		t.Errorf("%s", r.Text)
	}
	r = e.Reply(tool.Result{Text: "url: https://a.test/x?t=1\ntitle: A\nstats: 1\nlink \"https://b.test/?q=1\" [ref=e1]"})
	if r.Text != "url: https://a.test/x?…\ntitle: A\nstats: 1\nlink \"https://b.test/?q=1\" [ref=e1]" || r.JSON != nil {
		t.Errorf("%q", r.Text)
	}
}

func TestEstimate(t *testing.T) {
	e := New(Config{})
	for n := range 5000 {
		r := e.Reply(tool.Result{Value: map[string]string{"a": strings.Repeat("x", n)}})
		var got struct {
			A      string
			Tokens int `json:"tokensEstimate"`
		}
		if err := json.Unmarshal(r.JSON, &got); err != nil {
			t.Fatal(err)
		}
		if want := (len(r.JSON) + 3) / 4; got.Tokens != want || r.Tokens != want {
			t.Fatalf("%d bytes: tokensEstimate %d, want %d", len(r.JSON), got.Tokens, want)
		}
		if !bytes.HasSuffix(r.JSON, []byte(fmt.Sprintf(`"tokensEstimate":%d}`, got.Tokens))) {
			t.Fatalf("the estimate is not the last member: %s", r.JSON[len(r.JSON)-40:])
		}
	}
	if r := e.Reply(tool.Result{Value: struct{}{}}); string(r.JSON) != `{"tokensEstimate":5}` {
		t.Errorf("%s", r.JSON)
	}
}

func masking(pairs ...string) func() *mask.Mask {
	var list []vault.Secret
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, vault.NewSecret(pairs[i], pairs[i+1]))
	}
	m := mask.New(list)
	return func() *mask.Mask { return m }
}

// The mask must see whole values, also where JSON has escaped them, keys and numbers included, and before anything is cut.
func TestMask(t *testing.T) {
	secret := `s"3\x9`
	told := map[string]int{}
	e := New(Config{Mask: masking("PW", secret, "PIN", "4821", "KEY", "k3y-of-the-vault"), Hit: func(alias string, n int) { told[alias] += n }})
	r := e.Reply(tool.Result{Value: map[string]any{"value": "x" + secret, secret: 1, "n": 14821, "m": 7, "list": []any{secret, 4821}, "nested": map[string]any{"tree": "a\n" + secret}}})
	var got map[string]any
	if err := json.Unmarshal(r.JSON, &got); err != nil {
		t.Fatalf("%v: %s", err, r.JSON)
	}
	if got["value"] != "x<PW>" || got["<PW>"] != 1.0 || got["n"] != "<PIN>" || got["m"] != 7.0 || fmt.Sprint(got["list"]) != "[<PW> <PIN>]" {
		t.Errorf("%s", r.JSON)
	}
	if fmt.Sprint(told) != "map[PIN:2 PW:4]" || fmt.Sprint(r.Hits) != "[{PIN 2} {PW 4}]" {
		t.Errorf("told %v, hits %v", told, r.Hits)
	}
	long := strings.Repeat("y", 395) + secret + strings.Repeat("z", 100)
	r = e.Reply(tool.Result{Value: map[string]any{"snapshotDelta": map[string]any{"tree": long}}, Cuts: []tool.Cut{{Path: "snapshotDelta.tree", Tokens: 100}}})
	if strings.Contains(r.Text, `s\"`) || !strings.Contains(r.Text, "more bytes") {
		t.Errorf("cut before masked: %s", r.Text)
	}
	if got := e.Text("why: " + secret + " http://u:p@h/?x"); got != "why: <PW> http://h/?…" {
		t.Errorf("%q", got)
	}
	if got := e.Arguments(json.RawMessage(`{"value":"s\"3\\x9","url":"https://u:p@a/?q"}`)); string(got) != `{"value":"<PW>","url":"https://a/?…"}` {
		t.Errorf("%s", got)
	}
	if got := e.Arguments(json.RawMessage(`{"value":"s`)); !json.Valid(got) {
		t.Errorf("%s", got)
	}
	r = e.Reply(tool.Result{Text: "url: https://a.test/k3y-of-the-vault?t=1\ntitle: k3y-of-the-vault\n  text: k3y-of-\n  text: the-vault\n", Notice: "see k3y-of-the-vault"})
	if r.Text != "notice: see <KEY>\nurl: https://a.test/<KEY>?…\ntitle: <KEY>\n  text: <KEY>\n  text: \n" {
		t.Errorf("%q", r.Text)
	}
	// A value that a URL has taken apart, and one in what the sanitiser leaves.
	r = e.Reply(tool.Result{Value: map[string]any{"url": "https://a.test/%6b3y-of-the-vault/x?k3y", "body": `{"a":"k3y-of-the\u002dvault"}`}})
	if !strings.Contains(r.Text, `"url":"https://a.test/<KEY>/x?…"`) || !strings.Contains(r.Text, `{\"a\":\"<KEY>\"}`) {
		t.Errorf("%s", r.Text)
	}
	q := e.Question("s", question.Question{Ask: "use k3y-of-the-vault?", Quote: "K3Y-OF-THE-VAULT", Choices: []string{"k3y-of-the-vault"}})
	if strings.Contains(strings.ToLower(fmt.Sprint(q)), "k3y") {
		t.Errorf("%+v", q)
	}
	if got := string(e.Typed(json.RawMessage(`{"ref":"k3y-of-the-vault","value":"x"}`))); got != `{"ref":"<KEY>","value":"(not kept)"}` {
		t.Errorf("%s", got)
	}
}

// Wherever a result is cut, no part of a value stays.
func TestMaskThenCut(t *testing.T) {
	const secret = "k3y-of-the-vault"
	e := New(Config{Mask: masking("KEY", secret), Limit: 2000})
	for at := range 120 {
		pad := strings.Repeat("y", at)
		for _, r := range []tool.Result{
			{Value: map[string]any{"d": map[string]any{"tree": pad + secret + pad}}, Cuts: []tool.Cut{{Path: "d.tree", Tokens: 20}}},
			{Value: map[string]any{"a": strings.Repeat("z ", 4<<9) + pad + secret + strings.Repeat("x", 5000)}},
			{Value: map[string]any{"a": strings.Split(strings.Repeat(pad+secret+" ", 200), " ")}},
			{Text: pad + "\n" + secret + "\n" + strings.Repeat("x\n", 200), Cuts: []tool.Cut{{Tokens: 15}}},
		} {
			if got := e.Reply(r).Text; strings.Contains(got, "k3y") || strings.Contains(got, "of-the") || strings.Contains(got, "vault") {
				t.Fatalf("at %d: %s", at, got)
			}
		}
	}
}

func TestTyped(t *testing.T) {
	e := New(Config{})
	for in, want := range map[string]string{
		`{"ref":"e1","value":"hunter2"}`:                               `{"ref":"e1","value":"(not kept)"}`,
		`{"fields":[{"ref":"e1","value":"hunter2"}],"submit":true}`:    `{"fields":[{"ref":"e1","value":"(not kept)"}],"submit":true}`,
		`{"calls":[{"tool":"fill","args":"{\"value\":\"hunter2\"}"}]}`: `{"calls":[{"args":"{\"value\":\"(not kept)\"}","tool":"fill"}]}`,
		`"{\"value\":\"hunter2\"}"`:                                    `"{\"value\":\"(not kept)\"}"`,
		`{"v\u0061lue":"hunter2"}`:                                     `{"value":"(not kept)"}`,
		`{"value":["hunter2"]}`:                                        `{"value":"(not kept)"}`,
		`{"value":4821}`:                                               `{"value":"(not kept)"}`,
	} {
		if got := string(e.Typed(json.RawMessage(in))); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

func TestCuts(t *testing.T) {
	e := New(Config{Limit: 10_000})
	lines := strings.Repeat("- button \"x\"\n", 20_000)
	r := e.Reply(tool.Result{Text: lines})
	if len(r.Text) > 80_100 || !strings.Contains(r.Text, "more lines") {
		t.Errorf("%d bytes, ends with %q", len(r.Text), r.Text[len(r.Text)-30:])
	}
	list := make([]map[string]any, 3000)
	for i := range list {
		list[i] = map[string]any{"i": i, "s": "some text"}
	}
	for _, v := range []any{map[string]any{"text": strings.Repeat("äöü", 20_000)}, map[string]any{"list": list}} {
		r = e.Reply(tool.Result{Value: v})
		var got map[string]any
		if err := json.Unmarshal(r.JSON, &got); err != nil {
			t.Fatal(err)
		}
		if len(r.JSON) > 10_100 || got["resultTruncated"] != true {
			t.Errorf("%d bytes, truncated %v", len(r.JSON), got["resultTruncated"])
		}
	}
	picture := []byte("secret4821")
	r = New(Config{Mask: masking("S", "secret4821")}).Reply(tool.Result{Text: "x", Images: []tool.Image{{MIME: "image/png", Data: picture}}})
	if string(r.Images[0].Data) != "secret4821" {
		t.Error("a picture was changed")
	}
}

func FuzzRewrite(f *testing.F) {
	for _, s := range []string{`{"a":"http://x/?y","b":[1,2,{"text":"z","ref":"e1"}]}`, `{}`, `{"a":"\u00e9\n"}`, `{"ref":"e","text":"http://u:p@h/?q"}`} {
		f.Add(s)
	}
	e := New(Config{Mask: masking("ONE", "1", "LONG", "x/?y-b")})
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) == 0 || s[0] != '{' || !json.Valid([]byte(s)) {
			return
		}
		once, _ := e.document([]byte(s), nil)
		if !json.Valid(once) {
			t.Fatalf("%s became %s", s, once)
		}
		if twice, _ := e.document(once, nil); !bytes.Equal(once, twice) {
			t.Errorf("%s, then %s", once, twice)
		}
	})
}

func BenchmarkReply(b *testing.B) {
	var keys []string
	for i := range 32 {
		keys = append(keys, fmt.Sprintf("KEY_%d", i), fmt.Sprintf("k3y-%d-of-the-v4ult", i*7919))
	}
	b.Run("nothing", func(b *testing.B) { benchmarkReply(b, New(Config{Mask: func() *mask.Mask { return nil }})) })
	b.Run("32", func(b *testing.B) { benchmarkReply(b, New(Config{Mask: masking(keys...)})) })
}

func benchmarkReply(b *testing.B, e *Egress) {
	type request struct {
		ID     string `json:"requestId"`
		Method string `json:"method"`
		URL    string `json:"url"`
		Status int    `json:"status"`
	}
	type delta struct {
		Tree string `json:"tree"`
	}
	requests := make([]request, 12)
	for i := range requests {
		requests[i] = request{"r1", "GET", "https://app.example.com/api/items?token=abc", 200}
	}
	value := struct {
		OK       bool      `json:"ok"`
		Requests []request `json:"requests"`
		Delta    delta     `json:"snapshotDelta"`
	}{true, requests, delta{strings.Repeat("button \"x\" [ref=e1]\n", 200)}}
	result := tool.Result{Value: value, Cuts: []tool.Cut{{Path: "snapshotDelta.tree", Tokens: 600}}}
	b.ReportAllocs()
	for b.Loop() {
		e.Reply(result)
	}
}

func FuzzPlain(f *testing.F) {
	for _, s := range []string{`"a"`, `"\"\\\/\n\t\r\b\f"`, `"\u00e9\ud83d\ude00"`, `"ä\"ö"`, `"\ud800"`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var want string
		if len(s) < 2 || s[0] != '"' || json.Unmarshal([]byte(s), &want) != nil {
			return
		}
		if got := plain([]byte(strings.TrimSpace(s))); got != want {
			t.Errorf("%s reads %q, want %q", s, got, want)
		}
	})
}
