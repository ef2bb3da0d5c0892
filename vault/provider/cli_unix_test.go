//go:build unix

package provider

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"chaperone/vault"
	"chaperone/vault/otp"
)

const (
	secretSeed     = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
	secretPassword = "  s3cr3t-hunter2-zq  "
)

// standIn writes a program that records how it was called below dir, and then runs a script.
func standIn(t *testing.T, script string) (program, dir string) {
	t.Helper()
	dir = t.TempDir()
	program = filepath.Join(dir, "program")
	text := "#!/bin/sh\nfor a in \"$@\"; do printf '%s\\n' \"$a\"; done >'" + dir + "/argv'\nenv >'" + dir + "/env'\necho $$ >'" + dir + "/pid'\n" + script + "\n"
	if err := os.WriteFile(program, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	return program, dir
}

func hook(t *testing.T, provider, program string, more ...string) *Hook {
	t.Helper()
	h, warnings, err := New(Config{
		Getenv: env(append([]string{"BROWX_CREDENTIALS_PROVIDER", provider, binVariable(provider), program, "BROWX_OATHTOOL_SEEDS", "acme=" + secretSeed,
			"BROWX_CREDENTIAL_ORIGINS", "acme=https://app.acme.com,acme-id=https://app.acme.com"}, more...)...),
		ParseOrigin: parseOrigin,
		Clock:       fixed{},
	})
	if err != nil || len(warnings) > 0 {
		t.Fatal(warnings, err)
	}
	return h
}

// fixed is a clock at second 59 of RFC 6238, well inside a step.
type fixed struct{}

func (fixed) Now() time.Time                       { return time.Unix(40, 0) }
func (fixed) After(time.Duration) <-chan time.Time { return make(chan time.Time) }

func recorded(t *testing.T, dir, what string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, what))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func mustFail(t *testing.T, err error, want Kind) *Failure {
	t.Helper()
	var f *Failure
	if !errors.As(err, &f) || f.Kind != want {
		t.Fatalf("%v, not %s", err, want)
	}
	if f.Provider == "" || f.Text == "" || f.Hint == "" {
		t.Errorf("%+v lacks something", f)
	}
	for _, never := range []string{"hunter2", secretSeed[:8], "LEAK"} {
		if strings.Contains(f.Error(), never) {
			t.Errorf("the failure shows a value: %v", f)
		}
	}
	return f
}

