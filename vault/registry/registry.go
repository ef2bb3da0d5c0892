package registry

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"chaperone/vault"
	"chaperone/vault/origin"
)

// Limits.
const (
	MostPerSession = 32       // live aliases of a session
	MostRetired    = 64       // values that were replaced in a session and stay masked
	LongestName    = 64       // of an alias
	MostBytes      = 64 << 10 // of a value
)

// Policy says how often the person is asked before a secret is typed.
type Policy string

// The policies. What an agent registered itself is never asked about: it knows the value.
const (
	AskEachTime Policy = "ask-each-time"
	AskOnce     Policy = "once-per-session"
	NeverAsk    Policy = "never-ask"
)

// Source says whose a secret is.
type Source string

// The sources.
const (
	Agent      Source = "agent"      // register_secret with a value
	Person     Source = "person"     // typed or lent by the person
	Credential Source = "credential" // get_credential
	OneTime    Source = "one-time"   // a code that is computed when it is typed
)

// Entry is one alias of a session.
type Entry struct {
	Alias   string
	Session string
	Client  string // the id of the client that registered it, or to which it was lent
	Origins []origin.Origin
	Scoped  bool // false: it may go anywhere
	Policy  Policy
	Source  Source
	Account string // of a credential
	Since   time.Time
	Secret  vault.Secret
	// Compute, for codes that change, gives the value of now.
	Compute func() (vault.Secret, error)
}

// Allows reports whether the secret may go to a site.
func (e Entry) Allows(o origin.Origin) bool { return !e.Scoped || slices.Contains(e.Origins, o) }

// Mask finds registered values in what leaves.
type Mask interface {
	// Holds reports whether a value occurs in a text, in any form.
	Holds(text string) bool
}

// Registry is safe for concurrent use.
type Registry struct {
	build   func([]vault.Secret) Mask
	changed func([]Owned)

	mu       sync.Mutex
	sessions map[string]*session
	kept     []masked // of sessions that have ended: they stay masked
	order    []masked // what the mask is made of, the oldest first
	mask     Mask
}

type session struct {
	live    []Entry // in the order in which they came
	retired []masked
}

// masked is a value that is hidden in what leaves.
type masked struct {
	secret vault.Secret
	since  time.Time
	agents bool   // an agent registered it
	client string // which one did
}

// Owned is a value that is to be masked, and the client that registered it; none if it is the person's.
type Owned struct {
	Secret vault.Secret
	Client string
}

func maskedOf(e Entry) masked {
	if e.Source != Agent {
		return masked{e.Secret, e.Since, false, ""}
	}
	return masked{e.Secret, e.Since, true, e.Client}
}

// New is an empty registry. build makes the mask of a list of values. changed is told the list whenever it changes, before the
// call that changed it returns; it must not call the registry.
func New(build func([]vault.Secret) Mask, changed func([]Owned)) *Registry {
	return &Registry{build: build, changed: changed, sessions: map[string]*session{}}
}

