package ui

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/test"

	"chaperone/assets"
	"chaperone/ui/model"
	"chaperone/ui/uitest"
	"chaperone/ui/widget"
)

// digit presses Ctrl and the digit of a page.
func (b *bench) digit(key string) {
	b.t.Helper()
	for i, p := range b.ui.pages {
		if p.key == key {
			b.ui.win.Canvas().(fyne.Shortcutable).TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyName(fmt.Sprint(i + 1)), Modifier: fyne.KeyModifierShortcutDefault})
			b.until(key, func() bool { return b.ui.current.Load() == p })
		}
	}
}

func (b *bench) acts() (all string) {
	b.fake.Read(func() { all = strings.Join(b.fake.Acts, ", ") })
	return all
}

// tabTo presses Tab until something that says a word has the focus.
func (b *bench) tabTo(word string) fyne.Focusable {
	b.t.Helper()
	c := b.ui.win.Canvas()
	for range 60 {
		if f := c.Focused(); f != nil {
			if e, ok := f.(*widget.Entry); ok && e.PlaceHolder == word || label(f) == word {
				return f
			}
		}
		c.FocusNext()
	}
	b.t.Fatalf("Tab never comes to %q:\n%s", word, b.words())
	return nil
}

func press(f fyne.Focusable) { f.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn}) }

func TestASecretIsKeptByKeysAlone(t *testing.T) {
	fake := uitest.New()
	fake.Lent = model.Vault{Place: model.InKeyring}
	b := newBench(t, fake)
	b.until("the window", b.sees(assets.Say("ui.requests.empty")))
	if b.acts() != "" {
		t.Fatalf("at the start: %s", b.acts())
	}
	b.digit("ui.vault")
	b.until("the empty vault", b.sees(assets.Say("vault.empty.secret")))
	b.until("the check", b.sees(assets.Say("vault.place.ready")))
	press(b.tabTo(assets.Say("vault.add.secret")))
	c := b.ui.win.Canvas()
	test.Type(c.Focused(), "NPM_TOKEN")
	c.FocusNext()
	test.Type(c.Focused(), "hunter2-hunter2")
	c.FocusNext()
	test.Type(c.Focused(), "npmjs.com")
	c.Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	b.until("the item", b.sees("npmjs.com"))
	b.until("the form is gone", func() bool { return uitest.Find(b.ui.win.Content(), assets.Say("vault.keep")) == nil })
	if b.acts() != "check, add secret NPM_TOKEN" {
		t.Errorf("%s", b.acts())
	}
	var got model.Value
	fake.Read(func() { got = fake.Typed[0] })
	if !got.Same(model.NewValue("hunter2-hunter2")) {
		t.Error("another value came in")
	}
	for _, o := range test.LaidOutObjects(b.ui.win.Content()) {
		if e, ok := o.(*widget.Entry); ok && strings.Contains(e.Text, "hunter2") {
			t.Error("the value still stands in a line")
		}
	}
	if strings.Contains(b.words(), "hunter2") {
		t.Error("the value can be read")
	}
}

func TestTheWindowDoesNotWaitForAKeyring(t *testing.T) {
	fake := uitest.New()
	fill(fake)
	fake.Trouble = errors.New("the keyring does not answer")
	b := newBench(t, fake)
	b.digit("ui.vault")
	b.until("what is wrong", b.sees("The keyring does not answer."))
	fake.Read(func() { fake.Trouble = nil })
	press(b.tabTo(assets.Say("vault.use.memory")))
	b.until("the other place", b.sees(assets.Say("vault.memory.more")))
	if got := b.acts(); !strings.HasPrefix(got, "check, keep in memory") {
		t.Errorf("%s", got)
	}
}

func TestAValueLeavesTheClipboard(t *testing.T) {
	over := make(chan time.Time)
	fake := uitest.New()
	fill(fake)
	fake.Lent.Items = append(fake.Lent.Items, model.Item{ID: "c1", Kind: model.CodeItem, Alias: "TOTP_BOB", Account: "bob"})
	b := newBench(t, fake)
	var waits []time.Duration
	b.ui.clip.after = func(d time.Duration) <-chan time.Time { waits = append(waits, d); return over }
	fake.CodeNow = model.Code{Text: model.NewValue("394201"), Ends: b.now.Add(20 * time.Second), Good: 30 * time.Second}
	board := b.ui.app.Clipboard()
	copyCode := func() {
		b.digit("ui.requests")
		b.digit("ui.vault")
		b.until("the tab", func() bool { return uitest.Find(b.ui.win.Content(), "One-time codes  1") != nil })
		test.Tap(b.button("One-time codes  1"))
		test.Tap(b.button(assets.Say("vault.code.show")))
		b.until("the code", b.sees("394 201"))
		test.Tap(b.button(assets.Say("ui.copy")))
		if board.Content() != "394201" {
			t.Fatalf("the clipboard has %q", board.Content())
		}
	}
	copyCode()
	over <- time.Time{}
	b.until("it is gone", func() bool { return board.Content() == "" })
	if len(waits) != 1 || waits[0] != 30*time.Second {
		t.Errorf("waited %v", waits)
	}
	copyCode()
	board.SetContent("something else")
	over <- time.Time{}
	b.until("the turn is over", func() bool { b.ui.clip.mu.Lock(); defer b.ui.clip.mu.Unlock(); return b.ui.clip.last.Empty() })
	if board.Content() != "something else" {
		t.Error("what the person copied elsewhere was taken away")
	}
	b.digit("ui.requests")
	if strings.Contains(b.words(), "394 201") {
		t.Error("the code is still shown")
	}
	copyCode()
	b.ui.leave()
	if board.Content() != "" {
		t.Error("it stays when the app ends")
	}
}

func TestAPictureIsDropped(t *testing.T) {
	fake := uitest.New()
	fill(fake)
	fake.Seeds = model.Seeds{Found: []model.Found{{Issuer: "ACME", Account: "bob"}}}
	b := newBench(t, fake)
	file := filepath.Join(t.TempDir(), "qr.png")
	if err := os.WriteFile(file, []byte("a picture"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.digit("ui.vault")
	b.until("the vault", b.sees("GITHUB_TOKEN"))
	b.ui.current.Load().drop([]fyne.URI{storage.NewFileURI(file)})
	b.until("what it holds", b.sees("ACME · bob"))
	fake.Read(func() {
		if len(fake.Sources) != 1 || string(fake.Sources[0].Picture) != "a picture" {
			t.Errorf("%d sources", len(fake.Sources))
		}
	})
	uri, err := storage.ParseURI("https://a.test/qr.png")
	if err != nil {
		t.Fatal(err)
	}
	b.ui.current.Load().drop([]fyne.URI{uri})
	b.until("a refusal", b.sees(assets.Say("vault.drop.files")))
}

func TestScreensAreReachedFromALine(t *testing.T) {
	fake := uitest.New()
	fill(fake)
	b := newBench(t, fake)
	b.digit("ui.vault")
	b.until("the vault", b.sees("GITHUB_TOKEN"))
	press(b.tabTo(assets.Say("vault.add.secret")))
	line, ok := b.ui.win.Canvas().Focused().(*widget.Entry)
	if !ok {
		t.Fatalf("the focus is on %T", b.ui.win.Canvas().Focused())
	}
	line.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.Key1, Modifier: fyne.KeyModifierShortcutDefault})
	b.until("the first screen", func() bool { return b.ui.current.Load() == b.ui.pages[0] })
}
