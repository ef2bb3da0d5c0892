package page_test

import (
	"bytes"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chaperone/browser"
	"chaperone/browser/page"
)

// hideRed has texts hidden that hold "REDTEXT"; the page draws them in pure red on white.
func hideRed(texts []string) (hidden []int, names []string) {
	for i, s := range texts {
		if strings.Contains(s, "REDTEXT") {
			hidden, names = append(hidden, i), []string{"RED"}
		}
	}
	return hidden, names
}

func TestTextsAreCoveredInPictures(t *testing.T) {
	profiles := t.TempDir()
	zoomed := func(o *browser.Options) {
		o.Mode, o.Profile = browser.Persistent, "zoomed"
		o.ExtraFlags = append(o.ExtraFlags, "--force-device-scale-factor=1.5")
		file := filepath.Join(profiles, "zoomed", "Default", "Preferences")
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(`{"partition":{"default_zoom_level":{"x":1}}}`), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, change := range map[string]func(*browser.Options){"plain": func(*browser.Options) {}, "zoomed and dense": zoomed} {
		t.Run(name, func(t *testing.T) {
			l := newLabIn(t, profiles, change)
			tab := l.open(t, "a.test", "/drawn.html?b="+l.Port)
			for i := 0; strings.Count(snapshot(t, tab), "REDTEXT") < 4; i++ {
				if i > 50 {
					t.Fatal("the frames never came")
				}
			}
			for _, scrolled := range []string{"scrollTo(0,0)", "scrollTo(0,150)"} {
				eval[any](t, tab, scrolled)
				for _, o := range []page.ScreenshotOptions{{Hide: hideRed}, {Hide: hideRed, FullPage: true}, {Hide: hideRed, Target: &page.Target{Selector: "#crop"}}, {Hide: hideRed, Format: "jpeg", Scale: .7}} {
					p, err := page.Screenshot(limit(t), tab, o)
					if err != nil {
						t.Fatal(err)
					}
					if n := red(t, p.Data); n > 0 {
						t.Errorf("%s, full %v, target %v: %d red pixels are left", scrolled, o.FullPage, o.Target != nil, n)
					}
					if len(p.Names) != 1 || p.Names[0] != "RED" || !strings.Contains(p.Note, "hold secrets") {
						t.Errorf("it says %v, %q", p.Names, p.Note)
					}
					o.Hide = nil
					if p, err = page.Screenshot(limit(t), tab, o); err != nil || red(t, p.Data) == 0 {
						t.Errorf("%s: without covering nothing is red (%v): the test tests nothing", scrolled, err)
					}
				}
			}
		})
	}
}

// red counts clearly red pixels.
func red(t *testing.T, data []byte) (n int) {
	t.Helper()
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y++ {
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x++ {
			if r, g, b, _ := img.At(x, y).RGBA(); r>>8 > 200 && g>>8 < 90 && b>>8 < 90 {
				n++
			}
		}
	}
	return n
}
