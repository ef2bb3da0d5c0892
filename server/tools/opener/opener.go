// Package opener finds the session and the tab that a call works on, and opens a session that is not open yet.
package opener

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"chaperone/browser"
	"chaperone/internal/settings"
	"chaperone/server/client"
	"chaperone/server/question"
	"chaperone/server/tool"

	"chaperone/assets"
)

// Asker asks the person.
type Asker interface {
	Ask(context.Context, question.Question) (question.Answer, error)
}

// Opener opens sessions with what the settings say.
type Opener struct {
	Browser  *browser.Browser
	Settings *settings.Store
	Ask      Asker
	// Shows reports whether the page at an address may be shown to the client; nil: all may.
	Shows func(c *client.Client, session, address string) bool
}

// Wishes are what a caller of open_session may ask for.
type Wishes struct {
	Mode          browser.Mode
	Profile       string
	Headless      *bool
	Width, Height int
	Dialogs       browser.DialogPolicy
}

// Tab returns the current tab of an open session.
func (o *Opener) Tab(session string) (*browser.Tab, error) {
	s, err := o.Browser.Session(session)
	if err != nil {
		return nil, err
	}
	return s.Current()
}

// TabOrOpen returns the current tab of a session, which is opened if it is not. In a session without a tab it opens one.
// again is true when the browser of the session had ended and was started again, which its user should know.
func (o *Opener) TabOrOpen(ctx context.Context, session string) (t *browser.Tab, again bool, err error) {
	_, err = o.Browser.Session(session)
	again = errors.Is(err, browser.ErrBrowserGone)
	s, _, err := o.Open(ctx, session, Wishes{})
	if err != nil {
		return nil, again, err
	}
	if len(s.Tabs()) == 0 {
		t, err = s.NewTab(ctx)
		return t, again, err
	}
	t, err = s.Current()
	return t, again, err
}

// Open opens a session, or returns the one that is open.
func (o *Opener) Open(ctx context.Context, session string, w Wishes) (s *browser.Session, fresh bool, err error) {
	if strings.ContainsAny(session, "/\\\x00") || len(session) > 60 || strings.HasPrefix(session, ".") {
		return nil, false, fmt.Errorf("%q cannot be the name of a session: use up to 60 letters, digits, - and _", session)
	}
	options := browser.Options{
		ID: session, Mode: w.Mode, Profile: w.Profile, Headless: o.Settings.Bool("headless"), Width: w.Width, Height: w.Height, Policy: w.Dialogs,
		NoSandbox: o.Settings.Bool("noSandbox"), TestAttrs: o.Settings.List("testAttributes"),
		KeepBodies: slices.Contains(o.Settings.List("capabilities"), string(tool.NetworkBody)),
		Deadline:   time.Duration(o.Settings.Int(session, "actionTimeoutMs")) * time.Millisecond,
	}
	if options.Width == 0 {
		options.Width, options.Height, _ = settings.Size(o.Settings.Text("viewport"))
	}
	if w.Headless != nil {
		options.Headless = *w.Headless
	}
	if o.Settings.Bool("disableWebSecurity") {
		options.ExtraFlags = append(options.ExtraFlags, "--disable-web-security")
	}
	options.Policy = o.Policy(session, options.Policy)
	return o.Browser.Open(ctx, options)
}

// Policy completes the standing answer to dialogs with the way to ask the person.
func (o *Opener) Policy(session string, p browser.DialogPolicy) browser.DialogPolicy {
	if p.Mode == browser.DialogAsk {
		p.Ask = func(d browser.Dialog) (bool, string, bool) { return o.askDialog(session, d) }
	}
	return p
}

// askDialog puts a page's dialog to the person. asked is false where nobody could be asked.
func (o *Opener) askDialog(session string, d browser.Dialog) (accept bool, text string, asked bool) {
	q := question.Question{Kind: question.Confirm, Ask: assets.Say("server.ask.dialog", d.URL, d.Type), Quote: d.Message, Session: session, Timeout: 5 * time.Minute}
	if d.Type == "prompt" {
		q.Kind = question.Input
	}
	answer, err := o.Ask.Ask(context.Background(), q)
	if errors.Is(err, question.ErrNobody) {
		return false, "", false
	}
	if err != nil || answer.Declined {
		return false, "", true
	}
	return answer.Yes || q.Kind == question.Input, answer.Text, true
}

// Viewport is a size as agents give it.
type Viewport struct {
	Width  int `json:"width" jsonschema:"CSS pixels" min:"100" max:"10000"`
	Height int `json:"height" jsonschema:"CSS pixels" min:"100" max:"10000"`
}
