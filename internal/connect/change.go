package connect

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
)

// Change is what adding this program to a client's file does.
type Change struct {
	File   string
	Before string // empty where the file is new
	After  string
	Backup string // where the old content is kept; empty where the file is new
}

// ErrNoFile means that a client has no file that could be changed.
var ErrNoFile = errors.New("this client has no file that Chaperone can change: copy the snippet")

// Preview says what Add would do, and changes nothing.
func (p Program) Preview(home string, s Self) (Change, error) {
	file := p.File(home)
	if file == "" {
		return Change{}, ErrNoFile
	}
	before, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Change{}, fmt.Errorf("%s: %w", p.Name, err)
	}
	c := Change{File: file, Before: string(before)}
	if len(before) > 0 {
		c.Backup = file + ".before-chaperone-" + time.Now().Format("20060102-150405")
	}
	if p.shape == shapeTOML {
		c.After, err = mergeTOML(string(before), s)
	} else {
		key := "mcpServers"
		if p.shape == shapeVSCode {
			key = "servers"
		}
		c.After, err = mergeJSON(before, key, entry(p.shape, s))
	}
	if err != nil {
		return Change{}, fmt.Errorf("%s cannot be changed safely (%w): copy the snippet into it by hand", file, err)
	}
	return c, nil
}

