package provider

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"chaperone/vault"
)

// parseOrigin stands for the registry's: https only, no path.
func parseOrigin(s string) (string, error) {
	if s == "" || strings.ContainsAny(s, " *@?#") || strings.Count(s, "/") > 2 {
		return "", errors.New("it is no origin")
	}
	if !strings.Contains(s, "://") {
		s = "https://" + s
	}
	return strings.ToLower(s), nil
}

func env(kv ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(kv); i += 2 {
			if kv[i] == name {
				return kv[i+1]
			}
		}
		return ""
	}
}

func TestChoose(t *testing.T) {
	for _, try := range []struct{ provider, seeds, want string }{
		{"", "", Keyring}, {"", "a=JBSWY3DPEHPK3PXP", OATHTool}, {"", "  ", Keyring}, {" 1Password ", "a=b", OnePassword}, {"bitwarden", "", Bitwarden}, {"lastpass", "", LastPass}, {"none", "a=b", None}, {"keyring", "a=b", Keyring},
	} {
		h, _, err := New(Config{Getenv: env("BROWX_CREDENTIALS_PROVIDER", try.provider, "BROWX_OATHTOOL_SEEDS", try.seeds), ParseOrigin: parseOrigin})
		if err != nil || h.Provider() != try.want {
			t.Errorf("%+v: %v", try, err)
		}
	}
	_, _, err := New(Config{Getenv: env("BROWX_CREDENTIALS_PROVIDER", "dashlane-hunter2"), ParseOrigin: parseOrigin})
	if err == nil || !strings.Contains(err.Error(), "keyring, oathtool, 1password, bitwarden, lastpass, none") || strings.Contains(err.Error(), "hunter2") {
		t.Error(err)
	}
}

