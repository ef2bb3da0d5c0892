package vault

import (
	"time"

	"fyne.io/fyne/v2"

	"chaperone/assets"
	"chaperone/ui/model"
	"chaperone/ui/theme"
	"chaperone/ui/widget"
)

// code is a one-time code that the person may look at, until it is no longer good.
type code struct {
	row    *row
	show   *widget.Button
	object *fyne.Container
	digits *widget.Text
	bar    *widget.Bar
	left   *widget.Text
	copy   *widget.Button
	now    model.Code
	asked  bool
}

func newCode(r *row) *code {
	c := &code{row: r}
	c.show = widget.NewButton(assets.Say("vault.code.show"), widget.Plain, c.press).Small()
	c.digits = widget.NewText("", widget.Style{Size: 26, Bold: true, OneLine: true})
	c.bar = widget.NewBar()
	c.left = widget.NewText("", widget.Style{Size: theme.CaptionSize, Color: theme.Muted, OneLine: true})
	c.copy = widget.NewButton(assets.Say("ui.copy"), widget.Plain, func() {
		c.row.list.screen.do.Copy(c.now.Text)
		c.copy.SetLabel(assets.Say("vault.code.copied"))
	}).Small()
	c.object = widget.Row(14, 1, c.digits, c.bar, c.left, c.copy)
	c.object.Hide()
	return c
}

func (c *code) shows() bool { return c.object.Visible() }

func (c *code) press() {
	if c.shows() {
		c.hide()
		c.row.list.screen.again()
		return
	}
	if !c.asked {
		c.asked = true
		say(c.row.failed, nil)
		c.show.SetLabel(assets.Say("vault.code.wait"))
		c.row.list.screen.do.Code(c.row.now.ID)
	}
}

// answer shows the code, if the person still looks.
func (c *code) answer(m model.Code, err error) {
	wanted := c.asked && c.row.list.screen.shown
	c.hide()
	if !wanted {
		return
	}
	say(c.row.failed, err)
	if err != nil {
		return
	}
	c.now = m
	_ = m.Text.Use(func(text string) error { c.digits.Set(model.Digits(text)); return nil })
	c.show.SetLabel(assets.Say("vault.code.hide"))
	c.object.Show()
	c.tick()
}

// hide takes the code from the screen.
func (c *code) hide() {
	c.asked = false
	c.now = model.Code{}
	c.digits.Set("")
	c.copy.SetLabel(assets.Say("ui.copy"))
	c.show.SetLabel(assets.Say("vault.code.show"))
	c.object.Hide()
}

// tick shows how long it is still good, and takes it away when it no longer is.
func (c *code) tick() (changed bool) {
	if !c.shows() {
		return false
	}
	now := c.row.list.screen.now()
	left := c.now.Ends.Sub(now)
	if left <= 0 {
		c.hide()
		return true
	}
	c.left.Set(model.Left(c.now.Ends, now.Add(-499*time.Millisecond)))
	c.bar.Set(min(1, float64(left)/float64(max(c.now.Good, time.Second))))
	return false
}
