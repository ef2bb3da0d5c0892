package mask

import (
	"bytes"
	"encoding/json"
	"strconv"
	"sync"
	"unicode/utf8"
)

// scope is what of a document is masked.
type scope struct {
	short   bool // values that are searched as typed only
	keys    bool
	numbers bool
	carried bool // at the top only these members: result, params, error
}

var (
	result = scope{short: true, keys: true, numbers: true}
	wire   = scope{carried: true}
)

// JSON masks the texts, keys and numbers of a document and leaves its layout. A number that holds a value becomes the text
// "<ALIAS>". It returns doc itself if no value is in it. What is no JSON is masked as a text.
func (m *Mask) JSON(doc []byte) []byte {
	out, _ := m.ScanJSON(doc)
	return out
}

// ScanJSON is JSON and says what was found.
func (m *Mask) ScanJSON(doc []byte) ([]byte, []Hit) {
	if m == nil || !m.mayHold(doc, true) && (isDocument(doc) || !m.filter.splitIn(doc, false)) {
		return doc, nil
	}
	count := counts{}
	out, ok := m.document(doc, result, count)
	if !ok {
		out = m.text(doc, true, count)
	}
	return out, m.hits(count)
}

// isDocument tells an object or a list from plain text by its first character.
func isDocument(b []byte) bool {
	b = bytes.TrimLeft(b, " \t\r\n")
	return len(b) > 0 && (b[0] == '{' || b[0] == '[')
}

// leaf is a text, key or number of a document.
type leaf struct {
	start, end int // in the document
	text       []byte
	kind       byte // '"', 'k' or '0'
	key        string
	skip       bool
}

// document masks a JSON document; false: it is none.
func (m *Mask) document(doc []byte, sc scope, count counts) ([]byte, bool) {
	if !json.Valid(doc) {
		return nil, false
	}
	for n := range rounds {
		leaves := read(doc, sc)
		changed := m.leaves(leaves, sc, count)
		if len(changed) == 0 {
			return doc, true
		}
		if n == rounds-1 {
			for i := range changed {
				changed[i] = []byte(m.masks[0])
			}
		}
		out := make([]byte, 0, len(doc)+64)
		done := 0
		for i, l := range leaves {
			if c, ok := changed[i]; ok {
				out = append(out, doc[done:l.start]...)
				out = quote(out, c)
				done = l.end
			}
		}
		doc = append(out, doc[done:]...)
	}
	return doc, true
}

// leaves masks leaves, each by itself and all that stand under one key together, and gives those that changed.
func (m *Mask) leaves(list []leaf, sc scope, count counts) map[int][]byte {
	found := map[int][]match{}
	texts := map[string][]byte{}
	pieces := map[string][]piece{}
	for i, l := range list {
		if l.skip {
			continue
		}
		// Keys are words of ours, or of a page's data: short values stand in them by chance.
		if short := sc.short && l.kind != 'k'; m.may(l.text, short) {
			if x := m.all(l.text, short); len(x) > 0 {
				found[i] = x
			}
		}
		if l.kind == '0' && m.isNumber(l.text) >= 0 {
			w := m.isNumber(l.text)
			found[i] = append(found[i], match{end: len(l.text), whose: w})
		}
		if l.kind == '"' || l.kind == '0' && len(l.text) == 1 {
			t := texts[l.key]
			pieces[l.key] = append(pieces[l.key], piece{i, 0, len(l.text), len(t)})
			texts[l.key] = append(t, l.text...)
		}
		if l.kind == '0' {
			// Codes of characters.
			k := l.key + "\x000"
			t := texts[k]
			pieces[k] = append(pieces[k], piece{i, 0, len(l.text), len(t)})
			texts[k] = append(append(t, l.text...), ',')
		}
	}
	for key, list := range pieces {
		m.join(texts[key], list, func(i int, x match) { found[i] = append(found[i], x) })
	}
	m.yield(found)
	changed := map[int][]byte{}
	for i, x := range found {
		x = m.spare(list[i].text, x)
		if len(x) == 0 {
			continue
		}
		regions := m.regions(x)
		if list[i].kind == '0' {
			// The whole number goes.
			r := regions[0]
			r.start, r.end = 0, len(list[i].text)
			for _, o := range regions[1:] {
				r.tail = r.tail && o.tail
			}
			regions = []region{r}
		}
		changed[i] = m.replace(list[i].text, regions, count)
	}
	return changed
}

