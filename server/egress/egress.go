package egress

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"chaperone/assets"
	"chaperone/server/question"
	"chaperone/server/tool"
	"chaperone/vault/mask"
)

// Config sets up an Egress.
type Config struct {
	// Mask gives the mask of the values that are registered now; asked for each time. nil, or a nil mask: there are none.
	Mask func() *mask.Mask
	// Hit is told how often a value was found in something that leaves. It must not wait. nil: nobody wants to know.
	Hit func(alias string, n int)
	// KeepURLs switches the URL sanitiser off; asked for each time.
	KeepURLs func() bool
	// Limit is the greatest size of a result in bytes; 0: 256 KiB.
	Limit int
}

// Egress is the door.
type Egress struct {
	cfg    Config
	client string
}

// New returns a door.
func New(cfg Config) *Egress {
	if cfg.Limit == 0 {
		cfg.Limit = 256 << 10
	}
	return &Egress{cfg: cfg}
}

// For is the door for what leaves to one client: what that client registered yields to what others did, and short values of other
// clients do not count.
func (e *Egress) For(client string) *Egress { return &Egress{e.cfg, client} }

// Reply is what a client gets. JSON is nil where the result is plain text.
type Reply struct {
	Text   string
	JSON   json.RawMessage
	Images []tool.Image
	Failed bool
	Tokens int
	Hits   []mask.Hit // the registered values that stood in it
	Ask    *Ask       // instead of a result: the client is to ask its user, and to call again
}

// Ask is a question for the client's user.
type Ask struct {
	State   string // comes back with the answer
	Message string
	Kind    question.Kind
	Choices []string
}

// Ask lets a question out.
func (e *Egress) Ask(state string, q question.Question) Reply {
	return Reply{Ask: e.Question(state, q)}
}

// Question writes a question as a client shows it.
func (e *Egress) Question(state string, q question.Question) *Ask {
	a := &Ask{State: state, Message: e.Text(q.Ask), Kind: q.Kind}
	if q.Quote != "" {
		a.Message += "\n\n" + assets.Say("server.ask.quote", e.Text(q.Quote))
	}
	if q.Warning != "" {
		a.Message += "\n\n" + e.Text(q.Warning)
	}
	for _, c := range q.Choices {
		a.Choices = append(a.Choices, e.Text(c))
	}
	return a
}

// Reply lets a result out.
func (e *Egress) Reply(r tool.Result) Reply {
	reply := Reply{Images: r.Images, Failed: r.Failed}
	if r.Value == nil {
		var text string
		text, reply.Hits = e.page(r.Text)
		reply.Text = e.cutText(text, r.Cuts)
		if r.Notice != "" {
			reply.Text = "notice: " + e.Text(r.Notice) + "\n" + reply.Text
		}
		reply.Tokens = tokens(len(reply.Text))
		return reply
	}
	doc := encode(r.Value)
	if doc == nil || doc[0] != '{' {
		return e.Reply(tool.Result{Value: map[string]any{"ok": false, "error": fmt.Sprintf("the result is a %T that cannot be written as an object", r.Value), "hint": "this is a defect of the program"}, Failed: true})
	}
	if r.Notice != "" {
		doc = doc[:len(doc)-1]
		if len(doc) > 1 {
			doc = append(doc, ',')
		}
		doc = append(append(append(doc, `"notice":`...), encode(r.Notice)...), '}')
	}
	doc, reply.Hits = e.document(doc, r.Cuts)
	doc = e.fit(doc)
	reply.JSON, reply.Tokens = withEstimate(doc)
	reply.Text = string(reply.JSON)
	return reply
}

// Text lets a line out: a progress message, a log notice, a question.
func (e *Egress) Text(s string) string {
	if !e.keepURLs() {
		s = URLs(s)
	} else {
		s = userinfo(s)
	}
	s, _ = e.mask(s)
	return s
}

// Arguments are those of a call as the journal keeps them.
func (e *Egress) Arguments(raw json.RawMessage) json.RawMessage {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return json.RawMessage("{}")
	}
	if !json.Valid(raw) {
		return encode(e.Text(string(raw)))
	}
	doc, _ := e.document(raw, nil)
	return doc
}

// Hidden stands in the journal for what may have been typed into a protected field.
const Hidden = "(not kept)"

