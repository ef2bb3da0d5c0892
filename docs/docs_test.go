// Package docs has the texts for people, and the tests that keep them true.
package docs

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// top is the checkout's root, seen from this package.
const top = ".."

// pages are all Markdown files of the project, relative to its root.
func pages(t *testing.T) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() && path != top && (strings.HasPrefix(name, ".") || name == "build" || name == "node_modules" || name == "testdata") {
			return filepath.SkipDir
		}
		if strings.HasSuffix(name, ".md") {
			found = append(found, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

var (
	fence   = regexp.MustCompile("(?ms)^```.*?^```$")
	code    = regexp.MustCompile("`[^`\n]*`")
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ +(.+)$`)
	mark    = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// anchors are the names by which a page's headings can be linked to, as code hosts make them.
func anchors(text string) []string {
	var names []string
	for _, found := range heading.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
		name := mark.ReplaceAllString(strings.ToLower(found[1]), "")
		names = append(names, strings.ReplaceAll(name, " ", "-"))
	}
	return names
}

func TestLinksResolve(t *testing.T) {
	links := 0
	for _, page := range pages(t) {
		text := code.ReplaceAllString(fence.ReplaceAllString(read(t, page), ""), "")
		for _, found := range link.FindAllStringSubmatch(text, -1) {
			target := found[1]
			if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
				continue
			}
			links++
			path, anchor, _ := strings.Cut(target, "#")
			file := page
			if path != "" {
				file = filepath.Join(filepath.Dir(page), path)
			}
			info, err := os.Stat(file)
			if err != nil {
				t.Errorf("%s links to %s, which is not there", page, target)
				continue
			}
			if anchor != "" && (info.IsDir() || !slices.Contains(anchors(read(t, file)), anchor)) {
				t.Errorf("%s links to %s, but that page has no such heading", page, target)
			}
		}
	}
	if links < 10 {
		t.Errorf("only %d links were found: does the test still see them?", links)
	}
}

// program builds the binary without a window.
func program(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "chaperone.exe")
	build := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-tags", "nogui", "-o", path, ".")
	build.Dir = top
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

var (
	ownCommand = regexp.MustCompile("(?m)(?:^|`)(?:build/)?chaperone ([a-z]+)")
	devVerb    = regexp.MustCompile(`(?m)(?:^|[\x60 ])\./dev ([a-z]+)`)
)

func TestCommandsExist(t *testing.T) {
	path := program(t)
	usage, err := exec.Command("sh", filepath.Join(top, "dev")).CombinedOutput()
	if err != nil {
		t.Fatalf("./dev: %v\n%s", err, usage)
	}
	var verbs, commands []string
	for _, page := range pages(t) {
		text := read(t, page)
		for _, found := range devVerb.FindAllStringSubmatch(text, -1) {
			verbs = append(verbs, found[1])
			if !strings.Contains(string(usage), "./dev "+found[1]+" ") {
				t.Errorf("%s names ./dev %s, which ./dev does not list:\n%s", page, found[1], usage)
			}
		}
		for _, found := range ownCommand.FindAllStringSubmatch(text, -1) {
			if slices.Contains(commands, found[1]) {
				continue
			}
			commands = append(commands, found[1])
			out, err := exec.Command(path, found[1], "--help").CombinedOutput()
			if err != nil || !strings.Contains(string(out), "chaperone "+found[1]) {
				t.Errorf("%s names chaperone %s: %v\n%s", page, found[1], err, out)
			}
		}
	}
	for _, want := range []string{"run", "test", "demo", "bench"} {
		if !slices.Contains(verbs, want) {
			t.Errorf("no page names ./dev %s", want)
		}
	}
	for _, want := range []string{"stdio", "serve", "connect", "doctor"} {
		if !slices.Contains(commands, want) {
			t.Errorf("no page names chaperone %s", want)
		}
	}
}

func TestDecisionsAreListedWithAStatus(t *testing.T) {
	index := read(t, "decisions/README.md")
	files, err := filepath.Glob("decisions/2*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("no decisions: %v", err)
	}
	named := regexp.MustCompile(`^decisions/\d{4}-\d\d-\d\d-[a-z0-9-]+\.md$`)
	status := regexp.MustCompile(`(?m)^Status: (accepted|replaced by .+|withdrawn), \d{4}-\d\d-\d\d$`)
	for _, file := range files {
		if !named.MatchString(filepath.ToSlash(file)) {
			t.Errorf("%s is not named by its day and its subject", file)
		}
		if !strings.Contains(index, "("+filepath.Base(file)+")") {
			t.Errorf("%s is not in decisions/README.md", file)
		}
		if !status.MatchString(read(t, file)) {
			t.Errorf("%s has no status line", file)
		}
	}
}
