package store

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"chaperone/vault"
)

// MostBytes is the length of the longest value on any system; some keyrings keep less, see Backend.Most.
const MostBytes = 64 << 10

// Config says where a store lies.
type Config struct {
	// Backend keeps the values.
	Backend Backend
	// Index is the path of the index file. Each backend needs its own, for what one keeps another does not have. Empty means in
	// memory, as fits a Memory backend.
	Index string
	// Limit is how long one call into the backend may take; 20 seconds if zero. A keyring may spend it waiting for its password:
	// the person can answer later, the next use finds it unlocked.
	Limit time.Duration
	// Now is the clock of what is written down; time.Now if nil.
	Now func() time.Time
}

// Store is a list of items whose values lie in a backend. Its methods may be called from several goroutines.
type Store struct {
	backend *guard
	index   indexStore
	lock    *flock.Flock // nil in memory
	turn    chan struct{}
	limit   time.Duration
	now     func() time.Time

	mu      sync.Mutex
	notices []string
}

// Open reads the index, setting a broken one aside, and settles what an earlier process left unfinished. It asks the backend
// only if there is something unfinished, and does not fail when the backend does. What a person should know is in Notices.
func Open(ctx context.Context, c Config) (*Store, error) {
	if c.Limit == 0 {
		c.Limit = 20 * time.Second
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	s := &Store{backend: newGuard(c.Backend, c.Limit), index: &indexMemory{}, turn: make(chan struct{}, 1), limit: c.Limit, now: c.Now}
	if c.Index != "" {
		file := indexFile(c.Index)
		if err := os.MkdirAll(file.dir(), 0o700); err != nil {
			return nil, err
		}
		s.index, s.lock = file, flock.New(c.Index+".lock", flock.SetPermissions(0o600))
	}
	return s, s.change(ctx, func(*index) error { return nil })
}

// Backend is the name of what keeps the values: keyring, encrypted file, memory.
func (s *Store) Backend() string { return s.backend.backend.Name() }

// Notices are what a person should know about the store since it was opened: an index set aside, an entry mended.
func (s *Store) Notices() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.notices)
}

func (s *Store) note(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notices = append(s.notices, fmt.Sprintf(format, args...))
}

// List returns all items, in order of their aliases. It reads no value and does not wait for the backend.
func (s *Store) List() ([]Item, error) {
	ix, err := s.index.load()
	if err != nil {
		return nil, err
	}
	items := make([]Item, 0, len(ix.Items))
	for _, e := range ix.Items {
		items = append(items, e.Item)
	}
	slices.SortFunc(items, func(a, b Item) int { return strings.Compare(a.Alias, b.Alias) })
	return items, nil
}

// Account returns the code or the sign-in of an account. ErrNoItem if there is none.
func (s *Store) Account(kind Kind, account string) (Item, error) {
	return s.first(func(it Item) bool { return it.Kind == kind && it.Account == account })
}

// Alias returns the item that agents know by an alias. ErrNoItem if there is none.
func (s *Store) Alias(alias string) (Item, error) {
	return s.first(func(it Item) bool { return it.Alias == alias })
}

func (s *Store) first(match func(Item) bool) (Item, error) {
	ix, err := s.index.load()
	if err != nil {
		return Item{}, err
	}
	for _, e := range ix.Items {
		if match(e.Item) {
			return e.Item, nil
		}
	}
	return Item{}, ErrNoItem
}

// Value reads the value of an item, under its alias, by one read of the backend. ErrNoItem, ErrGone, or what the backend says.
func (s *Store) Value(ctx context.Context, id string) (vault.Secret, error) {
	var tried string
	for {
		ix, err := s.index.load()
		if err != nil {
			return vault.Secret{}, err
		}
		e := ix.find(id)
		if e == nil {
			return vault.Secret{}, ErrNoItem
		}
		if e.Key == tried {
			return vault.Secret{}, fmt.Errorf("%s: %w", e.Alias, ErrGone)
		}
		value, err := s.backend.get(ctx, e.Key)
		switch {
		case errors.Is(err, ErrAbsent):
			tried = e.Key // it may just have been replaced
			continue
		case err != nil:
			return vault.Secret{}, fmt.Errorf("%s: %w", e.Alias, err)
		}
		return value.Renamed(e.Alias), nil
	}
}

// Add keeps a new item. ID and the times are set here. ErrTaken if the alias or the account is another's; ErrEmpty, ErrTooLong.
// After any error but one with ErrUnsettled nothing was kept.
func (s *Store) Add(ctx context.Context, it Item, value vault.Secret) (Item, error) {
	if err := it.check(); err != nil {
		return Item{}, err
	}
	if err := s.checkValue(it.Alias, value); err != nil {
		return Item{}, err
	}
	it = it.clone()
	it.ID = random(16)
	it.Made = s.now().UTC()
	it.Changed = it.Made
	it.Used, it.UsedBy, it.UsedAt = time.Time{}, "", ""
	e := entry{Item: it, Key: newKey(it)}
	return it, s.change(ctx, func(ix *index) error {
		if err := ix.free(it); err != nil {
			return err
		}
		return s.put(ctx, ix, e, "", value)
	})
}

