package browser

import (
	"log/slog"
	"time"
)

// Mode says what becomes of a session's data.
type Mode string

// The modes of a session.
const (
	Persistent Mode = "persistent" // a profile folder of its own in the workspace, kept
	Incognito  Mode = "incognito"  // a temporary folder, removed with the session
)

// Config is what all sessions share.
type Config struct {
	Chromium  string       // path of the browser; empty: the first one installed
	Profiles  string       // folder of the kept profiles
	Temp      string       // folder for temporary profiles, on a disk that may be executed from
	Downloads string       // folder for downloads
	NoSandbox bool         // start Chromium without its sandbox: tests, and an explicit, warned setting
	Log       *slog.Logger // nil: nothing is logged
}

// Options are those of one session.
type Options struct {
	ID            string // the session's name, unique among open sessions
	Mode          Mode
	Profile       string // name of the kept profile; empty: the ID
	Headless      bool
	Width, Height int // of the page, CSS pixels; 0: 1280x720
	Policy        DialogPolicy
	Deadline      time.Duration // of an action that names none; 0: 5 s
	ExtraFlags    []string
	NoSandbox     bool
	KeepBodies    bool     // of answers, also after their page was left; it costs memory
	TestAttrs     []string // attributes that name elements for tests; empty: data-testid, data-test, data-cy, data-qa
}

// DialogMode says how dialogs of pages are answered.
type DialogMode string

// The ways to answer a page's alert, confirm, prompt and beforeunload.
const (
	DialogRaise        DialogMode = "raise"              // dismissed; the action that caused it says so
	DialogAccept       DialogMode = "accept"             // OK, Leave
	DialogDismiss      DialogMode = "dismiss"            // Cancel, Stay
	DialogAcceptPrompt DialogMode = "accept-prompt-with" // OK, with Text in a prompt
	DialogAsk          DialogMode = "ask-human"          // the person decides
)

// DialogPolicy is the standing answer to dialogs. Ask is used in the mode DialogAsk: it returns whether to accept, and the
// text of a prompt, and whether anybody was asked: where nobody could be, the dialog is raised.
type DialogPolicy struct {
	Mode DialogMode
	Text string
	Ask  func(Dialog) (accept bool, text string, asked bool)
}
