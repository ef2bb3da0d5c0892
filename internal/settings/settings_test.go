package settings

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func env(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i+1 < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func write(t *testing.T, dir, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range Table() {
		if seen[s.Key] || s.Env != "" && seen[s.Env] || s.Does == "" || !strings.HasSuffix(s.Does, ".") {
			t.Errorf("%+v", s)
		}
		seen[s.Key], seen[s.Env] = true, true
		if v, err := s.Check(s.Default); err != nil || !reflect.DeepEqual(v, s.Default) {
			t.Errorf("%s: the default %v is none: %v, %v", s.Key, s.Default, v, err)
		}
	}
	if s, _ := Find("disableWebSecurity"); s.Env != "" || !s.Policy {
		t.Error("disableWebSecurity can be set by the environment, or by an agent")
	}
}

func TestLayers(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, `{"headless":false,"actionTimeoutMs":7000,"capabilities":["read","eval"]}`)
	s, err := Open(dir, env("BROWX_HEADLESS", "1", "BROWX_TOOLSETS", "all", "BROWX_CAPABILITIES", "read, action"))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		key  string
		want any
		from Layer
	}{
		{"headless", false, FromUser},
		{"capabilities", []string{"read", "action"}, FromEnvironment},
		{"actionTimeoutMs", 7000, FromUser},
		{"maxResultTokens", 600, FromDefault},
	} {
		if v, from := s.Get("default", test.key); !reflect.DeepEqual(v, test.want) || from != test.from {
			t.Errorf("%s = %v from %s, want %v from %s", test.key, v, from, test.want, test.from)
		}
	}
	if got := s.Locked("capabilities"); got != "BROWX_CAPABILITIES" {
		t.Errorf("capabilities are locked by %q", got)
	}
	if got := s.Locked("toolsets"); got != "" {
		t.Errorf("toolsets are no policy, and locked by %q", got)
	}
	if err := s.Set("capabilities", []string{"read"}); err == nil || !strings.Contains(err.Error(), "BROWX_CAPABILITIES") {
		t.Errorf("a locked setting was set: %v", err)
	}
	if err := s.SetSession("s", "actionTimeoutMs", 9.0); err != nil {
		t.Fatal(err)
	}
	if v := s.Int("s", "actionTimeoutMs"); v != 9 {
		t.Errorf("in the session: %v", v)
	}
	if v := s.Int("other", "actionTimeoutMs"); v != 7000 {
		t.Errorf("in another session: %v", v)
	}
	s.ResetSession("s")
	if v := s.Int("s", "actionTimeoutMs"); v != 7000 {
		t.Errorf("after the reset: %v", v)
	}
	if err := s.SetSession("s", "capabilities", []string{"eval"}); err == nil {
		t.Error("capabilities were set for a session")
	}
	if err := s.SetSession("s", "actionTimeoutMs", 0); err == nil || !strings.Contains(err.Error(), "1 to 3600000") {
		t.Errorf("out of range: %v", err)
	}
	if err := s.SetSession("s", "nope", 0); err == nil || !strings.Contains(err.Error(), "actionTimeoutMs") {
		t.Errorf("unknown: %v", err)
	}
}

func TestEnvironmentErrors(t *testing.T) {
	for name, test := range map[string]struct{ value, want string }{
		"BROWX_CAPABILITIES":     {"read,evil", "device-emulation"},
		"BROWX_ALLOWED_ORIGINS":  {"app.example.com", "https://app.example.com"},
		"BROWX_BLOCKED_ORIGINS":  {"https://a.test/path", "https://a.test"},
		"BROWX_CONFIRM_REQUIRED": {"everything", "file_upload"},
		"BROWX_HEADLESS":         {"maybe", "neither true nor false"},
		"BROWX_HTTP_ADDR":        {"0.0.0.0:80", "127.0.0.1"},
	} {
		_, err := Open("", env(name, test.value))
		if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s=%s: %v", name, test.value, err)
		}
	}
	s, err := Open("", env("BROWX_CONFIRM_REQUIRED", "none"))
	if err != nil || len(s.List("confirmRequired")) != 0 {
		t.Errorf("none: %v, %v", s.List("confirmRequired"), err)
	}
}

