package browser

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"time"

	"chaperone/browser/internal/cdp"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/target"
)

// mostSocketBytes bounds what a tab keeps of messages. Those that fall out for it stay in the list, without what they said.
const mostSocketBytes = 8 << 20

// Sockets returns the newest limit messages of the page's sockets and event streams, oldest first, and how many there were in
// all; limit <= 0 means all that are kept.
func (t *Tab) Sockets(limit int) (frames []SocketFrame, total int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.frameLog.last(limit), t.frameLog.total
}

func (t *Tab) handleSocket(name string, params jsonv2.Value) {
	t.mu.Lock()
	defer t.mu.Unlock()
	frame, ok := socketFrame(name, params, t.sockets, func(id network.RequestID) string {
		if r := t.inflight[id]; r != nil {
			return r.URL
		}
		return ""
	})
	if ok {
		t.addSocketFrameLocked(frame)
	}
}

// socketFrame reads an event of a socket or of an event stream. sockets are the addresses of those that are open; stream says
// the address of a request that is under way.
func socketFrame(name string, params jsonv2.Value, sockets map[network.RequestID]string, stream func(network.RequestID) string) (f SocketFrame, ok bool) {
	switch name {
	case "webSocketCreated", "webSocketFrameSent", "webSocketFrameReceived", "eventSourceMessageReceived", "webSocketClosed":
	default:
		return f, false
	}
	var ev struct {
		RequestID network.RequestID `json:"requestId"`
		URL       string            `json:"url"`
		Data      string            `json:"data"`
		EventName string            `json:"eventName"`
		Response  struct {
			Opcode      float64 `json:"opcode"`
			PayloadData string  `json:"payloadData"`
		} `json:"response"`
	}
	if json.Unmarshal(params, &ev) != nil {
		return f, false
	}
	f = SocketFrame{Time: time.Now(), URL: sockets[ev.RequestID], Kind: "ws", Opcode: int(ev.Response.Opcode), Payload: ev.Response.PayloadData}
	switch name {
	case "webSocketCreated":
		sockets[ev.RequestID] = ev.URL
		return f, false
	case "webSocketClosed":
		delete(sockets, ev.RequestID)
		return f, false
	case "webSocketFrameSent":
		f.Dir = "out"
	case "webSocketFrameReceived":
		f.Dir = "in"
	case "eventSourceMessageReceived":
		f.Dir, f.Kind, f.Opcode, f.Payload, f.URL = "in", "sse", 1, ev.Data, stream(ev.RequestID)
		if ev.EventName != "message" {
			f.Event = ev.EventName
		}
	}
	f.Payload = clip(f.Payload)
	return f, true
}

func (t *Tab) addSocketFrameLocked(f SocketFrame) {
	t.frameLog.add(f)
	for i, left := len(t.frameLog.items)-1, mostSocketBytes; i >= 0; i-- {
		one := &t.frameLog.items[i]
		if left -= len(one.Payload); left < 0 {
			one.Payload = fmt.Sprintf("[a message of %d bytes, no longer kept]", len(one.Payload))
			break
		}
	}
	for _, w := range t.windows {
		w.effects.SocketFrames = append(w.effects.SocketFrames, f)
	}
}

// handleWorker takes the network events of a worker of the page into the page's own logs.
func (t *Tab) handleWorker(sess *cdp.Session, method string, params jsonv2.Value) {
	if len(method) > 8 && method[:8] == "Network." {
		t.handleNetwork(sess, method[8:], params)
	}
}

// sharedWorker is a worker of all pages of one site, which belongs to no tab.
type sharedWorker struct {
	session *Session
	origin  string
	sockets map[network.RequestID]string
	streams map[network.RequestID]string
}

// newSharedWorker returns nil for what is no shared worker.
func (s *Session) newSharedWorker(info *target.Info) *sharedWorker {
	if info.Type != "shared_worker" {
		return nil
	}
	return &sharedWorker{session: s, origin: originOf(info.URL), sockets: map[network.RequestID]string{}, streams: map[network.RequestID]string{}}
}

// handle takes what the worker's sockets carry into the logs of the tabs of its site. It runs on the read loop.
func (w *sharedWorker) handle(method string, params jsonv2.Value) {
	switch method {
	case "Network.requestWillBeSent":
		var ev struct {
			RequestID network.RequestID `json:"requestId"`
			Type      string            `json:"type"`
			Request   struct {
				URL string `json:"url"`
			} `json:"request"`
		}
		if json.Unmarshal(params, &ev) == nil {
			w.streams[ev.RequestID] = ev.Request.URL
		}
		return
	case "Network.loadingFinished", "Network.loadingFailed":
		var ev struct {
			RequestID network.RequestID `json:"requestId"`
		}
		if json.Unmarshal(params, &ev) == nil {
			delete(w.streams, ev.RequestID)
		}
		return
	}
	if len(method) <= 8 || method[:8] != "Network." {
		return
	}
	f, ok := socketFrame(method[8:], params, w.sockets, func(id network.RequestID) string { return w.streams[id] })
	if !ok {
		return
	}
	w.session.mu.Lock()
	tabs := append([]*Tab(nil), w.session.tabs...)
	w.session.mu.Unlock()
	for _, t := range tabs {
		t.mu.Lock()
		for _, frame := range t.frames {
			if w.origin != "" && originOf(frame.url) == w.origin {
				t.addSocketFrameLocked(f)
				break
			}
		}
		t.mu.Unlock()
	}
}

// originOf is the scheme and host of an address, empty for one that has none.
func originOf(address string) string {
	u, err := url.Parse(strings.TrimPrefix(address, "blob:"))
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}
