package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// conformance is the protocol's own test suite, in the newest release that runs on Node.js 20; later ones want 22.
const conformance = "@modelcontextprotocol/conformance@0.1.13"

// Most scenarios call a tool, or read a resource, that a server has only when it was written for the suite.
const (
	suiteTool   = "it calls a tool that only a server made for the suite has"
	noLogging   = "agents get no log lines: what happened is told in the answer, the rest is the person's"
	noResources = "there are no resources: a page is read by tools, which are journaled and gated"
	noPrompts   = "there are no prompts"
)

// notOurs are the scenarios that fail with a reason. One that begins to pass has to be struck off.
var notOurs = map[string]string{
	"completion-complete":           "there are no prompts or resources whose arguments could be completed",
	"logging-set-level":             noLogging,
	"tools-call-with-logging":       noLogging,
	"tools-call-simple-text":        suiteTool,
	"tools-call-image":              suiteTool,
	"tools-call-audio":              suiteTool,
	"tools-call-embedded-resource":  suiteTool,
	"tools-call-mixed-content":      suiteTool,
	"tools-call-error":              suiteTool,
	"tools-call-with-progress":      suiteTool,
	"tools-call-sampling":           suiteTool,
	"tools-call-elicitation":        suiteTool,
	"json-schema-2020-12":           suiteTool,
	"elicitation-sep1034-defaults":  suiteTool,
	"elicitation-sep1330-enums":     suiteTool,
	"resources-list":                noResources,
	"resources-read-text":           noResources,
	"resources-read-binary":         noResources,
	"resources-templates-read":      noResources,
	"resources-subscribe":           noResources,
	"resources-unsubscribe":         noResources,
	"prompts-list":                  noPrompts,
	"prompts-get-simple":            noPrompts,
	"prompts-get-with-args":         noPrompts,
	"prompts-get-embedded-resource": noPrompts,
	"prompts-get-with-image":        noPrompts,
}

// TestConformance lets the protocol's own suite talk to the HTTP endpoint. It needs Node.js and, once, the npm registry.
func TestConformance(t *testing.T) {
	suite := conformanceSuite(t)
	d := newBench(t, "{}")
	said := d.serve()
	token, err := os.ReadFile(filepath.Join(d.dir, "run", "token"))
	if err != nil {
		t.Fatal(err)
	}
	var endpoint struct{ HTTP string }
	if data, err := os.ReadFile(filepath.Join(d.dir, "run", "endpoint")); err != nil || json.Unmarshal(data, &endpoint) != nil {
		t.Fatalf("no endpoint: %v", err)
	}
	front := withToken(t, endpoint.HTTP, strings.TrimSpace(string(token)))
	results := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	run := exec.CommandContext(ctx, "node", suite, "server", "--url", front, "--suite", "all", "-o", results)
	run.WaitDelay = time.Second
	run.Dir = results
	out, err := run.CombinedOutput()
	found := regexp.MustCompile(`(?m)^([✓✗]) ([a-z0-9-]+): \d+ passed, \d+ failed`).FindAllStringSubmatch(string(out), -1)
	if len(found) < 30 {
		t.Fatalf("the suite did not end with its list of scenarios: %v\n%s\n%s", err, out, said.errs)
	}
	passed := 0
	for _, f := range found {
		well, name := f[1] == "✓", f[2]
		why, expected := notOurs[name]
		switch {
		case well && expected:
			t.Errorf("%s passes now: strike it off the list (%s)", name, why)
		case well:
			passed++
		case !expected:
			t.Errorf("%s fails: %s", name, failures(results, name))
		}
	}
	if want := len(found) - len(notOurs); passed != want && !t.Failed() {
		t.Errorf("%d of %d scenarios pass, but the list names one that there is not", passed, len(found))
	}
	t.Logf("%d scenarios passed, %d do not apply", passed, len(notOurs))
}

// conformanceSuite is the suite's program, fetched once and kept in the user's cache.
func conformanceSuite(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("the protocol's own suite is left out of a short run")
	}
	for _, program := range []string{"node", "npm"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("there is no %s here: the protocol's own suite needs Node.js 20 with npm", program)
		}
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = t.TempDir() // it is fetched anew each time then
	}
	home := filepath.Join(cache, "chaperone", strings.NewReplacer("/", "-", "@", "").Replace(conformance))
	program := filepath.Join(home, "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js")
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	if _, err := os.Stat(program); err != nil {
		if err := os.MkdirAll(filepath.Dir(home), 0o700); err != nil {
			t.Fatal(err)
		}
		fresh, err := os.MkdirTemp(filepath.Dir(home), ".conformance-")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.RemoveAll(fresh) })
		install := exec.CommandContext(ctx, "npm", "install", "--ignore-scripts", "--no-fund", "--no-audit", "--loglevel=error", "--prefix", fresh, conformance)
		install.WaitDelay = time.Second
		if out, err := install.CombinedOutput(); err != nil {
			t.Skipf("the protocol's own suite could not be fetched: %v\n%s", err, tail(out))
		}
		_ = os.RemoveAll(home)
		if err := os.Rename(fresh, home); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.CommandContext(ctx, "node", program, "list", "--server").CombinedOutput(); err != nil {
		t.Skipf("the protocol's own suite does not run on this Node.js: %v\n%s", err, tail(out))
	}
	return program
}

// withToken is a way to the endpoint that adds the token, which the suite cannot send. The suite's own Origin is the one it
// would have without the detour.
func withToken(t *testing.T, endpoint, token string) string {
	t.Helper()
	to, err := url.Parse(endpoint)
	if err != nil {
		t.Fatal(err)
	}
	var own string
	proxy := &httputil.ReverseProxy{
		FlushInterval: -1,
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host = to.Scheme, to.Host
			r.Out.Host = strings.ReplaceAll(r.In.Host, own, to.Port())
			if origin := r.In.Header.Get("Origin"); origin != "" {
				r.Out.Header.Set("Origin", strings.ReplaceAll(origin, own, to.Port()))
			}
			r.Out.Header.Set("Authorization", "Bearer "+token)
		},
	}
	front := httptest.NewServer(http.Handler(proxy))
	t.Cleanup(front.Close)
	at, err := url.Parse(front.URL)
	if err != nil {
		t.Fatal(err)
	}
	own = at.Port()
	return front.URL + to.Path
}

// failures is what the suite wrote down about a scenario.
func failures(results, scenario string) string {
	files, _ := filepath.Glob(filepath.Join(results, "*"+scenario+"*", "checks.json"))
	var told []string
	for _, file := range files {
		data, err := os.ReadFile(file)
		var checks []struct{ ID, Status, ErrorMessage string }
		if err != nil || json.Unmarshal(data, &checks) != nil {
			continue
		}
		for _, c := range checks {
			if c.Status == "FAILURE" {
				told = append(told, fmt.Sprintf("%s: %s", c.ID, c.ErrorMessage))
			}
		}
	}
	if told == nil {
		return "nothing is written about it"
	}
	return strings.Join(told, "; ")
}

func tail(out []byte) string {
	return string(bytes.TrimSpace(out[max(0, len(out)-1000):]))
}
