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
	if limit <= 0 {
		return
	}
	busy := map[string]bool{}
	for _, r := range s.gate.Running() {
		busy[r.Session] = true
	}
	for _, open := range s.cfg.Browser.Sessions() {
		if time.Since(open.LastUse()) < limit || busy[open.ID()] || s.gate.Taken(open.ID()) {
			continue
		}
		s.log.Info("a browser that no agent used is closed", "session", open.ID(), "unused", time.Since(open.LastUse()).Round(time.Second))
		_ = s.cfg.Browser.CloseSession(ctx, open.ID())
	}
}
