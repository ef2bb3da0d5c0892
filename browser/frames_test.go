package browser_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"chaperone/browser"
)

// frameSite has frames of the same site, of another site, nested back into the first, and srcdoc.
func frameSite(t *testing.T) *httptest.Server {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		other := strings.Replace(r.Host, "127.0.0.1", "localhost", 1)
		if other == r.Host {
			other = strings.Replace(r.Host, "localhost", "127.0.0.1", 1)
		}
		switch r.URL.Path {
		case "/":
			fmt.Fprintf(w, `<title>top</title><iframe src="http://%s/mid"></iframe><iframe srcdoc="<title>srcdoc</title>"></iframe><iframe src="/leaf"></iframe>
				<iframe sandbox="allow-scripts" src="/boxed"></iframe>`, other)
		case "/mid":
			fmt.Fprintf(w, `<title>mid</title><iframe src="http://%s/leaf"></iframe>`, other)
		default:
			fmt.Fprintf(w, `<title>%s</title>`, strings.Trim(r.URL.Path, "/"))
		}
	}))
	t.Cleanup(srv.Close)
	return srv
}

func TestEveryFrameIsReached(t *testing.T) {
	srv := frameSite(t)
	tab := current(t, open(t))
	for range 2 { // again after the frames were replaced
		navigate(t, tab, srv.URL+"/")
		var got []string
		refs := map[int]bool{}
		for _, f := range tab.Frames() {
			var state struct{ Title string }
			first, _ := tab.LendRefs(20)
			if err := f.Call(limit(t), "snapshot", map[string]any{"next": first}, &state); err != nil {
				t.Fatalf("frame %s: %v", f.URL(), err)
			}
			got = append(got, state.Title)
			if f.Parent() != nil {
				ref, err := f.OwnerRef(limit(t))
				if err != nil {
					t.Fatalf("owner of %s: %v", f.URL(), err)
				}
				again, _ := f.OwnerRef(limit(t))
				if refs[ref] || again != ref {
					t.Errorf("owner reference %d of %s is not its own, or changed to %d", ref, f.URL(), again)
				}
				refs[ref] = true
			}
		}
		if want := "[top mid leaf srcdoc leaf boxed]"; fmt.Sprint(got) != want {
			t.Errorf("frames %v, want %s", got, want)
		}
	}
	outside := 0
	for _, f := range tab.Frames() {
		if f.OutOfProcess() {
			outside++
		}
	}
	if outside < 2 {
		t.Errorf("%d frames are out of process; this test wants at least the cross-site and the nested one", outside)
	}
}

func TestFrameThatChangesProcess(t *testing.T) {
	srv := frameSite(t)
	tab := current(t, open(t))
	navigate(t, tab, srv.URL+"/mid")
	other := strings.Replace(srv.URL, "127.0.0.1", "localhost", 1)
	for _, to := range []string{srv.URL + "/here", other + "/there", srv.URL + "/back"} {
		e, err := tab.Act(limit(t), func(ctx context.Context) error {
			eval[any](t, tab.MainFrame(), fmt.Sprintf(`new Promise(done => { const f = document.querySelector('iframe'); f.onload = () => done(); f.src = %q })`, to))
			return nil
		})
		if err != nil || e.Unsettled != "" {
			t.Fatalf("%s: %v, %s", to, err, e.Unsettled)
		}
		frames := tab.Frames()
		if len(frames) != 2 || frames[1].URL() != to {
			t.Fatalf("%s: frames %v", to, urls(frames))
		}
		var state struct{ Title string }
		if err := frames[1].Call(limit(t), "snapshot", map[string]any{"next": 1000}, &state); err != nil || !strings.HasSuffix(to, state.Title) {
			t.Errorf("%s: %q, %v", to, state.Title, err)
		}
	}
}

func urls(frames []*browser.Frame) (list []string) {
	for _, f := range frames {
		list = append(list, f.URL())
	}
	return list
}
