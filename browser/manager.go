package browser

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// Browser is the set of open sessions. Its methods may be called from any goroutine.
type Browser struct {
	cfg Config
	log *slog.Logger

	mu       sync.Mutex
	sessions map[string]*Session
	opening  map[string]chan struct{}
	watchers []func()
	closed   bool
}

// New returns a Browser without sessions. No process is started until one is opened.
func New(cfg Config) *Browser {
	if cfg.Temp != "" {
		sweep(cfg.Temp, incognito, true)
	}
	log := cfg.Log
	if log == nil {
		log = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	return &Browser{cfg: cfg, log: log.With("part", "browser"), sessions: map[string]*Session{}, opening: map[string]chan struct{}{}}
}

// Watch has fn called whenever a session opens or closes, or its current tab or address changes. It must not block.
func (b *Browser) Watch(fn func()) {
	b.mu.Lock()
	b.watchers = append(b.watchers, fn)
	b.mu.Unlock()
}

func (b *Browser) changed() {
	b.mu.Lock()
	watchers := b.watchers
	b.mu.Unlock()
	for _, fn := range watchers {
		fn()
	}
}

// Open starts a session, or returns the one of that name that is open already; fresh says which. A second Open of the same
// name waits for the first.
func (b *Browser) Open(ctx context.Context, o Options) (s *Session, fresh bool, err error) {
	for {
		b.mu.Lock()
		if b.closed {
			b.mu.Unlock()
			return nil, false, errors.New("the program is ending")
		}
		if s := b.sessions[o.ID]; s != nil {
			alive := s.alive()
			b.mu.Unlock()
			if alive {
				return s, false, nil
			}
			<-s.ended
			b.mu.Lock()
			if b.sessions[o.ID] == s {
				delete(b.sessions, o.ID)
			}
			b.mu.Unlock()
			continue
		}
		wait := b.opening[o.ID]
		if wait == nil {
			b.opening[o.ID] = make(chan struct{})
			b.mu.Unlock()
			break
		}
		b.mu.Unlock()
		select {
		case <-wait:
		case <-ctx.Done():
			return nil, false, context.Cause(ctx)
		}
	}
	s, err = b.launch(ctx, o)
	b.mu.Lock()
	close(b.opening[o.ID])
	delete(b.opening, o.ID)
	closed := b.closed
	if err == nil && !closed {
		b.sessions[o.ID] = s
	}
	b.mu.Unlock()
	if err == nil && closed {
		s.Close(context.WithoutCancel(ctx))
		return nil, false, errors.New("the program is ending")
	}
	if err != nil {
		return nil, false, err
	}
	b.changed()
	return s, true, nil
}

// Session returns an open session. When its browser has ended since, the error says so once, and the session is forgotten,
// so that the next call can open it anew.
func (b *Browser) Session(id string) (*Session, error) {
	b.mu.Lock()
	s := b.sessions[id]
	if s == nil {
		b.mu.Unlock()
		return nil, fmt.Errorf("%w: %q", ErrNoSession, id)
	}
	alive := s.alive()
	if !alive {
		delete(b.sessions, id)
	}
	b.mu.Unlock()
	if !alive {
		// Its processes still hold the profile for a moment.
		<-s.ended
		return nil, fmt.Errorf("%w: session %q (%s)", ErrBrowserGone, id, s.endReason())
	}
	return s, nil
}

// Sessions returns the open sessions, oldest first.
func (b *Browser) Sessions() []*Session {
	b.mu.Lock()
	defer b.mu.Unlock()
	list := make([]*Session, 0, len(b.sessions))
	for _, s := range b.sessions {
		if s.alive() {
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(x, y *Session) int { return x.openedAt.Compare(y.openedAt) })
	return list
}

// CloseSession ends one session and its process.
func (b *Browser) CloseSession(ctx context.Context, id string) error {
	b.mu.Lock()
	s := b.sessions[id]
	delete(b.sessions, id)
	b.mu.Unlock()
	if s == nil {
		return fmt.Errorf("%w: %q", ErrNoSession, id)
	}
	s.Close(ctx)
	b.changed()
	return nil
}

// Close ends all sessions, at the same time, and refuses new ones.
func (b *Browser) Close(ctx context.Context) {
	b.mu.Lock()
	b.closed = true
	sessions := b.sessions
	b.sessions = map[string]*Session{}
	b.mu.Unlock()
	var wg sync.WaitGroup
	for _, s := range sessions {
		wg.Go(func() { s.Close(ctx) })
	}
	wg.Wait()
}

// launch starts a Chromium for one session and waits until its first tab is ready.
func (b *Browser) launch(ctx context.Context, o Options) (*Session, error) {
	if o.Mode == "" {
		o.Mode = Persistent
	}
	if !o.Headless && !HasDisplay() {
		return nil, fmt.Errorf("%w: set BROWX_HEADLESS=1 for a browser without a window, or start from a desktop session", ErrNoDisplay)
	}
	path, err := Find(b.cfg.Chromium)
	if err != nil {
		return nil, err
	}
	dir, private, err := b.profileDir(o, path)
	if err != nil {
		return nil, err
	}
	temp := tempFolder(path)
	if err := writePreferences(dir); err != nil {
		b.log.Warn("the preferences of a new profile could not be written", "error", err)
	}
	o.NoSandbox = o.NoSandbox || b.cfg.NoSandbox
	proc, err := start(path, flags(o, dir), environment(temp))
	if err != nil {
		private.remove()
		temp.remove()
		return nil, &LaunchError{Path: path, Err: err}
	}
	s := newSession(b, o, proc, dir, private, temp)
	limit, cancel := context.WithTimeout(ctx, launchLimit)
	defer cancel()
	if err := s.setUp(limit); err != nil {
		err = proc.launchFailed(ctx, path, err)
		s.end("it did not start", 0)
		return nil, err
	}
	return s, nil
}

// launchLimit is how long a Chromium may take to come up, on a slow and busy machine.
const launchLimit = 45 * time.Second

// profileDir is the folder of a session's profile; private is it when it is not kept.
func (b *Browser) profileDir(o Options, chromium string) (dir string, private *scratch, err error) {
	if o.Mode == Incognito {
		if b.cfg.Temp != "" {
			if err := os.MkdirAll(b.cfg.Temp, 0o700); err != nil {
				return "", nil, err
			}
		}
		private, err = newScratch(b.cfg.temp(), incognito)
		if err != nil {
			return "", nil, err
		}
		return private.dir, private, nil
	}
	name := o.Profile
	if name == "" {
		name = o.ID
	}
	root := b.cfg.Profiles
	if snapFolder(chromium) != "" && hidden(root) {
		// A Chromium from Snap may not write into hidden folders.
		root = filepath.Join(snapFolder(chromium), "chaperone-profiles")
	}
	dir, err = claimProfile(root, name)
	return dir, nil, err
}

// incognito begins the names of folders of profiles that are not kept.
const incognito = "incognito-"

func (c Config) temp() string {
	if c.Temp == "" {
		return os.TempDir()
	}
	return c.Temp
}
