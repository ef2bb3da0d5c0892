package browser

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"

	"chaperone/browser/internal/cdp"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/network"
)

// eventStream reads the events of an answer that a page fetched by itself. The browser tells only of those of an EventSource, and
// many pages read streams with fetch.
type eventStream struct {
	url    string
	rest   string // a line that has not ended
	event  string
	data   []string
	begun  bool     // the browser has handed out what had come before
	before []string // what came meanwhile
	bytes  int
}

// longestEvent bounds what is kept of an event that has not ended; mostStreams, how many answers are read so at a time.
const (
	longestEvent = 4 << 20
	mostStreams  = 32
)

// readStreamLocked has the browser hand out an answer as it comes.
func (t *Tab) readStreamLocked(sess *cdp.Session, id network.RequestID) {
	for old := range t.streams {
		if t.inflight[old] == nil {
			delete(t.streams, old)
		}
	}
	r := t.inflight[id]
	if r == nil || t.streams[id] != nil || len(t.streams) >= mostStreams {
		return
	}
	s := &eventStream{url: r.URL}
	t.streams[id] = s
	sess.SendThen("Network.streamResourceContent", map[string]any{"requestId": id}, func(raw jsonv2.Value, err error) {
		var reply struct {
			Buffered string `json:"bufferedData"`
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		if err != nil || json.Unmarshal(raw, &reply) != nil {
			delete(t.streams, id)
			return
		}
		s.begun = true
		for _, data := range append([]string{reply.Buffered}, s.before...) {
			t.takeLocked(s, data)
		}
		s.before = nil
		if t.inflight[id] == nil {
			delete(t.streams, id)
		}
	})
}

// streamReceived takes in a part of an answer.
func (t *Tab) streamReceived(params jsonv2.Value) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.streams) == 0 {
		return
	}
	var ev struct {
		RequestID network.RequestID `json:"requestId"`
		Data      string            `json:"data"`
	}
	if json.Unmarshal(params, &ev) != nil || ev.Data == "" {
		return
	}
	switch s := t.streams[ev.RequestID]; {
	case s == nil:
	case !s.begun:
		s.before = append(s.before, ev.Data)
	default:
		t.takeLocked(s, ev.Data)
	}
}

// takeLocked reads a part of a stream, and notes the events that end in it.
func (t *Tab) takeLocked(s *eventStream, data string) {
	raw, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return
	}
	s.rest += string(raw)
	for {
		i := strings.IndexAny(s.rest, "\r\n")
		if i < 0 {
			break
		}
		end := i + 1
		if s.rest[i] == '\r' {
			if end == len(s.rest) {
				break // the line feed that belongs to it may follow
			}
			if s.rest[end] == '\n' {
				end++
			}
		}
		line := s.rest[:i]
		s.rest = s.rest[end:]
		t.lineLocked(s, line)
	}
	if len(s.rest)+s.bytes > longestEvent {
		s.rest, s.data, s.bytes = "", nil, 0
	}
}

// lineLocked reads a line of a stream; an empty one ends an event.
func (t *Tab) lineLocked(s *eventStream, line string) {
	if line != "" {
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch name {
		case "data":
			s.data = append(s.data, value)
			s.bytes += len(value)
		case "event":
			s.event = value
		}
		return
	}
	if len(s.data) > 0 {
		f := SocketFrame{Time: time.Now(), URL: s.url, Dir: "in", Kind: "sse", Opcode: 1, Payload: clip(strings.Join(s.data, "\n"))}
		if s.event != "message" {
			f.Event = s.event
		}
		t.addSocketFrameLocked(f)
	}
	s.event, s.data, s.bytes = "", nil, 0
}
