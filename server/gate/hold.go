package gate

// Pause holds every call of every agent and stops those that run.
func (g *Gate) Pause() {
	g.mu.Lock()
	if g.paused {
		g.mu.Unlock()
		return
	}
	g.paused = true
	g.stopLocked(&Refusal{Code: Paused, Why: "the person paused all agents, and this call was stopped",
		Hint: "It may have had part of its effect. Call again: the call waits until the person resumes. Look at the page before you go on."},
		func(p *Pass) bool { return !p.call.Pickup })
	g.mu.Unlock()
	g.log.Info("all agents are paused")
	g.tell()
}

// Resume lets held calls go on.
func (g *Gate) Resume() {
	g.mu.Lock()
	if !g.paused {
		g.mu.Unlock()
		return
	}
	g.paused = false
	g.resumed++
	g.releaseLocked()
	g.mu.Unlock()
	g.log.Info("agents are resumed")
	g.tell()
}

// Paused reports whether all agents are paused.
func (g *Gate) Paused() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.paused
}

// TakeOver is Pause for one session.
func (g *Gate) TakeOver(session string) {
	g.mu.Lock()
	if g.taken[session] {
		g.mu.Unlock()
		return
	}
	g.taken[session] = true
	g.stopLocked(&Refusal{Code: TakenOver, Why: "the person took over this browser, and this call was stopped",
		Hint: "It may have had part of its effect. Call again: the call waits until the person hands the browser back. Look at the page before you go on."},
		func(p *Pass) bool { return p.Session == session && p.call.Tool.Pages && !p.call.Pickup })
	g.mu.Unlock()
	g.tell()
}

// HandBack ends TakeOver.
func (g *Gate) HandBack(session string) {
	g.mu.Lock()
	if !g.taken[session] {
		g.mu.Unlock()
		return
	}
	delete(g.taken, session)
	g.handed[session] = true
	g.releaseLocked()
	g.mu.Unlock()
	g.tell()
}

// Taken reports whether the person has taken a session over.
func (g *Gate) Taken(session string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.taken[session]
}