// read lists the leaves of a valid document.
func read(doc []byte, sc scope) []leaf {
	var out []leaf
	var stack []place
	at := place{key: ""}
	skipTop := false
	walk(doc, func(kind byte, start, end int) {
		switch kind {
		case '{', '[':
			stack = append(stack, at)
			at = place{object: kind == '{', key: at.key}
		case '}', ']':
			at = stack[len(stack)-1]
			stack = stack[:len(stack)-1]
		case 'k':
			text := plain(doc[start:end])
			at.key = string(text)
			if len(stack) == 1 && sc.carried {
				skipTop = at.key != "result" && at.key != "params" && at.key != "error"
			}
			out = append(out, leaf{start, end, text, kind, "", !sc.keys})
		case '"':
			out = append(out, leaf{start, end, plain(doc[start:end]), kind, at.key, sc.carried && skipTop})
		case '0':
			out = append(out, leaf{start, end, doc[start:end], kind, at.key, !sc.numbers})
		}
	})
	return out
}

type place struct {
	object bool
	key    string
}

// walk calls visit for the brackets, keys (k), texts (") and numbers (0) of a document.
func walk(doc []byte, visit func(kind byte, start, end int)) {
	for i := 0; i < len(doc); {
		switch c := doc[i]; {
		case c == '"':
			end := textEnd(doc, i)
			kind := byte('"')
			j := end
			for j < len(doc) && (doc[j] == ' ' || doc[j] == '\n' || doc[j] == '\t' || doc[j] == '\r') {
				j++
			}
			if j < len(doc) && doc[j] == ':' {
				kind = 'k'
			}
			visit(kind, i, end)
			i = end
		case c == '{' || c == '[' || c == '}' || c == ']':
			visit(c, i, i+1)
			i++
		case c == '-' || c >= '0' && c <= '9':
			end := i + 1
			for end < len(doc) && numeric[doc[end]] {
				end++
			}
			visit('0', i, end)
			i = end
		default:
			i++
		}
	}
}

var numeric = [256]bool{'+': true, '-': true, '.': true, 'e': true, 'E': true, '0': true, '1': true, '2': true, '3': true, '4': true, '5': true, '6': true, '7': true, '8': true, '9': true}

// textEnd is the index behind the text that begins at i.
func textEnd(doc []byte, i int) int {
	for at := i + 1; ; {
		j := bytes.IndexByte(doc[at:], '"')
		if j < 0 {
			return len(doc)
		}
		at += j + 1
		k := at - 2
		for k > i && doc[k] == '\\' {
			k--
		}
		if (at-2-k)%2 == 0 {
			return at
		}
	}
}

// plain reads a JSON text.
func plain(raw []byte) []byte {
	if len(raw) >= 2 && bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw) {
		return raw[1 : len(raw)-1 : len(raw)-1]
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return nil
	}
	return []byte(s)
}

func quote(out, text []byte) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(string(text))
	return append(out, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
}

// number is a value that is one: JSON may write it in another way.
type number struct {
	whose int
	is    float64
	short bool
}

// shortestNumber is the length from which a value that is a number is compared as one.
const shortestNumber = 4

func (m *Mask) number(whose int, v string) {
	if len(v) < shortestNumber || len(v) > 24 {
		return
	}
	if f, err := strconv.ParseFloat(v, 64); err == nil && f-f == 0 && f != 0 {
		m.numbers = append(m.numbers, number{whose, f, utf8.RuneCountInString(v) < shortestEncoded})
	}
}

func (m *Mask) isNumber(s []byte) int {
	if len(m.numbers) == 0 {
		return -1
	}
	f, err := strconv.ParseFloat(string(s), 64)
	if err != nil {
		return -1
	}
	for _, n := range m.numbers {
		if n.is == f && !(n.short && m.foreign(n.whose)) {
			return n.whose
		}
	}
	return -1
}

