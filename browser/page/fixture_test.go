package page_test

import (
	"bytes"
	"context"
	"image"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"chaperone/browser"
	"chaperone/browser/page"
)

// lab serves the pages of testdata under any name of host, and opens them in a browser to which *.test is that server.
type lab struct {
	*httptest.Server
	session *browser.Session
	Port    string
}

func newLab(t *testing.T, change ...func(*browser.Options)) *lab {
	t.Helper()
	return newLabIn(t, t.TempDir(), change...)
}

// newLabIn is newLab with the folder of the kept profiles.
func newLabIn(t *testing.T, profiles string, change ...func(*browser.Options)) *lab {
	t.Helper()
	files := http.FileServer(http.Dir("testdata"))
	l := &lab{Server: httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if policy := r.URL.Query().Get("csp"); policy != "" {
			w.Header().Set("Content-Security-Policy", policy)
		}
		w.Header().Set("Cache-Control", "no-store")
		files.ServeHTTP(w, r)
	}))}
	t.Cleanup(l.Close)
	_, l.Port, _ = strings.Cut(l.Listener.Addr().String(), ":")
	b := browser.New(browser.Config{Profiles: profiles, Temp: t.TempDir(), NoSandbox: os.Getuid() == 0})
	o := browser.Options{ID: "default", Mode: browser.Incognito, Headless: true, ExtraFlags: []string{"--host-resolver-rules=MAP *.test 127.0.0.1", "--site-per-process"}}
	for _, f := range change {
		f(&o)
	}
	s, _, err := b.Open(limit(t), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close(context.WithoutCancel(t.Context())) })
	l.session = s
	return l
}

// open shows a page of testdata on that host.
func (l *lab) open(t *testing.T, host, path string) *browser.Tab {
	t.Helper()
	tab, err := l.session.Current()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tab.Navigate(limit(t), "http://"+host+":"+l.Port+path, browser.WaitLoad); err != nil {
		t.Fatal(err)
	}
	return tab
}

// saw is the list of what a page has reported with saw(…); pages in frames report to the top one.
func saw(t *testing.T, tab *browser.Tab) []string {
	t.Helper()
	return eval[[]string](t, tab, `(async () => { for (let i = 0; i < 3; i++) await new Promise(r => setTimeout(r, 0)); const s = globalThis.seen || []; globalThis.seen = []; return s })()`)
}

func sawOne(t *testing.T, tab *browser.Tab, want string) {
	t.Helper()
	all := saw(t, tab)
	for _, s := range all {
		if s == want {
			return
		}
	}
	t.Errorf("the page saw %q, want %q among it", all, want)
}

func byRef(t *testing.T, text, head string) page.Target {
	t.Helper()
	return page.Target{Ref: refIn(t, text, head)}
}

// middleOfRed is the middle of what is pure red in a picture, in its pixels.
func middleOfRed(t *testing.T, data []byte) (x, y float64) {
	t.Helper()
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	n := 0.0
	for py := img.Bounds().Min.Y; py < img.Bounds().Max.Y; py++ {
		for px := img.Bounds().Min.X; px < img.Bounds().Max.X; px++ {
			if r, g, b, _ := img.At(px, py).RGBA(); r>>8 > 250 && g>>8 < 5 && b>>8 < 5 {
				x, y, n = x+float64(px), y+float64(py), n+1
			}
		}
	}
	if n == 0 {
		t.Fatal("nothing in the picture is red")
	}
	return x / n, y / n
}
