package theme

import (
	"image/color"

	"fyne.io/fyne/v2"
	base "fyne.io/fyne/v2/theme"
)

// Variant is what the person wants the window to look like.
type Variant string

// The variants. System follows the desktop.
const (
	System Variant = "system"
	Light  Variant = "light"
	Dark   Variant = "dark"
)

type theme struct{ want Variant }

// New returns the theme in a variant; an unknown one follows the desktop.
func New(v Variant) fyne.Theme { return theme{want: v} }

func (t theme) Color(name fyne.ThemeColorName, variant fyne.ThemeVariant) color.Color {
	switch t.want {
	case Light:
		variant = base.VariantLight
	case Dark:
		variant = base.VariantDark
	}
	pair, ok := colors[name]
	if !ok {
		return base.DefaultTheme().Color(name, variant)
	}
	if variant == base.VariantDark {
		return pair[1]
	}
	return pair[0]
}

func (t theme) Font(style fyne.TextStyle) fyne.Resource { return base.DefaultTheme().Font(style) }

func (t theme) Icon(name fyne.ThemeIconName) fyne.Resource { return base.DefaultTheme().Icon(name) }

// Sizes of text, in the window's own units.
const (
	TitleSize   float32 = 20
	AskSize     float32 = 17
	BodySize    float32 = 14
	SmallSize   float32 = 13
	CaptionSize float32 = 12
	CodeSize    float32 = 13
)

// Corners.
const (
	CardRadius    float32 = 12
	ControlRadius float32 = 8
)

func (t theme) Size(name fyne.ThemeSizeName) float32 {
	switch name {
	case base.SizeNameText:
		return BodySize
	case base.SizeNameCaptionText:
		return CaptionSize
	case base.SizeNameHeadingText:
		return TitleSize
	case base.SizeNameSubHeadingText:
		return AskSize
	case base.SizeNameInputRadius, base.SizeNameSelectionRadius:
		return ControlRadius
	case base.SizeNameScrollBar:
		return 10
	case base.SizeNameScrollBarSmall:
		return 4
	case base.SizeNameInputBorder:
		return 1
	}
	return base.DefaultTheme().Size(name)
}
