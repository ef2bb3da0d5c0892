package browser

import (
	"fmt"
	"time"

	"chaperone/browser/internal/cdp"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/page"
)

// Dialog is one alert, confirm, prompt or beforeunload question of a page, with the answer it got.
type Dialog struct {
	Type     string // "alert", "confirm", "prompt", "beforeunload"
	Message  string // the page's words; untrusted
	Default  string // of a prompt
	URL      string // of the frame that asked
	Accepted bool
	Text     string // that was put into a prompt
	By       string // "policy" or "person"
	At       time.Time
	Raised   bool // the policy was to report it as a failure of the action
}

// dialogOpening answers a dialog at once, so that the page never hangs, unless the person is to be asked.
func (t *Tab) dialogOpening(sess *cdp.Session, params jsonv2.Value) {
	ev, err := cdp.Decode[page.EventJavascriptDialogOpening](params)
	if err != nil {
		return
	}
	policy := t.session.DialogPolicy()
	d := Dialog{Type: string(ev.Type), Message: ev.Message, Default: ev.DefaultPrompt, URL: ev.URL, By: "policy", At: time.Now()}
	if policy.Mode == DialogAsk && policy.Ask != nil {
		t.mu.Lock()
		t.dialog = &d
		t.notifyLocked()
		t.mu.Unlock()
		go func() {
			d := d
			accept, text, asked := policy.Ask(d)
			if asked {
				d.Accepted, d.Text, d.By = accept, text, "person"
			} else {
				d.Raised = true
			}
			t.answerDialog(sess, d)
		}()
		return
	}
	switch policy.Mode {
	case DialogAccept:
		d.Accepted, d.Text = true, d.Default
	case DialogAcceptPrompt:
		d.Accepted = true
		if d.Type == "prompt" {
			d.Text = policy.Text
		}
	case DialogDismiss:
	default:
		d.Raised = true
	}
	t.answerDialog(sess, d)
	t.stopFlood(sess, d)
}

func (t *Tab) answerDialog(sess *cdp.Session, d Dialog) {
	answer := map[string]any{"accept": d.Accepted}
	if d.Accepted && d.Type == "prompt" {
		answer["promptText"] = d.Text
	}
	sess.Send("Page.handleJavaScriptDialog", answer)
	t.mu.Lock()
	t.dialog = nil
	for _, w := range t.windows {
		if len(w.effects.Dialogs) < flood {
			w.effects.Dialogs = append(w.effects.Dialogs, d)
		}
	}
	if len(t.windows) == 0 && d.Raised {
		t.raised = &d
	}
	t.notifyLocked()
	t.mu.Unlock()
}

// A page that opens dialog after dialog holds everything up. A browser offers a person to prevent more of them; here the
// script that opens them is ended, and when that does not help, the page's process.
const (
	flood      = 20 // dialogs one after the other
	floodSame  = 6  // the same one, again and again
	floodPause = 200 * time.Millisecond
)

func (t *Tab) stopFlood(sess *cdp.Session, d Dialog) {
	t.mu.Lock()
	if d.At.Sub(t.lastDialog) > floodPause {
		t.dialogs, t.same = 0, 0
	}
	words := d.Type + " " + d.Message
	if words != t.lastWords {
		t.same = 0
	}
	t.lastDialog, t.lastWords = d.At, words
	t.dialogs++
	t.same++
	over := t.dialogs%flood == 0 || t.same%floodSame == 0
	again := over && t.flooded
	if over {
		t.flooded = true
		for _, w := range t.windows {
			w.effects.Unsettled = fmt.Sprintf("the page opened one dialog after the other; after %d of them it was stopped", t.dialogs)
		}
	}
	t.mu.Unlock()
	switch {
	case again:
		sess.Send("Page.crash", nil)
	case over:
		sess.Send("Runtime.terminateExecution", nil)
	}
}

// dialogClosed notices a dialog that the person answered in the browser's window.
func (t *Tab) dialogClosed() {
	t.mu.Lock()
	t.dialog = nil
	t.notifyLocked()
	t.mu.Unlock()
}

func (t *Tab) openDialog() *Dialog {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.dialog
}
