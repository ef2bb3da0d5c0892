package theme

import (
	"image/color"

	"fyne.io/fyne/v2"
	base "fyne.io/fyne/v2/theme"
)

// Roles that the toolkit has no name for.
const (
	Rail     fyne.ThemeColorName = "chaperone.rail"
	Card     fyne.ThemeColorName = "chaperone.card"
	Line     fyne.ThemeColorName = "chaperone.line"
	Control  fyne.ThemeColorName = "chaperone.control"       // the track of a switch that is off; seen on a card
	Edge                         = base.ColorNameInputBorder // of what can be pressed or typed into
	Chosen   fyne.ThemeColorName = "chaperone.chosen"        // the open screen, in the rail
	Muted    fyne.ThemeColorName = "chaperone.muted"
	Soft     fyne.ThemeColorName = "chaperone.soft" // the accent as a quiet ground
	Warn     fyne.ThemeColorName = "chaperone.warn"
	WarnSoft fyne.ThemeColorName = "chaperone.warnSoft"
	Bad      fyne.ThemeColorName = "chaperone.bad"
	Mask     fyne.ThemeColorName = "chaperone.mask" // the ground of a masked value
	MaskText fyne.ThemeColorName = "chaperone.maskText"
	Accent                       = base.ColorNamePrimary
	OnAccent                     = base.ColorNameForegroundOnPrimary
	Text                         = base.ColorNameForeground
	Ground                       = base.ColorNameBackground
	Focus                        = base.ColorNameFocus
	Hover                        = base.ColorNameHover
	Pressed                      = base.ColorNamePressed
	White    fyne.ThemeColorName = "chaperone.white" // the knob of a switch, in both variants
)

func rgb(v uint32) color.NRGBA {
	return color.NRGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 0xff}
}

func rgba(v uint32, a uint8) color.NRGBA {
	c := rgb(v)
	c.A = a
	return c
}

// colors holds, for each role, the light value and the dark one.
var colors = map[fyne.ThemeColorName][2]color.NRGBA{
	Rail:     {rgb(0xeceef0), rgb(0x171b1f)},
	Card:     {rgb(0xffffff), rgb(0x1c2126)},
	Line:     {rgb(0xdfe3e6), rgb(0x2b3238)},
	Control:  {rgb(0xb4bdc5), rgb(0x4a545d)},
	Chosen:   {rgb(0xffffff), rgb(0x272e34)},
	Muted:    {rgb(0x5d6872), rgb(0x98a3ad)},
	Soft:     {rgb(0xd7efec), rgb(0x15383a)},
	Warn:     {rgb(0x92400e), rgb(0xf0b45c)},
	WarnSoft: {rgb(0xfdf1dc), rgb(0x33270f)},
	Bad:      {rgb(0xb3261e), rgb(0xef7a72)},
	Mask:     {rgb(0xcfe8ff), rgb(0x123a5c)},
	MaskText: {rgb(0x0b4f86), rgb(0x9ad0ff)},
	White:    {rgb(0xffffff), rgb(0xffffff)},

	Accent:   {rgb(0x0f766e), rgb(0x2fb9a8)},
	OnAccent: {rgb(0xffffff), rgb(0x06201d)},
	Text:     {rgb(0x1a1f24), rgb(0xe7eaed)},
	Ground:   {rgb(0xf5f6f7), rgb(0x121518)},
	Focus:    {rgb(0x2f81c9), rgb(0x62b0f0)},
	Hover:    {rgba(0x1a1f24, 0x0d), rgba(0xe7eaed, 0x10)},
	Pressed:  {rgba(0x1a1f24, 0x1c), rgba(0xe7eaed, 0x20)},

	base.ColorNameButton:              {rgb(0xffffff), rgb(0x1c2126)},
	base.ColorNameDisabledButton:      {rgb(0xeceef0), rgb(0x22282d)},
	base.ColorNameDisabled:            {rgb(0x98a2ab), rgb(0x65707a)},
	base.ColorNameError:               {rgb(0xb3261e), rgb(0xef7a72)},
	base.ColorNameForegroundOnError:   {rgb(0xffffff), rgb(0x2a0805)},
	base.ColorNameSuccess:             {rgb(0x0f766e), rgb(0x2fb9a8)},
	base.ColorNameForegroundOnSuccess: {rgb(0xffffff), rgb(0x06201d)},
	base.ColorNameWarning:             {rgb(0x92400e), rgb(0xf0b45c)},
	base.ColorNameForegroundOnWarning: {rgb(0xffffff), rgb(0x241803)},
	base.ColorNameHeaderBackground:    {rgb(0xffffff), rgb(0x1c2126)},
	base.ColorNameHyperlink:           {rgb(0x0f766e), rgb(0x2fb9a8)},
	base.ColorNameInputBackground:     {rgb(0xffffff), rgb(0x161a1e)},
	base.ColorNameInputBorder:         {rgb(0xcdd3d8), rgb(0x3f4952)},
	base.ColorNameMenuBackground:      {rgb(0xffffff), rgb(0x22282e)},
	base.ColorNameOverlayBackground:   {rgb(0xffffff), rgb(0x1c2126)},
	base.ColorNamePlaceHolder:         {rgb(0x7b8690), rgb(0x7d8892)},
	base.ColorNameScrollBar:           {rgba(0x1a1f24, 0x55), rgba(0xe7eaed, 0x55)},
	base.ColorNameScrollBarBackground: {rgba(0, 0), rgba(0, 0)},
	base.ColorNameSelection:           {rgb(0xd7efec), rgb(0x15383a)},
	base.ColorNameSeparator:           {rgb(0xdfe3e6), rgb(0x2b3238)},
	base.ColorNameShadow:              {rgba(0x1a1f24, 0x22), rgba(0, 0x66)},
}