func TestCheckAccount(t *testing.T) {
	for _, good := range []string{"a", "9", "acme-corp", "Alice @ Acme", "x.y_z@a+b:c/d-e", "constructor", "__proto__"[2:], strings.Repeat("a", 128)} {
		if err := CheckAccount(good); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	for _, bad := range []string{"", "-x", "--help", " a", "_a", "a\n", "a\nb", "a\x00", "a$(x)", "a;b", "ä", "a'b", `a"b`, "a=b", "a,b", "a|b", "*", strings.Repeat("a", 129), "__proto__"} {
		var f *Failure
		if err := CheckAccount(bad); !errors.As(err, &f) || f.Kind != BadAccount || f.Hint == "" {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestAlias(t *testing.T) {
	for account, want := range map[string]string{"acme-corp": "PASSWORD_ACME_CORP", "a": "PASSWORD_A", "Alice@x.y/9": "PASSWORD_ALICE_X_Y_9", "1": "PASSWORD_1"} {
		if got := Alias(account); got != want {
			t.Errorf("%s: %s", account, got)
		}
	}
}

func TestParseSeeds(t *testing.T) {
	seeds, warnings := parseSeeds(" acme = jbsw y3dp-ehpk3pxp= ,other=NBSWY3DPEHPK3PXP,, JBSWY3DPEHPK3PXQ ,-x=JBSWY3DPEHPK3PXP,short=ABC,twice=JBSWY3DPEHPK3PXP,twice=NBSWY3DPEHPK3PXP,constructor=NBSWY3DPEHPK3PXP")
	if len(seeds) != 3 || !seeds["acme"].Same(vault.NewSecret("", "JBSWY3DPEHPK3PXP")) || seeds["constructor"].Empty() {
		t.Errorf("%v", seeds)
	}
	text := strings.Join(warnings, "\n")
	for _, want := range []string{"entry 4 is ignored", "entry 5 is ignored", "short is ignored", "twice is there more than once"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not said:\n%s", want, text)
		}
	}
	if len(warnings) != 4 || strings.Contains(strings.ToUpper(text), "JBSW") || strings.Contains(text, "NBSW") || strings.Contains(fmt.Sprintf("%+v %#v", seeds, seeds), "JBSW") {
		t.Errorf("%s", text)
	}
}

func TestParseOrigins(t *testing.T) {
	s, warnings := parseOrigins("acme=https://app.acme.com|https://sso.acme.com,other=Other.example|other.example, acme corp = a.test,acme-corp=b.test,bad=https://x.test|https://x.test/path,empty=,hole=a.test||b.test,nothing", parseOrigin)
	if got, f := s.of("acme"); f != nil || !slices.Equal(got, []string{"https://app.acme.com", "https://sso.acme.com"}) {
		t.Errorf("%q, %v", got, f)
	}
	if got, f := s.of("other"); f != nil || !slices.Equal(got, []string{"https://other.example"}) {
		t.Errorf("%q, %v", got, f)
	}
	if got, f := s.of("acme corp"); f != nil || len(got) != 1 {
		t.Errorf("%q, %v", got, f)
	}
	if _, f := s.of("acme-corp"); f == nil || f.Kind != AliasTaken || !strings.Contains(f.Text, `"acme corp"`) || !strings.Contains(f.Text, `"acme-corp"`) || !strings.Contains(f.Text, "PASSWORD_ACME_CORP") {
		t.Errorf("%v", f)
	}
	for _, account := range []string{"bad", "empty", "hole", "nothing", "ACME", "__proto__", "constructor"} {
		if _, f := s.of(account); f == nil || f.Kind != NoOrigins || !strings.Contains(f.Text, account) || !strings.Contains(f.Error(), "BROWX_CREDENTIAL_ORIGINS") || !strings.Contains(f.Hint, account+"=https://") {
			t.Errorf("%s: %v", account, f)
		}
	}
	if len(warnings) != 5 {
		t.Errorf("%q", warnings)
	}
}

func TestEnvironment(t *testing.T) {
	all := []string{"PATH=/bin", "HOME=/h", "LC_ALL=C", "XDG_CONFIG_HOME=/c", "AWS_SECRET_ACCESS_KEY=k", "BROWX_OATHTOOL_SEEDS=a=b", "OPENAI_API_KEY=k", "SSH_AUTH_SOCK=s",
		"BW_SESSION=b", "BW_CLIENTSECRET=s", "OP_SESSION_x=o", "OP_FORMAT=json", "LPASS_HOME=l", "LPASS_ASKPASS=x", "https_proxy=http://u:p@proxy", "HTTP_PROXY=http://proxy", "LD_PRELOAD=x", "NODE_OPTIONS=--require=x", "DBUS_SESSION_BUS_ADDRESS=d"}
	base := []string{"PATH=/bin", "HOME=/h", "LC_ALL=C", "XDG_CONFIG_HOME=/c"}
	for provider, more := range map[string][]string{
		OATHTool:    nil,
		OnePassword: {"OP_SESSION_x=o", "HTTP_PROXY=http://proxy"},
		Bitwarden:   {"BW_SESSION=b", "HTTP_PROXY=http://proxy", "BW_NOINTERACTION=true"},
		LastPass:    {"LPASS_HOME=l", "HTTP_PROXY=http://proxy", "LPASS_DISABLE_PINENTRY=1"},
	} {
		if got, want := environment(provider, all), append(slices.Clone(base), more...); !slices.Equal(got, want) {
			t.Errorf("%s: %q, not %q", provider, got, want)
		}
	}
}

func TestInstallHints(t *testing.T) {
	for _, provider := range []string{OATHTool, OnePassword, Bitwarden, LastPass} {
		for _, goos := range []string{"linux", "darwin", "windows", "freebsd"} {
			if hint := installHint(provider, goos); strings.Contains(hint, "()") || !strings.Contains(hint, "BROWX_") {
				t.Errorf("%s on %s: %s", provider, goos, hint)
			}
		}
	}
	if h := installHint(OATHTool, "darwin"); !strings.Contains(h, "brew install oath-toolkit") {
		t.Error(h)
	}
	if h := installHint(OATHTool, "linux"); !strings.Contains(h, "apt install oathtool") {
		t.Error(h)
	}
}

func TestMendJSON(t *testing.T) {
	for in, want := range map[string]string{
		`"gr\uffffffc3\uffffffbcn"`: `"grün"`, `"\\uffffffc3"`: `"\\uffffffc3"`, `"\\\uffffffc3\uffffffbc"`: `"\\ü"`, `"\uffff"`: `"\uffff"`, `"a\"b\\"`: `"a\"b\\"`, `"\u001b"`: `"\u001b"`, `\`: `\`, `\uffffffz`: `\uffffffz`,
	} {
		if got := string(mendJSON([]byte(in))); got != want {
			t.Errorf("%s: %s", in, got)
		}
	}
}
