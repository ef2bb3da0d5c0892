package activity

import (
	"bytes"
	"encoding/json"
	"strings"

	"fyne.io/fyne/v2"

	"chaperone/assets"
	"chaperone/ui/model"
	"chaperone/ui/theme"
	"chaperone/ui/widget"
)

// mostLines is how many lines of a result are drawn; all of it can be copied.
const mostLines = 200

// codeHeight is the most room a text takes before it scrolls by itself.
const codeHeight float32 = 260

func newDetail(d model.CallDetail, err error, copyText func(string)) fyne.CanvasObject {
	if err != nil {
		return widget.Inset(2, 8, 12, 8, widget.NewText(assets.Say("ui.activity.lost", err), widget.Style{Color: theme.Muted}))
	}
	c := widget.Column(6)
	add := func(key, text string) {
		copyButton := widget.NewPillButton(assets.Say("ui.copy"), nil)
		copyButton = widget.NewPillButton(assets.Say("ui.copy"), func() {
			copyText(text)
			copyButton.Set(assets.Say("ui.copied"), true)
		})
		c.Objects = append(c.Objects,
			widget.Row(8, 1, widget.NewText(assets.Say(key), widget.Style{Size: theme.CaptionSize, Color: theme.Muted, OneLine: true}), widget.Space(), copyButton),
			code(text))
	}
	add("ui.activity.arguments", d.Arguments)
	add("ui.activity.result", d.Result)
	for _, line := range model.SecretLines(d) {
		c.Objects = append(c.Objects, widget.NewText(line, widget.Style{Size: theme.SmallSize, Color: theme.Muted, Marks: true}))
	}
	if len(d.Picture) > 0 {
		p := widget.NewPicture(assets.Say("ui.browsers.nopicture"), func(w float32) float32 { return min(320, w*0.6) })
		p.Set(d.Picture)
		c.Objects = append(c.Objects, p)
	}
	return widget.Inset(2, 8, 12, 8, c)
}

// code shows text as it is, masks highlighted, in a box that scrolls when it is long.
func code(text string) fyne.CanvasObject {
	text = pretty(text)
	if text == "" {
		text = assets.Say("ui.activity.none")
	}
	lines := strings.Split(text, "\n")
	if len(lines) > mostLines {
		rest := len(lines) - mostLines
		text = strings.Join(lines[:mostLines], "\n") + "\n" + assets.Say("ui.activity.cut", rest)
	}
	t := widget.NewText(text, widget.Style{Size: theme.CodeSize, Mono: true, Verbatim: true, Marks: true, Lines: 2 * mostLines})
	return widget.NewSurface(theme.Ground, theme.Line, theme.ControlRadius, widget.Inset(8, 4, 8, 12, widget.Capped(codeHeight, widget.Inset(0, 8, 0, 0, t))))
}

// pretty puts JSON on several lines; what is no JSON stays as it is.
func pretty(text string) string {
	text = strings.TrimSpace(text)
	var out bytes.Buffer
	if (strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[")) && json.Indent(&out, []byte(text), "", "  ") == nil {
		return out.String()
	}
	return text
}
