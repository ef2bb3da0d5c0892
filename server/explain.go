package server

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"chaperone/assets"
	"chaperone/browser"
	"chaperone/server/gate"
	"chaperone/server/question"
	"chaperone/server/secret"
	"chaperone/server/tool"
)

// advice is what can be done about an error, and on whose side it is.
type advice struct {
	err    error
	hint   string
	source string // "server", "app" (the page) or "unknown"
}

// The one table from errors to advice. Errors of a type of their own are below.
var advices = []advice{
	{browser.ErrNoSession, "Open it with open_session, or call navigate, which opens it.", "server"},
	{browser.ErrBrowserGone, "The browser was closed or has crashed. Call navigate or open_session: it opens again, and refs start anew.", "server"},
	{browser.ErrNoTab, "Call tabs({action:\"list\"}), then select one or open a new one.", "server"},
	{browser.ErrTabGone, "Call tabs({action:\"list\"}), then select one or open a new one.", "server"},
	{browser.ErrTargetGone, "What was worked on is gone. Take a snapshot and go on from there; tabs({action:\"list\"}) says which tabs are open.", "app"},
	{browser.ErrTabCrashed, "Call reload or navigate: the tab comes back, and refs start anew.", "app"},
	{browser.ErrDocumentGone, "The page went elsewhere meanwhile. Take a snapshot and go on from there.", "app"},
	{browser.ErrNoHistory, "Stay here, or call navigate with the address.", "server"},
	{browser.ErrNoChromium, "The person has to install Chromium or Chrome, or name one in BROWX_CHROMIUM; “chaperone doctor” says how.", "server"},
	{browser.ErrNoDisplay, "Open the session with headless:true, or have the person set BROWX_HEADLESS=1.", "server"},
	{browser.ErrDialogOpen, "The page waits for the answer to a dialog. set_dialog_policy says how dialogs are answered.", "app"},
	{browser.ErrUnknownKey, "Name a key as Enter, Tab, ArrowDown, a or Control+A.", "server"},
	{question.ErrTimedOut, "The person may be away. Go on without the answer, or ask again later.", ""},
	{context.Canceled, "The call was cancelled by its client.", ""},
}

// failed is the result of a call that did not come to its handler, or did not work.
func (s *Server) failed(err error) tool.Result { return s.failedWith(tool.Result{}, err) }

// failedWith is failed for a handler that has something to tell in spite of its error.
func (s *Server) failedWith(result tool.Result, err error) tool.Result {
	f := s.explain(err)
	if v, ok := result.Value.(tool.Failing); ok {
		v.Fail(f)
		result.Failed = true
		return result
	}
	return tool.Result{Value: f, Failed: true}
}

// explain turns an error into what an agent is told.
func (s *Server) explain(err error) tool.Failure {
	f := tool.Failure{Error: err.Error()}
	var (
		refusal *gate.Refusal
		wrong   *tool.ArgumentError
		late    *DeadlineError
		gone    *NoWaitError
		defect  *DefectError
		unknown *unknownToolError
		launch  *browser.LaunchError
		lent    *secret.Refusal
		advised interface{ Advice() (hint, source string) }
	)
	switch {
	case errors.As(err, &refusal):
		f.Error, f.Hint, f.Code, f.RequiredCapability = refusal.Why, refusal.Hint, string(refusal.Code), string(refusal.Capability)
		return f
	case errors.As(err, &wrong):
		f.Code, f.Hint = "bad-arguments", "Correct the arguments and call again."
		return f
	case errors.As(err, &unknown):
		f.Code, f.Hint = "unknown-tool", "toolsets lists all tools."
		return f
	case errors.As(err, &gone):
		f.Code, f.Hint = "unknown-request", "An outcome can be fetched for ten minutes, by the client whose call it was."
		return f
	case errors.Is(err, question.ErrNobody):
		f.Error, f.Hint, f.Code = assets.Say("server.nobody.standalone"), assets.Say("server.nobody.hint"), "nobody-there"
		return f
	case errors.As(err, &late):
		f.Hint = "Look at the page, then try again, with a greater timeoutMs if it is slow."
		f.Failure = &tool.FailureSource{Source: "server", Hint: f.Hint}
		return f
	case errors.As(err, &defect):
		f.Hint = "It is in the log under this id. Other calls work on."
		f.Failure = &tool.FailureSource{Source: "server", Hint: f.Hint}
		return f
	case errors.As(err, &lent):
		f.Hint, f.Code = lent.Hint, lent.Code
		return f
	case errors.As(err, &advised):
		var source string
		f.Hint, source = advised.Advice()
		f.Failure = sourceOf(source, f.Hint)
		return f
	}
	if errors.As(err, &launch) {
		// Before what it may wrap: that the browser has ended.
		f.Hint, f.Failure = ofBrowser(err)
		return f
	}
	for _, a := range advices {
		if errors.Is(err, a.err) {
			f.Hint, f.Failure = a.hint, sourceOf(a.source, a.hint)
			return f
		}
	}
	f.Hint, f.Failure = ofBrowser(err)
	return f
}

