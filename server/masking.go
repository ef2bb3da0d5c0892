package server

import (
	"encoding/json"
	"io"
	"strings"
	"sync"

	"chaperone/browser/page"
	"chaperone/browser/pagejs"
	"chaperone/server/egress"
	"chaperone/vault"
	"chaperone/vault/mask"
	"chaperone/vault/registry"
)

// masking is what hides registered values. It is made anew whenever they change.
type masking struct {
	mu    sync.RWMutex
	all   *mask.Mask // for what passes the one door
	sure  *mask.Mask // for whole messages: without values that are words of the protocol or of our own tool list
	words func() string
}

func (m *masking) build(list []vault.Secret) registry.Mask { return mask.New(list, cuts()) }

// cuts are the marks of the page code.
func cuts() mask.Option { return mask.Cuts(pagejs.CutMarks()) }

// set takes over the values of now.
func (m *masking) set(list []registry.Owned) {
	var all, sure []mask.Entry
	words := m.words()
	for _, o := range list {
		e := mask.Entry{Secret: o.Secret, Owner: o.Client}
		all = append(all, e)
		if !mask.New([]vault.Secret{o.Secret}).Holds(words) {
			sure = append(sure, e)
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.all, m.sure = mask.NewOwned(all, cuts()), mask.NewOwned(sure, cuts())
}

func (m *masking) now() *mask.Mask {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.all
}

// Hide finds registered values in the texts of a page; nil while there are none.
func (m *masking) Hide() page.Hide { return m.HideFrom("") }

// HideFrom is Hide for what one client gets; for "" all values count.
func (m *masking) HideFrom(client string) page.Hide {
	now := m.now().For(client)
	if now == nil {
		return nil
	}
	return func(texts []string) (hidden []int, names []string) {
		doc, err := json.Marshal(texts)
		if err != nil {
			return nil, nil
		}
		masked, hits := now.ScanJSON(doc)
		if len(hits) == 0 {
			return nil, nil
		}
		var shown []string
		if json.Unmarshal(masked, &shown) != nil || len(shown) != len(texts) {
			shown = make([]string, len(texts)) // rather all than one too few
		}
		for i, s := range texts {
			// JSON has no place for invalid bytes, which are no difference.
			if strings.ToValidUTF8(s, "\ufffd") != shown[i] {
				hidden = append(hidden, i)
			}
		}
		for _, h := range hits {
			names = append(names, h.Alias)
		}
		return hidden, names
	}
}

// Holds reports whether a registered value stands in a text.
func (m *masking) Holds(text string) bool { return m.now().Holds(text) }

func (m *masking) lastLine() *mask.Mask {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.sure
}

// protocolWords are those of messages around our own words. A value that is one of them cannot be replaced there without breaking the
// message; in what is ours it is masked all the same.
const protocolWords = `jsonrpc 2.0 method params result error code message data id name arguments content structuredContent isError type text image resource mimeType annotations priority audience _meta progressToken progress total
notifications/progress notifications/message notifications/tools/list_changed notifications/cancelled initialize initialized ping tools/list tools/call protocolVersion capabilities serverInfo instructions listChanged nextCursor
requestedSchema elicitation/create logger level info warning error debug true false null object string number boolean array properties required additionalProperties description enum items readOnlyHint destructiveHint idempotentHint openWorldHint
image/png image/jpeg image/webp`

// vocabulary is what messages hold besides what tools return.
func (s *Server) vocabulary() string {
	var b strings.Builder
	b.WriteString(protocolWords)
	for _, name := range s.names {
		t := s.tools[name]
		b.WriteString("\n" + t.Name + "\n" + t.Title + "\n" + t.Does + "\n")
		b.Write(t.Schema)
	}
	return b.String()
}

// Scan is the last line of defence: it looks at a whole message before it is written to a client. What it finds should have been
// masked before, so each hit is a defect, which is logged and shown to the person.
func (s *Server) Scan(message []byte) []byte {
	m := s.masking.lastLine()
	if m == nil {
		return egress.Shown(message)
	}
	masked, hits := m.ScanBytes(message)
	for _, h := range hits {
		s.log.Error("DEFECT: a registered secret nearly left; it was masked in the last moment", "secret", h.Alias, "times", h.N)
	}
	return egress.Shown(masked)
}

// Masked is a writer that hides registered values in lines for people, such as a log.
func (s *Server) Masked(w io.Writer) io.Writer { return maskedWriter{w, &s.masking} }

type maskedWriter struct {
	w io.Writer
	m *masking
}

func (w maskedWriter) Write(line []byte) (int, error) {
	if _, err := w.w.Write(egress.Shown([]byte(w.m.now().Text(string(line))))); err != nil {
		return 0, err
	}
	return len(line), nil
}
