package browser

import (
	"errors"
	"fmt"
	"time"

	"chaperone/browser/internal/cdp"
)

var (
	// ErrNoSession means that no session of that name is open.
	ErrNoSession = errors.New("no such session")
	// ErrBrowserGone means that the browser of the session has ended: closed by the person, or crashed. It is what every call
	// ends with that was under way.
	ErrBrowserGone = cdp.ErrClosed
	// ErrTargetGone means that the page or frame in which a call was under way is gone.
	ErrTargetGone = cdp.ErrSessionGone
	// ErrNoTab means that the session has no current tab.
	ErrNoTab = errors.New("no tab is selected")
	// ErrTabGone means that the tab has been closed.
	ErrTabGone = errors.New("the tab has been closed")
	// ErrTabCrashed means that the page's process has crashed; a reload or a navigation brings the tab back.
	ErrTabCrashed = errors.New("the page has crashed")
	// ErrDocumentGone means that a frame navigated or went away while it was asked.
	ErrDocumentGone = errors.New("the page navigated away meanwhile")
	// ErrNoHistory means that the tab has been nowhere before, or nowhere after.
	ErrNoHistory = errors.New("this tab's history has no such entry")
	// ErrNoChromium means that no Chromium or Chrome was found.
	ErrNoChromium = errors.New("no Chromium or Chrome was found")
	// ErrNoDisplay means that a visible window was asked for where there is no display.
	ErrNoDisplay = errors.New("there is no display for a visible browser window")
	// ErrUnknownKey means that a key's name is none that is known.
	ErrUnknownKey = errors.New("the key is not known: use a single character, a name such as Enter, Tab, Escape, ArrowDown, PageUp, F5, or a chord such as Control+A")
	// ErrDialogOpen means that the page waits for the answer to a dialog.
	ErrDialogOpen = errors.New("a dialog of the page is open")
)

// ProfileInUseError says that another process holds a profile folder.
type ProfileInUseError struct {
	Profile string // its name, not its path
	Owner   string // "chromium (pid 123)", or the host that holds it
}

func (e *ProfileInUseError) Error() string {
	return fmt.Sprintf("the profile %q is in use by %s", e.Profile, e.Owner)
}

// LaunchError says why Chromium did not come up, with the last lines it printed.
type LaunchError struct {
	Path   string
	Output string
	Err    error
}

func (e *LaunchError) Error() string {
	if e.Output == "" {
		return fmt.Sprintf("%s did not start: %v", e.Path, e.Err)
	}
	return fmt.Sprintf("%s did not start: %v; it printed: %s", e.Path, e.Err, e.Output)
}

func (e *LaunchError) Unwrap() error { return e.Err }

// NavigationError says why a page could not be loaded, in the browser's own words (net::ERR_…).
type NavigationError struct {
	URL  string
	Text string
}

func (e *NavigationError) Error() string {
	return fmt.Sprintf("%s could not be loaded: %s", e.URL, e.Text)
}

// StuckError says that a page answered nothing at the end of the time that it was given: its thread is taken, mostly by a
// script of its own that does not end.
type StuckError struct{ For time.Duration } // how long it had not answered

func (e *StuckError) Error() string {
	return fmt.Sprintf("the page has not answered for %.1f s: a script of its own is still running, or there is too much in it", e.For.Seconds())
}

// WaitingError says that a tab could not be asked for anything since it waits for another document, which has not come.
type WaitingError struct{ URL string }

func (e *WaitingError) Error() string {
	return fmt.Sprintf("the tab waits for %s, which has not come yet", e.URL)
}

// StayedError says that a page was not left, because its question whether to leave (beforeunload) was answered with staying.
type StayedError struct{ By string } // "policy" or "person"

func (e *StayedError) Error() string {
	who := "was dismissed"
	if e.By == "person" {
		who = "was answered by the person with staying"
	}
	return "the page was not left: it asked whether to leave (a beforeunload dialog), which " + who
}
