package browser

import (
	"errors"
	"fmt"
)

var (
	// ErrNoSession means that no session of that name is open.
	ErrNoSession = errors.New("no such session")
	// ErrBrowserGone means that the browser of the session has ended: closed by the person, or crashed.
	ErrBrowserGone = errors.New("the browser has ended")
	// ErrNoTab means that the session has no current tab.
	ErrNoTab = errors.New("no tab is selected")
	// ErrTabGone means that the tab has been closed.
	ErrTabGone = errors.New("the tab has been closed")
	// ErrTabCrashed means that the page's process has crashed; a reload or a navigation brings the tab back.
	ErrTabCrashed = errors.New("the page has crashed")
	// ErrDocumentGone means that a frame navigated or went away while it was asked.
	ErrDocumentGone = errors.New("the page navigated away meanwhile")
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
