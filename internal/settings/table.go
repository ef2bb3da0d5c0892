package settings

import (
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
)

// Type is that of a value.
type Type string

// The types. A List is written with commas in the environment, and "none" where it is to be empty.
const (
	Bool Type = "bool"
	Int  Type = "int"
	Text Type = "string"
	List Type = "list"
)

// Setting is one line of the table.
type Setting struct {
	Key      string
	Env      string // variable of the environment; empty: none sets it
	Type     Type
	Default  any // bool, int, string or []string
	Does     string
	Enum     []string // valid values, of the text or of each element of the list
	Min, Max int      // of an Int, when Max is not 0
	// Policy settings say what agents may do. The environment locks them, and an agent can only propose to change them.
	Policy bool
	// App settings concern the window and the start: agents can neither see nor set them.
	App bool
	// Session settings may differ from session to session.
	Session bool
	// Start settings take effect at the next start.
	Start bool

	check func(string) error
}

var capabilityNames = []string{
	"read", "navigation", "action", "human", "eval", "network-body", "clipboard", "byob-attach", "file-io", "secrets", "credentials",
	"extensions", "stealth", "captcha", "device-emulation",
}

// Scopes are what can be put on the confirm list.
var Scopes = []string{"navigate_off_allowlist", "byob_action", "file_download", "file_upload"}

var table = []Setting{
	{Key: "capabilities", Env: "BROWX_CAPABILITIES", Type: List, Default: []string{"read", "navigation", "action", "human"}, Enum: capabilityNames, Policy: true,
		Does: "What agents may do at all."},
	{Key: "allowedOrigins", Env: "BROWX_ALLOWED_ORIGINS", Type: List, Default: []string{}, check: CheckOrigin, Policy: true,
		Does: "Sites that agents may work on, such as https://app.example.com or https://*.example.com. Empty: all. Others need a person's yes while navigate_off_allowlist is on the confirm list, and are refused otherwise."},
	{Key: "blockedOrigins", Env: "BROWX_BLOCKED_ORIGINS", Type: List, Default: []string{}, check: CheckOrigin, Policy: true,
		Does: "Sites that agents may never work on, in the same form. It goes before allowedOrigins."},
	{Key: "confirmRequired", Env: "BROWX_CONFIRM_REQUIRED", Type: List, Default: []string{"navigate_off_allowlist", "byob_action"}, Enum: Scopes, Policy: true,
		Does: "What a person is asked about each time, unless there is a lease."},
	{Key: "disableWebSecurity", Type: Bool, Default: false, Policy: true,
		Does: "Start browsers without the same-origin policy. Any page can then read any other. No environment variable can set it."},
	{Key: "urlSanitizer", Type: Bool, Default: true, Policy: true,
		Does: "Remove query, fragment, user name and token-like parts from captured URLs before an agent sees them."},
	{Key: "noSandbox", Env: "BROWX_NO_SANDBOX", Type: Bool, Default: false, Policy: true,
		Does: "Start Chromium without its sandbox. A page that breaks out of Chromium is then free on this machine."},

	{Key: "headless", Env: "BROWX_HEADLESS", Type: Bool, Default: false, Does: "Open browsers without a window, unless open_session says otherwise."},
	{Key: "testAttributes", Env: "BROWX_TEST_ATTRIBUTES", Type: List, Default: []string{"data-testid", "data-test", "data-cy", "data-qa"},
		Does: "Attributes that name elements for tests."},
	{Key: "toolsets", Env: "BROWX_TOOLSETS", Type: List, Default: []string{"default"},
		Does: "Sets of tools that are listed: default, all, or names of sets. Tools of other sets can be called all the same."},
	{Key: "actionTimeoutMs", Type: Int, Default: 5000, Min: 1, Max: 3600000, Session: true, Does: "Deadline of actions and reads that set none."},
	{Key: "navigationTimeoutMs", Type: Int, Default: 30000, Min: 1, Max: 3600000, Session: true, Does: "Deadline of navigations that set none."},
	{Key: "snapshotMode", Type: Text, Default: "scoped_snapshot", Enum: []string{"none", "scoped_snapshot", "full", "tree_diff"}, Session: true,
		Does: "What an action shows of the page afterwards, unless the call says otherwise."},
	{Key: "maxResultTokens", Type: Int, Default: 600, Min: 50, Max: 100000, Session: true, Does: "How much of the page an action shows afterwards, in tokens."},
	{Key: "idleCloseMs", Type: Int, Default: 7200000, Min: 0, Max: 604800000, Does: "Close browsers that no agent has used for so long. 0: never."},
	{Key: "closeWithClient", Type: Bool, Default: false, Does: "Close a client's browsers when it disconnects."},
	{Key: "viewport", Type: Text, Default: "1280x720", check: checkSize, Does: "Size of the page in new sessions, in CSS pixels."},

	{Key: "chromium", Env: "BROWX_CHROMIUM", Type: Text, Default: "", App: true, Start: true, Does: "Path of the Chromium to use. Empty: the first one that is installed."},
	{Key: "httpAddr", Env: "BROWX_HTTP_ADDR", Type: Text, Default: "127.0.0.1:7420", check: checkLoopback, App: true, Start: true,
		Does: "Address of the HTTP endpoint; the next free port is taken where this one is in use."},
	{Key: "pairClients", Type: Bool, Default: true, Policy: true, App: true, Does: "Ask before a program that was never here may use browsers."},
	{Key: "vaultPlace", Env: "BROWX_VAULT", Type: Text, Default: "keyring", Enum: []string{"keyring", "file", "memory"}, App: true,
		Does: "Where the vault keeps secrets: the keyring of this computer, an encrypted file that a passphrase opens, or memory only."},
	{Key: "theme", Env: "BROWX_THEME", Type: Text, Default: "system", Enum: []string{"system", "light", "dark"}, App: true,
		Does: "Look of the window: as the desktop has it, light or dark."},
	{Key: "notifications", Type: Bool, Default: true, App: true, Does: "Show a notification when somebody needs you."},
	{Key: "closeToTray", Type: Bool, Default: true, App: true, Does: "Keep running in the tray when the window is closed. Otherwise closing the window quits."},
	{Key: "startHidden", Type: Bool, Default: false, App: true, Does: "Start in the tray, without the window."},
	{Key: "autostart", Type: Bool, Default: false, App: true, Does: "Start when you sign in."},
}

