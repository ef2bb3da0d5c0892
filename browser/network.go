package browser

import (
	"encoding/json"
	"fmt"
	"time"

	"chaperone/browser/internal/cdp"

	protocolcdp "github.com/chromedp/cdproto/cdp"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/network"
)

// Request is one request of a page, as far as it has come. Copies are handed out; they do not change.
type Request struct {
	ID      string // "r12", unique in the tab
	Method  string
	URL     string
	Type    string // "document", "xhr", "fetch", "script", …, lower case
	Status  int    // 0 until a response came
	MIME    string
	Failed  string // why it failed, in the browser's words; empty while it has not
	Started time.Time
	Took    time.Duration // until it ended; 0 while it runs
	Done    bool
	Page    string // address of the document that asked
	Next    string // the request that followed by a redirect; its answer is the one that was kept

	protocolID network.RequestID
	sess       *cdp.Session
	loader     protocolcdp.LoaderID
	frame      protocolcdp.FrameID
	charset    string
}

// SocketFrame is one message of a WebSocket or of an event stream.
type SocketFrame struct {
	Time    time.Time
	URL     string
	Dir     string // "in" or "out"
	Kind    string // "ws" or "sse"
	Opcode  int
	Payload string // text, or base64 when Opcode is not 1
	Event   string // of an event stream: the name of the event; empty for "message"
}

// awaited are the kinds of requests that an action waits for: those that change what the page shows or does. Pictures, fonts
// and media are not among them, nor is what never ends (streams, sockets, beacons).
var awaited = map[string]bool{"document": true, "xhr": true, "fetch": true, "script": true, "stylesheet": true}

func (t *Tab) handleNetwork(sess *cdp.Session, name string, params jsonv2.Value) {
	switch name {
	case "requestWillBeSent":
		t.requestSent(sess, params)
	case "responseReceived":
		var ev struct {
			RequestID network.RequestID `json:"requestId"`
			Response  struct {
				Status   int    `json:"status"`
				MimeType string `json:"mimeType"`
				Charset  string `json:"charset"`
			} `json:"response"`
		}
		if json.Unmarshal(params, &ev) != nil {
			return
		}
		t.mu.Lock()
		if r := t.inflight[ev.RequestID]; r != nil {
			r.Status, r.MIME, r.charset = ev.Response.Status, ev.Response.MimeType, ev.Response.Charset
			if r.Type == "document" {
				t.notifyLocked()
			}
			if r.MIME == "text/event-stream" && r.Type != "eventsource" {
				t.readStreamLocked(sess, ev.RequestID)
			}
		}
		t.mu.Unlock()
	case "loadingFinished", "loadingFailed":
		var ev struct {
			RequestID network.RequestID `json:"requestId"`
			ErrorText string            `json:"errorText"`
			Canceled  bool              `json:"canceled"`
		}
		if json.Unmarshal(params, &ev) != nil {
			return
		}
		if name == "loadingFailed" && ev.ErrorText == "" {
			ev.ErrorText = "failed"
		}
		t.requestEnded(ev.RequestID, ev.ErrorText)
	case "dataReceived":
		t.streamReceived(params)
	default:
		t.handleSocket(name, params)
	}
}

func (t *Tab) requestSent(sess *cdp.Session, params jsonv2.Value) {
	var ev struct {
		RequestID network.RequestID    `json:"requestId"`
		LoaderID  protocolcdp.LoaderID `json:"loaderId"`
		FrameID   protocolcdp.FrameID  `json:"frameId"`
		Document  string               `json:"documentURL"`
		Type      string               `json:"type"`
		Request   struct {
			URL         string `json:"url"`
			URLFragment string `json:"urlFragment"`
			Method      string `json:"method"`
		} `json:"request"`
		Redirect *struct {
			Status   int    `json:"status"`
			MimeType string `json:"mimeType"`
		} `json:"redirectResponse"`
	}
	if json.Unmarshal(params, &ev) != nil {
		return
	}
	now := time.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.nextReq++
	if before := t.inflight[ev.RequestID]; before != nil && ev.Redirect != nil {
		before.Status, before.MIME = ev.Redirect.Status, ev.Redirect.MimeType
		before.Took, before.Done = now.Sub(before.Started), true
		before.Next = fmt.Sprintf("r%d", t.nextReq)
	}
	r := &Request{
		ID: fmt.Sprintf("r%d", t.nextReq), Method: ev.Request.Method, URL: ev.Request.URL + ev.Request.URLFragment,
		Type: lower(ev.Type), Started: now, Page: ev.Document,
		protocolID: ev.RequestID, sess: sess, loader: ev.LoaderID, frame: ev.FrameID,
	}
	t.inflight[ev.RequestID] = r
	t.byID[r.ID] = r
	if old, fell := t.requests.add(r); fell {
		delete(t.byID, old.ID)
	}
	for _, w := range t.windows {
		w.requests = append(w.requests, r)
	}
	t.notifyLocked()
}

func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

func (t *Tab) requestEnded(id network.RequestID, failed string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.inflight[id]
	if r == nil {
		return
	}
	delete(t.inflight, id)
	if s := t.streams[id]; s != nil && s.begun {
		delete(t.streams, id)
	}
	r.Took, r.Failed, r.Done = time.Since(r.Started), failed, true
	if f := t.frames[r.frame]; r.Type == "document" && f != nil && f.loader != r.loader {
		// A navigation that ended without a document: a 204, an abort, or a download, which is told of a little later.
		f.pending = time.Time{}
		if r.Status == 200 {
			for _, w := range t.windows {
				if len(w.effects.Downloads) == 0 {
					w.download = time.Now()
				}
			}
		}
	}
	t.notifyLocked()
}

// Requests returns copies of the newest limit requests, oldest first; limit <= 0 means all that are kept.
func (t *Tab) Requests(limit int) []Request {
	t.mu.Lock()
	defer t.mu.Unlock()
	return copies(t.requests.last(limit))
}

func copies(list []*Request) []Request {
	out := make([]Request, len(list))
	for i, r := range list {
		out[i] = *r
	}
	return out
}