func TestSignedIn(t *testing.T) {
	t.Setenv("SOME_API_KEY", "LEAK-other-key")
	t.Setenv("BW_SESSION", "session-of-bw")
	for name, try := range map[string]struct {
		provider, script, argv string
		username               string
	}{
		"1password": {OnePassword, `echo '[{"id":"password","label":"password","purpose":"PASSWORD","value":"  s3cr3t-hunter2-zq  "},{"id":"username","label":"username","purpose":"USERNAME","value":"alice@acme.test"}]'`,
			"item\nget\n--format=json\n--fields=label=username,label=password\n--reveal\n--\nacme\n", "alice@acme.test"},
		"1password, no user name":   {OnePassword, `echo '{"label":"Password","value":"  s3cr3t-hunter2-zq  "}'`, "", ""},
		"1password, two of a label": {OnePassword, `echo '[{"label":"username","value":"other"},{"label":"username","purpose":"USERNAME","value":"alice"},{"label":"password","purpose":"PASSWORD","value":"  s3cr3t-hunter2-zq  "},{"label":"password","value":"old"}]'`, "", "alice"},
		"bitwarden": {Bitwarden, `echo '{"object":"item","id":"acme","name":"Acme","notes":"LEAK","login":{"username":"alice","password":"  s3cr3t-hunter2-zq  ","totp":null}}'`,
			"--nointeraction\nget\nitem\n--\nacme\n", "alice"},
		"bitwarden, by name": {Bitwarden, `echo '{"id":"x","name":"acme","login":{"username":null,"password":"  s3cr3t-hunter2-zq  "}}'`, "", ""},
		"lastpass": {LastPass, `printf '[\n  {\n    "id": "1",\n    "name": "acme",\n    "username": "alice",\n    "password": "  s3cr3t-hunter2-zq  ",\n    "note": ""\n  } \n] \n'`,
			"show\n--sync=auto\n--color=never\n--json\n--\nacme\n", "alice"},
		"lastpass, beyond ASCII": {LastPass, `printf '%s' '[{"username":"j\uffffffc3\uffffffbcrgen","password":"  s3cr3t-hunter2-zq  "}]'`, "", "jürgen"},
	} {
		t.Run(name, func(t *testing.T) {
			program, dir := standIn(t, "cat >'"+"/dev/null"+"'\n"+try.script)
			c, err := hook(t, try.provider, program).Credential(t.Context(), "acme")
			if err != nil {
				t.Fatal(err)
			}
			if c.Username != try.username || c.Alias != "PASSWORD_ACME" || c.Password.Name() != "PASSWORD_ACME" || len(c.Origins) != 1 || c.Origins[0] != "https://app.acme.com" || c.Provider != try.provider {
				t.Errorf("%+v", c)
			}
			if !c.Password.Same(vault.NewSecret("", secretPassword)) {
				t.Error("the password is another")
			}
			if try.argv != "" && recorded(t, dir, "argv") != try.argv {
				t.Errorf("called with %q", recorded(t, dir, "argv"))
			}
			got := recorded(t, dir, "env")
			if strings.Contains(got, "LEAK") || strings.Contains(got, "BROWX_") || strings.Contains(got, "session-of-bw") != (try.provider == Bitwarden) {
				t.Errorf("its environment:\n%s", got)
			}
			if text := fmt.Sprintf("%v %+v %#v", c, c, c); strings.Contains(text, "hunter2") {
				t.Error("printing it shows the password")
			}
		})
	}
}

func TestCodes(t *testing.T) {
	for name, try := range map[string]struct{ provider, script, argv, want string }{
		"oathtool":         {OATHTool, `read -r key; [ "$key" = ` + secretSeed + ` ] && echo 123456`, "--totp\n--base32\n--\n-\n", "123456"},
		"1password":        {OnePassword, `echo 123456`, "item\nget\n--otp\n--\nacme\n", "123456"},
		"bitwarden":        {Bitwarden, `printf 12345678`, "--nointeraction\nget\ntotp\n--\nacme\n", "12345678"},
		"bitwarden, Steam": {Bitwarden, `printf FR8RV`, "", "FR8RV"},
		"lastpass":         {LastPass, `echo gezd gnbv gy3t qojq gezd gnbv gy3t qojq`, "show\n--sync=auto\n--color=never\n--field=totp\n--\nacme\n", "287082"},
		"lastpass, link":   {LastPass, `echo 'otpauth://totp/x?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&digits=8'`, "", "94287082"},
	} {
		t.Run(name, func(t *testing.T) {
			program, dir := standIn(t, try.script)
			c, err := hook(t, try.provider, program).TOTP(t.Context(), "acme")
			if err != nil || c.Text != try.want || c.Provider != try.provider {
				t.Fatalf("%+v, %v", c, err)
			}
			if try.argv != "" && recorded(t, dir, "argv") != try.argv {
				t.Errorf("called with %q", recorded(t, dir, "argv"))
			}
			if strings.Contains(recorded(t, dir, "env"), secretSeed) {
				t.Error("the seed is in the environment")
			}
		})
	}
}

