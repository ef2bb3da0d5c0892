package browser

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"chaperone/browser/internal/cdp"

	protocol "github.com/chromedp/cdproto"
	"golang.org/x/net/html/charset"
)

// Body is what a server sent in answer to a request.
type Body struct {
	Text   string // the text, or the base64 of what is none
	Base64 bool
	Bytes  int
}

// NoBodyError says why there is no body to show.
type NoBodyError struct {
	Request string
	Why     string
	Way     string // out
}

func (e *NoBodyError) Error() string { return fmt.Sprintf("the body of %s %s", e.Request, e.Why) }

// Advice says what to do about it.
func (e *NoBodyError) Advice() (hint, source string) { return e.Way, "app" }

// Request returns a request of the tab, as far as it has come.
func (t *Tab) Request(id string) (Request, error) {
	r, err := t.request(id)
	if err != nil {
		return Request{}, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return *r, nil
}

func (t *Tab) request(id string) (*Request, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if r := t.byID[id]; r != nil {
		return r, nil
	}
	return nil, &NoBodyError{id, "is not kept: there is no such request in this tab, or it is too long ago", "network_read lists the requests that are kept; take a requestId from there."}
}

// bodyReserve is what is left of the time of a call, when it has waited for a request to end, to say so.
const bodyReserve = 150 * time.Millisecond

// Body returns a request and what was answered to it. It waits for a request that is still under way.
func (t *Tab) Body(ctx context.Context, id string) (Request, Body, error) {
	r, err := t.request(id)
	if err != nil {
		return Request{}, Body{}, err
	}
	q, err := t.answered(ctx, r)
	if err != nil {
		return q, Body{}, err
	}
	switch {
	case q.Next != "":
		return q, Body{}, &NoBodyError{id, fmt.Sprintf("is not kept by the browser: it was answered with a redirect (status %d)", q.Status), fmt.Sprintf("What was answered to the request that followed is the body of %s.", q.Next)}
	case q.Failed != "" && q.Status == 0:
		return q, Body{}, &NoBodyError{id, "does not exist: the request failed (" + q.Failed + ")", "Have the page send it again, or look at the page with snapshot."}
	case slices.Contains([]int{204, 205, 304}, q.Status), q.Method == "HEAD", q.Method == "OPTIONS" && q.Type == "preflight":
		return q, Body{}, nil
	}
	var reply struct {
		Body   string `json:"body"`
		Base64 bool   `json:"base64Encoded"`
	}
	if err := q.sess.Call(ctx, "Network.getResponseBody", map[string]any{"requestId": q.protocolID}, &reply); err != nil {
		return q, Body{}, t.noBody(q, err)
	}
	return q, newBody(reply.Body, reply.Base64, q.charset), nil
}

// answered waits until a request has ended.
func (t *Tab) answered(ctx context.Context, r *Request) (Request, error) {
	copied := func() Request {
		t.mu.Lock()
		defer t.mu.Unlock()
		return *r
	}
	began := time.Now()
	limit, cancel := sooner(ctx, bodyReserve)
	defer cancel()
	var stream bool
	err := t.await(limit, func() bool {
		stream = r.Type == "eventsource" || r.MIME == "text/event-stream"
		_, running := t.inflight[r.protocolID]
		return r.Done || stream || !running
	})
	q := copied()
	switch {
	case !q.Done && (stream || q.MIME == "text/event-stream"):
		return q, &NoBodyError{q.ID, "has no end: it is a stream of events", "ws_read lists what came in it."}
	case err != nil && ctx.Err() == nil && t.Err() == nil:
		return q, &NoBodyError{q.ID, fmt.Sprintf("has not come in whole after %d ms", time.Since(began).Milliseconds()), "Ask again later, with a greater timeoutMs. Of an answer that never ends the browser shows none."}
	case err != nil:
		return q, err
	case !q.Done:
		return q, &NoBodyError{q.ID, "never came in whole: the page was left before", "Have the page send the request again."}
	}
	return q, nil
}

// sooner ends a little before ctx does, so that there is time to say how far it came.
func sooner(ctx context.Context, reserve time.Duration) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, deadline.Add(-min(reserve, time.Until(deadline)/4)))
}

// noBody says why the browser does not hand out a body.
func (t *Tab) noBody(q Request, err error) error {
	if gone := t.Err(); gone != nil {
		return gone
	}
	var refused *protocol.Error
	switch {
	case errors.Is(err, cdp.ErrSessionGone):
		return &NoBodyError{q.ID, "is gone with the worker or frame that asked for it", "Have the page send the request again, and read the body before its worker or frame ends."}
	case errors.As(err, &refused) && q.Failed != "":
		return &NoBodyError{q.ID, "was not kept: the request failed (" + q.Failed + ")", "Have the page send it again."}
	case errors.As(err, &refused):
		return &NoBodyError{q.ID, "is no longer kept by the browser: the page was left, or the body was too big to keep", "Have the page send the request again and read its body before the page is left."}
	}
	return err
}

// newBody reads a body as the browser gives it. What is text is one, also where the browser did not know: in a text can be read
// what is in it.
func newBody(body string, encoded bool, encoding string) Body {
	if !encoded {
		return Body{Text: body, Bytes: len(body)}
	}
	raw, err := base64.StdEncoding.DecodeString(body)
	if err != nil {
		return Body{Text: body, Base64: true, Bytes: len(body) / 4 * 3}
	}
	if enc, name := charset.Lookup(encoding); enc != nil && name != "utf-8" && !isText(raw) {
		if text, err := enc.NewDecoder().Bytes(raw); err == nil && isText(text) {
			return Body{Text: string(text), Bytes: len(raw)}
		}
	}
	return BodyOf(raw)
}

// BodyOf is a body from its bytes.
func BodyOf(raw []byte) Body {
	if isText(raw) {
		return Body{Text: string(raw), Bytes: len(raw)}
	}
	return Body{Text: base64.StdEncoding.EncodeToString(raw), Base64: true, Bytes: len(raw)}
}

func isText(raw []byte) bool {
	for _, c := range raw {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\f' || c == 0x7f {
			return false
		}
	}
	return utf8.Valid(raw)
}
