package connect

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

var self = Self{Binary: "/opt/Jörg's tools/chaperone", Args: []string{"stdio"}, URL: "http://127.0.0.1:7421/mcp"}

func TestSnippetsAreValid(t *testing.T) {
	for _, p := range Programs() {
		text := p.Snippet(self)
		switch {
		case p.ID == "claude-code":
			if want := `claude mcp add --scope user chaperone -- '/opt/Jörg'\''s tools/chaperone' stdio`; text != want {
				t.Errorf("%s: %s", p.ID, text)
			}
		case p.shape == shapeTOML:
			var v map[string]any
			if err := toml.Unmarshal([]byte(text), &v); err != nil {
				t.Errorf("%s: %v\n%s", p.ID, err, text)
			}
		default:
			if !json.Valid([]byte(text)) {
				t.Errorf("%s is not JSON:\n%s", p.ID, text)
			}
		}
		if p.ID != "claude-code" && p.ID != "http" && !strings.Contains(text, "Jörg's tools/chaperone") {
			t.Errorf("%s does not name the binary:\n%s", p.ID, text)
		}
	}
}

func TestAddKeepsWhatStandsThere(t *testing.T) {
	for _, c := range []struct{ name, id, before, want string }{
		{"a new file", "cursor", "", `"mcpServers"`},
		{"an empty object", "cursor", "{}", `"chaperone"`},
		{"others beside us", "cursor", "{\n\t\"big\": 12345678901234567890,\n\t\"mcpServers\": {\"other\": {\"command\": \"x\", \"n\": 1.50}}\n}\n", "\"n\": 1.50"},
		{"an older entry of ours", "cursor", `{"mcpServers": {"chaperone": {"command": "/old"}, "z": 1}}`, `"z": 1`},
		{"no servers yet", "vscode", `{"inputs": []}`, `"inputs": []`},
		{"a new TOML file", "codex", "", "[mcp_servers.chaperone]"},
		{"TOML with others", "codex", "model = \"x\" # mine\n[mcp_servers.other]\ncommand = \"y\"\n", "# mine"},
		{"TOML with an older entry", "codex", "[mcp_servers.chaperone]\ncommand = \"/old\"\n\n[tail]\na = 1\n", "a = 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			home := t.TempDir()
			p, err := Find(c.id)
			if err != nil {
				t.Fatal(err)
			}
			file := p.File(home)
			if c.before != "" {
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(c.before), 0o640); err != nil {
					t.Fatal(err)
				}
			}
			shown, err := p.Preview(home, self)
			if err != nil {
				t.Fatal(err)
			}
			if err := Apply(shown); err != nil {
				t.Fatal(err)
			}
			after, _ := os.ReadFile(file)
			if string(after) != shown.After || !strings.Contains(string(after), c.want) || strings.Contains(string(after), "/old") {
				t.Errorf("after:\n%s", after)
			}
			if !p.Added(home) {
				t.Errorf("the file is not seen to name us:\n%s", after)
			}
			if c.before != "" {
				if kept, _ := os.ReadFile(shown.Backup); string(kept) != c.before {
					t.Errorf("the backup holds %q", kept)
				}
				if info, _ := os.Stat(file); info.Mode().Perm() != 0o640 {
					t.Errorf("the file's mode became %v", info.Mode())
				}
			}
			again, err := p.Preview(home, self)
			if err != nil || again.After != string(after) {
				t.Errorf("adding twice changes the file again: %v\n%s", err, again.After)
			}
		})
	}
}

func TestAddRefuses(t *testing.T) {
	home := t.TempDir()
	p, _ := Find("cursor")
	file := p.File(home)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, before := range []string{"{ // a comment\n}", "[1]", `{"mcpServers": 7}`} {
		if err := os.WriteFile(file, []byte(before), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := p.Preview(home, self); err == nil || !strings.Contains(err.Error(), "by hand") {
			t.Errorf("%s: %v", before, err)
		}
	}
	if err := os.WriteFile(file, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	shown, err := p.Preview(home, self)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(`{"changed": true}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Apply(shown); err == nil {
		t.Error("a file that changed meanwhile was overwritten")
	}
	if _, err := Find("nothing"); err == nil || !strings.Contains(err.Error(), "cursor") {
		t.Errorf("an unknown client: %v", err)
	}
	if p, _ := Find("stdio"); p.File(home) != "" {
		t.Error("the generic client has a file")
	}
}
