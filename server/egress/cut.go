package egress

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"chaperone/server/tool"
)

// head keeps the whole lines of s that fit into limit bytes and says what was left out.
func head(s string, limit int) (string, bool) {
	if limit <= 0 || len(s) <= limit {
		return s, false
	}
	kept := s[:limit]
	if i := strings.LastIndexByte(kept, '\n'); i > limit/4 {
		kept = kept[:i]
	} else {
		for len(kept) > 0 && !utf8.RuneStart(s[len(kept)]) {
			kept = kept[:len(kept)-1]
		}
	}
	left := s[len(kept):]
	if n := strings.Count(left, "\n"); n > 0 {
		return fmt.Sprintf("%s\n… %d more lines", kept, n), true
	}
	return fmt.Sprintf("%s… %d more bytes", kept, len(left)), true
}

func (e *Egress) cutText(s string, cuts []tool.Cut) string {
	// A text is a page that was asked for at that length.
	limit := e.cfg.Limit * 8
	for _, c := range cuts {
		if c.Path == "" && c.Tokens*4 < limit {
			limit = c.Tokens * 4
		}
	}
	s, _ = head(s, limit)
	return s
}

// longestText is that of one text in a result that is too big as a whole.
const longestText = 4 << 10

// fit shortens a document that is over the limit: long texts first, then long lists, the newest entries of which stay.
func (e *Egress) fit(doc []byte) []byte {
	if len(doc) <= e.cfg.Limit {
		return doc
	}
	doc = rewriteAll(doc, changer{all: true, value: func(s, _ string, _ bool, _ []string) string {
		s, _ = head(s, longestText)
		return s
	}})
	if len(doc) <= e.cfg.Limit {
		return mark(doc)
	}
	var object map[string]any
	d := json.NewDecoder(bytes.NewReader(doc))
	d.UseNumber()
	if d.Decode(&object) != nil {
		return encode(map[string]any{"ok": false, "error": "the result is too big", "hint": "ask for a part of it"})
	}
	for longest := 4096; longest >= 1; longest /= 2 {
		shortened := shorten(object, longest)
		if doc = encode(shortened); len(doc) <= e.cfg.Limit {
			return mark(doc)
		}
	}
	return encode(map[string]any{"ok": false, "error": "the result is too big", "hint": "ask for a part of it"})
}

func mark(doc []byte) []byte {
	return append(doc[:len(doc)-1], `,"resultTruncated":true}`...)
}

func shorten(v any, longest int) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, x := range v {
			out[k] = shorten(x, longest)
		}
		return out
	case []any:
		if len(v) > longest {
			v = v[len(v)-longest:]
		}
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = shorten(x, longest)
		}
		return out
	default:
		return v
	}
}
