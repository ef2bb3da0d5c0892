package journal

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestRing(t *testing.T) {
	j := New(Config{Size: 10})
	var told []Entry
	cancel := j.Subscribe(func(e Entry) { told = append(told, e) })
	for i := range 25 {
		id := j.Begin(Entry{Tool: "click"})
		if id != uint64(i+1) {
			t.Fatalf("id %d", id)
		}
		j.End(id, func(e *Entry) { e.Outcome = OK; e.Result = "r" })
	}
	all := j.Entries(0)
	if len(all) != 10 || all[0].ID != 16 || all[9].ID != 25 || all[9].Outcome != OK {
		t.Errorf("%d entries, %+v … %+v", len(all), all[0], all[len(all)-1])
	}
	if got := j.Entries(23); len(got) != 2 || got[0].ID != 24 {
		t.Errorf("after 23: %+v", got)
	}
	if got := j.Entries(99); len(got) != 0 {
		t.Errorf("after 99: %+v", got)
	}
	if _, ok := j.Entry(15); ok {
		t.Error("15 is still there")
	}
	if e, ok := j.Entry(20); !ok || e.ID != 20 {
		t.Errorf("%+v, %v", e, ok)
	}
	if len(told) != 50 || told[0].Outcome != Running || told[1].Outcome != OK {
		t.Errorf("told %d times: %+v", len(told), told[:2])
	}
	cancel()
	j.Begin(Entry{})
	if len(told) != 50 {
		t.Error("told after cancel")
	}
}

// A call that is overtaken by a whole ring of others ends without touching the one that took its place.
func TestOvertaken(t *testing.T) {
	var audited []Entry
	j := New(Config{Size: 4, Audit: func(e Entry) { audited = append(audited, e) }})
	slow := j.Begin(Entry{Tool: "await_human"})
	for range 4 {
		j.End(j.Begin(Entry{Tool: "click"}), func(e *Entry) { e.Outcome = OK })
	}
	j.End(slow, func(e *Entry) { e.Tool = "await_human"; e.Outcome = Failed })
	for _, e := range j.Entries(0) {
		if e.Tool != "click" || e.Outcome != OK {
			t.Errorf("%+v", e)
		}
	}
	if last := audited[len(audited)-1]; len(audited) != 5 || last.Tool != "await_human" {
		t.Errorf("audited %+v", audited)
	}
}

func TestPictures(t *testing.T) {
	j := New(Config{})
	for range 100 {
		j.End(j.Begin(Entry{}), func(e *Entry) { e.Pictures = []Picture{{Data: []byte("x")}} })
	}
	n := 0
	for _, e := range j.Entries(0) {
		n += len(e.Pictures)
	}
	if n != pictures {
		t.Errorf("%d pictures are kept", n)
	}
}

// Many big results do not pile up: the oldest are let go, the calls stay.
func TestBytes(t *testing.T) {
	j := New(Config{})
	big := strings.Repeat("x", 200<<10)
	for range 500 {
		j.End(j.Begin(Entry{Tool: "snapshot", Arguments: json.RawMessage(`{}`)}), func(e *Entry) { e.Outcome = OK; e.Result = big })
	}
	all := j.Entries(0)
	sum, held := 0, 0
	for _, e := range all {
		sum += e.size()
		if !e.Dropped {
			held++
		}
	}
	if len(all) != 500 || sum > mostBytes || held < 70 || !all[0].Dropped || all[499].Dropped || all[0].Tool != "snapshot" || j.bytes != sum {
		t.Errorf("%d calls, %d of them whole, %d bytes (counted %d)", len(all), held, sum, j.bytes)
	}
}

func TestExport(t *testing.T) {
	j := New(Config{})
	j.End(j.Begin(Entry{Tool: "fill", Arguments: json.RawMessage(`{"value":"<PW>"}`)}), func(e *Entry) { e.Result = `{"ok":true}` })
	var b bytes.Buffer
	if err := j.Export(&b); err != nil {
		t.Fatal(err)
	}
	var e Entry
	if err := json.Unmarshal(b.Bytes(), &e); err != nil || e.Tool != "fill" || e.Result != `{"ok":true}` || string(e.Arguments) != `{"value":"<PW>"}` {
		t.Errorf("%s: %v", b.String(), err)
	}
}

func TestAudit(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "audit")
	a, err := OpenAudit(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	j := New(Config{Audit: a.Write})
	j.End(j.Begin(Entry{Tool: "snapshot"}), func(e *Entry) { e.Outcome = OK; e.Result = "what the page shows" })
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if len(files) != 1 {
		t.Fatalf("%v", files)
	}
	data, _ := os.ReadFile(files[0])
	if !strings.Contains(string(data), `"tool":"snapshot"`) || strings.Contains(string(data), "what the page shows") {
		t.Errorf("%s", data)
	}
	if info, _ := os.Stat(files[0]); info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	if info, _ := os.Stat(dir); info.Mode().Perm() != 0o700 {
		t.Errorf("mode of the folder %v", info.Mode())
	}
}

func TestConcurrent(t *testing.T) {
	j := New(Config{Size: 16})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 500 {
				id := j.Begin(Entry{Tool: "t"})
				j.End(id, func(e *Entry) { e.Outcome = OK })
				j.Entries(id - 1)
			}
		})
	}
	wg.Wait()
	if all := j.Entries(0); len(all) != 16 || all[15].ID != 4000 {
		t.Errorf("%d entries", len(all))
	}
}

func TestAuditThatCannotBeWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "audit")
	var said bytes.Buffer
	a, err := OpenAudit(dir, slog.New(slog.NewTextHandler(&said, nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	a.Write(Entry{Tool: "first"})
	// The file is closed behind its back: what is written now is lost, which is said, once.
	if err := a.file.Close(); err != nil {
		t.Fatal(err)
	}
	a.Write(Entry{Tool: "second"})
	a.Write(Entry{Tool: "third"})
	if n := strings.Count(said.String(), "cannot be written"); n != 1 {
		t.Errorf("said %d times:\n%s", n, said.String())
	}
}
