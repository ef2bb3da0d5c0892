package settings

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// Layer says where a value comes from.
type Layer string

// The layers, lowest first.
const (
	FromDefault     Layer = "default"
	FromEnvironment Layer = "environment"
	FromUser        Layer = "user"
	FromSession     Layer = "session"
)

// Store holds the values of all layers. Its methods may be called from any goroutine.
type Store struct {
	file *file

	mu       sync.Mutex
	env      map[string]any
	user     map[string]any
	sessions map[string]map[string]any
	notices  []string
	subs     map[int]func(key string)
	nextSub  int
}

// Open reads the environment and the person's file in the workspace dir. A wrong value in the environment is an error; a
// broken file is kept aside and told in Notices, and the work goes on without it. An empty dir keeps everything in memory.
func Open(dir string, getenv func(string) string) (*Store, error) {
	s := &Store{env: map[string]any{}, user: map[string]any{}, sessions: map[string]map[string]any{}, subs: map[int]func(string){}}
	for _, t := range table {
		if t.Env == "" {
			continue
		}
		text := getenv(t.Env)
		if text == "" {
			continue
		}
		v, err := t.Parse(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.Env, err)
		}
		s.env[t.Key] = v
	}
	if dir == "" {
		return s, nil
	}
	var err error
	if s.file, err = openFile(dir, s.notice); err != nil {
		return nil, err
	}
	for key, raw := range s.file.values() {
		t, known := Find(key)
		if !known {
			s.notice(fmt.Sprintf("config.json: %q is no setting of this version; it is kept and not used", key))
			continue
		}
		v, err := t.Check(raw)
		if err != nil {
			s.notice(fmt.Sprintf("config.json: %s: %v; the value is kept and not used", key, err))
			continue
		}
		if t.Policy && s.env[key] != nil && !reflect.DeepEqual(v, s.env[key]) {
			s.notice(fmt.Sprintf("config.json: %s is locked by %s", key, t.Env))
		}
		s.user[key] = v
	}
	return s, nil
}

func (s *Store) notice(words string) { s.notices = append(s.notices, words) }

// Notices are what a person should know about the way the settings were read.
func (s *Store) Notices() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.notices)
}

// Get returns the value of a setting in a session ("": in none) and where it comes from.
func (s *Store) Get(session, key string) (any, Layer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.getLocked(session, key)
}

func (s *Store) getLocked(session, key string) (any, Layer) {
	t, known := Find(key)
	if !known {
		panic("settings: there is no setting " + key)
	}
	if v, ok := s.sessions[session][key]; ok && t.Session {
		return v, FromSession
	}
	env, inEnv := s.env[key]
	if inEnv && t.Policy {
		return env, FromEnvironment
	}
	if v, ok := s.user[key]; ok {
		return v, FromUser
	}
	if inEnv {
		return env, FromEnvironment
	}
	return t.Default, FromDefault
}

// Bool returns a setting of that type, outside any session.
func (s *Store) Bool(key string) bool { v, _ := s.Get("", key); return v.(bool) }

// Text returns a setting of that type, outside any session.
func (s *Store) Text(key string) string { v, _ := s.Get("", key); return v.(string) }

// List returns a setting of that type, outside any session.
func (s *Store) List(key string) []string {
	v, _ := s.Get("", key)
	return slices.Clone(v.([]string))
}

// Int returns a setting of that type in a session.
func (s *Store) Int(session, key string) int { v, _ := s.Get(session, key); return v.(int) }

// Locked returns the variable that fixes a setting, or "". Only a policy is fixed; the others a person can still set.
func (s *Store) Locked(key string) string {
	if t, _ := Find(key); t.Policy {
		if _, from := s.Get("", key); from == FromEnvironment {
			return t.Env
		}
	}
	return ""
}

// Set writes a value into the person's file. Only what a person decided may come here.
func (s *Store) Set(key string, value any) error {
	t, v, err := check(key, value)
	if err != nil {
		return err
	}
	s.mu.Lock()
	if _, inEnv := s.env[key]; inEnv && t.Policy {
		s.mu.Unlock()
		return fmt.Errorf("%s is locked by the environment variable %s; change it there and start again", key, t.Env)
	}
	before, had := s.user[key]
	s.user[key] = v
	if s.file != nil {
		if err := s.file.set(key, v); err != nil {
			if had {
				s.user[key] = before
			} else {
				delete(s.user, key)
			}
			s.mu.Unlock()
			return err
		}
	}
	s.mu.Unlock()
	s.tell(key)
	return nil
}

// Reset takes a value out of the person's file.
func (s *Store) Reset(key string) error {
	if _, known := Find(key); !known {
		return unknown(key)
	}
	s.mu.Lock()
	delete(s.user, key)
	var err error
	if s.file != nil {
		err = s.file.set(key, nil)
	}
	s.mu.Unlock()
	s.tell(key)
	return err
}

// SetSession sets a value for one session, until it closes.
func (s *Store) SetSession(session, key string, value any) error {
	t, v, err := check(key, value)
	if err != nil {
		return err
	}
	if !t.Session {
		return fmt.Errorf("%s is the same for all sessions", key)
	}
	s.mu.Lock()
	if s.sessions[session] == nil {
		s.sessions[session] = map[string]any{}
	}
	s.sessions[session][key] = v
	s.mu.Unlock()
	s.tell(key)
	return nil
}

// ResetSession forgets what was set for a session; no keys means all.
func (s *Store) ResetSession(session string, keys ...string) {
	s.mu.Lock()
	if len(keys) == 0 {
		delete(s.sessions, session)
	}
	for _, key := range keys {
		delete(s.sessions[session], key)
	}
	s.mu.Unlock()
}

func check(key string, value any) (Setting, any, error) {
	t, known := Find(key)
	if !known {
		return t, nil, unknown(key)
	}
	v, err := t.Check(value)
	if err != nil {
		return t, nil, fmt.Errorf("%s: %w", key, err)
	}
	return t, v, nil
}

func unknown(key string) error {
	return fmt.Errorf("there is no setting %q; the settings are %s", key, strings.Join(Keys(), ", "))
}

// Subscribe has fn called after a value has changed. It must not block.
func (s *Store) Subscribe(fn func(key string)) (cancel func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := s.nextSub
	s.nextSub++
	s.subs[id] = fn
	return func() {
		s.mu.Lock()
		delete(s.subs, id)
		s.mu.Unlock()
	}
}

func (s *Store) tell(key string) {
	s.mu.Lock()
	subs := make([]func(string), 0, len(s.subs))
	for _, fn := range s.subs {
		subs = append(subs, fn)
	}
	s.mu.Unlock()
	for _, fn := range subs {
		fn(key)
	}
}

// Load reads a document that is kept in the person's file beside the settings, such as remembered decisions. Where there is
// none, into is left as it is.
func (s *Store) Load(name string, into any) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		return nil
	}
	return s.file.document(name, into)
}

// Save writes a document that Load reads.
func (s *Store) Save(name string, v any) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		return nil
	}
	return s.file.setDocument(name, v)
}