// Apply makes a change that was shown. It fails when the file is no longer as it was then.
func Apply(c Change) error {
	now, err := os.ReadFile(c.File)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if string(now) != c.Before {
		return fmt.Errorf("%s has changed since: look at the change again", c.File)
	}
	if err := os.MkdirAll(filepath.Dir(c.File), 0o755); err != nil {
		return err
	}
	mode := fs.FileMode(0o600)
	if info, err := os.Stat(c.File); err == nil {
		mode = info.Mode().Perm()
	}
	if c.Backup != "" {
		if err := os.WriteFile(c.Backup, now, mode); err != nil {
			return fmt.Errorf("the backup: %w", err)
		}
	}
	// Written beside the file and moved over it, so that a crash leaves one or the other whole. A link is followed, not replaced.
	target := c.File
	if real, err := filepath.EvalSymlinks(c.File); err == nil {
		target = real
	}
	temp, err := os.CreateTemp(filepath.Dir(target), ".chaperone-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	_, err = temp.WriteString(c.After)
	err = errors.Join(err, temp.Chmod(mode), temp.Close())
	if err != nil {
		return err
	}
	return os.Rename(temp.Name(), target)
}

// Added reports whether the client's file names this program already.
func (p Program) Added(home string) bool {
	file := p.File(home)
	if file == "" {
		return false
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return false
	}
	if p.shape == shapeTOML {
		var t struct {
			Servers map[string]any `toml:"mcp_servers"`
		}
		return toml.Unmarshal(data, &t) == nil && t.Servers[server] != nil
	}
	var f map[string]map[string]json.RawMessage
	var whole map[string]json.RawMessage
	if json.Unmarshal(data, &whole) != nil {
		return false
	}
	f = map[string]map[string]json.RawMessage{}
	for _, key := range []string{"mcpServers", "servers"} {
		var m map[string]json.RawMessage
		if json.Unmarshal(whole[key], &m) == nil {
			f[key] = m
		}
	}
	return f["mcpServers"][server] != nil || f["servers"][server] != nil
}

// mergeJSON puts the entry into the object under key and leaves every other byte of the file as it stands: numbers, order and
// layout of what belongs to others are not ours to change.
func mergeJSON(before []byte, key string, entry map[string]any) (string, error) {
	if len(bytes.TrimSpace(before)) == 0 {
		return indent(map[string]any{key: map[string]any{server: entry}}) + "\n", nil
	}
	var whole map[string]json.RawMessage
	if err := json.Unmarshal(before, &whole); err != nil {
		return "", fmt.Errorf("it is not plain JSON: %w", err)
	}
	raw, err := json.Marshal(entry)
	if err != nil {
		return "", err
	}
	servers := whole[key]
	if servers == nil {
		return splice(before, nil, key, "{"+quoteJSON(server)+": "+string(raw)+"}")
	}
	var list map[string]json.RawMessage
	if err := json.Unmarshal(servers, &list); err != nil || list == nil {
		return "", fmt.Errorf("%q in it is not an object", key)
	}
	if same(list[server], raw) {
		return string(before), nil
	}
	return splice(before, []string{key}, server, string(raw))
}

// same reports whether two JSON values mean the same.
func same(a, b json.RawMessage) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

func quoteJSON(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// splice sets a member of the object at path to value: its bytes are replaced, or it is put in at the object's beginning.
func splice(doc []byte, path []string, member, value string) (string, error) {
	start, end, inside, err := locate(doc, path, member)
	if err != nil {
		return "", err
	}
	if start >= 0 {
		return string(doc[:start]) + value + string(doc[end:]), nil
	}
	pad := "\n" + strings.Repeat("  ", len(path)+1)
	text := pad + quoteJSON(member) + ": " + value
	if rest := bytes.TrimLeft(doc[inside:], " \t\r\n"); len(rest) > 0 && rest[0] != '}' {
		text += ","
	} else {
		text += "\n" + strings.Repeat("  ", len(path))
	}
	return string(doc[:inside]) + text + string(doc[inside:]), nil
}

// locate walks the tokens of doc to the object at path. It returns the bytes of the member's value, or start -1 and the offset
// just behind the object's opening brace.
func locate(doc []byte, path []string, member string) (start, end, inside int, err error) {
	dec := json.NewDecoder(bytes.NewReader(doc))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return 0, 0, 0, errors.New("it is not a JSON object")
	}
	for {
		inside = int(dec.InputOffset())
		want := member
		if len(path) > 0 {
			want = path[0]
		}
		found := false
		for dec.More() {
			t, err := dec.Token()
			if err != nil {
				return 0, 0, 0, err
			}
			if t != want {
				var skip json.RawMessage
				if err := dec.Decode(&skip); err != nil {
					return 0, 0, 0, err
				}
				continue
			}
			found = true
			break
		}
		if !found {
			if len(path) > 0 {
				return 0, 0, 0, fmt.Errorf("%q is not in it", want)
			}
			return -1, 0, inside, nil
		}
		if len(path) == 0 {
			var value json.RawMessage
			if err := dec.Decode(&value); err != nil {
				return 0, 0, 0, err
			}
			end := int(dec.InputOffset())
			return end - len(value), end, inside, nil
		}
		if t, err := dec.Token(); err != nil || t != json.Delim('{') {
			return 0, 0, 0, fmt.Errorf("%q in it is not an object", want)
		}
		path = path[1:]
	}
}

// mergeTOML appends our table, or refuses where there is one that is not as we write it.
func mergeTOML(before string, s Self) (string, error) {
	var t map[string]any
	if err := toml.Unmarshal([]byte(before), &t); err != nil {
		return "", fmt.Errorf("it is not TOML: %w", err)
	}
	servers, _ := t["mcp_servers"].(map[string]any)
	if servers[server] != nil {
		head := "[mcp_servers." + server + "]\n"
		at := strings.Index("\n"+before, "\n"+head)
		if at < 0 {
			return "", errors.New("it names chaperone already, in another form")
		}
		end := strings.Index(before[at+len(head):], "\n[")
		rest := ""
		if end >= 0 {
			rest = before[at+len(head)+end+1:]
		}
		after := before[:at] + tomlTable(s)
		if rest != "" {
			after += "\n" + rest
		}
		return after, nil
	}
	if before != "" && !strings.HasSuffix(before, "\n") {
		before += "\n"
	}
	if before != "" {
		before += "\n"
	}
	return before + tomlTable(s), nil
}