// Table returns all settings, in the order in which they are shown.
func Table() []Setting { return append([]Setting(nil), table...) }

// Find returns one setting.
func Find(key string) (Setting, bool) {
	for _, s := range table {
		if s.Key == key {
			return s, true
		}
	}
	return Setting{}, false
}

// Keys lists the settings that agents see.
func Keys() []string {
	var keys []string
	for _, s := range table {
		if !s.App {
			keys = append(keys, s.Key)
		}
	}
	return keys
}

// Parse reads the text form of a value, as in the environment.
func (s Setting) Parse(text string) (any, error) {
	text = strings.TrimSpace(text)
	switch s.Type {
	case Bool:
		switch strings.ToLower(text) {
		case "1", "true", "yes", "on":
			return true, nil
		case "0", "false", "no", "off", "":
			return false, nil
		}
		return nil, fmt.Errorf("%q is neither true nor false", text)
	case Int:
		n, err := strconv.Atoi(text)
		if err != nil {
			return nil, fmt.Errorf("%q is not a whole number", text)
		}
		return s.Check(n)
	case List:
		list := []string{}
		if text == "none" {
			return list, nil
		}
		for part := range strings.SplitSeq(text, ",") {
			if part = strings.TrimSpace(part); part != "" {
				list = append(list, part)
			}
		}
		return s.Check(list)
	default:
		return s.Check(text)
	}
}

