package browser

import (
	"os"
	"path/filepath"
	"time"

	"chaperone/browser/internal/cdp"

	protocol "github.com/chromedp/cdproto/browser"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
)

// Download is one download of a session, as far as it has come.
type Download struct {
	ID       string // the browser's name of it, also the name of its file in the session's downloads folder
	URL      string
	Name     string // as the site suggests it; untrusted
	State    string // "in_progress", "completed", "canceled"
	Received int64
	Total    int64 // 0 where unknown
	Path     string
	At       time.Time
	tab      *Tab
}

// setDownloads has the browser save downloads under names that a site cannot choose, and tell us of them.
func (s *Session) setDownloads(root *cdp.Session) {
	params := map[string]any{"behavior": "deny", "eventsEnabled": true}
	if dir := s.downloadDir(); dir != "" {
		params = map[string]any{"behavior": "allowAndName", "downloadPath": dir, "eventsEnabled": true}
	}
	root.Send(protocol.CommandSetDownloadBehavior, params)
}

func (s *Session) downloadDir() string {
	if s.browser.cfg.Downloads == "" {
		return ""
	}
	dir := filepath.Join(s.browser.cfg.Downloads, filepath.Base(s.dir))
	if os.MkdirAll(dir, 0o700) != nil {
		return ""
	}
	return dir
}

func (s *Session) downloadBegins(params jsonv2.Value) {
	ev, err := cdp.Decode[protocol.EventDownloadWillBegin](params)
	if err != nil {
		return
	}
	t := s.tabOfFrame(ev.FrameID)
	d := &Download{ID: ev.GUID, URL: ev.URL, Name: filepath.Base(ev.SuggestedFilename), State: "in_progress", At: time.Now(), tab: t}
	s.mu.Lock()
	s.downloads[ev.GUID] = d
	s.mu.Unlock()
	if t == nil {
		return
	}
	t.mu.Lock()
	if f := t.frames[ev.FrameID]; f != nil {
		f.pending = time.Time{}
	}
	for _, w := range t.windows {
		w.effects.Downloads = append(w.effects.Downloads, *d)
		w.download = time.Time{}
	}
	t.notifyLocked()
	t.mu.Unlock()
}

func (s *Session) downloadProgress(params jsonv2.Value) {
	ev, err := cdp.Decode[protocol.EventDownloadProgress](params)
	if err != nil {
		return
	}
	s.mu.Lock()
	d := s.downloads[ev.GUID]
	if d == nil {
		s.mu.Unlock()
		return
	}
	d.Received, d.Total, d.State = int64(ev.ReceivedBytes), int64(ev.TotalBytes), snake(string(ev.State))
	if d.State == "completed" {
		d.Path = ev.FilePath
		if d.Path == "" {
			d.Path = filepath.Join(s.downloadDir(), d.ID)
		}
	}
	now, t := *d, d.tab
	s.mu.Unlock()
	if t == nil {
		return
	}
	t.forWindows(func(w *window) {
		for i := range w.effects.Downloads {
			if w.effects.Downloads[i].ID == now.ID {
				w.effects.Downloads[i] = now
			}
		}
	})
}

func snake(s string) string {
	if s == "inProgress" {
		return "in_progress"
	}
	return s
}

// Downloads returns the session's downloads.
func (s *Session) Downloads() []Download {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]Download, 0, len(s.downloads))
	for _, d := range s.downloads {
		list = append(list, *d)
	}
	return list
}
