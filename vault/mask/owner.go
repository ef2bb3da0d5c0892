package mask

import (
	"cmp"
	"slices"

	"chaperone/vault"
)

// Entry is a secret and whose it is.
type Entry struct {
	vault.Secret
	// Owner is the client that registered it; empty: it is the person's.
	Owner string
}

// Option sets up a Mask.
type Option func(*Mask)

// New returns the mask of secrets that are all the person's; nil if none has a value. Of two with the same value the first gives
// the name.
func New(secrets []vault.Secret, options ...Option) *Mask {
	list := make([]Entry, len(secrets))
	for i, s := range secrets {
		list[i].Secret = s
	}
	return NewOwned(list, options...)
}

// For is the mask of what leaves to one client: what that client registered itself yields to all else, and short values that
// other clients registered are not looked for.
func (m *Mask) For(client string) *Mask {
	if m == nil || !m.owned || client == "" {
		return m
	}
	c := *m
	c.viewer = client
	return &c
}

// foreign reports whether a value was registered by another client than the one that the text is for.
func (m *Mask) foreign(whose int) bool {
	return m.viewer != "" && m.owner[whose] != "" && m.owner[whose] != m.viewer
}

// rank is whose values yield to whose: the person's to none, an agent's to theirs, and those of the client that the text is for to
// all.
func (m *Mask) rank(whose int) int {
	switch {
	case m.owner[whose] == "":
		return 0
	case m.owner[whose] != m.viewer:
		return 1
	}
	return 2
}

// placedMatch is a match in a leaf.
type placedMatch struct {
	leaf int
	match
}

// yield drops the matches of values that yield to others which they overlap and do not cover whole. An agent can register a guess
// that ends in the first letters of a value it does not know, with the words before the value in front; that the guess is right must
// change nothing. Pieces of one match share its fate.
func (m *Mask) yield(found map[int][]match) {
	if !m.owned {
		return
	}
	var ranks [3][]placedMatch
	groups := map[*int][]placedMatch{}
	for leaf, list := range found {
		for _, x := range list {
			p := placedMatch{leaf, x}
			ranks[m.rank(x.whose)] = append(ranks[m.rank(x.whose)], p)
			if x.group != nil {
				groups[x.group] = append(groups[x.group], p)
			}
		}
	}
	gone := map[placedMatch]bool{}
	fixed := ranks[0]
	for _, list := range ranks[1:] {
		if len(list) == 0 {
			continue
		}
		at := newPlaces(fixed)
		bad := map[*int]bool{}
		fails := func(p placedMatch) bool {
			own := []placedMatch{p}
			if p.group != nil {
				own = groups[p.group]
			}
			return at.any(p, func(f placedMatch) bool {
				all := []placedMatch{f}
				if f.group != nil {
					all = groups[f.group]
				}
				for _, piece := range all {
					if !slices.ContainsFunc(own, func(o placedMatch) bool {
						return o.leaf == piece.leaf && o.start <= piece.start && piece.end <= o.end
					}) {
						return true
					}
				}
				return false
			})
		}
		for _, p := range list {
			if fails(p) {
				if gone[p] = true; p.group != nil {
					bad[p.group] = true
				}
			}
		}
		for _, p := range list {
			if p.group != nil && bad[p.group] {
				gone[p] = true
			}
			if !gone[p] {
				fixed = append(fixed, p)
			}
		}
	}
	if len(gone) == 0 {
		return
	}
	for leaf, list := range found {
		list = slices.DeleteFunc(list, func(x match) bool { return gone[placedMatch{leaf, x}] })
		if found[leaf] = list; len(list) == 0 {
			delete(found, leaf)
		}
	}
}

// places are matches by where they stand.
type places struct {
	list []placedMatch
	ends []int // the greatest end up to each, in its leaf
}

func newPlaces(list []placedMatch) places {
	p := places{list: slices.Clone(list)}
	slices.SortFunc(p.list, func(a, b placedMatch) int { return cmp.Or(cmp.Compare(a.leaf, b.leaf), cmp.Compare(a.start, b.start)) })
	for i, x := range p.list {
		end := x.end
		if i > 0 && p.list[i-1].leaf == x.leaf {
			end = max(end, p.ends[i-1])
		}
		p.ends = append(p.ends, end)
	}
	return p
}

// any reports whether is holds for a match that overlaps x.
func (p places) any(x placedMatch, is func(placedMatch) bool) bool {
	i, _ := slices.BinarySearchFunc(p.list, x, func(a, x placedMatch) int {
		if a.leaf < x.leaf || a.leaf == x.leaf && a.start < x.end {
			return -1
		}
		return 1
	})
	for i--; i >= 0 && p.list[i].leaf == x.leaf && p.ends[i] > x.start; i-- {
		if p.list[i].end > x.start && is(p.list[i]) {
			return true
		}
	}
	return false
}