// Replace gives an item another value. After any error but one with ErrUnsettled the old one stands.
func (s *Store) Replace(ctx context.Context, id string, value vault.Secret) error {
	return s.change(ctx, func(ix *index) error {
		old := ix.find(id)
		if old == nil {
			return ErrNoItem
		}
		if err := s.checkValue(old.Alias, value); err != nil {
			return err
		}
		e := *old
		e.Item = e.Item.clone()
		e.Changed = s.now().UTC()
		e.Key = newKey(e.Item)
		return s.put(ctx, ix, e, old.Key, value)
	})
}

// Edit changes what is known of an item: fn gets it and changes it in place. ID, kind and times stay. No value is read.
func (s *Store) Edit(ctx context.Context, id string, fn func(*Item)) error {
	return s.change(ctx, func(ix *index) error {
		e := ix.find(id)
		if e == nil {
			return ErrNoItem
		}
		it := e.Item.clone()
		fn(&it)
		it = it.clone()
		it.ID, it.Kind, it.Made, it.Used, it.UsedBy, it.UsedAt = e.ID, e.Kind, e.Made, e.Used, e.UsedBy, e.UsedAt
		it.Changed = s.now().UTC()
		if err := it.check(); err != nil {
			return err
		}
		if err := ix.free(it); err != nil {
			return err
		}
		e.Item = it
		return s.index.save(*ix)
	})
}

// Used writes down that a value was used, by which client and at which site.
func (s *Store) Used(ctx context.Context, id, by, site string) error {
	return s.change(ctx, func(ix *index) error {
		e := ix.find(id)
		if e == nil {
			return ErrNoItem
		}
		e.Used, e.UsedBy, e.UsedAt = s.now().UTC(), by, site
		return s.index.save(*ix)
	})
}

// Remove takes an item out of the list, then deletes its value. With ErrLingers it is gone from the list, and its value is
// deleted as soon as the backend answers.
func (s *Store) Remove(ctx context.Context, id string) error {
	return s.change(ctx, func(ix *index) error {
		e := ix.find(id)
		if e == nil {
			return ErrNoItem
		}
		alias, key := e.Alias, e.Key
		ix.Items = slices.DeleteFunc(ix.Items, func(e entry) bool { return e.ID == id })
		ix.Unfinished = append(ix.Unfinished, change{Key: key, Since: s.now().UTC()})
		if err := s.index.save(*ix); err != nil {
			return err
		}
		if err := s.backend.delete(ctx, key); err != nil && !errors.Is(err, ErrAbsent) {
			return fmt.Errorf("%s: %w (%w)", alias, ErrLingers, err)
		}
		ix.finish(key)
		_ = s.index.save(*ix) // else it is found absent at the next change
		return nil
	})
}

// Check asks the backend whether it can keep values, without one: nil, or what is wrong with it. It may make a keyring ask for its
// password.
func (s *Store) Check(ctx context.Context) error {
	_, err := s.backend.get(ctx, "check")
	if errors.Is(err, ErrAbsent) {
		return nil
	}
	return err
}

func (s *Store) checkValue(alias string, value vault.Secret) error {
	return value.Use(func(v string) error {
		switch most := min(s.backend.backend.Most(), MostBytes); {
		case strings.TrimSpace(v) == "":
			return fmt.Errorf("%s: %w", alias, ErrEmpty)
		case len(v) > most:
			return fmt.Errorf("%s: %w: it has %d bytes, and the %s keeps at most %d", alias, ErrTooLong, len(v), s.Backend(), most)
		}
		return nil
	})
}

// newKey is the name of a backend entry: for people who look into their keyring it begins with the alias.
func newKey(it Item) string {
	alias := it.Alias
	if len(alias) > MostKey-17 {
		alias = alias[:MostKey-17]
	}
	return alias + "." + random(8)
}

func random(bytes int) string {
	b := make([]byte, bytes)
	_, _ = rand.Read(b) // it never fails
	return hex.EncodeToString(b)
}

func (ix *index) find(id string) *entry {
	for i := range ix.Items {
		if ix.Items[i].ID == id {
			return &ix.Items[i]
		}
	}
	return nil
}

// free reports whether an item's names are another's.
func (ix *index) free(it Item) error {
	for _, e := range ix.Items {
		switch {
		case e.ID == it.ID:
		case e.Alias == it.Alias:
			return fmt.Errorf("%w: the alias %s is that of %s", ErrTaken, it.Alias, e.says())
		case it.Kind != Secret && e.Kind == it.Kind && e.Account == it.Account:
			return fmt.Errorf("%w: %s is there already", ErrTaken, e.says())
		}
	}
	return nil
}

func (it Item) says() string {
	switch it.Kind {
	case SignIn:
		return fmt.Sprintf("the sign-in %q", it.Account)
	case Code:
		return fmt.Sprintf("the one-time code %q", it.Account)
	}
	return "the secret " + it.Alias
}