// Typed are arguments as the journal keeps them while it is not known whether a protected field receives them: without the
// members named value.
func (e *Egress) Typed(raw json.RawMessage) json.RawMessage {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if len(bytes.TrimSpace(raw)) > 0 && d.Decode(&v) != nil {
		return encode(Hidden)
	}
	return e.Arguments(encode(hideValues(v)))
}

func hideValues(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			if k == "value" && x != nil {
				v[k] = Hidden
			} else {
				v[k] = hideValues(x)
			}
		}
	case []any:
		for i, x := range v {
			v[i] = hideValues(x)
		}
	case string:
		// Arguments that came as a text hold others.
		if t := strings.TrimSpace(v); strings.HasPrefix(t, "{") || strings.HasPrefix(t, "[") {
			var inner any
			if json.Unmarshal([]byte(t), &inner) != nil {
				return Hidden
			}
			return string(encode(hideValues(inner)))
		}
	}
	return v
}

// heads begin the lines that a snapshot says about a page, before the tree with the page's own words.
var heads = []string{"url:", "title:", "stats:", "warnings:", "frame:"}

// page lets the plain text of a page out.
func (e *Egress) page(s string) (string, []mask.Hit) {
	end := 0
	for end < len(s) {
		line := s[end:]
		if i := strings.IndexByte(line, '\n'); i >= 0 {
			line = line[:i+1]
		}
		if !slices.ContainsFunc(heads, func(h string) bool { return strings.HasPrefix(line, h) }) {
			break
		}
		end += len(line)
	}
	head, tree := s[:end], s[end:]
	if e.keepURLs() {
		return e.mask(userinfo(s))
	}
	return e.mask(URLs(head) + userinfo(tree))
}

// document lets a JSON document out: what captured URLs carry goes first, then the values of secrets, and then it is cut.
func (e *Egress) document(doc []byte, cuts []tool.Cut) ([]byte, []mask.Hit) {
	m := e.values()
	if m == nil {
		return rewrite(Shown(doc), e.changer(true, cuts)), nil
	}
	doc, hits := m.ScanJSON(rewrite(doc, e.changer(true, nil)))
	e.tell(hits)
	doc = Shown(doc)
	if len(cuts) > 0 {
		doc = rewriteAll(doc, e.changer(false, cuts))
	}
	return doc, hits
}

// changer strips URLs, and cuts.
func (e *Egress) changer(urls bool, cuts []tool.Cut) changer {
	keep := e.keepURLs()
	c := changer{cut: !urls}
	for _, cut := range cuts {
		// The cuts of one result are of one text.
		c.key, c.over = cut.Path[strings.LastIndexByte(cut.Path, '.')+1:], cut.Tokens*4
	}
	c.value = func(s, key string, content bool, path []string) string {
		switch {
		case !urls:
		case content || keep:
			s = userinfo(s)
		default:
			s = URLs(s)
		}
		if key == c.key {
			for _, cut := range cuts {
				if cut.Path != "" && cut.Path == strings.Join(path, ".") {
					s, _ = head(s, cut.Tokens*4)
				}
			}
		}
		return s
	}
	return c
}

// values is the mask of now.
func (e *Egress) values() *mask.Mask {
	if e.cfg.Mask == nil {
		return nil
	}
	return e.cfg.Mask().For(e.client)
}

func (e *Egress) mask(s string) (string, []mask.Hit) {
	s, hits := e.values().Scan(s)
	e.tell(hits)
	return shownText(s), hits
}

func (e *Egress) tell(hits []mask.Hit) {
	if e.cfg.Hit == nil {
		return
	}
	for _, h := range hits {
		e.cfg.Hit(h.Alias, h.N)
	}
}

func (e *Egress) keepURLs() bool { return e.cfg.KeepURLs != nil && e.cfg.KeepURLs() }

func tokens(bytes int) int { return (bytes + 3) / 4 }

// withEstimate adds tokensEstimate as the last member. The estimate counts itself.
func withEstimate(doc []byte) (json.RawMessage, int) {
	body := bytes.TrimRight(doc[:len(doc)-1], " \n\t")
	if bytes.HasSuffix(body, []byte("{")) {
		body = append(slices.Clone(body), `"tokensEstimate":`...)
	} else {
		body = append(slices.Clone(body), `,"tokensEstimate":`...)
	}
	n := tokens(len(body) + 2)
	for {
		size := tokens(len(body) + len(strconv.Itoa(n)) + 1)
		if size == n {
			break
		}
		n = size
	}
	body = strconv.AppendInt(body, int64(n), 10)
	return append(body, '}'), n
}
