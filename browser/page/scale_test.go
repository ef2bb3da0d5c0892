package page_test

import (
	"bytes"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chaperone/browser"
	"chaperone/browser/page"
)

// On a screen with one and a half pixels to each of the page's, and on a page that the person has zoomed, coordinates stay those
// of the page, and what is covered is covered whole.
func TestCoordinatesAtScale(t *testing.T) {
	profiles := t.TempDir()
	dense := func(o *browser.Options) {
		o.ExtraFlags = append(o.ExtraFlags, "--force-device-scale-factor=1.5")
	}
	zoomed := func(o *browser.Options) {
		o.Mode, o.Profile = browser.Persistent, fmt.Sprintf("zoomed-%d", len(o.ExtraFlags))
		file := filepath.Join(profiles, o.Profile, "Default", "Preferences")
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(`{"partition":{"default_zoom_level":{"x":2.2239}}}`), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		change func(*browser.Options)
		ratio  float64
	}{
		"dense":  {dense, 1.5},
		"zoomed": {zoomed, 1.5},
		"both":   {func(o *browser.Options) { dense(o); zoomed(o) }, 2.25},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLabIn(t, profiles, c.change)
			tab := l.open(t, "a.test", "/canvas.html")
			if got := eval[float64](t, tab, "devicePixelRatio"); got < c.ratio-.01 || got > c.ratio+.01 {
				t.Fatalf("the page has %v pixels per pixel", got)
			}
			text := snapshot(t, tab)
			if !strings.Contains(text, "canvas") || !strings.Contains(text, "coords") {
				t.Errorf("the snapshot does not say how to use a canvas:\n%s", text)
			}
			for _, o := range []page.ScreenshotOptions{{}, {Scale: 1.5}, {Scale: .5}, {FullPage: true}, {Target: &page.Target{Selector: "#c"}}} {
				p, err := page.Screenshot(limit(t), tab, o)
				if err != nil {
					t.Fatal(err)
				}
				want := o.Scale
				if want == 0 {
					want = 1
				}
				if p.Scale != want {
					t.Errorf("%+v: the scale is %v", o, p.Scale)
				}
				x, y := middleOfRed(t, p.Data)
				if _, err := page.Click(limit(t), tab, page.Target{Point: &page.Point{X: p.X + x/p.Scale, Y: p.Y + y/p.Scale}}, page.ClickOptions{}); err != nil {
					t.Fatal(err)
				}
				sawOne(t, tab, "drawn button true")
			}
			eval[any](t, tab, `document.body.innerHTML = '<input type=password value=x style="position:absolute;left:120px;top:80px;width:200px;height:40px;border:0;background:#f00;color:#f00">'`)
			p, err := page.Screenshot(limit(t), tab, page.ScreenshotOptions{})
			if err != nil {
				t.Fatal(err)
			}
			img, _, err := image.Decode(bytes.NewReader(p.Data))
			if err != nil {
				t.Fatal(err)
			}
			for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y++ {
				for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x++ {
					if r, _, b, _ := img.At(x, y).RGBA(); r>>8 > 200 && b>>8 < 60 {
						t.Fatalf("the protected field shows at %d,%d", x, y)
					}
				}
			}
			small, err := tab.Thumbnail(limit(t), 300)
			if err != nil {
				t.Fatal(err)
			}
			if is, _, err := image.DecodeConfig(bytes.NewReader(small)); err != nil || is.Width < 298 || is.Width > 302 {
				t.Errorf("the thumbnail is %d wide, %v", is.Width, err)
			}
		})
	}
}