// Check returns v in the type of the setting, or says why it is no value of it. It takes what JSON gives: float64, []any.
func (s Setting) Check(v any) (any, error) {
	switch s.Type {
	case Bool:
		if b, ok := v.(bool); ok {
			return b, nil
		}
		if t, ok := v.(string); ok {
			return s.Parse(t)
		}
	case Int:
		n, ok := v.(int)
		if f, is := v.(float64); is && f == float64(int(f)) {
			n, ok = int(f), true
		}
		if t, is := v.(string); is {
			return s.Parse(t)
		}
		if !ok {
			break
		}
		if s.Max != 0 && (n < s.Min || n > s.Max) {
			return nil, fmt.Errorf("%d is not from %d to %d", n, s.Min, s.Max)
		}
		return n, nil
	case List:
		list, ok := v.([]string)
		switch v := v.(type) {
		case []any:
			list, ok = []string{}, true
			for _, x := range v {
				t, is := x.(string)
				if !is {
					return nil, fmt.Errorf("%v is not a text", x)
				}
				list = append(list, t)
			}
		case string:
			return s.Parse(v)
		}
		if !ok {
			break
		}
		for _, t := range list {
			if err := s.checkText(t); err != nil {
				return nil, err
			}
		}
		return list, nil
	case Text:
		if t, ok := v.(string); ok {
			return t, s.checkText(t)
		}
	}
	return nil, fmt.Errorf("%v is not a %s", v, s.Type)
}

func (s Setting) checkText(t string) error {
	if s.check != nil {
		return s.check(t)
	}
	if len(s.Enum) == 0 {
		return nil
	}
	for _, e := range s.Enum {
		if t == e {
			return nil
		}
	}
	return fmt.Errorf("%q is unknown; the valid names are %s", t, strings.Join(s.Enum, ", "))
}

// CheckOrigin says what is wrong with an entry of an origin list.
func CheckOrigin(entry string) error {
	u, err := url.Parse(strings.Replace(entry, "://*.", "://wildcard.", 1))
	switch {
	case err != nil || u.Scheme == "" || u.Opaque != "":
		return fmt.Errorf("%q is no origin; write it as https://app.example.com or https://*.example.com", entry)
	case u.Scheme == "file" && u.Host == "" && (u.Path == "" || u.Path == "/"):
		return nil
	case u.Host == "" || u.Hostname() == "":
		return fmt.Errorf("%q has no host; write it as https://app.example.com", entry)
	case u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Path != "" && u.Path != "/":
		return fmt.Errorf("%q has more than scheme, host and port; write it as %s://%s", entry, u.Scheme, strings.Replace(u.Host, "wildcard.", "*.", 1))
	case strings.Contains(u.Host, "*"):
		return fmt.Errorf("%q: a * stands for whole leading parts of a host only, as in https://*.example.com", entry)
	}
	return nil
}

func checkSize(t string) error {
	if _, _, err := Size(t); err != nil {
		return err
	}
	return nil
}

// Size reads "1280x720".
func Size(t string) (width, height int, err error) {
	w, h, ok := strings.Cut(t, "x")
	width, err1 := strconv.Atoi(w)
	height, err2 := strconv.Atoi(h)
	if !ok || err1 != nil || err2 != nil || width < 100 || height < 100 || width > 10000 || height > 10000 {
		return 0, 0, fmt.Errorf("%q is no size; write it as 1280x720, each from 100 to 10000", t)
	}
	return width, height, nil
}

func checkLoopback(t string) error {
	host, port, err := net.SplitHostPort(t)
	if err != nil {
		return fmt.Errorf("%q is no address; write it as 127.0.0.1:7420", t)
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return fmt.Errorf("%q has no valid port", t)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("%q is not on this machine only; write it as 127.0.0.1:%s", t, port)
	}
	return nil
}
