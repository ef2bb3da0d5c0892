package browser

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	protocolcdp "github.com/chromedp/cdproto/cdp"
)

// WaitUntil says how far a page must have come for a navigation to be over.
type WaitUntil string

// The stages of loading.
const (
	WaitLoad        WaitUntil = "load"
	WaitDOM         WaitUntil = "domcontentloaded"
	WaitNetworkIdle WaitUntil = "networkidle"
	WaitCommit      WaitUntil = "commit"
)

// Navigate loads a URL in the tab. A page that answers with an error status has loaded; one that could not be fetched is a
// *NavigationError.
func (t *Tab) Navigate(ctx context.Context, url string, until WaitUntil) (Effects, error) {
	e, err := t.navigateOnce(ctx, url, until)
	if errors.Is(err, ErrTabCrashed) && e.Navigation == NavNone && ctx.Err() == nil {
		// It was the page before that had died, and the news of it came late.
		return t.navigateOnce(ctx, url, until)
	}
	return e, err
}

func (t *Tab) navigateOnce(ctx context.Context, url string, until WaitUntil) (Effects, error) {
	return t.load(ctx, until, func(ctx context.Context, w *window) (protocolcdp.LoaderID, error) {
		reply, err := t.pageNavigate(ctx, url)
		if err == nil && reply.ErrorText == aborted && (t.nothingHappened(w) || t.stoppedFlood(w)) {
			// The browser drops a navigation that comes while it still takes back one that the page refused to leave for, and one
			// whose page was just ended for its dialogs.
			reply, err = t.pageNavigate(ctx, url)
		}
		switch {
		case err != nil:
			return "", t.root.callError(err)
		case reply.IsDownload:
			return "", nil
		case reply.ErrorText != "":
			if reply.ErrorText != aborted {
				t.awaitErrorPage(ctx, reply.LoaderID)
			}
			return "", &NavigationError{URL: url, Text: reply.ErrorText}
		}
		return reply.LoaderID, nil
	})
}

const aborted = "net::ERR_ABORTED"

type navigateReply struct {
	LoaderID   protocolcdp.LoaderID `json:"loaderId"`
	ErrorText  string               `json:"errorText"`
	IsDownload bool                 `json:"isDownload"`
}

func (t *Tab) pageNavigate(ctx context.Context, url string) (reply navigateReply, err error) {
	err = t.cdp.Call(ctx, "Page.navigate", map[string]any{"url": url}, &reply)
	return reply, err
}

// nothingHappened reports whether the action has caused nothing that could have ended its navigation.
func (t *Tab) nothingHappened(w *window) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(w.requests)+len(w.effects.Dialogs)+len(w.effects.Downloads) == 0 && !t.crashed
}

// stoppedFlood reports whether the page was just stopped for opening dialog after dialog, and did not refuse to be left.
func (t *Tab) stoppedFlood(w *window) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.flooded && time.Since(t.lastDialog) < 3*time.Second && !slices.ContainsFunc(w.effects.Dialogs, func(d Dialog) bool { return d.Type == "beforeunload" })
}

// errorPageLimit is how long the browser may take to show its own page about one that could not be fetched.
const errorPageLimit = 2 * time.Second

// awaitErrorPage waits for the browser's own page about a failure. It comes after the failure has been told, and until it is
// there the tab cannot be asked for anything.
func (t *Tab) awaitErrorPage(ctx context.Context, loader protocolcdp.LoaderID) {
	limit, cancel := context.WithTimeout(ctx, errorPageLimit)
	defer cancel()
	_ = t.await(limit, func() bool {
		f := t.root
		return f.unreachable && (loader == "" || f.loader == loader) && f.world != nil || t.crashed || t.dialog != nil
	})
}

// Reload loads the page again, from the network when ignoreCache is set.
func (t *Tab) Reload(ctx context.Context, until WaitUntil, ignoreCache bool) (Effects, error) {
	return t.load(ctx, until, func(ctx context.Context, w *window) (protocolcdp.LoaderID, error) {
		before := t.loader()
		if err := t.cdp.Call(ctx, "Page.reload", map[string]any{"ignoreCache": ignoreCache}, nil); err != nil {
			return "", t.root.callError(err)
		}
		return t.nextLoader(ctx, w, before, t.URL())
	})
}

