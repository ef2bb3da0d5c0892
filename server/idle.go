package server

import (
	"context"
	"time"
)

// Agents that were aborted leave browsers behind. Those that no agent has used for a while are closed, unless the person has
// taken them over.

// idleCheck is how often the server looks for them.
const idleCheck = 30 * time.Second

func (s *Server) closeIdle(ctx context.Context) {
	tick := time.NewTicker(idleCheck)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		s.closeIdleNow(ctx, time.Duration(s.cfg.Settings.Int("", "idleCloseMs"))*time.Millisecond)
	}
}

func (s *Server) closeIdleNow(ctx context.Context, limit time.Duration) {
	var list []used
	for _, open := range s.cfg.Browser.Sessions() {
		list = append(list, used{open.ID(), open.LastUse()})
	}
	for _, id := range s.idle(list, limit) {
		s.log.Info("a browser that no agent used is closed", "session", id)
		_ = s.cfg.Browser.CloseSession(ctx, id)
	}
}

// used says when an agent last used a session.
type used struct {
	session string
	at      time.Time
}

// idle picks the sessions that no agent has used for so long, leaving out those in use now, and those that the person has taken over.
func (s *Server) idle(list []used, limit time.Duration) []string {
	if limit <= 0 {
		return nil
	}
	busy := map[string]bool{}
	for _, r := range s.gate.Running() {
		busy[r.Session] = true
	}
	var ids []string
	for _, u := range list {
		if s.now().Sub(u.at) >= limit && !busy[u.session] && !s.gate.Taken(u.session) {
			ids = append(ids, u.session)
		}
	}
	return ids
}
