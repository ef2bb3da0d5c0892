package tools_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
)

const secretValue = "s3cr3t-hunter2"

// vaultSite is a site with a form that tells what it was sent, and shows it wherever it can.
type vaultSite struct {
	*httptest.Server
	mu  sync.Mutex
	got []string
}

func newVaultSite(t *testing.T) *vaultSite {
	t.Helper()
	s := &vaultSite{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.Method == http.MethodPost {
			body, _ := io.ReadAll(r.Body)
			form, _ := url.ParseQuery(string(body))
			s.mu.Lock()
			s.got = append(s.got, form.Get("p"))
			s.mu.Unlock()
			fmt.Fprintf(w, `<title>Hello %[1]s</title><link rel=icon href="data:,"><h1>Your password is %[1]s</h1><script>console.log(%[1]q)</script><a href="/%[1]s">link</a>`, form.Get("p"))
			return
		}
		fmt.Fprint(w, `<title>Sign in</title><link rel=icon href="data:,"><form method=post><label>User <input name=u></label><label>Password <input name=p type=password></label><label>Note <input name=n></label><button>Sign in</button></form>
		<select aria-label=Menu><option>one</select>`)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *vaultSite) sent() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.got...)
}

const withSecrets = "read,navigation,action,human,secrets"

func TestSignInWithASecret(t *testing.T) {
	site := newVaultSite(t)
	r := newRig(t, "BROWX_CAPABILITIES", withSecrets)
	got := r.do("register_secret", args{"name": "PASSWORD", "value": secretValue, "scope": site.URL})
	if got.at("registered") != "PASSWORD" || got.at("scope") != site.URL || got.at("origins", 0) != site.URL || got.at("names", 0) != "PASSWORD" || got.at("tokensEstimate") == nil || strings.Contains(got.text, secretValue) {
		t.Errorf("register_secret says %s", got.text)
	}
	r.do("navigate", args{"url": site.URL})
	filled := r.do("fill", args{"selector": "[name=p]", "value": "<PASSWORD>"})
	if filled.at("action", "value") != "<PASSWORD>" || filled.at("element", "value") != "filled" || strings.Contains(filled.text, secretValue) {
		t.Errorf("fill says %s", filled.text)
	}
	clicked := r.do("click", args{"selector": "button"})
	if sent := site.sent(); len(sent) != 1 || sent[0] != secretValue {
		t.Fatalf("the server received %q", sent)
	}
	for name, got := range map[string]result{
		"click": clicked, "snapshot": r.do("snapshot", nil), "find": r.do("find", args{"query": "your password"}), "text_search": r.do("text_search", args{"text": "Your password"}),
		"console_read": r.do("console_read", nil), "network_read": r.do("network_read", nil), "tabs": r.do("tabs", args{"action": "list"}), "list_sessions": r.do("list_sessions", nil),
	} {
		if strings.Contains(got.text, secretValue) || (name == "click" || name == "snapshot" || name == "text_search" || name == "console_read") && !strings.Contains(got.text, "<PASSWORD>") {
			t.Errorf("%s shows %s", name, got.text)
		}
	}
}