// mayHold reports whether a document may hold a value: within its texts, over the texts that stand under one key, over the
// lines of one text, or in a number.
func (m *Mask) mayHold(doc []byte, short bool) bool {
	f := m.filter
	if c := m.cut(doc); c != nil {
		if m.long {
			return true
		}
		doc = c.text
	}
	if short && f.shortIn(doc) {
		return true
	}
	b := buffers.Get().(*buffer)
	defer buffers.Put(b)
	if f.in(doc, b) || f.rareIn(doc) || f.escapedIn(doc, b) {
		return true
	}
	k := keyedTexts.Get().(*keyed)
	defer keyedTexts.Put(k)
	k.m, k.short = m, short && !f.plainShort
	return k.in(doc)
}

var keyedTexts = sync.Pool{New: func() any { return new(keyed) }}

// keyed reads the texts under each key as one.
type keyed struct {
	m     *Mask
	short bool // short values may be written otherwise
	names [][]byte
	texts []joint
	last  int
	stack []int
}

func (s *keyed) of(name []byte) int {
	// The keys of the objects of a list come in turn.
	if n := s.last + 1; n < len(s.names) && string(s.names[n]) == string(name) {
		s.last = n
		return n
	}
	for i, k := range s.names {
		if string(k) == string(name) {
			s.last = i
			return i
		}
	}
	s.names, s.texts = append(s.names, name), append(s.texts, joint{f: s.m.filter})
	s.last = len(s.names) - 1
	return s.last
}

// mostKeys is how many keys are told apart; a document with more is masked the long way.
const mostKeys = 200

func (s *keyed) in(doc []byte) bool {
	f := s.m.filter
	s.names, s.texts, s.last, s.stack = s.names[:0], s.texts[:0], -1, s.stack[:0]
	at := s.of(nil)
	for i := 0; i < len(doc); {
		c := doc[i]
		switch class[c] {
		case 0:
			i++
		case 1: // a text
			end := textEnd(doc, i)
			if end-i < 2 {
				return true
			}
			text := doc[i+1 : end-1]
			escapes := bytes.IndexByte(text, '\\') >= 0
			if escapes && s.short && f.shortIn(plain(doc[i:end])) {
				return true
			}
			switch {
			case end < len(doc) && (doc[end] == ':' || doc[end] <= ' ' && bytes.HasPrefix(bytes.TrimLeft(doc[end:], " \t\r\n"), []byte(":"))):
				if at = s.of(text); len(s.names) > mostKeys {
					return true
				}
			case !escapes:
				if s.texts[at].add(text) {
					return true
				}
			default:
				if s.texts[at].add(ends(text)) || bytes.Contains(text, []byte(`\n`)) && f.splitIn(text, true) {
					return true
				}
			}
			i = end
		case 2:
			s.stack = append(s.stack, at)
			i++
		case 3:
			if n := len(s.stack); n > 0 {
				at, s.stack = s.stack[n-1], s.stack[:n-1]
			}
			i++
		default: // a number
			end := i + 1
			for end < len(doc) && numeric[doc[end]] {
				end++
			}
			if end == i+1 {
				if s.texts[at].add(doc[i:end]) {
					return true
				}
			} else if s.m.isNumber(doc[i:end]) >= 0 {
				return true
			}
			i = end
		}
	}
	return false
}

// ends reads the escapes at the ends of a written text; what is between does not matter to a joint.
func ends(text []byte) []byte {
	const n = 4 * longestKey
	head, tail := text, []byte(nil)
	if len(text) > 2*n {
		head, tail = text[:n], text[len(text)-n:]
	}
	if bytes.IndexByte(head, '\\') < 0 && bytes.IndexByte(tail, '\\') < 0 {
		return text
	}
	out := make([]byte, 0, len(head)+len(tail))
	for _, part := range [2][]byte{head, tail} {
		for i := 0; i < len(part); {
			if part[i] == '\\' {
				if is, n := backslash(part, i); n > 0 {
					out, i = append(out, is...), i+n
					continue
				}
			}
			out, i = append(out, part[i]), i+1
		}
	}
	return out
}

// class says what begins with a byte between the tokens of a document.
var class = [256]byte{'"': 1, '{': 2, '[': 2, '}': 3, ']': 3, '-': 4, '0': 4, '1': 4, '2': 4, '3': 4, '4': 4, '5': 4, '6': 4, '7': 4, '8': 4, '9': 4}
