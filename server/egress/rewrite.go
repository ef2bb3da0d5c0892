package egress

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// content are the keys under which a page's own words stand: what a person sees in the page, or typed into it. A URL there is
// text and is left whole but for a password in it. All other texts are taken as captured, and their URLs are stripped.
var content = map[string]bool{
	"name": true, "value": true, "valueRequested": true, "displayText": true, "displayTextBefore": true, "displayTextAfter": true,
	"label": true, "rowKey": true, "rowText": true, "tree": true, "column": true, "context": true, "option": true, "selector": true,
	"selectorHint": true, "query": true, "values": true, "prompt": true, "choices": true, "note": true, "key": true,
}

// changer changes texts of a JSON document.
type changer struct {
	value func(s, key string, content bool, path []string) string
	// all: value is to see every text, not only those with an address in them, and those under key that are longer than over.
	// cut: only the latter.
	all, cut bool
	key      string
	over     int
}

// rewrite passes the texts of a valid JSON document through c, and leaves the rest byte for byte as it is.
func rewrite(doc []byte, c changer) []byte {
	if !c.all && c.key == "" && !addressed(doc) {
		return doc
	}
	return rewriteAll(doc, c)
}

// addressed reports whether a URL may stand in JSON text.
func addressed(raw []byte) bool {
	if len(raw) < 5 {
		return false
	}
	return bytes.Contains(raw, []byte("://")) || bytes.IndexByte(raw, '\\') >= 0 && (bytes.Contains(raw, []byte(`\/`)) || bytes.Contains(raw, []byte(`\u`)))
}

type level struct {
	object bool
	key    string
	hasRef bool // an object that describes an element: its text is the page's
	isKey  bool // the next text is a key
}

func rewriteAll(doc []byte, c changer) []byte {
	out := make([]byte, 0, len(doc)+len(doc)/16)
	var stack []level
	var path []string
	top := func() *level {
		if len(stack) == 0 {
			return &level{}
		}
		return &stack[len(stack)-1]
	}
	for i := 0; i < len(doc); {
		ch := doc[i]
		switch {
		case ch == '{' || ch == '[':
			key := ""
			if t := top(); t.object {
				key = t.key
			} else if len(stack) > 0 {
				key = t.key // a list hands its key on
			}
			stack = append(stack, level{object: ch == '{', key: key, isKey: ch == '{'})
			if ch == '{' {
				path = append(path, "")
			}
			out = append(out, ch)
			i++
		case ch == '}' || ch == ']':
			if len(stack) > 0 {
				if top().object {
					path = path[:len(path)-1]
				}
				stack = stack[:len(stack)-1]
			}
			out = append(out, ch)
			i++
		case ch == ',':
			if t := top(); t.object {
				t.isKey = true
			}
			out = append(out, ch)
			i++
		case ch == '"':
			end := textEnd(doc, i)
			raw := doc[i:end]
			t := top()
			if t.object && t.isKey {
				t.isKey = false
				t.key = plain(raw)
				if t.key == "ref" {
					t.hasRef = true
				}
				path[len(path)-1] = t.key
			} else {
				if !c.all && (len(raw) <= c.over || t.key != c.key) && (c.cut || !addressed(raw)) {
					out = append(out, raw...)
					i = end
					continue
				}
				s := plain(raw)
				isContent := content[t.key] || t.key == "text" && t.hasRef
				if changed := c.value(s, t.key, isContent, path); changed != s {
					raw = encode(changed)
				}
			}
			out = append(out, raw...)
			i = end
		default:
			out = append(out, ch)
			i++
		}
	}
	return out
}

// textEnd is the index behind the text that begins at i.
func textEnd(doc []byte, i int) int {
	for i++; i < len(doc); i++ {
		switch doc[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(doc)
}

func plain(raw []byte) string {
	if bytes.IndexByte(raw, '\\') < 0 && len(raw) >= 2 && utf8.Valid(raw) {
		return string(raw[1 : len(raw)-1])
	}
	if len(raw) >= 2 {
		if s, ok := unescape(raw[1 : len(raw)-1]); ok {
			return s
		}
	}
	var s string
	_ = json.Unmarshal(raw, &s)
	return s
}

// unescape reads the usual escapes of a JSON text, and leaves rare ones to the library: snapshots are long and full of quotes.
func unescape(raw []byte) (string, bool) {
	if !utf8.Valid(raw) {
		return "", false
	}
	out := make([]byte, 0, len(raw))
	for len(raw) > 0 {
		i := bytes.IndexByte(raw, '\\')
		if i < 0 {
			out = append(out, raw...)
			break
		}
		if i+1 >= len(raw) {
			return "", false
		}
		out = append(out, raw[:i]...)
		switch raw[i+1] {
		case '"', '\\', '/':
			out = append(out, raw[i+1])
		case 'n':
			out = append(out, '\n')
		case 't':
			out = append(out, '\t')
		case 'r':
			out = append(out, '\r')
		default:
			return "", false
		}
		raw = raw[i+2:]
	}
	return string(out), true
}

func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
