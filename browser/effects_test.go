package browser_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"chaperone/browser"
)

func TestClickThatChangesNothingIsQuickAndTrusted(t *testing.T) {
	srv := site(t, map[string]string{"/": `<button onclick="document.title = 'trusted ' + event.isTrusted">x</button>`})
	tab := current(t, open(t))
	navigate(t, tab, srv.URL+"/")
	e, err := click(t, tab, "button")
	if err != nil {
		t.Fatal(err)
	}
	if got := eval[string](t, tab.MainFrame(), "document.title"); got != "trusted true" {
		t.Errorf("the page saw %q", got)
	}
	if e.Navigation != browser.NavNone || e.Unsettled != "" {
		t.Errorf("effects of a click that changes nothing: %+v", e)
	}
}

func TestClickThatFetchesReportsTheLoadedState(t *testing.T) {
	release := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/save":
			<-release
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"id":7,"name":"x"}`)
		default:
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, `<p id=out>old</p><button onclick="setTimeout(() => close_(), 0)">x</button><script>
				async function close_() { const r = await fetch('/save', {method: 'POST', body: '{}'}); out.textContent = (await r.json()).id }
			</script>`)
		}
	}))
	t.Cleanup(srv.Close)
	tab := current(t, open(t))
	navigate(t, tab, srv.URL+"/")
	go func() {
		// The answer comes only after the request was seen, so a settle that does not wait for it would be found out.
		for range 200 {
			for _, r := range tab.Requests(0) {
				if strings.HasSuffix(r.URL, "/save") {
					time.AfterFunc(100*time.Millisecond, func() { close(release) })
					return
				}
			}
			time.Sleep(5 * time.Millisecond)
		}
		close(release)
	}()
	e, err := click(t, tab, "button")
	if err != nil {
		t.Fatal(err)
	}
	if got := eval[string](t, tab.MainFrame(), "out.textContent"); got != "7" {
		t.Errorf("after the action the page shows %q", got)
	}
	if len(e.Mutations) != 1 || e.Mutations[0].Status != 200 || fmt.Sprint(e.Mutations[0].Shape) != "[id name]" {
		t.Errorf("mutations: %+v", e.Mutations)
	}
}

func TestNavigationKinds(t *testing.T) {
	srv := site(t, map[string]string{
		"/":    `<a id=full href="/two">full</a> <a id=hash href="#part">hash</a> <button id=spa onclick="history.pushState({}, '', '/app')">spa</button>`,
		"/two": `<title>two</title>`,
	})
	tab := current(t, open(t))
	for _, c := range []struct {
		sel  string
		kind browser.NavKind
		to   string
	}{{"#hash", browser.NavHash, "/#part"}, {"#spa", browser.NavSPA, "/app"}, {"#full", browser.NavFullLoad, "/two"}} {
		navigate(t, tab, srv.URL+"/")
		e, err := click(t, tab, c.sel)
		if err != nil {
			t.Fatal(err)
		}
		if e.Navigation != c.kind || e.To != srv.URL+c.to {
			t.Errorf("%s: %q to %s, want %q to %s", c.sel, e.Navigation, e.To, c.kind, c.to)
		}
	}
	e, err := tab.Back(limit(t), browser.WaitLoad)
	if err != nil || e.To != srv.URL+"/" {
		t.Errorf("back: %v, to %s", err, e.To)
	}
	if e, err = tab.Forward(limit(t), browser.WaitLoad); err != nil || e.To != srv.URL+"/two" {
		t.Errorf("forward: %v, to %s", err, e.To)
	}
	if _, err = tab.Forward(limit(t), browser.WaitLoad); err == nil {
		t.Error("forward at the end of the history succeeded")
	}
	if _, err := tab.Reload(limit(t), browser.WaitLoad, false); err != nil {
		t.Errorf("reload: %v", err)
	}
}

func TestPopupsAreNamed(t *testing.T) {
	srv := site(t, map[string]string{
		"/": `<a id=blank target=_blank href="/two">a</a> <a id=noopener target=_blank rel=noopener href="/two">b</a>
		      <button id=open onclick="window.open('/two')">c</button>`,
		"/two": `<title>two</title>`,
	})
	s := open(t)
	tab := current(t, s)
	navigate(t, tab, srv.URL+"/")
	for _, sel := range []string{"#blank", "#noopener", "#open"} {
		e, err := click(t, tab, sel)
		if err != nil {
			t.Fatal(err)
		}
		if len(e.NewTabs) != 1 {
			t.Errorf("%s: %d new tabs, want 1", sel, len(e.NewTabs))
			continue
		}
		child := e.NewTabs[0]
		if got := eval[string](t, child.MainFrame(), "document.title"); got != "two" || child.URL() != srv.URL+"/two" {
			t.Errorf("%s: the new tab is at %s with title %q", sel, child.URL(), got)
		}
		if now := current(t, s); now != tab {
			t.Errorf("%s: the current tab has become %s", sel, now.ID())
		}
		if err := s.CloseTab(limit(t), child.ID()); err != nil {
			t.Errorf("%s: close: %v", sel, err)
		}
	}
}

func TestClosedTab(t *testing.T) {
	srv := site(t, map[string]string{"/": `<button onclick="window.close()">bye</button>`})
	s := open(t)
	first := current(t, s)
	second, err := s.NewTab(limit(t))
	if err != nil {
		t.Fatal(err)
	}
	if current(t, s) != second {
		t.Error("a new tab is not the current one")
	}
	navigate(t, second, srv.URL+"/")
	if err := s.CloseTab(limit(t), second.ID()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Current(); !errors.Is(err, browser.ErrNoTab) {
		t.Errorf("after the current tab was closed: %v", err)
	}
	if _, err := second.Act(limit(t), func(context.Context) error { return nil }); !errors.Is(err, browser.ErrTabGone) {
		t.Errorf("acting on a closed tab: %v", err)
	}
	if _, err := s.Select(first.ID()); err != nil {
		t.Fatal(err)
	}
	navigate(t, current(t, s), srv.URL+"/")
}

func TestDialogsNeverHang(t *testing.T) {
	srv := site(t, map[string]string{
		"/": `<button id=a onclick="alert('hi'); done('alert')">a</button><button id=c onclick="done(confirm('sure?'))">c</button>
		      <button id=p onclick="done(prompt('name?', 'def'))">p</button><script>function done(x) { document.title = String(x) }</script>`,
		"/onload": `<script>alert('first thing'); document.title = 'after'</script>`,
		"/leave":  `<button onclick="window.onbeforeunload = e => { e.preventDefault(); return 'stay' }">arm</button>`,
	})
	s := open(t)
	tab := current(t, s)
	e := navigate(t, tab, srv.URL+"/onload")
	if len(e.Dialogs) != 1 || e.Dialogs[0].Message != "first thing" || !e.Dialogs[0].Raised {
		t.Errorf("an alert on load: %+v", e.Dialogs)
	}
	for _, c := range []struct {
		policy browser.DialogPolicy
		sel    string
		saw    string
	}{
		{browser.DialogPolicy{Mode: browser.DialogRaise}, "#a", "alert"},
		{browser.DialogPolicy{Mode: browser.DialogRaise}, "#c", "false"},
		{browser.DialogPolicy{Mode: browser.DialogAccept}, "#c", "true"},
		{browser.DialogPolicy{Mode: browser.DialogDismiss}, "#p", "null"},
		{browser.DialogPolicy{Mode: browser.DialogAccept}, "#p", "def"},
		{browser.DialogPolicy{Mode: browser.DialogAcceptPrompt, Text: "Ada"}, "#p", "Ada"},
		{browser.DialogPolicy{Mode: browser.DialogAsk, Ask: func(browser.Dialog) (bool, string, bool) { return true, "from the person", true }}, "#p", "from the person"},
		{browser.DialogPolicy{Mode: browser.DialogAsk, Ask: func(browser.Dialog) (bool, string, bool) { return true, "from nobody", false }}, "#p", "null"},
	} {
		s.SetDialogPolicy(browser.DialogPolicy{Mode: browser.DialogAccept})
		navigate(t, tab, srv.URL+"/")
		s.SetDialogPolicy(c.policy)
		e, err := click(t, tab, c.sel)
		if err != nil {
			t.Fatal(err)
		}
		if got := eval[string](t, tab.MainFrame(), "document.title"); got != c.saw || len(e.Dialogs) != 1 {
			t.Errorf("%s under %s: the page got %q, dialogs %+v", c.sel, c.policy.Mode, got, e.Dialogs)
		} else if d := e.Dialogs[0]; (d.By == "person") != (c.saw == "from the person") || d.Raised != (c.policy.Mode == browser.DialogRaise || c.saw == "null" && c.policy.Mode == browser.DialogAsk) {
			t.Errorf("%s under %s: it says %+v", c.sel, c.policy.Mode, d)
		}
	}
	s.SetDialogPolicy(browser.DialogPolicy{Mode: browser.DialogRaise})
	navigate(t, tab, srv.URL+"/leave")
	if _, err := click(t, tab, "button"); err != nil {
		t.Fatal(err)
	}
	if e, err := tab.Navigate(limit(t), srv.URL+"/", browser.WaitLoad); err == nil || len(e.Dialogs) != 1 || e.Dialogs[0].Type != "beforeunload" {
		t.Errorf("leaving a page that asks to stay: %v, %+v", err, e.Dialogs)
	}
	s.SetDialogPolicy(browser.DialogPolicy{Mode: browser.DialogAccept})
	navigate(t, tab, srv.URL+"/")
}

func TestDownloadsAreReported(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/file", "/empty":
			w.Header().Set("Content-Disposition", `attachment; filename="../../report.txt"`)
			if r.URL.Path == "/file" {
				fmt.Fprint(w, "contents")
			}
		default:
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, `<a id=file href="/file">file</a> <a id=empty href="/empty">empty</a> <a id=blob download=b.txt>blob</a>
				<script>blob.href = URL.createObjectURL(new Blob(['x']))</script>`)
		}
	}))
	t.Cleanup(srv.Close)
	tab := current(t, open(t))
	navigate(t, tab, srv.URL+"/")
	for _, sel := range []string{"#file", "#empty", "#blob"} {
		e, err := click(t, tab, sel)
		if err != nil {
			t.Fatal(err)
		}
		if len(e.Downloads) != 1 || strings.ContainsAny(e.Downloads[0].Name, "/\\") {
			t.Errorf("%s: downloads %+v", sel, e.Downloads)
		}
		if got := eval[string](t, tab.MainFrame(), "location.pathname"); got != "/" {
			t.Errorf("%s: the page is at %s", sel, got)
		}
	}
	// A download that a navigation leads to is no failure either, and the file is there in the end.
	e, err := tab.Navigate(limit(t), srv.URL+"/file", browser.WaitLoad)
	if err != nil && len(e.Downloads) == 0 {
		t.Errorf("navigating to a download: %v, %+v", err, e)
	}
	for _, d := range tab.Session().Downloads() {
		if d.State == "completed" {
			if _, err := os.Stat(d.Path); err != nil {
				t.Errorf("%s: %v", d.Name, err)
			}
		}
	}
}

func TestPasswordQuestionsAreReported(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("WWW-Authenticate", `Basic realm="the garden"`)
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, "who are you?")
	}))
	t.Cleanup(srv.Close)
	tab := current(t, open(t))
	e, err := tab.Navigate(limit(t), srv.URL+"/", browser.WaitLoad)
	if err != nil {
		t.Fatal(err)
	}
	if len(e.Auth) != 1 || e.Auth[0].Realm != "the garden" || e.Auth[0].Origin != srv.URL {
		t.Errorf("the question: %+v", e.Auth)
	}
	if got := eval[string](t, tab.MainFrame(), "document.body.innerText"); got != "who are you?" {
		t.Errorf("the page shows %q", got)
	}
}

func TestFileDialogsAreReported(t *testing.T) {
	srv := site(t, map[string]string{"/": `<input type=file id=f multiple><button id=now onclick="f.click()">now</button>`})
	tab := current(t, open(t))
	navigate(t, tab, srv.URL+"/")
	for _, sel := range []string{"#f", "#now"} {
		e, err := click(t, tab, sel)
		if err != nil {
			t.Fatal(err)
		}
		if e.FileChooser == nil || !e.FileChooser.Multiple {
			t.Errorf("%s: the file dialog: %+v", sel, e.FileChooser)
		}
	}
	navigate(t, tab, srv.URL+"/")
}

func TestNavigationErrors(t *testing.T) {
	tab := current(t, open(t))
	_, err := tab.Navigate(limit(t), "http://127.0.0.1:1/", browser.WaitLoad)
	var failed *browser.NavigationError
	if !errors.As(err, &failed) || !strings.Contains(failed.Text, "ERR_") {
		t.Errorf("a refused connection: %v", err)
	}
	srv := site(t, map[string]string{"/": "<title>fine</title>"})
	navigate(t, tab, srv.URL+"/")
	navigate(t, tab, srv.URL+"/missing") // an error status is a page
}

func TestCancelledCallLeavesTheTabAlive(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/never" {
			<-r.Context().Done()
			return
		}
		fmt.Fprint(w, "here")
	}))
	t.Cleanup(srv.Close)
	tab := current(t, open(t))
	ctx, cancel := context.WithCancel(limit(t))
	time.AfterFunc(100*time.Millisecond, cancel)
	if _, err := tab.Navigate(ctx, srv.URL+"/never", browser.WaitLoad); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled navigation: %v", err)
	}
	navigate(t, tab, srv.URL+"/")
	if got := eval[string](t, tab.MainFrame(), "document.body.innerText"); got != "here" {
		t.Errorf("the tab shows %q", got)
	}
}

func TestPageThatHangsCanBeLeft(t *testing.T) {
	srv := site(t, map[string]string{"/": `<title>here</title><button onclick="for (;;) {}">spin</button>`})
	tab := current(t, open(t))
	navigate(t, tab, srv.URL+"/")
	at := eval[struct{ X, Y float64 }](t, tab.MainFrame(), `(() => { const b = document.querySelector('button').getBoundingClientRect(); return {X: b.x + 5, Y: b.y + 5} })()`)
	short, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	_, err := tab.Act(short, func(ctx context.Context) error {
		return tab.Mouse(ctx, browser.MouseEvent{Type: "down", X: at.X, Y: at.Y}, browser.MouseEvent{Type: "up", X: at.X, Y: at.Y})
	})
	if err == nil && short.Err() == nil {
		t.Fatal("the click on a button that never comes back came back")
	}
	navigate(t, tab, srv.URL+"/")
	if got := eval[string](t, tab.MainFrame(), "document.title"); got != "here" {
		t.Errorf("the page shows %q", got)
	}
}

func TestConsoleAndErrors(t *testing.T) {
	srv := site(t, map[string]string{"/": `<button onclick="console.log('a', 1, {b: 2}); console.error('bad'); console.warn('hm'); setTimeout(() => { throw new Error('boom') })">x</button>`})
	tab := current(t, open(t))
	navigate(t, tab, srv.URL+"/")
	e, err := click(t, tab, "button")
	if err != nil {
		t.Fatal(err)
	}
	if len(e.ConsoleErrors) != 1 || e.ConsoleErrors[0] != "bad" || e.ConsoleWarnings != 1 {
		t.Errorf("console errors %q, warnings %d", e.ConsoleErrors, e.ConsoleWarnings)
	}
	if len(e.PageErrors) != 1 || !strings.Contains(e.PageErrors[0], "boom") {
		t.Errorf("page errors %q", e.PageErrors)
	}
	recent, _ := tab.Console(0)
	if len(recent) < 3 || !strings.HasPrefix(recent[0].Text, "a 1") {
		t.Errorf("console: %+v", recent)
	}
}

func TestLastTabClosedAndOpenedAgain(t *testing.T) {
	srv := site(t, map[string]string{"/": "<title>here</title>", "/untitled": "<p>no title"})
	s := open(t)
	if err := s.CloseTab(limit(t), current(t, s).ID()); err != nil {
		t.Fatal(err)
	}
	tab, err := s.NewTab(limit(t))
	if err != nil {
		t.Fatalf("a new tab after the last one was closed: %v", err)
	}
	navigate(t, tab, srv.URL+"/")
	eventually(t, "the title is known", func() bool { return tab.Title() == "here" })
	navigate(t, tab, srv.URL+"/untitled?token=secret")
	eventually(t, "the address is no title", func() bool { return tab.Title() == "" })
}