var aliasName = regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`)

// placeholder is an argument that stands for a secret as a whole.
var placeholder = regexp.MustCompile(`^<([A-Z][A-Z0-9_]*)>$`)

// AliasIn returns the alias if an argument as a whole is <ALIAS>.
func AliasIn(argument string) (alias string, ok bool) {
	if len(argument) < 3 || argument[0] != '<' {
		return "", false
	}
	m := placeholder.FindStringSubmatch(argument)
	if m == nil {
		return "", false
	}
	return m[1], true
}

// Refusal is why a secret cannot be registered. No refusal holds the value.
type Refusal struct{ Words, Hint string }

func (r *Refusal) Error() string { return r.Words }

// Advice says what to do.
func (r *Refusal) Advice() (hint, source string) { return r.Hint, "server" }

func refuse(hint, words string, args ...any) error {
	return &Refusal{fmt.Sprintf(words, args...), hint}
}

// CheckName reports a name that is no alias.
func CheckName(name string) error {
	if !aliasName.MatchString(name) || len(name) > LongestName {
		return refuse("Use capital letters, digits and _, beginning with a letter, at most 64 characters: PASSWORD, API_KEY_2.", "the name is not an alias: it must match ^[A-Z][A-Z0-9_]*$")
	}
	return nil
}

// Register puts a secret into its session. An alias that is there already is replaced only by the client that registered it,
// and the old value stays
// masked. What is the person's replaces only what is theirs.
func (r *Registry) Register(e Entry) error {
	if err := CheckName(e.Alias); err != nil {
		return err
	}
	if e.Compute == nil {
		if err := checkValue(e.Secret); err != nil {
			return err
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.sessions[e.Session]
	if s == nil {
		s = &session{}
	}
	at := slices.IndexFunc(s.live, func(o Entry) bool { return o.Alias == e.Alias })
	switch {
	case at < 0 && len(s.live) >= MostPerSession:
		return refuse("Register again under a name that is no longer needed, or open another session.", "this session has %d secrets already, which is the most", MostPerSession)
	case at >= 0 && s.live[at].Source != e.Source && e.Source == Agent:
		return refuse("Use another name.", "the name %s is that of a secret which the person keeps", e.Alias)
	case at >= 0 && e.Source == Credential && s.live[at].Source == Credential && s.live[at].Account != e.Account:
		return refuse("Use one of the two in this session and the other in another, or give the items names that differ in letters and digits.",
			"the accounts %q and %q would both get the name %s", s.live[at].Account, e.Account, e.Alias)
	case at >= 0 && s.live[at].Source == Agent && (e.Source != Agent || s.live[at].Client != e.Client):
		return refuse("Use another name.", "the name %s is that of a secret which another client registered in this session", e.Alias)
	case at >= 0 && !s.live[at].Secret.Same(e.Secret) && len(s.retired) >= MostRetired:
		return refuse("Open another session.", "secrets of this session were replaced %d times; the old values are kept to be masked, and more would be too many", MostRetired)
	}
	if err := r.checkMasksLocked(e); err != nil {
		return err
	}
	e.Origins, e.Secret = slices.Clone(e.Origins), e.Secret.Renamed(e.Alias)
	if e.Since.IsZero() {
		e.Since = time.Now()
	}
	if at >= 0 {
		if old := s.live[at]; !old.Secret.Same(e.Secret) && old.Compute == nil {
			s.retired = append(s.retired, maskedOf(old))
		}
		s.live[at] = e
	} else {
		s.live = append(s.live, e)
	}
	r.sessions[e.Session] = s
	r.rebuildLocked()
	return nil
}

func checkValue(s vault.Secret) error {
	return s.Use(func(v string) error {
		switch {
		case strings.TrimSpace(v) == "":
			return refuse("Give the value itself. A value that only the person knows is asked of them when value is left out.", "the value is empty or only blanks")
		case len(v) > MostBytes:
			return refuse("Give the secret itself, not a file.", "the value is longer than %d bytes", MostBytes)
		}
		return nil
	})
}

// checkMasksLocked keeps masking idempotent: no mask may hold a value.
func (r *Registry) checkMasksLocked(e Entry) error {
	const hint = "Choose a longer value, or another name."
	if r.mask != nil && r.mask.Holds("<"+e.Alias+">") {
		return refuse(hint, "the name %s holds a value that is registered, so that the mask would show it", e.Alias)
	}
	if e.Compute != nil {
		return nil // what changes with each use is not masked
	}
	one := r.build([]vault.Secret{e.Secret})
	if one.Holds("<" + e.Alias + ">") {
		return refuse(hint, "the value occurs in its own name, so that the mask <%s> would show it", e.Alias)
	}
	for _, m := range r.order {
		if one.Holds(m.secret.Mask()) {
			return refuse(hint, "the value occurs in the name of another registered secret, so that its mask would show it")
		}
	}
	return nil
}

// rebuildLocked makes the mask anew. Of two names for one value the older one stays; it is the person's if one of them is.
func (r *Registry) rebuildLocked() {
	all := slices.Clone(r.kept)
	for _, s := range r.sessions {
		all = append(all, s.retired...)
		for _, e := range s.live {
			if e.Compute == nil {
				all = append(all, maskedOf(e))
			}
		}
	}
	slices.SortStableFunc(all, func(a, b masked) int { return a.since.Compare(b.since) })
	var order []masked
	var values []vault.Secret
	var owned []Owned
	for _, m := range all {
		if i := slices.IndexFunc(values, m.secret.Same); i < 0 {
			order, values, owned = append(order, m), append(values, m.secret), append(owned, Owned{m.secret, m.client})
		} else if !m.agents {
			owned[i].Client = ""
		}
	}
	r.order, r.mask = order, nil
	if len(values) > 0 {
		r.mask = r.build(values)
	}
	r.changed(owned)
}

// Find returns what an alias stands for in a session.
func (r *Registry) Find(session, alias string) (Entry, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s := r.sessions[session]; s != nil {
		for _, e := range s.live {
			if e.Alias == alias {
				return e, true
			}
		}
	}
	return Entry{}, false
}

// List returns the aliases of a session in the order in which they came; of all sessions for "".
func (r *Registry) List(of string) []Entry {
	r.mu.Lock()
	defer r.mu.Unlock()
	var list []Entry
	for name, s := range r.sessions {
		if of == "" || name == of {
			list = append(list, s.live...)
		}
	}
	slices.SortStableFunc(list, func(a, b Entry) int { return a.Since.Compare(b.Since) })
	return list
}

// Names are the aliases of a session, sorted.
func (r *Registry) Names(session string) []string {
	names := []string{}
	for _, e := range r.List(session) {
		names = append(names, e.Alias)
	}
	slices.Sort(names)
	return names
}

// mostKept bounds the values of agents that stay masked after their session; those of the person stay in any case.
const mostKept = 128

// Forget ends a session. Its secrets can no longer be used, and stay masked: pages and profiles may still show them.
func (r *Registry) Forget(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.sessions[name]
	if s == nil {
		return
	}
	delete(r.sessions, name)
	for _, e := range s.live {
		if e.Compute == nil {
			r.keepLocked(maskedOf(e))
		}
	}
	for _, m := range s.retired {
		r.keepLocked(m)
	}
	r.rebuildLocked()
}

func (r *Registry) keepLocked(m masked) {
	if i := slices.IndexFunc(r.kept, func(k masked) bool { return k.secret.Same(m.secret) }); i >= 0 {
		if !m.agents {
			r.kept[i].agents, r.kept[i].client = false, ""
		}
		return
	}
	r.kept = append(r.kept, m)
	n := 0
	for _, k := range r.kept {
		if k.agents {
			n++
		}
	}
	if n > mostKept {
		oldest := slices.IndexFunc(r.kept, func(k masked) bool { return k.agents })
		r.kept = slices.Delete(r.kept, oldest, oldest+1)
	}
}