// Every tool that enters text takes an alias or refuses it with a reason; none types the placeholder.
func TestEveryEntranceTakesOrRefuses(t *testing.T) {
	site := newVaultSite(t)
	r := newRig(t, "BROWX_CAPABILITIES", withSecrets)
	r.do("register_secret", args{"name": "PASSWORD", "value": secretValue, "scope": []string{site.URL}})
	r.do("register_secret", args{"name": "ELSEWHERE", "value": "another-value-1", "scope": "https://other.example"})
	submitted := func() string {
		t.Helper()
		r.do("click", args{"selector": "button"})
		sent := site.sent()
		return sent[len(sent)-1]
	}
	fresh := func() { r.do("navigate", args{"url": site.URL}) }
	for name, enter := range map[string]func(){
		"fill": func() { r.do("fill", args{"selector": "[name=p]", "value": "<PASSWORD>"}) },
		"fill_form": func() {
			r.do("fill_form", args{"fields": []args{{"selector": "[name=u]", "value": "alice"}, {"selector": "[name=p]", "value": "<PASSWORD>"}}})
		},
		"press": func() {
			r.do("click", args{"selector": "[name=p]"})
			r.do("press", args{"key": "<PASSWORD>"})
		},
		"press with a target": func() { r.do("press", args{"selector": "[name=p]", "key": "<PASSWORD>"}) },
		"batch": func() {
			r.do("batch", args{"calls": []args{{"tool": "fill", "args": args{"session": r.session, "selector": "[name=p]", "value": "<PASSWORD>"}}}})
		},
	} {
		fresh()
		enter()
		if got := submitted(); got != secretValue {
			t.Errorf("%s: the server received %q", name, got)
		}
	}
	fresh()
	before := len(site.sent())
	for name, c := range map[string]struct {
		tool  string
		args  args
		words string
	}{
		"select":            {"select", args{"selector": "select", "values": []string{"<PASSWORD>"}}, "was not used"},
		"choose_option":     {"choose_option", args{"selector": "select", "option": "<PASSWORD>"}, "was not used"},
		"set_dialog_policy": {"set_dialog_policy", args{"mode": "accept-prompt-with", "text": "<PASSWORD>"}, "was not used"},
		"navigate":          {"navigate", args{"url": site.URL + "/?p=<PASSWORD>"}, "cannot hold"},
		"navigate, encoded": {"navigate", args{"url": site.URL + "/?p=%3CPASSWORD%3E"}, "cannot hold"},
		"tabs":              {"tabs", args{"action": "new", "url": site.URL + "/<PASSWORD>"}, "cannot hold"},
		"unknown":           {"fill", args{"selector": "[name=p]", "value": "<PASSWROD>"}, "<PASSWROD>"},
		"another site":      {"fill", args{"selector": "[name=p]", "value": "<ELSEWHERE>"}, "https://other.example"},
		"another, press":    {"press", args{"selector": "[name=p]", "key": "<ELSEWHERE>"}, "https://other.example"},
		"half a form":       {"fill_form", args{"fields": []args{{"selector": "[name=u]", "value": "alice"}, {"selector": "[name=p]", "value": "<ELSEWHERE>"}}}, "https://other.example"},
	} {
		got := r.try(c.tool, c.args)
		if !got.failed || !strings.Contains(got.text, c.words) || got.at("hint") == nil || got.at("hint") == "" || strings.Contains(got.text, "another-value-1") {
			t.Errorf("%s: %s", name, got.text)
		}
	}
	// Angle brackets that are no alias are text, outside of protected fields.
	r.do("fill", args{"selector": "[name=n]", "value": "<TITLE>"})
	r.do("fill", args{"selector": "[name=u]", "value": "x<PASSWORD>"})
	if text := r.do("snapshot", nil).text; !strings.Contains(text, `value="<TITLE>"`) || !strings.Contains(text, `value="x<PASSWORD>"`) || strings.Contains(text, "alice") {
		t.Errorf("the fields hold:\n%s", text)
	}
	if got := len(site.sent()); got != before {
		t.Errorf("something was sent")
	}
}

