package browser_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"chaperone/browser"
)

// within runs f with so much time, and fails when it takes many times as long.
func within(t *testing.T, limit time.Duration, f func(context.Context) error) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	began := time.Now()
	err := f(ctx)
	if took := time.Since(began); took > 4*limit {
		t.Errorf("it took %v, and had %v", took, limit)
	}
	return err
}

// slowSite answers /never not at all, as long as the test runs.
func slowSite(t *testing.T, pages map[string]string) *httptest.Server {
	t.Helper()
	over := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/never" {
			select {
			case <-over:
			case <-r.Context().Done():
			}
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, pages[r.URL.Path])
	}))
	t.Cleanup(func() { close(over); srv.Close() })
	return srv
}

func TestPagesWhoseScriptDoesNotEnd(t *testing.T) {
	srv := slowSite(t, map[string]string{
		"/fine":    "<title>fine</title>",
		"/loop":    "<title>loop</title><p>x<script>while (true);</script>",
		"/again":   "<title>again</title><script>setInterval(() => { while (true); }, 0)</script>",
		"/picture": "<title>picture</title><img src=/never>",
	})
	tab := current(t, open(t))
	var stuck *browser.StuckError
	for _, url := range []string{srv.URL + "/loop", "data:text/html,<script>while(true);</script>", srv.URL + "/again"} {
		err := within(t, 2*time.Second, func(ctx context.Context) error {
			_, err := tab.Navigate(ctx, url, browser.WaitLoad)
			return err
		})
		if !errors.As(err, &stuck) {
			t.Errorf("%s: %v", url, err)
		}
		navigate(t, tab, srv.URL+"/fine")
		if got := eval[string](t, tab.MainFrame(), "document.title"); got != "fine" {
			t.Errorf("after %s the tab shows %q", url, got)
		}
	}
	// A page that only loads slowly can be used.
	err := within(t, 2*time.Second, func(ctx context.Context) error {
		e, err := tab.Navigate(ctx, srv.URL+"/picture", browser.WaitLoad)
		if err == nil && !strings.Contains(e.Unsettled, "load") {
			t.Errorf("what is not there is not said: %q", e.Unsettled)
		}
		return err
	})
	if err == nil {
		err = tab.MainFrame().Call(limit(t), "title", map[string]any{}, nil)
	}
	if err != nil {
		t.Errorf("a page with a picture that never comes: %v", err)
	}
}

