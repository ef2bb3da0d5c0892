package connect

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// Program is one MCP client, or a way of connecting.
type Program struct {
	ID   string // "claude-code"
	Name string
	Hint string // where the snippet goes

	file   func(home string) string
	shape  shape
	detail func(Self) string // the snippet, where it is no configuration file's
}

// Self is how this program is started, and where its endpoint is.
type Self struct {
	Binary string // absolute path
	Args   []string
	URL    string // of the HTTP endpoint, empty while there is none
}

// shape is the form of a configuration file.
type shape int

const (
	shapeNone    shape = iota
	shapeServers       // JSON: {"mcpServers": {"chaperone": {"command", "args"}}}
	shapeVSCode        // JSON: {"servers": {"chaperone": {"type": "stdio", …}}}
	shapeTOML          // TOML: [mcp_servers.chaperone]
)

// server is the name under which clients know this program.
const server = "chaperone"

// Programs lists the clients that are known, the most used first.
func Programs() []Program {
	return []Program{
		{ID: "claude-code", Name: "Claude Code", Hint: "Run this in a terminal, or let Chaperone add itself to ~/.claude.json.", shape: shapeServers,
			file:   func(home string) string { return filepath.Join(home, ".claude.json") },
			detail: func(s Self) string { return "claude mcp add --scope user " + server + " -- " + shellWords(s) }},
		{ID: "claude-desktop", Name: "Claude Desktop", Hint: "Goes into claude_desktop_config.json; restart Claude Desktop afterwards.", shape: shapeServers, file: claudeDesktop},
		{ID: "cursor", Name: "Cursor", Hint: "Goes into ~/.cursor/mcp.json.", shape: shapeServers,
			file: func(home string) string { return filepath.Join(home, ".cursor", "mcp.json") }},
		{ID: "vscode", Name: "VS Code", Hint: "Goes into the mcp.json of your VS Code profile.", shape: shapeVSCode, file: vsCode},
		{ID: "codex", Name: "Codex", Hint: "Goes into ~/.codex/config.toml.", shape: shapeTOML,
			file: func(home string) string { return filepath.Join(home, ".codex", "config.toml") }},
		{ID: "stdio", Name: "Any other over stdio", Hint: "Most clients take this form.", shape: shapeServers},
		{ID: "http", Name: "Any other over HTTP", Hint: "Streamable HTTP. Put the token in for <token>: the Connect screen copies it, and it is in run/token in the workspace.", detail: httpSnippet},
	}
}

// Find returns the program of that id.
func Find(id string) (Program, error) {
	var ids []string
	for _, p := range Programs() {
		if p.ID == id {
			return p, nil
		}
		ids = append(ids, p.ID)
	}
	return Program{}, fmt.Errorf("there is no client %q; the known ones are %s", id, strings.Join(ids, ", "))
}

func claudeDesktop(home string) string {
	switch runtime.GOOS {
	case "darwin":
		return filepath.Join(home, "Library", "Application Support", "Claude", "claude_desktop_config.json")
	case "windows":
		return filepath.Join(configDir(home), "Claude", "claude_desktop_config.json")
	default:
		return filepath.Join(configDir(home), "Claude", "claude_desktop_config.json")
	}
}

func vsCode(home string) string {
	if runtime.GOOS == "darwin" {
		return filepath.Join(home, "Library", "Application Support", "Code", "User", "mcp.json")
	}
	return filepath.Join(configDir(home), "Code", "User", "mcp.json")
}

func configDir(home string) string {
	if runtime.GOOS == "windows" {
		if dir := os.Getenv("APPDATA"); dir != "" {
			return dir
		}
		return filepath.Join(home, "AppData", "Roaming")
	}
	return filepath.Join(home, ".config")
}

// Snippet is the exact text that the client wants.
func (p Program) Snippet(s Self) string {
	if p.detail != nil {
		return p.detail(s)
	}
	switch p.shape {
	case shapeVSCode:
		return indent(map[string]any{"servers": map[string]any{server: entry(p.shape, s)}})
	case shapeTOML:
		return tomlTable(s)
	default:
		return indent(map[string]any{"mcpServers": map[string]any{server: entry(p.shape, s)}})
	}
}

// File is the file that Add would change, or empty where the snippet can only be copied.
func (p Program) File(home string) string {
	if p.file == nil {
		return ""
	}
	return p.file(home)
}

func entry(f shape, s Self) map[string]any {
	e := map[string]any{"command": s.Binary, "args": s.Args}
	if f == shapeVSCode {
		e["type"] = "stdio"
	}
	return e
}

func httpSnippet(s Self) string {
	url := s.URL
	if url == "" {
		url = "http://127.0.0.1:7420/mcp"
	}
	return indent(map[string]any{"mcpServers": map[string]any{server: map[string]any{
		"type": "http", "url": url, "headers": map[string]any{"Authorization": "Bearer <token>"},
	}}})
}

func indent(v any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return ""
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// tomlTable writes the table of a TOML file. Strings in Go's and TOML's basic form agree in all that paths hold.
func tomlTable(s Self) string {
	args := make([]string, len(s.Args))
	for i, a := range s.Args {
		args[i] = strconv.Quote(a)
	}
	return fmt.Sprintf("[mcp_servers.%s]\ncommand = %s\nargs = [%s]\n", server, strconv.Quote(s.Binary), strings.Join(args, ", "))
}

// shellWords writes the command for a POSIX shell.
func shellWords(s Self) string {
	words := []string{quote(s.Binary)}
	for _, a := range s.Args {
		words = append(words, quote(a))
	}
	return strings.Join(words, " ")
}

func quote(s string) string {
	if s != "" && strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+:@%", r))
	}) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
