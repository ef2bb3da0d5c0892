package browser

import (
	"context"
	"errors"
	"time"

	"chaperone/browser/internal/cdp"
)

// patience is how long a page may take to answer before its script counts as stuck.
const patience = time.Second

// unstick frees the tab for a navigation. One that has not come is given up. A script of the page that does not end by itself
// is ended, since no navigation can begin while it runs; a page that begins another one at once loses its process.
func (t *Tab) unstick(ctx context.Context) {
	wait := patience
	if deadline, ok := ctx.Deadline(); ok {
		wait = min(wait, time.Until(deadline)/5)
	}
	t.mu.Lock()
	// A page that opens one dialog after the other keeps the browser from leaving it.
	flooded := t.dialogs > 1 && time.Since(t.lastDialog) < patience && !t.crashed
	t.mu.Unlock()
	if flooded {
		t.fell(ctx, wait)
		return
	}
	t.giveUp(ctx, wait)
	if t.free(ctx, wait) {
		return
	}
	t.cdp.Send("Runtime.terminateExecution", nil)
	if !t.free(ctx, wait) {
		t.fell(ctx, wait)
	}
}

// giveUp stops a navigation that is under way.
func (t *Tab) giveUp(ctx context.Context, wait time.Duration) {
	if t.navigating(t.cdp) == "" {
		return
	}
	t.cdp.Send("Page.stopLoading", nil)
	limit, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	_ = t.await(limit, func() bool { return t.navigatingLocked(t.cdp) == "" || t.crashed })
}

// hurry ends the process of a page that does not make room for the document that has come: a page that opens dialogs all the
// time can hold up even what the browser does itself. It returns when ctx ends.
func (t *Tab) hurry(ctx context.Context) {
	answered := func() bool {
		for _, r := range t.inflight {
			if r.Type == "document" && r.frame == t.root.id && r.loader != t.root.loader && r.Status != 0 {
				return true
			}
		}
		return false
	}
	if t.await(ctx, answered) != nil {
		return
	}
	limit, cancel := context.WithTimeout(ctx, 2*patience)
	defer cancel()
	if t.await(limit, func() bool { return !answered() || t.dialog != nil }) != nil && ctx.Err() == nil {
		t.fell(ctx, patience)
	}
}

// fell ends the process of the page.
func (t *Tab) fell(ctx context.Context, wait time.Duration) {
	t.mu.Lock()
	t.felled = true
	t.mu.Unlock()
	// While a document is awaited, the browser holds back what the page is told.
	t.cdp.Send("Page.stopLoading", nil)
	t.cdp.Send("Page.crash", nil)
	limit, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	_ = t.await(limit, func() bool { return t.crashed })
}

// free reports whether the page answers in that time, or needs no answering: it is gone, or something else holds it.
func (t *Tab) free(ctx context.Context, wait time.Duration) bool {
	held := func() bool { return t.Err() != nil || t.openDialog() != nil || t.navigating(t.cdp) != "" }
	if held() {
		return true
	}
	limit, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	err := ask(limit, t.cdp)
	return err == nil || limit.Err() == nil || ctx.Err() != nil || held()
}

// navigating is the address of a document that a session's page or frame waits for, or empty. While it does, the browser holds
// back whatever the page is asked.
func (t *Tab) navigating(sess *cdp.Session) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.navigatingLocked(sess)
}

func (t *Tab) navigatingLocked(sess *cdp.Session) string {
	for _, r := range t.inflight {
		f := t.frames[r.frame]
		if r.Type == "document" && f != nil && f.sess == sess && r.loader != f.loader && (f.parent == nil || f.parent.sess != sess) {
			return r.URL
		}
	}
	return ""
}

// cleanup is how long after a page was found stuck the calls that clean up are refused rather than waited for.
const cleanup = 200 * time.Millisecond

// held says why a page answered nothing until ctx was over: it waits for another document, or it is stuck. It returns nil when
// neither is so, or when the caller gave up.
func (t *Tab) held(ctx context.Context, p *pulse) error {
	if !errors.Is(ctx.Err(), context.DeadlineExceeded) || t.Err() != nil || t.openDialog() != nil {
		return nil
	}
	since := p.quiet()
	t.mu.Lock()
	defer t.mu.Unlock()
	if url := t.navigatingLocked(p.sess); url != "" {
		return &WaitingError{URL: url}
	}
	if since.IsZero() {
		return nil
	}
	if since.Before(t.committed) {
		since = t.committed
	}
	quiet := time.Since(since)
	if quiet < silence {
		return nil
	}
	t.stuckTill = time.Now().Add(cleanup)
	return &StuckError{For: quiet}
}