func TestRegisterSecretRefuses(t *testing.T) {
	r := newRig(t, "BROWX_CAPABILITIES", withSecrets)
	for name, c := range map[string]struct {
		args  args
		words string
	}{
		"a low name":       {args{"name": "password", "value": secretValue}, "alias"},
		"a path":           {args{"name": "PASSWORD", "value": secretValue, "scope": "https://app.example.com/login"}, "path"},
		"a wildcard":       {args{"name": "PASSWORD", "value": secretValue, "scope": []string{"https://*.example.com"}}, "wildcard"},
		"a user name":      {args{"name": "PASSWORD", "value": secretValue, "scope": "https://u:" + secretValue + "@app.example.com"}, "user name"},
		"an empty list":    {args{"name": "PASSWORD", "value": secretValue, "scope": []string{}}, "empty list"},
		"a number":         {args{"name": "PASSWORD", "value": secretValue, "scope": 7}, "origin"},
		"its own name":     {args{"name": "PASSWORD", "value": "SWORD"}, "own name"},
		"blanks":           {args{"name": "PASSWORD", "value": "   "}, "blanks"},
		"a list":           {args{"name": "PASSWORD", "value": []string{secretValue}}, "string"},
		"mistyped":         {args{"name": "PASSWORD", "vlaue": secretValue}, "vlaue"},
		"nobody to ask":    {args{"name": "PASSWORD"}, "Nobody can answer"},
		"a value too long": {args{"name": "PASSWORD", "value": strings.Repeat("x", 70_000)}, "longer"},
	} {
		got := r.try("register_secret", c.args)
		if !got.failed || !strings.Contains(got.text, c.words) || strings.Contains(got.text, secretValue) {
			t.Errorf("%s: %s", name, got.text)
		}
	}
	for _, e := range r.server.Journal().Entries(0) {
		if all := fmt.Sprintf("%+v %s %s", e, e.Arguments, e.Result); strings.Contains(all, secretValue) {
			t.Errorf("the journal holds it: %s", all)
		}
	}
	off := newRig(t)
	if got := off.try("register_secret", args{"name": "PASSWORD", "value": secretValue}); !got.failed || got.at("requiredCapability") != "secrets" || strings.Contains(got.text, secretValue) {
		t.Errorf("with the capability off: %s", got.text)
	}
	for _, e := range off.server.Journal().Entries(0) {
		if all := fmt.Sprintf("%+v %s %s", e, e.Arguments, e.Result); strings.Contains(all, secretValue) {
			t.Errorf("the journal holds a value that was refused: %s", all)
		}
	}
}

func TestPicturesDoNotShowSecrets(t *testing.T) {
	site := newVaultSite(t)
	r := newRig(t, "BROWX_CAPABILITIES", withSecrets)
	r.do("navigate", args{"url": site.URL})
	if got := r.do("screenshot", nil); got.at("warnings") != nil {
		t.Errorf("with no secret: %s", got.text)
	}
	r.do("register_secret", args{"name": "PASSWORD", "value": secretValue, "scope": site.URL})
	r.do("fill", args{"selector": "[name=p]", "value": "<PASSWORD>"})
	r.do("click", args{"selector": "button"})
	got := r.do("screenshot", nil)
	if !strings.Contains(got.text, "<PASSWORD>") || !strings.Contains(got.text, "texts that hold secrets are covered") || !strings.Contains(got.text, "canvas") {
		t.Errorf("it says %s", got.text)
	}
	if got := r.try("screenshot", args{"redact": false}); !got.failed || !strings.Contains(got.text, "Nobody can answer") {
		t.Errorf("without covering: %s", got.text)
	}
	if got := r.try("screenshot", args{"path": secretValue + ".png"}); !got.failed || strings.Contains(got.text, secretValue) {
		t.Errorf("as the name of a file: %s", got.text)
	}
	hidden := 0
	for _, e := range r.server.Journal().Entries(0) {
		hidden += e.Hidden["PASSWORD"]
	}
	if hidden == 0 || r.server.Hidden()["PASSWORD"] < hidden {
		t.Errorf("the journal counts %d, the server %v", hidden, r.server.Hidden())
	}
	if uses := r.server.Uses(); len(uses) != 1 || uses[0].Alias != "PASSWORD" || uses[0].Site != site.URL || uses[0].Client != "local" {
		t.Errorf("it went to %+v", uses)
	}
}

