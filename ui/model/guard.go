package model

import "time"

// GuardTime is how long a card must have stood still in front of the person before it takes a yes.
const GuardTime = time.Second

// Guard keeps a yes from being given to a card that has only just appeared or moved, by a key or a click that
// was meant for something else. A no needs no guard.
type Guard struct {
	now   func() time.Time
	since map[string]placed
}

type placed struct {
	at    time.Time
	place int
}

// NewGuard returns a guard that reads the time from now.
func NewGuard(now func() time.Time) *Guard {
	return &Guard{now: now, since: map[string]placed{}}
}

// Place is where a card stands, as far as the person can see it.
type Place struct {
	ID  string
	Top int // in whole units of the window; a card that moved starts anew
}

// See tells the guard which cards the person can see right now, and where. Cards not named are out of sight.
func (g *Guard) See(places []Place) {
	next := make(map[string]placed, len(places))
	for _, p := range places {
		if was, ok := g.since[p.ID]; ok && was.place == p.Top {
			next[p.ID] = was
			continue
		}
		next[p.ID] = placed{at: g.now(), place: p.Top}
	}
	g.since = next
}

// Ready tells whether a card takes a yes now.
func (g *Guard) Ready(id string) bool {
	was, ok := g.since[id]
	return ok && g.now().Sub(was.at) >= GuardTime
}