// history goes through the tab's history by that many entries, which is -1 or 1.
func (t *Tab) history(ctx context.Context, step int, until WaitUntil) (Effects, error) {
	return t.load(ctx, until, func(ctx context.Context, w *window) (protocolcdp.LoaderID, error) {
		var list struct {
			Current int `json:"currentIndex"`
			Entries []struct {
				ID  int64  `json:"id"`
				URL string `json:"url"`
			} `json:"entries"`
		}
		if err := t.cdp.Call(ctx, "Page.getNavigationHistory", nil, &list); err != nil {
			return "", t.root.callError(err)
		}
		at := list.Current + step
		if at < 0 || at >= len(list.Entries) {
			way := "back"
			if step > 0 {
				way = "forward"
			}
			return "", fmt.Errorf("there is nothing to go %s to: %w", way, ErrNoHistory)
		}
		before := t.loader()
		if err := t.cdp.Call(ctx, "Page.navigateToHistoryEntry", map[string]any{"entryId": list.Entries[at].ID}, nil); err != nil {
			return "", t.root.callError(err)
		}
		return t.nextLoader(ctx, w, before, list.Entries[at].URL)
	})
}

// Back goes to the previous entry of the tab's history.
func (t *Tab) Back(ctx context.Context, until WaitUntil) (Effects, error) {
	return t.history(ctx, -1, until)
}

// Forward goes to the next entry of the tab's history.
func (t *Tab) Forward(ctx context.Context, until WaitUntil) (Effects, error) {
	return t.history(ctx, 1, until)
}

func (t *Tab) loader() protocolcdp.LoaderID {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.root.loader
}

// nextLoader waits for the document that a reload or a step in the history brings. It is none when the step stays in the
// document.
func (t *Tab) nextLoader(ctx context.Context, w *window, before protocolcdp.LoaderID, url string) (loader protocolcdp.LoaderID, err error) {
	ended := ""
	err = t.await(ctx, func() bool {
		if t.root.loader != before {
			loader = t.root.loader
			return true
		}
		if i := slices.IndexFunc(w.requests, func(r *Request) bool { return t.endsLoad(r) }); i >= 0 {
			ended = w.requests[i].Failed
			return true
		}
		return w.effects.Navigation != NavNone || w.stayed() != nil || t.crashed || t.dialog != nil
	})
	if ended != "" {
		return "", &NavigationError{URL: url, Text: ended}
	}
	return loader, err
}

// endsLoad reports whether a request was to bring the page's document and has been given up: no document comes of it.
func (t *Tab) endsLoad(r *Request) bool {
	return r.Type == "document" && r.frame == t.root.id && r.Failed == aborted && !t.root.loading
}

// stayed is the question whether to leave the page that was answered with staying while the window was open, or nil; the tab's
// lock is held.
func (w *window) stayed() *Dialog {
	for i, d := range w.effects.Dialogs {
		if d.Type == "beforeunload" && !d.Accepted && d.At.After(w.began) {
			return &w.effects.Dialogs[i]
		}
	}
	return nil
}

// load runs a navigation and waits for the stage asked for. It does not use settle: the stages say when a page is there.
func (t *Tab) load(ctx context.Context, until WaitUntil, begin func(context.Context, *window) (protocolcdp.LoaderID, error)) (Effects, error) {
	if err := t.begin(ctx); err != nil {
		return Effects{}, err
	}
	defer func() { <-t.acting }()
	t.unstick(ctx)
	p := feel(t.cdp)
	defer p.end()
	w := t.openWindow()
	loader, err := t.come(ctx, w, p, until, begin)
	if err == nil && loader == "" {
		// A download: the browser tells of it a moment later.
		t.mu.Lock()
		if len(w.effects.Downloads) == 0 && w.effects.Navigation == NavNone && w.stayed() == nil {
			w.download = time.Now()
		}
		t.mu.Unlock()
		t.awaitQuiet(ctx, w)
	}
	if err == nil {
		err = t.fetched(w)
	}
	if err == nil {
		// The world of the new document must be there before anybody asks it something.
		if _, err = t.root.awaitWorld(ctx); err == nil {
			t.readTitle(ctx)
		}
	}
	t.mu.Lock()
	stayed := w.stayed()
	t.mu.Unlock()
	if stayed != nil && w.effects.Navigation != NavFullLoad {
		err = &StayedError{By: stayed.By}
	}
	err = t.reason(ctx, p, err)
	if err != nil {
		t.stop()
	}
	return w.close(), err
}

