package mask

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// Mask knows the values of some secrets and replaces them. It never changes and may be used by many at once. A nil Mask knows
// none.
type Mask struct {
	names map[string]bool
	alias []string
	masks []string
	// values of fewer than shortestEncoded characters, and those of which too little is left when blanks are not counted.
	short, thin []pattern
	// whole are the others as they were typed.
	whole                   []pattern
	folded, alnum, unlisted *search
	filter                  *filter
	numbers                 []number

	owner  []string // of each secret; empty: the person
	owned  bool     // some have one
	viewer string   // the client that texts are for; empty: any
	// The marks around what was cut off, and whether some value is longer than what is kept of that.
	open, shut []byte
	long       bool
}

// Hit is how often a value was found.
type Hit struct {
	Alias string
	N     int
}

// NewOwned returns the mask of secrets that may be those of clients; nil if none has a value. Of two with the same value the first
// gives the name; it is the person's if one of them is.
func NewOwned(secrets []Entry, options ...Option) *Mask {
	m := &Mask{names: map[string]bool{}, filter: newFilter()}
	var f forms
	var keys []string
	for _, o := range options {
		o(m)
	}
	seen := map[string]int{}
	for _, s := range secrets {
		m.names[s.Name()] = true
		_ = s.Use(func(v string) error {
			if v == "" {
				return nil
			}
			if n, ok := seen[v]; ok {
				if s.Owner == "" {
					m.owner[n] = ""
				}
				return nil
			}
			whose := len(m.masks)
			seen[v] = whose
			m.alias, m.masks, m.owner = append(m.alias, s.Name()), append(m.masks, s.Mask()), append(m.owner, s.Owner)
			p := pattern{whose: whose, size: utf8.RuneCountInString(v), text: v}
			m.number(whose, v)
			if p.size < shortestEncoded {
				m.short = append(m.short, p)
				m.filter.addShort(v)
				return nil
			}
			f.add(whose, v)
			keys = append(keys, m.filter.keysOf(v)...)
			w := p
			if w.text, w.low = folded(v); w.size >= shortestLoose {
				w.text = ""
			}
			m.whole, m.long = append(m.whole, w), m.long || len(v) > longHead
			if text, _ := folded(v); utf8.RuneCountInString(text) < shortestEncoded {
				m.thin = append(m.thin, p)
			}
			return nil
		})
	}
	if len(m.masks) == 0 {
		return nil
	}
	for _, o := range m.owner {
		m.owned = m.owned || o != ""
	}
	m.filter.build(keys)
	m.folded, m.alnum, m.unlisted = newSearch(f.folded), newSearch(f.alnum), newSearch(f.unlisted)
	return m
}

// rounds is how often a text is gone over. A second round is rare: a mask together with what stands behind it can make a value.
const rounds = 16

// Text masks a text. It returns s itself if no value is in it.
func (m *Mask) Text(s string) string {
	if m == nil || !m.may(view0(s), true) {
		return s
	}
	return string(m.text([]byte(s), true, counts{}))
}

// Scan is Text and says what was found.
func (m *Mask) Scan(s string) (string, []Hit) {
	if m == nil || !m.may(view0(s), true) {
		return s, nil
	}
	count := counts{}
	out := string(m.text([]byte(s), true, count))
	return out, m.hits(count)
}

// text masks a text that may hold values. It returns s itself if none is in it.
func (m *Mask) text(s []byte, short bool, count counts) []byte {
	for n := range rounds {
		if n > 0 && !m.may(s, short) {
			return s
		}
		found := m.spare(s, m.yielded(m.all(s, short)))
		if len(found) == 0 {
			return s
		}
		if n == rounds-1 {
			return []byte(m.masks[found[0].whose])
		}
		s = m.replace(s, m.regions(found), count)
	}
	return s
}

func (m *Mask) yielded(found []match) []match {
	if !m.owned || len(found) < 2 {
		return found
	}
	one := map[int][]match{0: found}
	m.yield(one)
	return one[0]
}

// Holds reports whether a value stands in s in any form, also within a mask.
func (m *Mask) Holds(s string) bool {
	if m == nil || !m.may(view0(s), true) {
		return false
	}
	b := []byte(s)
	return len(m.all(b, true)) > 0
}

func (m *Mask) hits(count counts) []Hit {
	var out []Hit
	for whose, n := range count {
		i := slices.IndexFunc(out, func(h Hit) bool { return h.Alias == m.alias[whose] })
		if i < 0 {
			out = append(out, Hit{m.alias[whose], n})
		} else {
			out[i].N += n
		}
	}
	slices.SortFunc(out, func(a, b Hit) int { return strings.Compare(a.Alias, b.Alias) })
	return out
}

// view0 reads a string as bytes without copying it; nobody writes to them.
func view0(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// Bytes is the last look at what a transport writes. It does not count on the shape of what it gets: where it is a message, only
// what a message carries is changed, so that it stays one. Values of fewer than six characters are not looked for: they stand
// in ids and lengths. It returns b itself if no value is in it.
func (m *Mask) Bytes(b []byte) []byte {
	out, _ := m.ScanBytes(b)
	return out
}

// ScanBytes is Bytes and says what was found.
func (m *Mask) ScanBytes(b []byte) ([]byte, []Hit) {
	if m == nil || !m.mayHold(b, false) && (isDocument(b) || !m.filter.splitIn(b, false)) {
		return b, nil
	}
	count := counts{}
	if out, ok := m.document(b, wire, count); ok {
		return out, m.hits(count)
	}
	// Messages in lines, such as those of an event stream.
	var out []byte
	changed, whole := false, true
	for line := range bytes.Lines(b) {
		body := bytes.TrimPrefix(bytes.TrimPrefix(line, []byte("data:")), []byte(" "))
		prefix := line[:len(line)-len(body)]
		masked, ok := m.document(body, wire, count)
		if !ok {
			whole = whole && (len(bytes.TrimSpace(body)) == 0 || len(prefix) == 0 && bytes.IndexByte(line, ':') > 0 && line[0] != '{')
			masked = m.text(line, false, count)
			prefix = nil
		}
		changed = changed || len(masked)+len(prefix) != len(line) || !bytes.Equal(masked, line[len(prefix):])
		out = append(append(out, prefix...), masked...)
	}
	if !whole {
		clear(count)
		masked := m.text(b, false, count)
		return masked, m.hits(count)
	}
	if !changed {
		return b, nil
	}
	return out, m.hits(count)
}