func TestSiteThatDoesNotAnswer(t *testing.T) {
	srv := slowSite(t, map[string]string{"/fine": "<title>fine</title>"})
	s := open(t)
	tab := current(t, s)
	navigate(t, tab, srv.URL+"/fine")
	fresh, err := s.NewTab(limit(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, tab := range []*browser.Tab{tab, fresh} {
		err := within(t, time.Second, func(ctx context.Context) error {
			_, err := tab.Navigate(ctx, srv.URL+"/never", browser.WaitLoad)
			return err
		})
		var waiting *browser.WaitingError
		if !errors.As(err, &waiting) || !strings.Contains(err.Error(), "/never") {
			t.Errorf("the error: %v", err)
		}
		// It was given up, so the tab can be asked again, and is not taken for stuck.
		if err := tab.MainFrame().Call(limit(t), "title", map[string]any{}, nil); err != nil {
			t.Errorf("afterwards: %v", err)
		}
	}
	navigate(t, tab, srv.URL+"/fine")
}

func TestEndlessDialogs(t *testing.T) {
	srv := slowSite(t, map[string]string{
		"/fine":  "<title>fine</title>",
		"/loop":  "<title>loop</title><script>while (true) alert('x')</script>",
		"/count": "<title>count</title><script>for (let i = 0; ; i++) alert(i)</script>",
		"/timer": "<title>timer</title><script>setInterval(() => alert('x'), 0)</script>",
	})
	tab := current(t, open(t))
	for _, page := range []string{"/loop", "/count", "/timer"} {
		var e browser.Effects
		_ = within(t, 10*time.Second, func(ctx context.Context) (err error) {
			e, err = tab.Navigate(ctx, srv.URL+page, browser.WaitLoad)
			if err != nil && !errors.Is(err, browser.ErrTabCrashed) {
				t.Errorf("%s: %v", page, err)
			}
			return err
		})
		if page != "/timer" && (len(e.Dialogs) == 0 || !e.Dialogs[0].Raised || e.Unsettled == "") || len(e.Dialogs) > 20 {
			t.Errorf("%s: %d dialogs, %q", page, len(e.Dialogs), e.Unsettled)
		}
		if err := within(t, 10*time.Second, func(ctx context.Context) error {
			_, err := tab.Navigate(ctx, srv.URL+"/fine", browser.WaitLoad)
			return err
		}); err != nil {
			t.Errorf("leaving %s: %v", page, err)
		}
	}
	// Some dialogs in a row are no flood.
	navigate(t, tab, "data:text/html,<title>done</title><script>for (let i = 0; i < 5; i++) alert('x')</script>")
	if got := eval[string](t, tab.MainFrame(), "document.title"); got != "done" || tab.Crashed() {
		t.Errorf("after five dialogs the page shows %q", got)
	}
}

func TestPageThatIsNotLeft(t *testing.T) {
	srv := slowSite(t, map[string]string{
		"/fine": "<title>fine</title>",
		"/stay": "<title>stay</title><button>x</button><script>onbeforeunload = e => e.preventDefault()</script>",
	})
	s := open(t)
	tab := current(t, s)
	navigate(t, tab, srv.URL+"/fine")
	navigate(t, tab, srv.URL+"/stay")
	for name, leave := range map[string]func() (browser.Effects, error){
		"navigate": func() (browser.Effects, error) { return tab.Navigate(limit(t), srv.URL+"/fine", browser.WaitLoad) },
		"reload":   func() (browser.Effects, error) { return tab.Reload(limit(t), browser.WaitLoad, false) },
	} {
		// The browser asks only about a page that somebody has used.
		if _, err := click(t, tab, "button"); err != nil {
			t.Fatal(err)
		}
		e, err := leave()
		var stayed *browser.StayedError
		if !errors.As(err, &stayed) || len(e.Dialogs) != 1 {
			t.Errorf("%s: %v, dialogs %v", name, err, e.Dialogs)
		}
	}
	s.SetDialogPolicy(browser.DialogPolicy{Mode: browser.DialogAccept})
	if e, err := tab.Back(limit(t), browser.WaitLoad); err != nil || !strings.HasSuffix(e.To, "/fine") {
		t.Errorf("accepted: %v, at %s", err, e.To)
	}
}

func TestHistoryOverPagesThatCouldNotBeFetched(t *testing.T) {
	srv := slowSite(t, map[string]string{"/fine": "<title>fine</title>"})
	tab := current(t, open(t))
	navigate(t, tab, srv.URL+"/fine")
	fails := func(what string, e browser.Effects, err error) {
		t.Helper()
		var load *browser.NavigationError
		if !errors.As(err, &load) || !strings.Contains(load.Text, "ERR_") {
			t.Errorf("%s: %v", what, err)
		}
	}
	for _, url := range []string{"http://127.0.0.1:1/", "http://nowhere.invalid/"} {
		e, err := tab.Navigate(limit(t), url, browser.WaitLoad)
		fails(url, e, err)
	}
	e, err := tab.Back(limit(t), browser.WaitLoad)
	fails("back to an error", e, err)
	e, err = tab.Reload(limit(t), browser.WaitLoad, false)
	fails("reload", e, err)
	e, err = tab.Forward(limit(t), browser.WaitLoad)
	fails("forward to an error", e, err)
	if _, err := tab.Forward(limit(t), browser.WaitLoad); !errors.Is(err, browser.ErrNoHistory) {
		t.Errorf("at the end: %v", err)
	}
	_, _ = tab.Back(limit(t), browser.WaitLoad)
	if e, err := tab.Back(limit(t), browser.WaitLoad); err != nil || e.To != srv.URL+"/fine" {
		t.Errorf("back from an error: %v, at %s", err, e.To)
	}
	// A step that stays in the document.
	if _, err := tab.Navigate(limit(t), srv.URL+"/fine#part", browser.WaitLoad); err != nil {
		t.Fatal(err)
	}
	if e, err := tab.Back(limit(t), browser.WaitLoad); err != nil || e.Navigation != browser.NavHash {
		t.Errorf("back within the document: %v, %q", err, e.Navigation)
	}
}