// TestFailures has what programs do instead of an answer. LEAK and the password stand for what must not be repeated.
func TestFailures(t *testing.T) {
	const leak = "echo 's3cr3t-hunter2-zq LEAK' >&2; "
	for name, try := range map[string]struct {
		provider, script string
		want             Kind
		hint             string
	}{
		"op signed out":         {OnePassword, leak + `echo '[ERROR] 2026/01/01 You are not currently signed in. Please run op signin' >&2; exit 1`, NotSignedIn, "op signin"},
		"op no account":         {OnePassword, leak + `echo 'No accounts configured for use with 1Password CLI.' >&2; exit 1`, NotSignedIn, "op signin"},
		"op no item":            {OnePassword, leak + `echo '[ERROR] "signin otp" isn'"'"'t an item. Specify the item with its UUID, name, or domain.' >&2; exit 1`, NotFound, "item in 1Password"},
		"op several":            {OnePassword, leak + `echo '[ERROR] More than one item matches "acme". Try again and specify the item by its ID' >&2; exit 1`, Ambiguous, "id"},
		"op old":                {OnePassword, leak + `echo 'unknown flag: --reveal' >&2; exit 1`, Crashed, "2.30"},
		"op concealed":          {OnePassword, `echo '[{"label":"password","value":"[use '"'op item get x --reveal'"' to reveal]"}]'`, Garbage, "terminal"},
		"op garbage":            {OnePassword, `echo 's3cr3t-hunter2-zq LEAK'`, Garbage, "terminal"},
		"op null":               {OnePassword, `echo null`, NotFound, "password"},
		"op no password":        {OnePassword, `echo '[{"label":"username","value":"alice"}]'`, NotFound, "password"},
		"op two passwords":      {OnePassword, `echo '[{"label":"password","value":"LEAK1"},{"label":"password","value":"LEAK2"}]'`, Ambiguous, "one"},
		"op bad text":           {OnePassword, `printf '[{"label":"password","value":"LEAK\377"}]'`, Garbage, "terminal"},
		"op lone surrogate":     {OnePassword, `printf '%s' '[{"label":"password","value":"LEAK\ud800"}]'`, Garbage, "item"},
		"op unknown end":        {OnePassword, leak + `exit 3`, Crashed, "not shown"},
		"op killed":             {OnePassword, leak + `kill -9 $$`, Crashed, "terminal"},
		"op asks":               {OnePassword, leak + `echo 'Enter the password for alice at my.1password.com:' >&2; exit 1`, AskedInput, "op signin"},
		"op user name":          {OnePassword, `echo '[{"label":"username","value":"alice:s3cr3t-hunter2-zq"},{"label":"password","value":"s3cr3t-hunter2-zq"}]'`, Refused, "change"},
		"op user name lines":    {OnePassword, `printf '%s' '[{"label":"username","value":"a\nb"},{"label":"password","value":"LEAKLEAK"}]'`, Garbage, "user name"},
		"bw signed out":         {Bitwarden, leak + `echo 'You are not logged in.' >&2; exit 1`, NotSignedIn, "bw login"},
		"bw locked":             {Bitwarden, leak + `echo 'Vault is locked.' >&2; exit 1`, NotSignedIn, "bw unlock"},
		"bw no item":            {Bitwarden, leak + `echo 'Not found.' >&2; exit 1`, NotFound, "id"},
		"bw another item":       {Bitwarden, `echo '{"id":"9","name":"acme 2","login":{"password":"LEAK"}}'`, NotFound, "id"},
		"bw several":            {Bitwarden, leak + `echo 'More than one result was found. Try getting a specific object by id' >&2; exit 1`, Ambiguous, "id"},
		"bw note":               {Bitwarden, `echo '{"id":"acme","name":"x","notes":"LEAK","secureNote":{}}'`, NotFound, "login"},
		"bw half":               {Bitwarden, `echo '{"id":"acme","login":{"password":"LEA'`, Garbage, "terminal"},
		"lpass signed out":      {LastPass, leak + `echo 'Error: Could not find decryption key. Perhaps you need to login with lpass login.' >&2; exit 1`, NotSignedIn, "lpass login"},
		"lpass no item":         {LastPass, leak + `echo 'Error: Could not find specified account(s).' >&2; exit 1`, NotFound, "lpass ls"},
		"lpass several":         {LastPass, `echo 'Multiple matches found.'; echo 'acme LEAK [id: 1]'`, Ambiguous, "id"},
		"lpass several as JSON": {LastPass, `echo '[{"password":"LEAK"},{"password":"LEAK"}]'`, Ambiguous, "id"},
		"lpass reprompt":        {LastPass, `echo 'Error: Could not authenticate for protected entry.' >&2; exit 1`, AskedInput, "reprompt"},
		"lpass lines":           {LastPass, `printf 'alice\ns3cr3t-hunter2-zq\n'`, Garbage, "terminal"},
		"lpass empty":           {LastPass, `echo '[]'`, Garbage, "terminal"},
		"lpass blank password":  {LastPass, `echo '[{"username":"a","password":"   "}]'`, NotFound, "password"},
		"nothing":               {Bitwarden, `exit 0`, Garbage, "terminal"},
	} {
		t.Run(name, func(t *testing.T) {
			program, _ := standIn(t, try.script)
			_, err := hook(t, try.provider, program).Credential(t.Context(), "acme")
			if f := mustFail(t, err, try.want); !strings.Contains(f.Hint, try.hint) {
				t.Errorf("hint %q", f.Hint)
			}
		})
	}
	for name, try := range map[string]struct {
		provider, script string
		want             Kind
	}{
		"oathtool bad seed": {OATHTool, leak + `echo 'oathtool: base32 decoding failed' >&2; exit 1`, NoSeed},
		"oathtool old":      {OATHTool, leak + `echo 'oathtool: unrecognized option' >&2; exit 1`, Crashed},
		"oathtool garbage":  {OATHTool, `echo 12345x LEAK`, Garbage},
		"oathtool too long": {OATHTool, `echo 123456789012`, Garbage},
		"op no code":        {OnePassword, leak + `echo '"acme" does not have a one-time password' >&2; exit 1`, NoSeed},
		"op json":           {OnePassword, `echo '{"totp":"LEAK"}'`, Garbage},
		"bw no code":        {Bitwarden, leak + `echo 'No TOTP available for this login.' >&2; exit 1`, NoSeed},
		"bw not premium":    {Bitwarden, leak + `echo 'Premium status is required to use this feature.' >&2; exit 1`, NoSeed},
		"lpass no field":    {LastPass, leak + `echo "Error: Could not find specified field 'totp'." >&2; exit 1`, NoSeed},
		"lpass no seed":     {LastPass, `echo LEAK-hunter2-89`, NoSeed},
	} {
		t.Run(name, func(t *testing.T) {
			program, _ := standIn(t, try.script)
			_, err := hook(t, try.provider, program).TOTP(t.Context(), "acme")
			mustFail(t, err, try.want)
		})
	}
}

