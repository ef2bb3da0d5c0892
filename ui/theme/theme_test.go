package theme

import (
	"image/color"
	"math"
	"testing"

	"fyne.io/fyne/v2"
	base "fyne.io/fyne/v2/theme"

	_ "chaperone/internal/locale" // quiet
)

func luminance(c color.Color) float64 {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	part := func(v uint8) float64 {
		f := float64(v) / 255
		if f <= 0.03928 {
			return f / 12.92
		}
		return math.Pow((f+0.055)/1.055, 2.4)
	}
	return 0.2126*part(n.R) + 0.7152*part(n.G) + 0.0722*part(n.B)
}

func contrast(a, b color.Color) float64 {
	la, lb := luminance(a), luminance(b)
	if la < lb {
		la, lb = lb, la
	}
	return (la + 0.05) / (lb + 0.05)
}

// Text is read by people with tired eyes: 4.5 to 1 is the least that is called readable.
func TestTextIsReadable(t *testing.T) {
	pairs := []struct{ text, ground fyne.ThemeColorName }{
		{Text, Ground}, {Text, Card}, {Text, Rail}, {Muted, Ground}, {Muted, Card}, {Muted, Rail}, {Text, Chosen},
		{OnAccent, Accent}, {Accent, Card}, {Accent, Soft}, {Warn, WarnSoft}, {Warn, Card}, {Bad, Card}, {MaskText, Mask},
		{base.ColorNameForegroundOnError, base.ColorNameError}, {Bad, Ground},
	}
	for _, v := range []Variant{Light, Dark} {
		th := New(v)
		for _, p := range pairs {
			if got := contrast(th.Color(p.text, 0), th.Color(p.ground, 0)); got < 4.5 {
				t.Errorf("%s: %s on %s has a contrast of %.2f", v, p.text, p.ground, got)
			}
		}
	}
}

func TestFollowsTheDesktopUnlessToldOtherwise(t *testing.T) {
	if New(System).Color(Ground, base.VariantDark) == New(System).Color(Ground, base.VariantLight) {
		t.Error("the theme looks the same on a light and a dark desktop")
	}
	if New(Dark).Color(Ground, base.VariantLight) != New(System).Color(Ground, base.VariantDark) {
		t.Error("dark was asked for and light was given")
	}
}
