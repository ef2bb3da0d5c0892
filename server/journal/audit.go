package journal

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Audit writes a line for each call into a file of the day. What pages showed is not in it: results are left out but for
// their errors.
type Audit struct {
	dir string
	log *slog.Logger

	mu   sync.Mutex
	day  string
	file *os.File
	bad  bool
}

// OpenAudit makes the folder, readable for its owner only.
func OpenAudit(dir string, log *slog.Logger) (*Audit, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("the audit folder: %w", err)
	}
	return &Audit{dir: dir, log: log}, nil
}

// Write adds a line. An audit that cannot be written is logged once and does not stop the work.
func (a *Audit) Write(e Entry) {
	e.Result, e.Pictures = "", nil
	line, err := json.Marshal(e)
	if err != nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if err = a.openLocked(time.Now().Format(time.DateOnly)); err == nil {
		_, err = a.file.Write(append(line, '\n'))
	}
	if err != nil && !a.bad && a.log != nil {
		a.log.Error("the audit cannot be written", "folder", a.dir, "error", err)
	}
	a.bad = err != nil
}

func (a *Audit) openLocked(day string) error {
	if a.file != nil && a.day == day {
		return nil
	}
	if a.file != nil {
		_ = a.file.Close()
		a.file = nil
	}
	f, err := os.OpenFile(filepath.Join(a.dir, day+".jsonl"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	a.file, a.day = f, day
	return nil
}

// Close ends the file.
func (a *Audit) Close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.file == nil {
		return nil
	}
	err := a.file.Close()
	a.file = nil
	return err
}
