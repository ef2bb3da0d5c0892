package acted

import (
	"fmt"
	"net/url"
	"strings"

	"chaperone/browser"
)

// Limits of what is written out; the rest is counted.
const (
	mostRequests = 12
	mostFrames   = 5
	mostErrors   = 8
)

// Add writes into r what the browser saw.
func (r *Result) Add(e browser.Effects, off func(string) bool) {
	r.Navigation = Navigation{From: e.From, To: e.To}
	if e.Navigation != browser.NavNone {
		kind := string(e.Navigation)
		r.Navigation.Changed, r.Navigation.Kind = true, &kind
	}
	if len(e.ConsoleErrors) > 0 || e.ConsoleWarnings > 0 {
		r.Console = &Console{Errors: first(r, "console errors", e.ConsoleErrors, mostErrors), Warnings: e.ConsoleWarnings}
	}
	r.PageErrors = first(r, "page errors", e.PageErrors, mostErrors)
	for _, t := range e.NewTabs {
		if r.Structure == nil {
			r.Structure = &Structure{}
		}
		current, _ := t.Session().Current()
		r.Structure.NewTabs = append(r.Structure.NewTabs, Tab{t.ID(), t.URL(), t.Title(), current == t})
	}
	for _, d := range e.Dialogs {
		r.Dialogs = append(r.Dialogs, Dialog{d.Type, d.Message, d.Default, d.Accepted, d.Text, d.By})
	}
	for _, d := range e.Downloads {
		r.Downloads = append(r.Downloads, Download{d.ID, d.Name, d.URL, d.State, d.Received, d.Total})
	}
	if e.FileChooser != nil {
		r.FileChooser = &FileChooser{e.FileChooser.Multiple, "The page asked for a file. No dialog is open; upload_file (capability file-io) puts a file into the field."}
	}
	for _, a := range e.Auth {
		r.Auth = append(r.Auth, Auth{a.Source, a.Origin, a.Scheme, a.Realm})
		r.Warn(fmt.Sprintf("%s asks for a user name and password (%s, %q); none was given. Only the person can sign in there: ask with await_human.", a.Origin, a.Scheme, a.Realm))
	}
	r.network(e, off)
	if e.TabClosed {
		r.Warn("the tab has closed; call tabs to select another one")
	}
	if e.Crashed {
		r.Warn("the page has crashed; call reload or navigate")
	}
	if e.Unsettled != "" {
		r.Warn("not all was quiet at the end: " + e.Unsettled)
	}
}

func first[T any](r *Result, what string, list []T, most int) []T {
	if len(list) <= most {
		return list
	}
	r.Warn(fmt.Sprintf("%d more %s are left out", len(list)-most, what))
	return list[:most]
}

// Count adds a request. off reports whether an address is off the person's list of sites.
func (s *Summary) Count(q browser.Request, off func(string) bool) {
	if s.ByType == nil {
		s.ByType = map[string]int{}
	}
	s.Total++
	s.ByType[q.Type]++
	if q.Failed != "" || q.Status >= 400 {
		s.Failed++
	}
	if off != nil && off(q.URL) {
		s.EgressOffAllowlist++
	}
}

func (r *Result) network(e browser.Effects, off func(string) bool) {
	if len(e.Requests) == 0 && len(e.SocketFrames) == 0 {
		return
	}
	n := &Network{}
	for _, q := range e.Requests {
		n.Summary.Count(q, off)
	}
	// What a page needs to show itself is counted; what it asks for and what failed is written out.
	for _, q := range e.Requests {
		if len(n.Requests) == mostRequests {
			break
		}
		switch q.Type {
		case "image", "stylesheet", "script", "font", "media", "other", "manifest":
			if q.Failed == "" && q.Status < 400 {
				continue
			}
		}
		n.Requests = append(n.Requests, RequestOf(q))
	}
	for _, m := range e.Mutations {
		n.Mutations = append(n.Mutations, Mutation{m.Method, pattern(m.URL), m.Status, m.Status < 400, m.Took.Milliseconds(), m.Shape})
	}
	for _, f := range e.SocketFrames {
		if len(n.WSFrames) == mostFrames {
			break
		}
		n.WSFrames = append(n.WSFrames, FrameOf(f))
	}
	r.Network = n
}

// RequestOf writes one request.
func RequestOf(q browser.Request) Request {
	return Request{q.ID, q.Method, q.URL, q.Status, q.Type, q.Took.Milliseconds(), q.Failed}
}

// FrameOf writes one message.
func FrameOf(f browser.SocketFrame) WSFrame {
	return WSFrame{f.URL, f.Dir, f.Kind, f.Opcode, f.Payload, f.Time.UnixMilli()}
}

// pattern is an address without its query, and with :id in place of ids.
func pattern(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	parts := strings.Split(u.EscapedPath(), "/")
	for i, p := range parts {
		if idShaped(p) {
			parts[i] = ":id"
		}
	}
	return u.Scheme + "://" + u.Host + strings.Join(parts, "/")
}

// idShaped tells numbers, UUIDs and long hexadecimal from words.
func idShaped(s string) bool {
	if s == "" {
		return false
	}
	digits, hex := 0, 0
	for _, c := range s {
		switch {
		case c >= '0' && c <= '9':
			digits++
			hex++
		case c >= 'a' && c <= 'f', c >= 'A' && c <= 'F', c == '-':
			hex++
		}
	}
	n := len(s)
	return digits == n || hex == n && n >= 8 && digits > 0 || n >= 16 && digits*5 >= n
}

// Raised is the dialog that was dismissed and has to be told as a failure, or nil.
func Raised(e browser.Effects) *browser.Dialog {
	for i := range e.Dialogs {
		if e.Dialogs[i].Raised {
			return &e.Dialogs[i]
		}
	}
	return nil
}

// RaisedError says that the page opened a dialog which was dismissed because nobody said otherwise.
type RaisedError struct{ Dialog browser.Dialog }

func (e *RaisedError) Error() string {
	return fmt.Sprintf("the page showed a dialog (%s: %q), which was dismissed", e.Dialog.Type, e.Dialog.Message)
}

// Advice says what to do about it.
func (e *RaisedError) Advice() (hint, source string) {
	return "The action was done. To answer such dialogs otherwise, call set_dialog_policy (accept, dismiss, accept-prompt-with, ask-human) and act again.", "app"
}
