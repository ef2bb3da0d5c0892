package browser_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"chaperone/browser"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
)

// site serves pages by path from a table.
func site(t *testing.T, pages map[string]string) *httptest.Server {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/favicon.ico" {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		body, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, strings.ReplaceAll(body, "HOST", r.Host))
	}))
	t.Cleanup(srv.Close)
	return srv
}

// open starts a headless session that ends with the test.
func open(t *testing.T, change ...func(*browser.Options)) *browser.Session {
	t.Helper()
	b := browser.New(browser.Config{Profiles: t.TempDir(), Temp: t.TempDir(), Downloads: t.TempDir(), NoSandbox: os.Getuid() == 0})
	o := browser.Options{ID: "default", Mode: browser.Incognito, Headless: true}
	for _, f := range change {
		f(&o)
	}
	s, fresh, err := b.Open(limit(t), o)
	if err != nil {
		t.Fatal(err)
	}
	if !fresh {
		t.Fatal("a new session is not fresh")
	}
	t.Cleanup(func() { b.Close(context.WithoutCancel(t.Context())) })
	return s
}

func limit(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func current(t *testing.T, s *browser.Session) *browser.Tab {
	t.Helper()
	tab, err := s.Current()
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

func navigate(t *testing.T, tab *browser.Tab, url string) browser.Effects {
	t.Helper()
	e, err := tab.Navigate(limit(t), url, browser.WaitLoad)
	if err != nil {
		t.Fatalf("navigate %s: %v", url, err)
	}
	return e
}

// eval evaluates an expression in the page's own world and returns its JSON value: what the page saw.
func eval[T any](t *testing.T, f *browser.Frame, expression string) T {
	t.Helper()
	var out T
	reply, err := cdp.Call(limit(t), f.Session(), runtime.Evaluate, runtime.EvaluateParams{
		Expression: expression, ReturnByValue: new(true), AwaitPromise: new(true),
	})
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	if reply.ExceptionDetails != nil {
		t.Fatalf("%s: %s", expression, reply.ExceptionDetails.Text)
	}
	if len(reply.Result.Value) > 0 {
		if err := json.Unmarshal(reply.Result.Value, &out); err != nil {
			t.Fatalf("%s: %v", expression, err)
		}
	}
	return out
}

// click clicks the middle of the first element that sel selects in the main frame, with the real mouse.
func click(t *testing.T, tab *browser.Tab, sel string) (browser.Effects, error) {
	t.Helper()
	at := eval[struct{ X, Y float64 }](t, tab.MainFrame(),
		fmt.Sprintf(`(() => { const b = document.querySelector(%q).getBoundingClientRect(); return {X: b.x + b.width/2, Y: b.y + b.height/2} })()`, sel))
	return tab.Act(limit(t), func(ctx context.Context) error {
		return tab.Mouse(ctx, browser.MouseEvent{Type: "move", X: at.X, Y: at.Y}, browser.MouseEvent{Type: "down", X: at.X, Y: at.Y}, browser.MouseEvent{Type: "up", X: at.X, Y: at.Y})
	})
}