func TestCheckOrigin(t *testing.T) {
	for entry, ok := range map[string]bool{
		"https://app.example.com": true, "https://*.example.com": true, "http://localhost:3000": true, "https://app.example.com/": true, "file://": true,
		"http://[::1]:80": true, "": false, "*": false, "app.example.com": false, "https://a.*.com": false, "https://a.test?x": false, "https://u@a.test": false,
		"https://": false, "javascript:alert(1)": false, "https://*": false, "ht tp://x": false,
	} {
		if err := CheckOrigin(entry); (err == nil) != ok {
			t.Errorf("%q: %v", entry, err)
		}
	}
}

func TestSetPersists(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, `{"future":{"a":[1]},"maxResultTokens":700}`)
	s, err := Open(dir, env())
	if err != nil {
		t.Fatal(err)
	}
	var changed []string
	cancel := s.Subscribe(func(key string) { changed = append(changed, key) })
	if err := s.Set("headless", true); err != nil {
		t.Fatal(err)
	}
	if err := s.Save("decisions", []string{"a"}); err != nil {
		t.Fatal(err)
	}
	if err := s.Reset("maxResultTokens"); err != nil {
		t.Fatal(err)
	}
	cancel()
	if !reflect.DeepEqual(changed, []string{"headless", "maxResultTokens"}) {
		t.Errorf("told of %v", changed)
	}
	if info, _ := os.Stat(filepath.Join(dir, "config.json")); info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	again, err := Open(dir, env())
	if err != nil {
		t.Fatal(err)
	}
	var decisions []string
	if err := again.Load("decisions", &decisions); err != nil || !again.Bool("headless") || !reflect.DeepEqual(decisions, []string{"a"}) || again.Int("", "maxResultTokens") != 600 {
		t.Errorf("%v, headless %v, %v", decisions, again.Bool("headless"), err)
	}
	var top map[string]json.RawMessage
	data, _ := os.ReadFile(filepath.Join(dir, "config.json"))
	if err := json.Unmarshal(data, &top); err != nil || top["future"] == nil {
		t.Errorf("what this version does not know is lost: %s", data)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".config-*")); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestBrokenFile(t *testing.T) {
	for _, content := range []string{`{"headless":`, `[]`, `null`, "\x00\xff"} {
		dir := t.TempDir()
		write(t, dir, content)
		s, err := Open(dir, env())
		if err != nil {
			t.Fatalf("%q: %v", content, err)
		}
		aside, _ := filepath.Glob(filepath.Join(dir, "config.json.broken-*"))
		if len(aside) != 1 || len(s.Notices()) != 1 || !strings.Contains(s.Notices()[0], filepath.Base(aside[0])) {
			t.Fatalf("%q: aside %v, told %v", content, aside, s.Notices())
		}
		if kept, _ := os.ReadFile(aside[0]); string(kept) != content {
			t.Errorf("%q was kept as %q", content, kept)
		}
		if err := s.Set("headless", true); err != nil {
			t.Error(err)
		}
	}
}

func TestWrongValues(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, `{"capabilities":["reed"],"headless":true}`)
	s, err := Open(dir, env())
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Notices()) != 1 || !strings.Contains(s.Notices()[0], `"reed"`) || !s.Bool("headless") || len(s.List("capabilities")) != 4 {
		t.Errorf("%v, %v", s.Notices(), s.List("capabilities"))
	}
}

func TestInside(t *testing.T) {
	root := t.TempDir()
	out := t.TempDir()
	_ = os.Mkdir(filepath.Join(root, "sub"), 0o700)
	_ = os.WriteFile(filepath.Join(root, "sub", "f"), nil, 0o600)
	_ = os.Symlink(out, filepath.Join(root, "leave"))
	_ = os.Symlink(filepath.Join(root, "sub"), filepath.Join(root, "stay"))
	_ = os.Symlink(filepath.Join(out, "nothing"), filepath.Join(root, "dangling"))
	for name, ok := range map[string]bool{
		"sub/f": true, "new/deep/file.png": true, "stay/f": true, filepath.Join(root, "sub/f"): true, "a..b": true,
		"../x": false, "sub/../../x": false, "leave/x": false, "leave/new/x": false, out: false, filepath.Join(out, "x"): false, "dangling": false, "dangling/x": false, "sub/f/x": false,
	} {
		if _, err := Inside(root, name); (err == nil) != ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}