// TestBeforeTheVault: what is refused before the program is started.
func TestBeforeTheVault(t *testing.T) {
	program, dir := standIn(t, "")
	for _, provider := range []string{OnePassword, Bitwarden, LastPass} {
		h := hook(t, provider, program)
		for account, want := range map[string]Kind{"--help": BadAccount, "a\nb": BadAccount, "": BadAccount, "unlisted": NoOrigins, "__proto__": BadAccount, "constructor": NoOrigins} {
			_, err := h.Credential(t.Context(), account)
			mustFail(t, err, want)
			if want == BadAccount {
				_, err = h.TOTP(t.Context(), account)
				mustFail(t, err, want)
			}
		}
	}
	h := hook(t, OATHTool, program)
	_, err := h.Credential(t.Context(), "acme")
	mustFail(t, err, Unsupported)
	_, err = h.TOTP(t.Context(), "unknown")
	if f := mustFail(t, err, NoSeed); !strings.Contains(f.Text, "unknown") || !strings.Contains(f.Hint, "BROWX_OATHTOOL_SEEDS") {
		t.Error(f)
	}
	h = hook(t, None, program)
	_, err = h.Credential(t.Context(), "acme")
	mustFail(t, err, Unsupported)
	_, err = h.TOTP(t.Context(), "acme")
	mustFail(t, err, Unsupported)
	if _, err := os.Stat(filepath.Join(dir, "pid")); err == nil {
		t.Error("the program was started")
	}
	if s := h.Status(t.Context()); s.Found || s.Failure == nil || s.Failure.Provider != None {
		t.Errorf("%+v", s)
	}
}

