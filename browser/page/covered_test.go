package page_test

import (
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"chaperone/browser"
	"chaperone/browser/page"
)

// What draws a text elsewhere than where it stands does not bring it into a picture.
func TestCoveredWithEffects(t *testing.T) {
	for name, change := range map[string]func(*browser.Options){"plain": func(*browser.Options) {}, "dense": func(o *browser.Options) {
		o.ExtraFlags = append(o.ExtraFlags, "--force-device-scale-factor=1.5")
	}} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t, change)
			tab := l.open(t, "a.test", "/drawn-effects.html?case=plain&b="+l.Port)
			for i, which := range eval[[]string](t, tab, "names") {
				if name == "dense" && i%7 != 0 {
					continue // the boxes are the same, only the pixels are more
				}
				if only := os.Getenv("COVERED_CASE"); only != "" && only != which {
					continue
				}
				t.Run(which, func(t *testing.T) { checkCovered(t, l, which) })
			}
		})
	}
}

func checkCovered(t *testing.T, l *lab, which string) {
	tab := l.open(t, "a.test", "/drawn-effects.html?case="+url.QueryEscape(which)+"&b="+l.Port)
	// What is drawn without covering has to come first, frames above all.
	shown := func(full bool) bool {
		p, err := page.Screenshot(limit(t), tab, page.ScreenshotOptions{FullPage: full})
		return err == nil && red(t, p.Data) > 0
	}
	tries := 1
	if strings.Contains(which, "steps") || strings.Contains(which, "jumps") {
		tries = 4
	}
	field := strings.Contains(which, "field")
	if field {
		// It is hidden as text by the page, in a frame in one case: its own script says so when it has come to that.
		for i := 0; eval[int](t, tab, "fieldsShown") == 0; i++ {
			if i > 200 {
				t.Fatal("the field was never shown")
			}
			drawFrame(t, tab)
		}
	} else {
		for i := 0; !shown(true); i++ {
			if i > 20 {
				t.Error("nothing is red without covering: the test tests nothing")
				break
			}
			drawFrame(t, tab)
		}
	}
	for _, full := range []bool{false, true} {
		for range tries {
			p, err := page.Screenshot(limit(t), tab, page.ScreenshotOptions{Hide: hideRed, FullPage: full})
			if err != nil && which == "by frames" && strings.Contains(err.Error(), "keeps moving") {
				continue // no picture shows nothing
			}
			if err != nil {
				t.Fatal(err)
			}
			if n := red(t, p.Data); n > 0 {
				t.Errorf("full %v: %d red pixels are left (%s)", full, n, p.Note)
				if dir := os.Getenv("COVERED_DIR"); dir != "" {
					_ = os.WriteFile(dir+"/"+strings.ReplaceAll(t.Name(), "/", "_")+".png", p.Data, 0o600)
				}
				break
			}
			if !strings.Contains(p.Note, "covered") && (full || which != "frame below") {
				t.Errorf("full %v: it says %q", full, p.Note)
			}
			if !field && len(p.Names) > 0 && !slices.Equal(p.Names, []string{"RED"}) {
				t.Errorf("it names %v", p.Names)
			}
			if testing.Verbose() && strings.Contains(p.Note, "whole") {
				t.Logf("full %v: whole", full)
			}
		}
	}
}

// drawFrame waits until the page was drawn twice.
func drawFrame(t *testing.T, tab *browser.Tab) {
	t.Helper()
	if err := tab.MainFrame().Call(limit(t), "tick", map[string]any{"frames": 2}, nil); err != nil {
		t.Fatal(err)
	}
}