// What a page shows of a secret cannot be guessed letter by letter: every tool that searches, waits or selects answers a good guess
// as it answers a bad one.
func TestShownSecretsAreNoOracle(t *testing.T) {
	site := newVaultSite(t)
	r := newRig(t, "BROWX_CAPABILITIES", withSecrets)
	r.do("navigate", args{"url": site.URL})
	r.do("register_secret", args{"name": "PASSWORD", "value": secretValue, "scope": site.URL})
	r.do("fill", args{"selector": "[name=p]", "value": "<PASSWORD>"})
	r.do("click", args{"selector": "button"})
	shape := func(got result, guess string) string {
		text := strings.ReplaceAll(strings.ReplaceAll(got.text, "<PASSWORD>", "GUESS"), guess, "GUESS")
		return regexp.MustCompile(`"tokensEstimate":\d+|"score":[\d.]+|"ms":\d+`).ReplaceAllString(text, "")
	}
	// Guesses of one length, so that only what they are can make a difference; the second is wrong.
	for _, pair := range [][2]string{{"s3cr", "s3cq"}, {"hunter2", "huntex2"}, {"is s3", "is s4"}, {"3c", "4c"}, {secretValue, "s3cr3t-huntex2"}} {
		for name, ask := range map[string]func(string) result{
			"text_search": func(g string) result { return r.try("text_search", args{"text": g}) },
			"find":        func(g string) result { return r.try("find", args{"query": "zz " + g}) },
			"wait_for":    func(g string) result { return r.try("wait_for", args{"text": g, "timeoutMs": 250}) },
			"wait gone":   func(g string) result { return r.try("wait_for", args{"text": g, "gone": true, "timeoutMs": 250}) },
			"has-text": func(g string) result {
				return r.try("hover", args{"selector": fmt.Sprintf("h1:has-text(%q)", g), "timeoutMs": 250})
			},
			"not has": func(g string) result {
				return r.try("hover", args{"selector": fmt.Sprintf("h1:not(:has-text(%q))", g), "timeoutMs": 250})
			},
			"text=":     func(g string) result { return r.try("hover", args{"selector": "text=" + g, "timeoutMs": 250}) },
			"a pattern": func(g string) result { return r.try("hover", args{"selector": "text=/" + g + "/", "timeoutMs": 250}) },
			"role": func(g string) result {
				return r.try("hover", args{"selector": fmt.Sprintf("role=heading[name=/%s/]", g), "timeoutMs": 250})
			},
			"href": func(g string) result {
				return r.try("hover", args{"selector": fmt.Sprintf("a[href*=%q]", g), "timeoutMs": 250})
			},
			"escaped": func(g string) result {
				return r.try("hover", args{"selector": fmt.Sprintf(`a[\68 ref*=%q]`, g), "timeoutMs": 250})
			},
			"xpath": func(g string) result {
				return r.try("hover", args{"selector": fmt.Sprintf("xpath=//h1[contains(., %q)]", g), "timeoutMs": 250})
			},
			"blank": func(g string) result { return r.try("hover", args{"selector": "\u00a0text=" + g, "timeoutMs": 250}) },
			"namespace": func(g string) result {
				return r.try("hover", args{"selector": fmt.Sprintf("a[*|href*=%q]", g), "timeoutMs": 250})
			},
			"role quoted": func(g string) result {
				return r.try("hover", args{"selector": "role=heading[selected=\">\"][name=/" + g + "/]", "timeoutMs": 250})
			},
			"addresses": func(g string) result { return r.try("network_read", args{"urlPattern": "*" + g + "*"}) },
			"count": func(g string) result {
				return r.try("verify_count", args{"selector": fmt.Sprintf("h1:has-text(%q)", g), "count": 1, "timeoutMs": 250})
			},
			"visible": func(g string) result { return r.try("verify_visible", args{"selector": "text=" + g, "timeoutMs": 250}) },
			"text": func(g string) result {
				return r.try("verify_text", args{"selector": "h1", "text": g, "timeoutMs": 250})
			},
			"attribute": func(g string) result {
				return r.try("verify_attribute", args{"selector": "a", "attribute": "href", "value": g, "timeoutMs": 250})
			},
			"extract": func(g string) result {
				return r.try("extract", args{"schema": args{"type": "string", "x-browx-source": args{"selector": fmt.Sprintf("h1:has-text(%q)", g)}}})
			},
			"inspect": func(g string) result { return r.try("inspect", args{"selector": fmt.Sprintf("h1:has-text(%q)", g)}) },
		} {
			good, bad := ask(pair[0]), ask(pair[1])
			if a, b := shape(good, pair[0]), shape(bad, pair[1]); a != b {
				t.Errorf("%s tells %q from %q:\n%s\n%s", name, pair[0], pair[1], a, b)
			}
		}
	}
	// What asks about nothing that is secret goes on working.
	for _, selector := range []string{"h1", "#nothing, a", "role=link", "h1 >> nth=0"} {
		if got := r.try("hover", args{"selector": selector}); got.failed {
			t.Errorf("%s: %s", selector, got.text)
		}
	}
	if got := r.do("text_search", args{"text": "link"}); got.at("count") != 1.0 {
		t.Errorf("a search beside it: %s", got.text)
	}
	r.do("navigate", args{"url": site.URL})
	r.do("hover", args{"selector": "text=Sign in"})
}
