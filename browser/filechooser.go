package browser

import (
	"context"
	"time"

	"chaperone/browser/internal/cdp"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/page"
)

// FileChooser is a file dialog that a page asked for while an agent acted. The dialog is not shown; the page waits for nothing.
type FileChooser struct {
	Multiple bool
	FrameID  string
	Node     int64 // backend node id of the input, 0 where there is none
	At       time.Time
}

// filesAfter is how long after an action a late file dialog still counts as the agent's.
const filesAfter = 10 * time.Second

// interceptFiles switches between the agent's file dialogs, which are reported, and the person's own, which are shown. It
// is sent before each action and ends by itself a while after the last one.
func (t *Tab) interceptFiles(ctx context.Context, on bool) {
	t.mu.Lock()
	was := time.Now().Before(t.filesTill)
	if on {
		t.filesTill = time.Now().Add(filesAfter)
	} else {
		t.filesTill = time.Time{}
	}
	t.mu.Unlock()
	if on && !was {
		// The reply is awaited: input takes another way to the page and could arrive first.
		_ = t.cdp.Call(ctx, "Page.setInterceptFileChooserDialog", map[string]any{"enabled": true}, nil)
		time.AfterFunc(filesAfter, t.endFiles)
	}
	if !on {
		t.cdp.Send("Page.setInterceptFileChooserDialog", map[string]any{"enabled": false})
	}
}

func (t *Tab) endFiles() {
	t.mu.Lock()
	left := time.Until(t.filesTill)
	gone := t.err != nil || t.filesTill.IsZero()
	t.mu.Unlock()
	switch {
	case gone:
	case left > 0:
		time.AfterFunc(left, t.endFiles)
	default:
		t.interceptFiles(context.Background(), false)
	}
}

func (t *Tab) fileChooser(params jsonv2.Value) {
	ev, err := cdp.Decode[page.EventFileChooserOpened](params)
	if err != nil {
		return
	}
	chooser := &FileChooser{
		Multiple: ev.Mode == page.FileChooserOpenedModeSelectMultiple, FrameID: string(ev.FrameID), Node: int64(ev.BackendNodeID), At: time.Now(),
	}
	t.mu.Lock()
	for _, w := range t.windows {
		w.effects.FileChooser, w.chooser = chooser, time.Time{}
	}
	if len(t.windows) == 0 {
		t.lateChooser = chooser
	}
	t.notifyLocked()
	t.mu.Unlock()
}
