package tools

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"chaperone/browser"
	"chaperone/internal/settings"
	"chaperone/server/gate"
	"chaperone/server/tool"
)

var update = flag.Bool("update", false, "write the golden files anew")

func all(t *testing.T) []tool.Set {
	t.Helper()
	store, err := settings.Open("", func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	g := gate.New(gate.Config{Settings: store})
	t.Cleanup(g.Close)
	return All(Deps{Browser: browser.New(browser.Config{}), Gate: g, Settings: store})
}

// written is a tool as a client sees it.
func written(t tool.Tool) map[string]any {
	var schema any
	_ = json.Unmarshal(t.Schema, &schema)
	return map[string]any{
		"name": t.Name, "title": t.Title, "description": t.Does, "inputSchema": schema,
		"needs": t.Needs, "effect": []string{"reads", "sets", "changes", "destroys"}[t.Effect], "local": t.Local, "set": t.Set, "pages": t.Pages, "site": t.Site,
	}
}

// What a model sees of each tool is kept in testdata, so that a change of it is seen in review.
func TestGolden(t *testing.T) {
	seen := map[string]bool{}
	for _, set := range all(t) {
		for _, tl := range set.Tools {
			var b bytes.Buffer
			e := json.NewEncoder(&b)
			e.SetEscapeHTML(false)
			e.SetIndent("", "  ")
			if err := e.Encode(written(tl)); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", tl.Name+".tool.json")
			seen[path] = true
			if *update {
				if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
				continue
			}
			want, err := os.ReadFile(path)
			if err != nil || !bytes.Equal(want, b.Bytes()) {
				t.Errorf("%s has changed; look at it, then run the test with -update (%v)", path, err)
			}
		}
	}
	files, _ := filepath.Glob("testdata/*.tool.json")
	for _, f := range files {
		if !seen[f] {
			t.Errorf("%s is of no tool", f)
		}
	}
}

var snakeCase = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// The rules for all tools at once.
func TestLint(t *testing.T) {
	for _, set := range all(t) {
		for _, tl := range set.Tools {
			t.Run(tl.Name, func(t *testing.T) {
				if len(tl.Name) > 50 || !snakeCase.MatchString(tl.Name) {
					t.Error("the name is no snake_case of up to 50 characters")
				}
				if tl.Title == "" || len(tl.Title) > 40 {
					t.Errorf("title %q", tl.Title)
				}
				if !strings.HasSuffix(tl.Does, ".") || len(tl.Does) < 20 || len(tl.Does) > 420 {
					t.Errorf("the description is no sentence of 20 to 420 bytes: %q", tl.Does)
				}
				if _, known := tool.CapabilityOf(tl.Needs); !known {
					t.Errorf("capability %q", tl.Needs)
				}
				if tl.Site && !tl.Pages {
					t.Error("works on a site but on no page")
				}
				var schema map[string]any
				if err := json.Unmarshal(tl.Schema, &schema); err != nil {
					t.Fatal(err)
				}
				lintSchema(t, schema, "", true)
				if _, has := schema["properties"].(map[string]any)["session"]; !has {
					t.Error("the argument session is missing")
				}
				// What is not required can be left out, or null; an unknown argument is refused in any case.
				if _, err := tl.Bind(json.RawMessage(`{"no_such_argument":1}`)); err == nil || !strings.Contains(err.Error(), "no_such_argument") {
					t.Errorf("an unknown argument: %v", err)
				}
				for _, raw := range []string{``, `null`, `{}`, `{"session":null}`} {
					_, err := tl.Bind(json.RawMessage(raw))
					if required, _ := schema["required"].([]any); err == nil && len(required) > 0 {
						t.Errorf("%q was taken though %v are required", raw, required)
					}
				}
			})
		}
	}
}

func lintSchema(t *testing.T, s map[string]any, at string, root bool) {
	t.Helper()
	for _, bad := range []string{"oneOf", "anyOf", "allOf", "if", "not", "$ref", "$defs"} {
		if _, has := s[bad]; has {
			t.Errorf("%s: %s", at, bad)
		}
	}
	if root {
		if s["type"] != "object" || s["additionalProperties"] != false {
			t.Errorf("the root is %v", s)
		}
		if _, has := s["properties"].(map[string]any); !has {
			t.Error("there are no properties")
		}
	}
	for name, p := range asMap(s["properties"]) {
		prop := asMap(p)
		if d, _ := prop["description"].(string); d == "" {
			t.Errorf("%s%s has no description", at, name)
		}
		if e, has := prop["enum"].([]any); has && (len(e) < 2 || slices.Contains(e, nil)) {
			t.Errorf("%s%s: enum %v", at, name, e)
		}
		lintSchema(t, prop, at+name+".", false)
		if items := asMap(prop["items"]); items != nil {
			lintSchema(t, items, at+name+"[].", false)
		}
	}
}

func asMap(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

// The default list stays short: clients take 40 tools in all, and each costs every request.
func TestCountAndSize(t *testing.T) {
	var listed []map[string]any
	withVault := 0
	names := map[string]bool{}
	for _, set := range all(t) {
		if set.Does == "" {
			t.Errorf("the set %s has no sentence", set.Name)
		}
		for _, tl := range set.Tools {
			if names[tl.Name] {
				t.Errorf("%s stands there twice", tl.Name)
			}
			names[tl.Name] = true
			if set.Default && !tl.Extra && slices.Contains(append(tool.DefaultCapabilities(), tool.Secrets, tool.Credentials), tl.Needs) {
				withVault++
			}
			if set.Default && !tl.Extra && slices.Contains(tool.DefaultCapabilities(), tl.Needs) {
				listed = append(listed, map[string]any{
					"name": tl.Name, "description": tl.Does, "inputSchema": json.RawMessage(tl.Schema),
					"annotations": map[string]any{"title": tl.Title, "readOnlyHint": false, "destructiveHint": false, "idempotentHint": false, "openWorldHint": false},
				})
			}
		}
	}
	raw, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "result": map[string]any{"tools": listed}})
	if err != nil {
		t.Fatal(err)
	}
	if withVault > 40 {
		t.Errorf("with secrets and credentials switched on, %d tools are listed", withVault)
	}
	if len(listed) > 40 || len(raw) >= 32<<10 {
		t.Errorf("%d tools in %d bytes", len(listed), len(raw))
	}
	t.Logf("%d tools in %d bytes", len(listed), len(raw))
}

// Every argument of every tool takes its value as a text too, where clients send it so (R101).
func TestStringified(t *testing.T) {
	values := map[string]string{"integer": `"1"`, "number": `"1"`, "boolean": `"true"`}
	for _, set := range all(t) {
		for _, tl := range set.Tools {
			var schema map[string]any
			_ = json.Unmarshal(tl.Schema, &schema)
			for name, p := range asMap(schema["properties"]) {
				prop := asMap(p)
				kind, _ := prop["type"].(string)
				value := values[kind]
				if kind == "array" && asMap(prop["items"])["type"] == "string" {
					value = `"[]"`
				}
				if value == "" {
					continue
				}
				_, err := tl.Bind(json.RawMessage(`{"` + name + `":` + value + `}`))
				if err != nil && strings.Contains(err.Error(), name+" must be a") {
					t.Errorf("%s: %s as a text: %v", tl.Name, name, err)
				}
			}
		}
	}
}