func sourceOf(source, hint string) *tool.FailureSource {
	if source == "" {
		return nil
	}
	return &tool.FailureSource{Source: source, Hint: hint}
}

// ofBrowser advises on the errors of package browser that have types.
func ofBrowser(err error) (hint string, source *tool.FailureSource) {
	var (
		inUse   *browser.ProfileInUseError
		launch  *browser.LaunchError
		load    *browser.NavigationError
		stuck   *browser.StuckError
		stayed  *browser.StayedError
		waiting *browser.WaitingError
	)
	switch {
	case errors.As(err, &inUse):
		hint = "Close that browser, or open the session with another profile, or with mode incognito."
		return hint, sourceOf("server", hint)
	case errors.As(err, &launch):
		hint = "“chaperone doctor” checks the browser and says how to mend it."
		return hint, sourceOf("server", hint)
	case errors.As(err, &load):
		hint = loadHint(load.Text)
		return hint, sourceOf("app", hint)
	case errors.As(err, &stuck):
		hint = "It may never end. Go elsewhere with navigate, or close the tab with tabs: both stop the script. Or, where the page is only slow, try again with a greater timeoutMs."
		return hint, sourceOf("app", hint)
	case errors.As(err, &waiting):
		hint = "Wait and try again, or go elsewhere with navigate. A site that is slow may need a greater timeoutMs."
		return hint, sourceOf("app", hint)
	case errors.As(err, &stayed):
		hint = "To leave the page all the same, call set_dialog_policy({mode:\"accept\"}) and then this again. To keep it, open the other address with tabs({action:\"new\"})."
		return hint, sourceOf("app", hint)
	}
	hint = "Look at the page with snapshot, then try again."
	return hint, sourceOf("unknown", hint)
}

// loadHints are looked through in this order for a part of the browser's own words.
var loadHints = []struct{ part, hint string }{
	{"CONNECTION_REFUSED", "Nothing listens at that address. Is the server started, and the port right?"},
	{"UNSAFE_PORT", "Browsers never connect to that port. Check the port."},
	{"NAME_NOT_RESOLVED", "There is no host of that name. Check its spelling."},
	{"CERT", "The site's certificate is not valid. Only the person can go on there."},
	{"SSL", "The site does not speak TLS properly. Is it http rather than https?"},
	{"TIMED_OUT", "The site did not answer. Try again later."},
	{"TOO_MANY_REDIRECTS", "The site redirects in a circle. It may want cookies, or a sign-in."},
	{"INTERNET_DISCONN", "This machine is offline."},
	{"BLOCKED", "The browser blocked it."},
	{"ABORTED", "No page came of it: the server sent nothing to show, or the page went elsewhere or stopped it meanwhile. Look at the page with snapshot."},
}

func loadHint(text string) string {
	for _, h := range loadHints {
		if strings.Contains(text, h.part) {
			return h.hint
		}
	}
	return "Check the address, or try again later."
}

// unknownToolError means that there is no such tool.
type unknownToolError struct{ name, near string }

func (e *unknownToolError) Error() string {
	return fmt.Sprintf("there is no tool %q%s", e.name, e.near)
}

func (s *Server) unknownTool(name string) error {
	if len(name) > 60 {
		name = name[:60] + "…"
	}
	return &unknownToolError{name, tool.DidYouMean(name, s.names)}
}
