package browser

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"chaperone/browser/internal/cdp"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"
)

// MouseEvent is one step of the mouse, in CSS pixels of the main frame's viewport.
type MouseEvent struct {
	Type      string // "move", "down", "up", "wheel"
	X, Y      float64
	Button    string // "left" (default for down and up), "right", "middle"
	Held      string // the button held while moving, for a drag
	Clicks    int    // 1 by default for down and up
	Modifiers Modifiers
	DX, DY    float64 // of a wheel step
}

// Modifiers is the protocol's bit field of held keys.
type Modifiers int64

// The modifier keys.
const (
	Alt     Modifiers = 1
	Control Modifiers = 2
	Meta    Modifiers = 4
	Shift   Modifiers = 8
)

// Mouse sends steps of the mouse, one behind the other without waiting in between, and waits until the page has had them all.
func (t *Tab) Mouse(ctx context.Context, events ...MouseEvent) error {
	var sent []*cdp.Pending
	for _, e := range events {
		p := input.DispatchMouseEventParams{X: e.X, Y: e.Y, Modifiers: int64(e.Modifiers)}
		button := e.Button
		if button == "" {
			button = "left"
		}
		switch e.Type {
		case "move":
			p.Type = input.DispatchMouseEventTypeMouseMoved
			if e.Held != "" {
				p.Button, p.Buttons = input.MouseButton(e.Held), buttons(e.Held)
			}
		case "down":
			t.session.keepFocus()
			p.Type, p.Button, p.Buttons, p.ClickCount = input.DispatchMouseEventTypeMousePressed, input.MouseButton(button), buttons(button), int64(max(e.Clicks, 1))
		case "up":
			p.Type, p.Button, p.ClickCount = input.DispatchMouseEventTypeMouseReleased, input.MouseButton(button), int64(max(e.Clicks, 1))
		case "wheel":
			p.Type, p.DeltaX, p.DeltaY = input.DispatchMouseEventTypeMouseWheel, e.DX, e.DY
		default:
			return fmt.Errorf("%q is no mouse step", e.Type)
		}
		sent = append(sent, t.cdp.Send(input.CommandDispatchMouseEvent, p))
	}
	return t.awaitInput(ctx, sent)
}

// focusGuard is how long after a click the person's window gets its focus back. It is short: a person who goes to the
// browser's window meanwhile wants it.
const focusGuard = 400 * time.Millisecond

// keepFocus guards the focus of what the person is doing, unless the person has taken this browser over.
func (s *Session) keepFocus() {
	s.mu.Lock()
	taken, guard := s.taken, s.focus
	s.mu.Unlock()
	if !taken {
		guard.Arm(focusGuard)
	}
}

// awaitInput waits for the replies to input. While a dialog waits for the person the page answers nothing.
func (t *Tab) awaitInput(ctx context.Context, sent []*cdp.Pending) error {
	for _, p := range sent {
		if err := p.Wait(ctx, nil); err != nil {
			return t.root.callError(err)
		}
	}
	return nil
}

func buttons(name string) int64 {
	switch name {
	case "right":
		return 2
	case "middle":
		return 4
	default:
		return 1
	}
}

