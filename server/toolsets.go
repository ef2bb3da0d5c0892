package server

import (
	"fmt"
	"slices"

	"chaperone/server/client"
	"chaperone/server/tool"
	"chaperone/server/tools/session"
)

// listed reports whether a tool is listed for a client. All tools can be called; short lists spare requests.
func (s *Server) listed(who *client.Client, t tool.Tool) bool {
	if !s.gate.Has(t.Needs) {
		return false
	}
	return s.setOn(who, t.Set) && (!t.Extra || s.asked(who, t.Set))
}

// setOn reports whether a set is listed for a client.
func (s *Server) setOn(who *client.Client, name string) bool {
	s.mu.Lock()
	on, said := s.switched[who.ID][name]
	s.mu.Unlock()
	if said {
		return on
	}
	wanted := s.cfg.Settings.List("toolsets")
	if slices.Contains(wanted, "all") || slices.Contains(wanted, name) {
		return true
	}
	i := slices.IndexFunc(s.sets, func(set tool.Set) bool { return set.Name == name })
	return i >= 0 && s.sets[i].Default && slices.Contains(wanted, "default")
}

// asked reports whether a set was asked for by name.
func (s *Server) asked(who *client.Client, name string) bool {
	s.mu.Lock()
	on := s.switched[who.ID][name]
	s.mu.Unlock()
	wanted := s.cfg.Settings.List("toolsets")
	return on || slices.Contains(wanted, "all") || slices.Contains(wanted, name)
}

// List lists the sets as a client has them.
func (s *Server) List(who *client.Client) []session.SetState {
	var list []session.SetState
	for _, set := range s.sets {
		state := session.SetState{Name: set.Name, Does: set.Does, On: s.setOn(who, set.Name)}
		for _, t := range set.Tools {
			state.Tools = append(state.Tools, session.ToolState{Name: t.Name, Does: firstSentence(t.Does), Needs: t.Needs, Allowed: s.gate.Has(t.Needs), Listed: s.listed(who, t)})
		}
		list = append(list, state)
	}
	return list
}

func firstSentence(s string) string {
	for i := range s {
		if s[i] == '.' && (i+1 == len(s) || s[i+1] == ' ') {
			return s[:i+1]
		}
	}
	return s
}

// Switch lists a set for a client, or no longer.
func (s *Server) Switch(who *client.Client, name string, on bool) error {
	if !slices.ContainsFunc(s.sets, func(set tool.Set) bool { return set.Name == name }) {
		var names []string
		for _, set := range s.sets {
			names = append(names, set.Name)
		}
		return fmt.Errorf("there is no set %q%s; the sets are %v", name, tool.DidYouMean(name, names), names)
	}
	s.mu.Lock()
	if s.switched[who.ID] == nil {
		s.switched[who.ID] = map[string]bool{}
	}
	s.switched[who.ID][name] = on
	s.mu.Unlock()
	s.listChanged()
	return nil
}
