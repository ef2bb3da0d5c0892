package browser

import (
	"context"
	"errors"
	"fmt"
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
	return t.load(ctx, url, until, func(ctx context.Context) (protocolcdp.LoaderID, error) {
		reply, err := t.pageNavigate(ctx, url)
		if err == nil && reply.ErrorText == aborted && t.nothingHappened() {
			// The browser drops a navigation that comes while it still takes back one that the page refused to leave for.
			reply, err = t.pageNavigate(ctx, url)
		}
		if err != nil {
			return "", t.root.callError(err)
		}
		if reply.IsDownload {
			return "", nil
		}
		if reply.ErrorText != "" {
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

// nothingHappened reports whether the open action has caused nothing that could have ended its navigation.
func (t *Tab) nothingHappened() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, w := range t.windows {
		if len(w.requests)+len(w.effects.Dialogs)+len(w.effects.Downloads) > 0 {
			return false
		}
	}
	return true
}

// Reload loads the page again, from the network when ignoreCache is set.
func (t *Tab) Reload(ctx context.Context, until WaitUntil, ignoreCache bool) (Effects, error) {
	before := t.loader()
	return t.load(ctx, t.URL(), until, func(ctx context.Context) (protocolcdp.LoaderID, error) {
		if err := t.cdp.Call(ctx, "Page.reload", map[string]any{"ignoreCache": ignoreCache}, nil); err != nil {
			return "", t.root.callError(err)
		}
		return t.nextLoader(ctx, before)
	})
}

// Back and Forward go through the tab's history; step is -1 or 1.
func (t *Tab) history(ctx context.Context, step int, until WaitUntil) (Effects, error) {
	var list struct {
		Current int `json:"currentIndex"`
		Entries []struct {
			ID  int64  `json:"id"`
			URL string `json:"url"`
		} `json:"entries"`
	}
	if err := t.cdp.Call(ctx, "Page.getNavigationHistory", nil, &list); err != nil {
		return Effects{}, t.root.callError(err)
	}
	at := list.Current + step
	if at < 0 || at >= len(list.Entries) {
		way := "back"
		if step > 0 {
			way = "forward"
		}
		return Effects{}, fmt.Errorf("there is nothing to go %s to: this tab's history has no such entry", way)
	}
	entry := list.Entries[at]
	return t.Act(ctx, func(ctx context.Context) error {
		t.mu.Lock()
		t.root.pending = time.Now()
		t.mu.Unlock()
		return t.cdp.Call(ctx, "Page.navigateToHistoryEntry", map[string]any{"entryId": entry.ID}, nil)
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

func (t *Tab) nextLoader(ctx context.Context, before protocolcdp.LoaderID) (protocolcdp.LoaderID, error) {
	var loader protocolcdp.LoaderID
	err := t.await(ctx, func() bool {
		loader = t.root.loader
		return loader != before || t.dialogAnsweredNo()
	})
	if loader == before {
		return "", err
	}
	return loader, err
}

// dialogAnsweredNo reports whether a beforeunload question was answered with staying; the tab's lock is held.
func (t *Tab) dialogAnsweredNo() bool {
	for _, w := range t.windows {
		for _, d := range w.effects.Dialogs {
			if d.Type == "beforeunload" && !d.Accepted {
				return true
			}
		}
	}
	return false
}

// stuckAfter is how long a page may take to answer before its script counts as stuck.
const stuckAfter = time.Second

// unstick ends a script of the page that does not end by itself: no navigation can begin while it runs.
func (t *Tab) unstick(ctx context.Context) {
	if t.Err() != nil || t.openDialog() != nil {
		return
	}
	limit, cancel := context.WithTimeout(ctx, stuckAfter)
	defer cancel()
	err := t.cdp.Call(limit, "Runtime.evaluate", map[string]any{"expression": "0", "returnByValue": true}, nil)
	if !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil {
		return
	}
	again, cancel := context.WithTimeout(ctx, stuckAfter)
	defer cancel()
	_ = t.cdp.Call(again, "Runtime.terminateExecution", nil, nil)
}

// load runs a navigation and waits for the stage asked for. It does not use settle: the stages say when a page is there.
func (t *Tab) load(ctx context.Context, url string, until WaitUntil, begin func(context.Context) (protocolcdp.LoaderID, error)) (Effects, error) {
	select {
	case t.acting <- struct{}{}:
	case <-t.closed:
		return Effects{}, ErrTabGone
	case <-ctx.Done():
		return Effects{}, fmt.Errorf("another action on this tab is still running: %w", context.Cause(ctx))
	}
	defer func() { <-t.acting }()
	t.unstick(ctx)
	w := t.openWindow()
	loader, err := begin(ctx)
	if err == nil && loader != "" {
		err = t.awaitStage(ctx, w, loader, until)
	} else if err == nil {
		// A download: the browser tells of it a moment later.
		t.mu.Lock()
		if len(w.effects.Downloads) == 0 {
			w.download = time.Now()
		}
		t.mu.Unlock()
		t.awaitQuiet(ctx, w)
	}
	if err == nil {
		// The world of the new document must be there before anybody asks it something.
		if _, err = t.root.awaitWorld(ctx); err == nil {
			t.readTitle(ctx)
		}
	}
	return w.close(), err
}

func (t *Tab) awaitStage(ctx context.Context, w *window, loader protocolcdp.LoaderID, until WaitUntil) error {
	stage := "load"
	switch until {
	case WaitDOM:
		stage = "DOMContentLoaded"
	case WaitNetworkIdle:
		stage = "networkIdle"
	case WaitCommit:
		stage = "commit"
	}
	err := t.await(ctx, func() bool {
		f := t.root
		if t.crashed || t.dialog != nil {
			return true
		}
		if until == WaitCommit && f.loader == loader {
			return true
		}
		// A page that navigates on by itself while it loads is followed.
		return f.loaded[stage] == loader || w.effects.Navigation == NavFullLoad && f.loaded[stage] == f.loader
	})
	if err == nil {
		return t.Err()
	}
	t.mu.Lock()
	committed := t.root.loader == loader
	if committed {
		w.effects.Unsettled = "the page had not reached " + stage
	}
	t.mu.Unlock()
	if committed {
		// The document is there and can be used; that it still loads is said, not an error.
		return nil
	}
	return fmt.Errorf("the page did not come in time: %w", err)
}
