package journal

import (
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"
)

// Outcome says how a call ended.
type Outcome string

// The outcomes.
const (
	Running Outcome = "running"
	OK      Outcome = "ok"
	Failed  Outcome = "failed"  // it was tried and did not work
	Refused Outcome = "refused" // the gate or the binder let it not through
	Stopped Outcome = "stopped" // the person paused, or switched the capability off
	Pending Outcome = "pending" // the client was told to ask again
)

// Entry is one call. Arguments and Result are what the agent sent and got, after the mask.
type Entry struct {
	ID        uint64          `json:"id"`
	At        time.Time       `json:"at"`
	Client    string          `json:"client"`             // as the client names itself
	ClientID  string          `json:"clientId,omitempty"` // of its connection
	Program   string          `json:"program,omitempty"`
	PID       int             `json:"pid,omitempty"`
	Session   string          `json:"session,omitempty"`
	Tool      string          `json:"tool"`
	Target    string          `json:"target,omitempty"` // what it was aimed at, in words
	Outcome   Outcome         `json:"outcome"`
	Millis    int64           `json:"ms"`
	Tokens    int             `json:"tokens,omitempty"`
	Error     string          `json:"error,omitempty"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	Result    string          `json:"result,omitempty"`
	Pictures  []Picture       `json:"-"`
	Hidden    map[string]int  `json:"hidden,omitempty"`  // secrets that stood in the reply and were masked: alias, times
	Dropped   bool            `json:"dropped,omitempty"` // arguments and result were let go, to stay small
}

// Picture is an image of a result.
type Picture struct {
	MIME string
	Data []byte
}

// Size is how many calls are kept.
const Size = 2000

// pictures is how many calls keep their pictures.
const pictures = 40

// mostBytes is how much arguments and results may take in all. Beyond it the oldest are let go; the calls themselves stay.
const mostBytes = 16 << 20

// Config sets up a Journal.
type Config struct {
	Size  int              // 0: Size
	Audit func(line Entry) // gets each call when it has ended; nil: no audit
}

// Journal is a ring of the last calls. Its methods may be called from any goroutine.
type Journal struct {
	cfg Config

	mu       sync.Mutex
	ring     []Entry // Entry n is at n % len
	next     uint64  // the first is 1
	pictured []uint64
	bytes    int    // of arguments and results
	kept     uint64 // the oldest call that may still have them
	subs     map[int]func(Entry)
	nextSub  int
}

// New returns an empty journal.
func New(cfg Config) *Journal {
	if cfg.Size == 0 {
		cfg.Size = Size
	}
	return &Journal{cfg: cfg, ring: make([]Entry, cfg.Size), next: 1, subs: map[int]func(Entry){}}
}

// Begin enters a call that runs and returns its id.
func (j *Journal) Begin(e Entry) uint64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	e.ID = j.next
	j.next++
	if e.Outcome == "" {
		e.Outcome = Running
	}
	slot := &j.ring[e.ID%uint64(len(j.ring))]
	j.bytes -= slot.size()
	*slot = e
	j.bytes += slot.size()
	j.trimLocked()
	j.tellLocked(e)
	return e.ID
}

func (e *Entry) size() int { return len(e.Arguments) + len(e.Result) }

// trimLocked lets go of the oldest arguments and results while there is too much of them.
func (j *Journal) trimLocked() {
	if n := uint64(len(j.ring)); j.next > n && j.kept < j.next-n {
		j.kept = j.next - n
	}
	for ; j.bytes > mostBytes && j.kept < j.next; j.kept++ {
		slot := &j.ring[j.kept%uint64(len(j.ring))]
		if slot.ID != j.kept || slot.Outcome == Running {
			continue
		}
		j.bytes -= slot.size()
		slot.Arguments, slot.Result, slot.Dropped = nil, "", true
	}
}

// Change corrects the entry of a call that runs.
func (j *Journal) Change(id uint64, change func(*Entry)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if slot := &j.ring[id%uint64(len(j.ring))]; slot.ID == id {
		j.bytes -= slot.size()
		change(slot)
		j.bytes += slot.size()
		j.tellLocked(*slot)
	}
}

// End enters how a call ended. change fills in the entry.
func (j *Journal) End(id uint64, change func(*Entry)) {
	j.mu.Lock()
	slot := &j.ring[id%uint64(len(j.ring))]
	var ended Entry
	if slot.ID == id {
		j.bytes -= slot.size()
		change(slot)
		j.bytes += slot.size()
		j.trimLocked()
		if len(slot.Pictures) > 0 {
			j.pictureLocked(id)
		}
		ended = *slot
		j.tellLocked(ended)
	} else {
		// So many calls came meanwhile that this one has left the ring; the audit still gets it.
		ended = Entry{ID: id}
		change(&ended)
	}
	j.mu.Unlock()
	if j.cfg.Audit != nil {
		j.cfg.Audit(ended)
	}
}

// pictureLocked drops the oldest pictures: they are big.
func (j *Journal) pictureLocked(id uint64) {
	j.pictured = append(j.pictured, id)
	if len(j.pictured) <= pictures {
		return
	}
	old := j.pictured[0]
	j.pictured = j.pictured[1:]
	if slot := &j.ring[old%uint64(len(j.ring))]; slot.ID == old {
		slot.Pictures = nil
	}
}

// Entries returns the calls after the one with that id, oldest first; 0 means all that are kept.
func (j *Journal) Entries(after uint64) []Entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	first := max(after+1, 1)
	if n := uint64(len(j.ring)); j.next > n && first < j.next-n {
		first = j.next - n
	}
	list := make([]Entry, 0, j.next-min(first, j.next))
	for id := first; id < j.next; id++ {
		list = append(list, j.ring[id%uint64(len(j.ring))])
	}
	return list
}

// Entry returns one call.
func (j *Journal) Entry(id uint64) (Entry, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	e := j.ring[id%uint64(len(j.ring))]
	return e, e.ID == id && id != 0
}

// Subscribe has fn called for each call that begins or ends, in order. It must not block, nor call the journal.
func (j *Journal) Subscribe(fn func(Entry)) (cancel func()) {
	j.mu.Lock()
	defer j.mu.Unlock()
	id := j.nextSub
	j.nextSub++
	j.subs[id] = fn
	return func() {
		j.mu.Lock()
		delete(j.subs, id)
		j.mu.Unlock()
	}
}

func (j *Journal) tellLocked(e Entry) {
	for _, fn := range j.subs {
		fn(e)
	}
}

// Export writes the calls that are kept as JSON lines.
func (j *Journal) Export(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, e := range j.Entries(0) {
		if err := enc.Encode(e); err != nil {
			return fmt.Errorf("the export of call %d: %w", e.ID, err)
		}
	}
	return nil
}
