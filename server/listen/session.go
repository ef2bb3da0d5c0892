package listen

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// session is the library's view of one client over lines. Its own stdio transport has a single one for the whole process.
type session struct {
	id    string
	notes chan mcp.JSONRPCNotification
	send  func(context.Context, any)
	named func()

	mu         sync.Mutex
	ready      bool
	info       mcp.Implementation
	caps       mcp.ClientCapabilities
	protocol   string
	level      mcp.LoggingLevel
	modern     bool // speaks the protocol without sessions, in which notifications are opted in to
	filter     mcp.SubscriptionFilter
	filtered   bool
	streamID   any
	nextAsk    int64
	unanswered map[string]chan envelope
}

var (
	_ server.SessionWithLogging            = (*session)(nil)
	_ server.SessionWithClientInfo         = (*session)(nil)
	_ server.SessionWithElicitation        = (*session)(nil)
	_ server.SessionWithProtocolVersion    = (*session)(nil)
	_ server.SessionWithSubscriptionFilter = (*session)(nil)
)

func (s *session) SessionID() string                                   { return s.id }
func (s *session) NotificationChannel() chan<- mcp.JSONRPCNotification { return s.notes }

// locked runs fn under the lock.
func (s *session) locked(fn func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fn()
}

func (s *session) Initialize() { s.locked(func() { s.ready = true }) }
func (s *session) Initialized() (ready bool) {
	s.locked(func() { ready = s.ready })
	return ready
}
func (s *session) SetLogLevel(level mcp.LoggingLevel) { s.locked(func() { s.level = level }) }
func (s *session) GetLogLevel() (level mcp.LoggingLevel) {
	s.locked(func() { level = s.level })
	return level
}
func (s *session) GetClientInfo() (info mcp.Implementation) {
	s.locked(func() { info = s.info })
	return info
}
func (s *session) SetClientInfo(info mcp.Implementation) {
	changed := false
	s.locked(func() {
		changed = s.info.Name != info.Name || s.info.Version != info.Version
		s.info = info
	})
	if changed {
		s.named()
	}
}
func (s *session) GetClientCapabilities() (caps mcp.ClientCapabilities) {
	s.locked(func() { caps = s.caps })
	return caps
}
func (s *session) SetClientCapabilities(caps mcp.ClientCapabilities) {
	s.locked(func() { s.caps = caps })
}
func (s *session) ProtocolVersion() (version string) {
	s.locked(func() { version = s.protocol })
	return version
}

// SetProtocolVersion is called by the handshake, which only the older protocols have.
func (s *session) SetProtocolVersion(version string) {
	s.locked(func() { s.protocol, s.modern = version, false })
}

// SetSubscriptionFilter is called when the client starts (or, with the zero filter, ends) listening.
func (s *session) SetSubscriptionFilter(f mcp.SubscriptionFilter) {
	s.locked(func() { s.filter, s.filtered = f, !f.IsEmpty() })
}

func (s *session) SubscriptionFilter() (f mcp.SubscriptionFilter, active bool) {
	s.locked(func() { f, active = s.filter, s.filtered || s.modern })
	return f, active
}

// subscribed decides over a notification on its way out: one that belongs to a stream of the client's carries its id.
func (s *session) subscribed(n *mcp.JSONRPCNotification) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch n.Method {
	case mcp.MethodNotificationSubscriptionsAcknowledged:
		s.streamID = n.Params.Meta[mcp.MetaKeySubscriptionID]
	case mcp.MethodNotificationToolsListChanged, mcp.MethodNotificationPromptsListChanged, mcp.MethodNotificationResourcesListChanged:
		if !s.modern {
			return true
		}
		if !s.filtered {
			return false
		}
		meta := map[string]any{mcp.MetaKeySubscriptionID: s.streamID}
		for k, v := range n.Params.Meta {
			meta[k] = v
		}
		n.Params.Meta = meta
	}
	return true
}

// RequestElicitation asks the client to put a form to its user, and waits for the answer.
func (s *session) RequestElicitation(ctx context.Context, r mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	if s.GetClientCapabilities().Elicitation == nil {
		return nil, server.ErrElicitationNotSupported
	}
	answer := make(chan envelope, 1)
	var id string
	s.locked(func() {
		s.nextAsk++
		id = strconv.FormatInt(s.nextAsk, 10)
		s.unanswered[id] = answer
	})
	defer s.locked(func() { delete(s.unanswered, id) })
	s.send(ctx, map[string]any{"jsonrpc": mcp.JSONRPC_VERSION, "id": json.RawMessage(id), "method": mcp.MethodElicitationCreate, "params": r.Params})
	select {
	case e := <-answer:
		return elicited(e)
	case <-ctx.Done():
		// The context of the call is over, so the word that nobody waits any more goes out beside it.
		gone, cancel := context.WithTimeout(context.WithoutCancel(ctx), farewell)
		defer cancel()
		s.send(gone, map[string]any{"jsonrpc": mcp.JSONRPC_VERSION, "method": "notifications/cancelled",
			"params": map[string]any{"requestId": json.RawMessage(id), "reason": context.Cause(ctx).Error()}})
		return nil, context.Cause(ctx)
	}
}

func elicited(e envelope) (*mcp.ElicitationResult, error) {
	if e.Error != nil {
		var details struct{ Message string }
		if err := json.Unmarshal(e.Error, &details); err != nil || details.Message == "" {
			return nil, errors.New("the client could not ask its user")
		}
		return nil, fmt.Errorf("the client could not ask its user: %s", details.Message)
	}
	var result mcp.ElicitationResult
	if err := json.Unmarshal(e.Result, &result); err != nil {
		return nil, fmt.Errorf("the client's answer cannot be read: %w", err)
	}
	return &result, nil
}

// answered takes the client's answer to a request of ours. One that nobody waits for is dropped.
func (s *session) answered(e envelope) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if waiting := s.unanswered[string(e.ID)]; waiting != nil {
		waiting <- e
		delete(s.unanswered, string(e.ID))
	}
}