func TestNotInstalled(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for _, provider := range []string{OATHTool, OnePassword, Bitwarden, LastPass} {
		_, err := hook(t, provider, "").TOTP(t.Context(), "acme")
		if f := mustFail(t, err, NotInstalled); !strings.Contains(f.Text, "PATH") || !strings.Contains(f.Hint, "install") {
			t.Error(f)
		}
		for _, wrong := range []string{t.TempDir() + "/none", t.TempDir(), "/etc/passwd"} {
			_, err = hook(t, provider, wrong).TOTP(t.Context(), "acme")
			if f := mustFail(t, err, NotInstalled); !strings.Contains(f.Text, binVariable(provider)) {
				t.Error(f)
			}
		}
		if s := hook(t, provider, "").Status(t.Context()); s.Found || s.Failure == nil || s.Failure.Kind != NotInstalled {
			t.Errorf("%+v", s)
		}
	}
}

// gone waits until a process has ended; one that nobody waits for yet is dead too.
func gone(t *testing.T, pid int) {
	t.Helper()
	for range 100 {
		if syscall.Kill(pid, 0) != nil {
			return
		}
		if raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil && strings.Contains(string(raw), ") Z ") {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("process %d is still there", pid)
}

func pidIn(t *testing.T, dir, name string) int {
	t.Helper()
	n, err := strconv.Atoi(strings.TrimSpace(recorded(t, dir, name)))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestHangs(t *testing.T) {
	for name, script := range map[string]string{
		"itself":             "sleep 60",
		"a child":            "sleep 60 & echo $! >\"$(dirname \"$0\")/child\"; wait",
		"deaf to TERM":       "trap '' TERM HUP INT; while :; do sleep 1; done",
		"a child has it all": "sleep 60 & echo $! >\"$(dirname \"$0\")/child\"; echo s3cr3t-hunter2-zq LEAK",
		"endless output":     "while :; do echo LEAKLEAKLEAKLEAKLEAKLEAKLEAKLEAKLEAKLEAKLEAKLEAKLEAKLEAKLEAKLEAK; done",
		"endless, one line":  "cat /dev/zero",
	} {
		t.Run(name, func(t *testing.T) {
			program, dir := standIn(t, script)
			h := hook(t, OnePassword, program)
			h.source.(*onePassword).limit = 700 * time.Millisecond
			began := time.Now()
			_, err := h.Credential(t.Context(), "acme")
			took := time.Since(began)
			if strings.Contains(name, "endless") || strings.Contains(name, "has it all") {
				mustFail(t, err, Garbage)
			} else if f := mustFail(t, err, TimedOut); took < 600*time.Millisecond || strings.Contains(f.Hint, "signin") {
				t.Errorf("%v after %v", f, took)
			}
			if took > 3*time.Second {
				t.Errorf("took %v", took)
			}
			gone(t, pidIn(t, dir, "pid"))
			if strings.Contains(name, "child") {
				gone(t, pidIn(t, dir, "child"))
			}
		})
	}
	if Limit != 5*time.Second {
		t.Error(Limit)
	}
}

func TestCallerLeaves(t *testing.T) {
	program, dir := standIn(t, "sleep 60")
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	began := time.Now()
	if _, err := hook(t, Bitwarden, program).Credential(ctx, "acme"); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) > 2*time.Second {
		t.Errorf("%v after %v", err, time.Since(began))
	}
	gone(t, pidIn(t, dir, "pid"))
}

// TestInputIsClosed: a program that reads gets an end, and one that looks for a terminal finds none.
func TestInputIsClosed(t *testing.T) {
	program, dir := standIn(t, `d=$(dirname "$0"); if read -r x; then echo got >"$d/read"; else echo end >"$d/read"; fi; if (: </dev/tty) 2>/dev/null; then echo tty; else echo none; fi >"$d/tty"; echo 'Master password: ' >&2; exit 1`)
	_, err := hook(t, LastPass, program).Credential(t.Context(), "acme")
	mustFail(t, err, AskedInput)
	if recorded(t, dir, "read") != "end\n" || recorded(t, dir, "tty") != "none\n" {
		t.Errorf("%q, %q", recorded(t, dir, "read"), recorded(t, dir, "tty"))
	}
}

// TestProcessList looks at every process while a lookup runs: no value is in arguments or environment.
func TestProcessList(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("/proc is Linux's")
	}
	for _, provider := range []string{OATHTool, OnePassword, Bitwarden, LastPass} {
		program, dir := standIn(t, `d=$(dirname "$0"); cat >"$d/stdin"; touch "$d/ready"; while [ ! -e "$d/seen" ]; do sleep 0.05; done; echo '123456'`)
		h := hook(t, provider, program)
		done := make(chan error, 1)
		go func() {
			_, err := h.TOTP(t.Context(), "acme")
			done <- err
		}()
		for range 100 {
			if _, err := os.Stat(dir + "/ready"); err == nil {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
		seen := false
		all, _ := filepath.Glob("/proc/[0-9]*")
		for _, p := range all {
			for _, what := range []string{"/cmdline", "/environ"} {
				raw, _ := os.ReadFile(p + what)
				seen = seen || strings.Contains(string(raw), program)
				if strings.Contains(string(raw), secretSeed) || strings.Contains(string(raw), "hunter2") {
					t.Errorf("%s: %s%s holds a value", provider, p, what)
				}
			}
		}
		if !seen {
			t.Errorf("%s: the program was not seen", provider)
		}
		if err := os.WriteFile(dir+"/seen", nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := <-done; err != nil && provider != LastPass { // there the code stands for a seed
			t.Errorf("%s: %v", provider, err)
		}
		want := ""
		if provider == OATHTool {
			want = secretSeed + "\n"
		}
		if got := recorded(t, dir, "stdin"); got != want {
			t.Errorf("%s: %d bytes on standard input", provider, len(got))
		}
	}
}

func TestStatus(t *testing.T) {
	for _, try := range []struct {
		provider, script string
		want             Answer
	}{
		{OATHTool, "", Yes}, {OnePassword, "echo '{}'", Yes}, {OnePassword, "echo 'account is not signed in' >&2; exit 1", No},
		{Bitwarden, `echo '{"status":"unlocked"}'`, Yes}, {Bitwarden, `echo '{"status":"locked","userEmail":"LEAK"}'`, No}, {Bitwarden, `echo '{"status":"unauthenticated"}'`, No}, {Bitwarden, "echo LEAK", Unknown},
		{LastPass, "echo 'Logged in as LEAK'", Yes}, {LastPass, "exit 1", No},
	} {
		program, _ := standIn(t, try.script)
		s := hook(t, try.provider, program).Status(t.Context())
		if !s.Found || s.Path != program || s.SignedIn != try.want || s.Provider != try.provider || (s.Failure == nil) != (try.want == Yes) {
			t.Errorf("%+v: %+v", try, s)
		}
		if strings.Contains(fmt.Sprintf("%+v", s.Failure), "LEAK") {
			t.Error(s.Failure)
		}
	}
}

var _ otp.Clock = fixed{}