// stop gives up a navigation that has not come: while it lasts, the tab cannot be asked for anything.
func (t *Tab) stop() {
	if t.navigating(t.cdp) != "" {
		t.cdp.Send("Page.stopLoading", nil)
	}
}

// come runs a navigation up to the stage that is asked for, and once more when the page that was to be left had to be ended
// meanwhile. The loader is none when no document comes of it.
func (t *Tab) come(ctx context.Context, w *window, p *pulse, until WaitUntil, begin func(context.Context, *window) (protocolcdp.LoaderID, error)) (loader protocolcdp.LoaderID, err error) {
	limit, cancel := context.WithCancel(ctx)
	defer cancel()
	go t.hurry(limit)
	for range 2 {
		if loader, err = begin(ctx, w); err == nil && loader != "" {
			err = t.awaitStage(ctx, w, p, loader, until)
		}
		t.mu.Lock()
		ended := t.crashed && (t.felled || t.flooded) && w.effects.Navigation != NavFullLoad
		t.mu.Unlock()
		if err == nil || !ended || ctx.Err() != nil {
			break
		}
	}
	return loader, err
}

// fetched returns a *NavigationError when what is shown is the browser's own page about one that could not be fetched.
func (t *Tab) fetched(w *window) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.root.unreachable || w.effects.Navigation != NavFullLoad {
		return nil
	}
	failed := &NavigationError{URL: t.root.url, Text: "the site did not answer"}
	for _, r := range w.requests {
		if r.Type == "document" && r.frame == t.root.id && r.Failed != "" {
			failed.Text = r.Failed
		}
	}
	return failed
}

// looking is what is left of a navigation's time to look at the page when it does not come as far as was asked for.
func looking(left time.Duration) time.Duration { return min(left/10, time.Second) }

func (t *Tab) awaitStage(ctx context.Context, w *window, p *pulse, loader protocolcdp.LoaderID, until WaitUntil) error {
	stage := "load"
	switch until {
	case WaitDOM:
		stage = "DOMContentLoaded"
	case WaitNetworkIdle:
		stage = "networkIdle"
	case WaitCommit:
		stage = "commit"
	}
	limit := ctx
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		left := time.Until(deadline)
		limit, cancel = context.WithTimeout(ctx, left-looking(left))
		defer cancel()
	}
	committed := false
	err := t.await(limit, func() bool {
		f := t.root
		committed = f.loader == loader
		if t.crashed || t.dialog != nil {
			return true
		}
		if until == WaitCommit && committed {
			return true
		}
		// A page that navigates on by itself while it loads is followed.
		return f.loaded[stage] == loader || w.effects.Navigation == NavFullLoad && f.loaded[stage] == f.loader
	})
	switch {
	case err == nil:
		return t.Err()
	case limit.Err() == nil:
		return err
	case committed && t.openDialog() == nil:
		if held := t.held(limit, p); held != nil {
			return held
		}
		// The document is there and can be used; that it still loads is said, not an error.
		t.unsettled(w, "the page had not reached "+stage)
		return nil
	case ctx.Err() == nil:
		// Nothing has come yet: it has the rest of the time, too.
		if err = t.await(ctx, func() bool { return t.root.loader == loader || t.crashed }); err == nil {
			t.unsettled(w, "the page had not reached "+stage)
			return nil
		}
	}
	return fmt.Errorf("the page did not come in time: %w", err)
}
