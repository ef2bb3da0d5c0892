package origin

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for in, want := range map[string]string{
		"https://app.example.com": "https://app.example.com", "app.example.com": "https://app.example.com", "app.example.com:8443": "https://app.example.com:8443",
		"http://localhost:3000": "http://localhost:3000", "app://com.acme.app": "app://com.acme.app", "HTTPS://APP.Example.COM:443": "https://app.example.com", "http://app.example.com:80": "http://app.example.com",
		"https://app.example.com.": "https://app.example.com", "http://app.example.com:443": "http://app.example.com:443", "bücher.example": "https://xn--bcher-kva.example", "https://BÜCHER.example": "https://xn--bcher-kva.example",
		"127.0.0.1:8080": "https://127.0.0.1:8080", "http://[::1]:3000": "http://[::1]:3000", "http://[0:0:0:0:0:0:0:1]": "http://[::1]", "localhost": "https://localhost", "my_host.test": "https://my_host.test",
		"https://app.example.com:0443": "https://app.example.com", "ａｐｐ.example.com": "https://app.example.com", "http://[::ffff:1.2.3.4]": "http://[::ffff:102:304]",
	} {
		if got, err := Parse(in); err != nil || string(got) != want {
			t.Errorf("%q is %q, %v; want %q", in, got, err, want)
		}
		if again, err := Parse(want); err != nil || string(again) != want {
			t.Errorf("%q does not stay: %q, %v", want, again, err)
		}
	}
	for in, words := range map[string]string{
		"": "empty", "https://": "no valid name", "https://app.example.com/": "path", "https://app.example.com/login": "path", "app.example.com/x": "path", "https://app.example.com?x": "query", "https://app.example.com#x": "fragment",
		"https://u:hunter2@app.example.com": "user name", "https://*.example.com": "wildcard", "*": "wildcard", "https://app.example.com:": "no port", "https://app.example.com:0": "no port", "https://app.example.com:99999": "no port",
		"app.example.com:8a": "no port", "javascript:alert(1)": "no port", "data:text/html,x": "path", "file:///etc": "no origin", "about:blank": "no port", "about://x": "no origin", "https://a b": "blank", "https://a\\b": "backslash", "https://ex%61mple.com": "%",
		"http://0x7f.1": "number", "http://2130706433": "number", "http://127.1": "number", "https://::1": "brackets", "https://[::1": "brackets", "https://[fe80::1%25eth0]": "%", "https://a..b": "valid name", "https://.a": "valid name",
		"1https://x": "scheme", "https:///x": "path", strings.Repeat("a", 400): "long", "https://exa\u202emple.com": "valid name", "https://a\tb": "blank",
	} {
		got, err := Parse(in)
		if err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%q is %q, %v; want an error with %q", in, got, err, words)
		}
		if err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("the error repeats a password: %v", err)
		}
	}
}

func TestParseAll(t *testing.T) {
	list, err := ParseAll([]string{"a.test", "https://a.test:443", "http://a.test"})
	if err != nil || strings.Join(Strings(list), " ") != "https://a.test http://a.test" {
		t.Errorf("%v, %v", list, err)
	}
	if _, err := ParseAll([]string{"a.test", "https://u:hunter2@b.test"}); err == nil || strings.Contains(err.Error(), "hunter2") || !strings.Contains(err.Error(), "entry 2") {
		t.Errorf("%v", err)
	}
}

func TestOfURL(t *testing.T) {
	for in, want := range map[string]string{"https://app.test/x?y#z": "https://app.test", "https://u:p@app.test:8443/": "https://app.test:8443", "about:blank": "", "data:text/html,x": "", "file:///x": "", "blob:https://app.test/1": "", "": ""} {
		if got, ok := OfURL(in); string(got) != want || ok != (want != "") {
			t.Errorf("%q is of %q, %v", in, got, ok)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"https://app.example.com:8443", "bücher.example", "[::1]", "app://x", "http://0x7f.1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		o, err := Parse(s)
		if err != nil {
			return
		}
		if again, err := Parse(string(o)); err != nil || again != o {
			t.Errorf("%q is %q, which is %q, %v", s, o, again, err)
		}
		if strings.ContainsAny(strings.TrimPrefix(string(o[strings.Index(string(o), "://")+3:]), ""), "/?#@*\\ ") {
			t.Errorf("%q is %q", s, o)
		}
	})
}
