package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// rules say which packages may not import what, and why. A package matches a rule when its path begins with of.
var rules = []struct {
	of, never string
	except    []string
	why       string
}{
	{"chaperone/assets", "chaperone/", nil, "what is shown knows nothing of what shows it"},
	{"chaperone/browser", "chaperone/server", nil, "the browser serves whoever drives it"},
	{"chaperone/browser", "chaperone/ui", nil, "the browser serves whoever drives it"},
	{"chaperone/browser", "chaperone/internal/", nil, "the browser has no settings of its own: it is told"},
	{"chaperone/ui", "chaperone/server", nil, "the window sees small interfaces"},
	{"chaperone/ui", "chaperone/browser", nil, "the window sees small interfaces"},
	{"chaperone/server", "chaperone/ui", nil, "the server runs without a window"},
	{"chaperone/server", "fyne.io/", nil, "the server runs without a window"},
	{"chaperone/internal", "fyne.io/", nil, "what the commands share runs without a window"},
	{"chaperone/internal", "chaperone/ui", []string{"chaperone/internal/desk"}, "one package knows both the window and what it shows"},
	{"chaperone/internal/workspace", "chaperone/", nil, "every process of ours starts with it"},
	{"chaperone/internal/bridge", "chaperone/internal/", nil, "it carries lines and knows nothing of what is in them"},
	{"chaperone/ui", "fyne.io/fyne/v2/app", nil, "it needs cgo; tests of the screens must not"},
	{"chaperone/", "github.com/mark3labs/mcp-go", []string{"chaperone/server", "chaperone/internal/tooldocs"}, "one package family speaks the protocol"},
	{"chaperone/", "github.com/chromedp/", []string{"chaperone/browser"}, "one package family speaks to Chromium"},
	{"chaperone/browser/pagejs", "chaperone/", nil, "page code is data"},
	{"chaperone/server/tool", "chaperone/", []string{}, "the words in which a tool is declared depend on nothing of ours"},
	{"chaperone/ui/model", "fyne.io/", nil, "what is shown is decided without the toolkit"},
}

func TestImportRules(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	met := map[int]bool{}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		for i, r := range rules {
			if !within(fields[0], r.of) || slices.ContainsFunc(r.except, func(e string) bool { return within(fields[0], e) }) {
				continue
			}
			met[i] = true
			for _, imported := range fields[1:] {
				if strings.HasPrefix(imported, r.never) && !within(imported, r.of) {
					t.Errorf("%s imports %s: %s", fields[0], imported, r.why)
				}
			}
		}
	}
	for i, r := range rules {
		if !met[i] {
			t.Errorf("no package is %s: the rule protects nothing", r.of)
		}
	}
}

// within reports whether a package is of, or lies below it.
func within(path, of string) bool {
	return path == strings.TrimSuffix(of, "/") || strings.HasPrefix(path, strings.TrimSuffix(of, "/")+"/")
}
