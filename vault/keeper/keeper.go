package keeper

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"chaperone/vault"
	"chaperone/vault/otp"
	"chaperone/vault/store"
)

// Place is where values are kept.
type Place string

// The places. Nothing is ever kept in plain text.
const (
	Keyring Place = "keyring" // of the operating system
	File    Place = "file"    // an encrypted file that a passphrase opens
	Memory  Place = "memory"  // until the program ends
)

// Config sets up a Keeper.
type Config struct {
	// Folder is where the lists and the encrypted file lie; empty: values are kept in memory only.
	Folder string
	// Place is what the person chose; asked for each time. nil: the keyring.
	Place func() Place
	// Keyring is the backend of Keyring; nil: that of the operating system.
	Keyring store.Backend
	// Limit is how long the backend may take; 0: twenty seconds.
	Limit time.Duration
	Clock otp.Clock // nil: that of this computer
}

// Keeper holds what the person keeps. Its methods may be called from any goroutine.
type Keeper struct {
	cfg Config

	mu     sync.Mutex
	place  Place // that is open
	store  *store.Store
	memory *store.Store
	subs   map[int]func()
	next   int
}

// ErrPassphrase means that the encrypted file has to be opened first, by the person.
var ErrPassphrase = errors.New("the encrypted file of secrets is closed: the person opens it with its passphrase in Chaperone under Vault")

// New returns a Keeper. Nothing is opened or asked.
func New(cfg Config) *Keeper {
	if cfg.Place == nil {
		cfg.Place = func() Place { return Keyring }
	}
	if cfg.Keyring == nil {
		cfg.Keyring = store.Keyring{}
	}
	if cfg.Clock == nil {
		cfg.Clock = otp.Wall{}
	}
	return &Keeper{cfg: cfg, subs: map[int]func(){}}
}

// now is the place in use.
func (k *Keeper) now() Place {
	switch p := k.cfg.Place(); {
	case k.cfg.Folder == "" || p == Memory:
		return Memory
	case p == File:
		return File
	default:
		return Keyring
	}
}

func (k *Keeper) file() string { return filepath.Join(k.cfg.Folder, "vault.age") }

// open returns the store of the chosen place.
func (k *Keeper) open(ctx context.Context) (*store.Store, error) {
	p := k.now()
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case p == Memory:
		if k.memory == nil {
			s, err := store.Open(ctx, store.Config{Backend: store.NewMemory(), Limit: k.cfg.Limit})
			if err != nil {
				return nil, err
			}
			k.memory = s
		}
		return k.memory, nil
	case k.store != nil && k.place == p:
		return k.store, nil
	case p == File:
		return nil, ErrPassphrase
	}
	s, err := store.Open(ctx, store.Config{Backend: k.cfg.Keyring, Index: filepath.Join(k.cfg.Folder, "keyring.json"), Limit: k.cfg.Limit})
	if err != nil {
		return nil, err
	}
	k.store, k.place = s, Keyring
	return s, nil
}

// Open opens the encrypted file with its passphrase, or makes it where there is none.
func (k *Keeper) Open(ctx context.Context, passphrase vault.Secret) error {
	if k.cfg.Folder == "" {
		return errors.New("there is no workspace in which a file could lie")
	}
	f, err := store.OpenFile(k.file(), passphrase)
	if errors.Is(err, fs.ErrNotExist) {
		f, err = store.CreateFile(k.file(), passphrase)
	}
	if err != nil {
		return err
	}
	s, err := store.Open(ctx, store.Config{Backend: f, Index: filepath.Join(k.cfg.Folder, "file.json"), Limit: k.cfg.Limit})
	if err != nil {
		return err
	}
	k.mu.Lock()
	k.store, k.place = s, File
	k.mu.Unlock()
	k.tell()
	return nil
}

// State is how the place of the values stands.
type State struct {
	Place  Place
	Closed bool     // the encrypted file has to be opened
	New    bool     // there is no encrypted file yet: opening makes it
	Notes  []string // what the person should know, such as a list that was broken and set aside
}

// State tells how the place stands, without asking the keyring.
func (k *Keeper) State() State {
	st := State{Place: k.now()}
	k.mu.Lock()
	s := k.store
	open := s != nil && k.place == st.Place
	if st.Place == Memory {
		s, open = k.memory, true
	}
	k.mu.Unlock()
	if st.Place == File {
		st.Closed = !open
		_, err := os.Stat(k.file())
		st.New = errors.Is(err, fs.ErrNotExist)
	}
	if open && s != nil {
		st.Notes = s.Notices()
	}
	return st
}

// Check asks the place whether it can keep values: nil, or what is wrong and what helps. A keyring may ask for its password.
func (k *Keeper) Check(ctx context.Context) error {
	s, err := k.open(ctx)
	if err != nil {
		return err
	}
	return s.Check(ctx)
}

// Subscribe has fn called after each change. It must not block.
func (k *Keeper) Subscribe(fn func()) (cancel func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	id := k.next
	k.next++
	k.subs[id] = fn
	return func() {
		k.mu.Lock()
		delete(k.subs, id)
		k.mu.Unlock()
	}
}

func (k *Keeper) tell() {
	k.mu.Lock()
	list := make([]func(), 0, len(k.subs))
	for _, fn := range k.subs {
		list = append(list, fn)
	}
	k.mu.Unlock()
	for _, fn := range list {
		fn()
	}
}
