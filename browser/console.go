package browser

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"chaperone/browser/internal/cdp"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
)

// ConsoleMessage is one line of a page's console, or an uncaught error.
type ConsoleMessage struct {
	Time time.Time
	Type string // "log", "warning", "error", …, as the protocol names it
	Text string
}

// consoleTextLimit is the longest text that is kept. A longer one is dropped whole and not cut, since the mask runs later and
// could not recognise half a value.
const consoleTextLimit = 256 << 10

func (t *Tab) consoleCalled(params jsonv2.Value) {
	ev, err := cdp.Decode[runtime.EventConsoleAPICalled](params)
	if err != nil {
		return
	}
	parts := make([]string, 0, len(ev.Args))
	for _, arg := range ev.Args {
		parts = append(parts, objectText(arg))
	}
	t.addConsole(ConsoleMessage{Time: time.Now(), Type: string(ev.Type), Text: strings.Join(parts, " ")})
}

// objectText writes a console argument as a person would see it.
func objectText(o *runtime.RemoteObject) string {
	switch {
	case o.UnserializableValue != "":
		return string(o.UnserializableValue)
	case len(o.Value) > 0:
		var s string
		if json.Unmarshal(o.Value, &s) == nil {
			return s
		}
		return string(o.Value)
	case o.Description != "":
		return o.Description
	default:
		return string(o.Type)
	}
}

func (t *Tab) exceptionThrown(params jsonv2.Value) {
	ev, err := cdp.Decode[runtime.EventExceptionThrown](params)
	if err != nil || ev.ExceptionDetails == nil {
		return
	}
	d := ev.ExceptionDetails
	text := d.Text
	if d.Exception != nil {
		if words := objectText(d.Exception); words != "" {
			text = strings.TrimSpace(text + " " + words)
		}
	}
	if d.URL != "" {
		text += " (" + d.URL + ":" + strconv.FormatInt(d.LineNumber+1, 10) + ")"
	}
	m := ConsoleMessage{Time: time.Now(), Type: "pageerror", Text: clip(text)}
	t.mu.Lock()
	t.pageErrs.add(m)
	for _, w := range t.windows {
		w.effects.PageErrors = append(w.effects.PageErrors, m.Text)
	}
	t.mu.Unlock()
}

func (t *Tab) handleLog(name string, params jsonv2.Value) {
	if name != "entryAdded" {
		return
	}
	ev, err := cdp.Decode[log.EventEntryAdded](params)
	if err != nil || ev.Entry == nil {
		return
	}
	text := ev.Entry.Text
	if ev.Entry.URL != "" {
		text += " (" + ev.Entry.URL + ")"
	}
	t.addConsole(ConsoleMessage{Time: time.Now(), Type: string(ev.Entry.Level), Text: text})
}

func (t *Tab) addConsole(m ConsoleMessage) {
	m.Text = clip(m.Text)
	t.mu.Lock()
	t.console.add(m)
	for _, w := range t.windows {
		switch m.Type {
		case "error", "assert":
			w.effects.ConsoleErrors = append(w.effects.ConsoleErrors, m.Text)
		case "warning":
			w.effects.ConsoleWarnings++
		}
	}
	t.mu.Unlock()
}

// Console returns the newest limit lines of the console, oldest first, and the uncaught errors of the page.
func (t *Tab) Console(limit int) (recent, pageErrors []ConsoleMessage) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.console.last(limit), t.pageErrs.last(limit)
}

func clip(s string) string {
	if len(s) <= consoleTextLimit {
		return s
	}
	return fmt.Sprintf("[a text of %d bytes, too long to keep]", len(s))
}