// Press presses and releases a key or a chord on whatever has the focus: "Enter", "a", "Control+A", "Shift+Tab".
func (t *Tab) Press(ctx context.Context, chord string) error {
	key, mods, err := ParseChord(chord)
	if err != nil {
		return err
	}
	var sent []*cdp.Pending
	send := func(p input.DispatchKeyEventParams) {
		sent = append(sent, t.cdp.Send(input.CommandDispatchKeyEvent, p))
	}
	var held Modifiers
	for _, m := range modifierKeys {
		if mods&m.bit != 0 {
			held |= m.bit
			send(input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeRawKeyDown, Key: m.key, Code: m.code, WindowsVirtualKeyCode: m.vk, Modifiers: int64(held), Location: 1})
		}
	}
	down := input.DispatchKeyEventParams{
		Type: input.DispatchKeyEventTypeRawKeyDown, Key: key.Key, Code: key.Code,
		WindowsVirtualKeyCode: key.Windows, NativeVirtualKeyCode: key.Native, Modifiers: int64(mods),
	}
	if key.Print || key.Text != "" {
		// A chord with Control, Alt or Meta is a command and types nothing.
		if mods&(Control|Alt|Meta) == 0 {
			down.Type, down.Text, down.UnmodifiedText = input.DispatchKeyEventTypeKeyDown, key.Text, key.Unmodified
		}
	}
	send(down)
	send(input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyUp, Key: key.Key, Code: key.Code, WindowsVirtualKeyCode: key.Windows, NativeVirtualKeyCode: key.Native, Modifiers: int64(mods)})
	for i := len(modifierKeys) - 1; i >= 0; i-- {
		m := modifierKeys[i]
		if mods&m.bit != 0 {
			held &^= m.bit
			send(input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyUp, Key: m.key, Code: m.code, WindowsVirtualKeyCode: m.vk, Modifiers: int64(held), Location: 1})
		}
	}
	return t.awaitInput(ctx, sent)
}

var modifierKeys = []struct {
	bit       Modifiers
	key, code string
	vk        int64
}{
	{Control, "Control", "ControlLeft", 17}, {Alt, "Alt", "AltLeft", 18}, {Meta, "Meta", "MetaLeft", 91}, {Shift, "Shift", "ShiftLeft", 16},
}

// keyNames finds keys by their DOM names, from chromedp's table.
var keyNames = sync.OnceValue(func() map[string]*kb.Key {
	names := map[string]*kb.Key{}
	for _, k := range kb.Keys {
		if utf8.RuneCountInString(k.Key) > 1 {
			if _, there := names[lower(k.Key)]; !there {
				names[lower(k.Key)] = k
			}
		}
	}
	return names
})

var keyAliases = map[string]string{
	"esc": "escape", "return": "enter", "del": "delete", "ins": "insert", "up": "arrowup", "down": "arrowdown", "left": "arrowleft", "right": "arrowright",
	"pgup": "pageup", "pgdn": "pagedown", "ctrl": "control", "cmd": "meta", "command": "meta", "option": "alt",
}

var modifierNames = map[string]Modifiers{
	"control": Control, "ctrl": Control, "controlormeta": Control, "alt": Alt, "option": Alt, "shift": Shift, "meta": Meta, "cmd": Meta, "command": Meta, "super": Meta,
}

// ParseChord reads a key name or a chord. The error of an unknown key does not repeat it: what was meant for a field may be
// a secret.
func ParseChord(chord string) (*kb.Key, Modifiers, error) {
	var mods Modifiers
	rest := chord
	for {
		head, tail, ok := strings.Cut(rest, "+")
		if !ok || head == "" || tail == "" {
			break
		}
		bit, known := modifierNames[lower(head)]
		if !known {
			break
		}
		mods |= bit
		rest = tail
	}
	if rest == "Space" || rest == "space" {
		rest = " "
	}
	if r, size := utf8.DecodeRuneInString(rest); size == len(rest) && size > 0 {
		if mods&Shift != 0 && r >= 'a' && r <= 'z' {
			r -= 'a' - 'A'
		}
		if k := kb.Keys[r]; k != nil {
			return k, mods, nil
		}
		if unicode.IsControl(r) || r == utf8.RuneError {
			return nil, 0, ErrUnknownKey // no keyboard has it, and Chromium waits for ever
		}
		s := string(r)
		return &kb.Key{Key: s, Text: s, Unmodified: s, Print: true}, mods, nil
	}
	name := lower(rest)
	if alias := keyAliases[name]; alias != "" {
		name = alias
	}
	if k := keyNames()[name]; k != nil {
		return k, mods, nil
	}
	return nil, 0, ErrUnknownKey
}
