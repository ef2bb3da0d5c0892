package settings

import (
	"slices"

	"fyne.io/fyne/v2"

	"chaperone/assets"
	"chaperone/ui/model"
	"chaperone/ui/theme"
	"chaperone/ui/widget"
)

// row is one setting.
type row struct {
	screen  *Screen
	now     model.Setting
	object  fyne.CanvasObject
	locked  *widget.Pill
	problem *widget.Text

	toggle *widget.Switch
	pick   *widget.PillButton
	many   []*widget.PillButton
	entry  *widget.Entry
	save   *widget.Button
}

func newRow(s *Screen, m model.Setting) *row {
	r := &row{screen: s, now: m}
	label := m.Label
	if label == "" {
		label = m.Key
	}
	r.locked = widget.NewPill("")
	r.problem = widget.NewText("", widget.Style{Size: theme.SmallSize, Color: theme.Bad})
	r.problem.Hide()
	words := widget.Column(1, widget.Row(8, -1, widget.NewText(label, widget.Style{OneLine: true}), r.locked.Surface))
	if m.Help != "" {
		words.Objects = append(words.Objects, widget.NewText(m.Help, widget.Style{Size: theme.SmallSize, Color: theme.Muted}))
	}
	control := r.control(m)
	if m.Kind == model.Many { // they may be many, so they stand below
		words.Objects = append(words.Objects, widget.Inset(7, 0, 2, 0, control))
		words.Objects = append(words.Objects, r.problem)
		r.object = widget.Inset(11, 0, 11, 0, words)
	} else {
		words.Objects = append(words.Objects, r.problem)
		r.object = widget.Inset(11, 0, 11, 0, widget.Row(20, 0, words, control))
	}
	r.set(m)
	return r
}

func (r *row) control(m model.Setting) fyne.CanvasObject {
	set := func(v string) { r.screen.do.Set(r.now.Key, v) }
	switch m.Kind {
	case model.Toggle:
		r.toggle = widget.NewSwitch(func(on bool) {
			if on {
				set("true")
				return
			}
			set("false")
		})
		return r.toggle
	case model.Pick:
		r.pick = widget.NewPillMenu(m.Value, func() (words []string) {
			for i := range r.now.Choices {
				words = append(words, r.now.Choice(i))
			}
			return words
		}, func(i int) { set(r.now.Choices[i]) })
		return r.pick
	case model.Many:
		pills := widget.Wrap(8)
		for i, c := range m.Choices {
			pill := widget.NewPillButton(m.Choice(i), func() { set(r.now.With(c)) })
			r.many = append(r.many, pill)
			pills.Objects = append(pills.Objects, pill)
		}
		return pills
	}
	hint := assets.Say("ui.settings.empty")
	if m.Default != "" {
		hint = assets.Say("ui.settings.default", m.Default)
	}
	r.entry = widget.NewEntry(hint)
	r.save = widget.NewButton(assets.Say("ui.settings.save"), widget.Primary, func() { set(r.entry.Text) }).Small()
	r.save.Hide()
	r.entry.Sent = func() { set(r.entry.Text) }
	r.entry.Approve = r.entry.Sent
	r.entry.OnChanged = func(v string) {
		if hidden := v == r.now.Value; hidden == r.save.Visible() {
			r.save.Hidden = hidden
			r.screen.page.Again()
		}
	}
	width := float32(300)
	if m.Kind == model.Number {
		width = 130
	}
	return widget.Row(8, -1, widget.Wide(width, r.entry), r.save)
}

// set shows a value. What the person is typing is left alone.
func (r *row) set(m model.Setting) {
	was := r.now
	r.now = m
	locked := m.LockedBy != ""
	r.locked.Surface.Hidden = !locked
	if locked {
		r.locked.Text.Set(assets.Say("ui.locked", m.LockedBy))
	}
	switch {
	case r.toggle != nil:
		r.toggle.Set(m.Value == "true", locked)
	case r.pick != nil:
		word := m.Value
		if i := slices.Index(m.Choices, m.Value); i >= 0 {
			word = m.Choice(i)
		}
		r.pick.Set(word, false)
		r.pick.SetLocked(locked)
	case r.many != nil:
		for i, pill := range r.many {
			pill.Set(m.Choice(i), m.Chosen(m.Choices[i]))
			pill.SetLocked(locked)
		}
	default:
		if r.entry.Text == was.Value || r.entry.Text == "" {
			r.entry.SetText(m.Value)
		}
		if locked {
			r.entry.Disable()
		} else {
			r.entry.Enable()
		}
		r.save.Hidden = locked || r.entry.Text == m.Value
	}
}

func (r *row) done(err error) {
	r.problem.Hide()
	if err != nil {
		r.problem.Set(err.Error())
		r.problem.Show()
	}
}
