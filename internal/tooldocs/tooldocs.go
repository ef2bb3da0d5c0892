package tooldocs

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"chaperone/internal/settings"
	"chaperone/server/tool"
)

const generated = "<!-- Written by go generate ./internal/tooldocs. Change the declarations in the code, not this page. -->\n\n"

// Tools writes the reference of the tools.
func Tools(sets []tool.Set) string {
	var b strings.Builder
	b.WriteString(generated + "# Tools\n\n")
	b.WriteString("Every tool takes the optional argument `session` (by default `default`). A refusal or failure is `{\"ok\": false, \"error\", \"hint\"}`.\n" +
		"Tools of a set that is not listed, or marked *on request*, can be called all the same; `toolsets` lists them.\n\n")
	b.WriteString("## Capabilities\n\n| capability | on by default | lets agents | risk |\n| --- | --- | --- | --- |\n")
	for _, c := range tool.Capabilities() {
		on := ""
		if slices.Contains(tool.DefaultCapabilities(), c.Name) {
			on = "yes"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", c.Name, on, cell(c.Does), cell(c.Risk))
	}
	for _, set := range sets {
		listed := "listed by default"
		if !set.Default {
			listed = "listed on request"
		}
		fmt.Fprintf(&b, "\n## Set `%s`\n\n%s (%s)\n", set.Name, set.Does, listed)
		for _, t := range set.Tools {
			writeTool(&b, t)
		}
	}
	return b.String()
}

func writeTool(b *strings.Builder, t tool.Tool) {
	effect := map[tool.Effect]string{tool.Reads: "reads only", tool.Sets: "changes, the same again changes nothing more", tool.Changes: "changes", tool.Destroys: "may destroy"}[t.Effect]
	request := ""
	if t.Extra {
		request = " · on request"
	}
	fmt.Fprintf(b, "\n### `%s`\n\n%s\n\nCapability `%s` · %s%s\n", t.Name, t.Does, t.Needs, effect, request)
	rows := arguments(t.Schema)
	if len(rows) == 0 {
		return
	}
	b.WriteString("\n| argument | type | |\n| --- | --- | --- |\n")
	for _, r := range rows {
		b.WriteString(r)
	}
}

// property is one argument of a schema.
type property struct {
	Type        string          `json:"type"`
	Description string          `json:"description"`
	Enum        []string        `json:"enum"`
	Minimum     *float64        `json:"minimum"`
	Maximum     *float64        `json:"maximum"`
	Items       *property       `json:"items"`
	Properties  json.RawMessage `json:"properties"`
	Required    []string        `json:"required"`
}

// arguments writes a row for each argument but session.
func arguments(schema json.RawMessage) []string {
	var root property
	if json.Unmarshal(schema, &root) != nil {
		return nil
	}
	var rows []string
	each(root.Properties, func(name string, p property) {
		if name == "session" {
			return
		}
		if slices.Contains(root.Required, name) {
			name += "` **required** `"
		}
		rows = append(rows, fmt.Sprintf("| `%s` | %s | %s |\n", strings.TrimSuffix(name, " `"), cell(typeOf(p)), cell(p.Description)))
	})
	for i, r := range rows {
		rows[i] = strings.Replace(r, "**required**`", "**required**", 1)
	}
	return rows
}

func typeOf(p property) string {
	switch {
	case len(p.Enum) > 0:
		return "`" + strings.Join(p.Enum, "` `") + "`"
	case p.Type == "array" && p.Items != nil:
		return "list of " + typeOf(*p.Items)
	case p.Type == "object" && len(p.Properties) > 0:
		var names []string
		each(p.Properties, func(name string, _ property) { names = append(names, name) })
		return "object {" + strings.Join(names, ", ") + "}"
	case p.Minimum != nil && p.Maximum != nil:
		return fmt.Sprintf("%s %g–%g", p.Type, *p.Minimum, *p.Maximum)
	case p.Type == "":
		return "any"
	}
	return p.Type
}

// each calls fn for the members of a JSON object in their order.
func each(object json.RawMessage, fn func(string, property)) {
	d := json.NewDecoder(strings.NewReader(string(object)))
	if _, err := d.Token(); err != nil {
		return
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return
		}
		var p property
		if d.Decode(&p) != nil {
			return
		}
		fn(name.(string), p)
	}
}

func cell(s string) string { return strings.ReplaceAll(s, "|", "\\|") }

// Settings writes the reference of the settings.
func Settings() string {
	var b strings.Builder
	b.WriteString(generated + "# Settings\n\n")
	b.WriteString("Settings come from, in this order: their defaults, the environment, `config.json` in the workspace (`BROWX_WORKSPACE`, by default\n" +
		"`~/.chaperone`), the session. The ones marked *policy* say what agents may do: an agent can only propose to change them, and an\n" +
		"environment variable locks them. Lists are written with commas in the environment, and `none` where they are to be empty.\n\n")
	b.WriteString("| setting | variable | type | default | |\n| --- | --- | --- | --- | --- |\n")
	for _, s := range settings.Table() {
		env := ""
		if s.Env != "" {
			env = "`" + s.Env + "`"
		}
		kind := string(s.Type)
		if len(s.Enum) > 0 {
			kind += ": `" + strings.Join(s.Enum, "` `") + "`"
		}
		var marks []string
		for _, m := range []struct {
			on   bool
			word string
		}{{s.Policy, "policy"}, {s.Session, "per session"}, {s.App, "window only"}, {s.Start, "at the next start"}} {
			if m.on {
				marks = append(marks, m.word)
			}
		}
		does := s.Does
		if len(marks) > 0 {
			does += " *" + strings.Join(marks, ", ") + "*"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", s.Key, env, kind, defaultOf(s), cell(does))
	}
	return b.String()
}

func defaultOf(s settings.Setting) string {
	switch v := s.Default.(type) {
	case []string:
		if len(v) == 0 {
			return "empty"
		}
		return "`" + strings.Join(v, ",") + "`"
	case string:
		if v == "" {
			return "empty"
		}
		return "`" + v + "`"
	default:
		return fmt.Sprintf("`%v`", v)
	}
}
