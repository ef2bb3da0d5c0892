package vault_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"chaperone/assets"
	_ "chaperone/internal/locale" // quiet
	"chaperone/ui/model"
	"chaperone/ui/theme"
	"chaperone/ui/uitest"
	"chaperone/ui/vault"
	"chaperone/ui/widget"
)

// scene is the screen in a window. What it asks for is kept; nothing answers by itself.
type scene struct {
	t       *testing.T
	screen  *vault.Screen
	window  fyne.Window
	now     time.Time
	did     []string
	draft   model.Draft
	value   model.Value
	sources []model.SeedSource
	copied  []model.Value
	answer  func(error)
}

func newScene(t *testing.T) *scene {
	t.Helper()
	test.NewTempApp(t).Settings().SetTheme(theme.New(theme.Light))
	s := &scene{t: t, now: time.Date(2030, 1, 2, 12, 0, 0, 0, time.UTC)}
	do := func(what ...string) { s.did = append(s.did, strings.Join(what, " ")) }
	s.screen = vault.New(func() time.Time { return s.now }, vault.Callbacks{
		Check: func(answer func(error)) { do("check"); s.answer = answer },
		Keep:  func(p model.Keeping) { do("keep", string(p)) },
		Open:  func(v model.Value) { do("open"); s.value = v },
		Add: func(kind model.ItemKind, d model.Draft, v model.Value) {
			do("add", string(kind), d.Alias+d.Account)
			s.draft, s.value = d, v
		},
		Save:   func(id string, d model.Draft, v model.Value) { do("save", id); s.draft, s.value = d, v },
		Remove: func(id string) { do("remove", id) },
		Read:   func(from model.SeedSource, _ model.Seeds) { do("read"); s.sources = append(s.sources, from) },
		Pick:   func() { do("pick") },
		Seeds:  func(_ model.Seeds, d model.Draft) { do("seeds", d.Account); s.draft = d },
		Code:   func(id string) { do("code", id) },
		Copy:   func(v model.Value) { do("copy"); s.copied = append(s.copied, v) },
		Test:   func(name string) { do("test", name) },
	})
	s.window = test.NewTempWindow(t, s.screen.Object())
	s.window.Resize(fyne.NewSize(900, 1200))
	return s
}

func (s *scene) words() string { return uitest.Words(s.screen.Object()) }

func (s *scene) sees(words string) {
	s.t.Helper()
	if !strings.Contains(s.words(), words) {
		s.t.Errorf("it does not say %q:\n%s", words, s.words())
	}
}

func (s *scene) tap(label string) {
	s.t.Helper()
	o := uitest.Find(s.screen.Object(), label)
	if o == nil {
		s.t.Fatalf("there is no %q in\n%s", label, s.words())
	}
	test.Tap(o)
}

// tab presses a tab, whatever number stands beside its word.
func (s *scene) tab(word string) {
	s.t.Helper()
	for _, o := range uitest.Seen(s.screen.Object()) {
		if p, ok := o.(*widget.PillButton); ok && strings.HasPrefix(p.Label(), word) {
			test.Tap(p)
			return
		}
	}
	s.t.Fatalf("there is no tab %q", word)
}

func (s *scene) line(hint string) *widget.Entry {
	s.t.Helper()
	for _, o := range uitest.Seen(s.screen.Object()) {
		if e, ok := o.(*widget.Entry); ok && e.PlaceHolder == assets.Say(hint) {
			return e
		}
	}
	s.t.Fatalf("there is no line %q", assets.Say(hint))
	return nil
}

func (s *scene) typed() (text string) {
	_ = s.value.Use(func(v string) error { text = v; return nil })
	return text
}

// clean fails if a value stands anywhere on the screen, seen or not.
func (s *scene) clean(value string) {
	s.t.Helper()
	if strings.Contains(s.words(), value) {
		s.t.Errorf("the value can be read on the screen:\n%s", s.words())
	}
	for _, o := range test.LaidOutObjects(s.window.Content()) {
		if e, ok := o.(*widget.Entry); ok && strings.Contains(e.Text, value) {
			s.t.Errorf("the value still stands in the line %q", e.PlaceHolder)
		}
	}
}

func (s *scene) last() string {
	if len(s.did) == 0 {
		return ""
	}
	return s.did[len(s.did)-1]
}

var three = model.Vault{Place: model.InKeyring, Items: []model.Item{
	{ID: "s1", Kind: model.SecretItem, Alias: "GITHUB_TOKEN", Origins: []string{"https://github.com"}, Policy: "ask-each-time"},
	{ID: "c1", Kind: model.CodeItem, Alias: "TOTP_BOB", Account: "bob", Issuer: "ACME", Policy: "never-ask"},
	{ID: "p1", Kind: model.SignInItem, Alias: "PASSWORD_ACME", Account: "acme", User: "alice", Policy: "never-ask"},
}}

func TestASecretIsAddedReplacedAndRemoved(t *testing.T) {
	s := newScene(t)
	s.sees(assets.Say("vault.waiting"))
	s.screen.Show(model.Vault{Place: model.InKeyring})
	s.sees(assets.Say("vault.empty.secret"))
	s.tap(assets.Say("vault.add.secret"))
	s.line("vault.field.alias.hint").SetText("GITHUB_TOKEN")
	value := s.line("vault.field.value.hint")
	if !value.Password {
		t.Fatal("a value is typed in the open")
	}
	value.SetText("hunter2")
	s.line("vault.field.sites.hint").SetText("github.com, api.github.com")
	s.tap("Never ask")
	s.unseen("hunter2")
	s.tap(assets.Say("vault.keep"))
	if s.last() != "add secret GITHUB_TOKEN" || s.typed() != "hunter2" || !slices.Equal(s.draft.Sites, []string{"github.com", "api.github.com"}) || s.draft.Policy != "never-ask" {
		t.Fatalf("%v, %+v", s.did, s.draft)
	}
	s.screen.Added(model.SecretItem, errors.New("the name is taken"))
	s.sees("The name is taken.")
	if value.Text != "hunter2" {
		t.Error("the person has to type it again after a refusal")
	}
	s.tap(assets.Say("vault.keep"))
	s.screen.Added(model.SecretItem, nil)
	s.screen.Show(three)
	s.clean("hunter2")
	if value.Text != "" {
		t.Error("the line was not emptied")
	}
	s.sees("GITHUB_TOKEN")

	s.tap(assets.Say("vault.edit"))
	value = s.line("vault.field.keeps")
	if value.Text != "" || s.line("vault.field.sites.hint").Text != "https://github.com" {
		t.Error("the form does not begin with what is known, and only that")
	}
	value.SetText("hunter3")
	s.tap(assets.Say("vault.save"))
	if s.last() != "save s1" || s.typed() != "hunter3" || s.draft.Sites[0] != "https://github.com" {
		t.Fatalf("%v, %+v", s.did, s.draft)
	}
	s.screen.Saved("s1", errors.New("the keyring is locked"))
	s.sees("The keyring is locked.")
	s.screen.Saved("s1", nil)
	s.clean("hunter3")

	s.tap(assets.Say("vault.edit"))
	s.line("vault.field.keeps").SetText("hunter4")
	s.tap(assets.Say("vault.remove"))
	s.clean("hunter4")
	s.sees("Remove GITHUB_TOKEN?")
	if b, ok := s.window.Canvas().Focused().(*widget.Button); !ok || b.Label() != assets.Say("vault.remove.no") {
		t.Errorf("the focus is on %T", s.window.Canvas().Focused())
	}
	n := len(s.did)
	s.tap(assets.Say("vault.remove.no"))
	s.tap(assets.Say("vault.edit"))
	s.tap(assets.Say("vault.remove"))
	if len(s.did) != n {
		t.Fatalf("something was done before the second step: %v", s.did[n:])
	}
	s.tap(assets.Say("vault.remove.yes"))
	if s.last() != "remove s1" {
		t.Errorf("%v", s.did)
	}
	s.screen.Removed("s1", errors.New("it is no longer listed"))
	s.sees("It is no longer listed.")
}

// unseen fails if a value can be read while it is being typed.
func (s *scene) unseen(value string) {
	s.t.Helper()
	if strings.Contains(s.words(), value) {
		s.t.Error("the value can be read while it is typed")
	}
}

func TestWhatWasTypedDoesNotOutlastTheScreen(t *testing.T) {
	s := newScene(t)
	s.screen.Visible(true)
	s.screen.Show(three)
	s.tap(assets.Say("vault.edit"))
	edited := s.line("vault.field.keeps")
	edited.SetText("hunter2")
	s.tap(assets.Say("vault.add.secret"))
	added := s.line("vault.field.value.hint")
	added.SetText("hunter2")
	name := s.line("vault.field.alias.hint")
	name.SetText("NAME")
	s.screen.Visible(false)
	if edited.Text+added.Text != "" || name.Text != "NAME" {
		t.Errorf("%d letters are left, and the name is %q", len(edited.Text+added.Text), name.Text)
	}
	s.tap(assets.Say("ui.cancel"))
	if name.Text != "" {
		t.Error("the next form begins with what was cancelled")
	}
}

func TestAPolicyIsChangedByItself(t *testing.T) {
	s := newScene(t)
	s.screen.Show(three)
	s.tap("Ask each time")
	menu := s.window.Canvas().Overlays().Top()
	if menu == nil {
		t.Fatal("no menu")
	}
	s.window.Canvas().Overlays().Remove(menu)
	// what the menu does is the same as the form with nothing else changed
	s.tap(assets.Say("vault.edit"))
	s.tap("Once per session")
	s.tap(assets.Say("vault.save"))
	if s.draft.Policy != "once-per-session" || !s.value.Empty() {
		t.Errorf("%+v, value empty: %v", s.draft, s.value.Empty())
	}
}

func TestACodeIsShownForAsLongAsItIsGood(t *testing.T) {
	s := newScene(t)
	s.screen.Visible(true)
	s.screen.Show(three)
	s.tab("One-time codes")
	show := func() {
		s.tap(assets.Say("vault.code.show"))
		s.screen.Code("c1", model.Code{Text: model.NewValue("394201"), Ends: s.now.Add(12 * time.Second), Good: 30 * time.Second}, nil)
	}
	show()
	if s.last() != "code c1" || !s.screen.Ticking() {
		t.Fatalf("%v", s.did)
	}
	s.sees("394 201")
	s.sees("12 s left")
	s.tap(assets.Say("ui.copy"))
	if len(s.copied) != 1 || !s.copied[0].Same(model.NewValue("394201")) {
		t.Errorf("copied %v", s.copied)
	}
	s.now = s.now.Add(5 * time.Second)
	s.screen.Tick()
	s.sees("7 s left")
	s.now = s.now.Add(7 * time.Second)
	s.screen.Tick()
	s.clean("394 201")
	if s.screen.Ticking() {
		t.Error("it still counts")
	}
	show()
	s.sees("394 201")
	s.screen.Visible(false)
	s.clean("394 201")
	s.screen.Visible(true)
	s.clean("394 201")
	// an answer that comes when nobody looks any more shows nothing
	s.tap(assets.Say("vault.code.show"))
	s.screen.Visible(false)
	s.screen.Code("c1", model.Code{Text: model.NewValue("394201"), Ends: s.now.Add(time.Minute)}, nil)
	s.clean("394 201")
	s.screen.Visible(true)
	s.tap(assets.Say("vault.code.show"))
	s.screen.Code("c1", model.Code{}, errors.New("the keyring is locked"))
	s.sees("The keyring is locked.")
}

func TestCodesAreReadFromTextAndPictures(t *testing.T) {
	s := newScene(t)
	s.screen.Visible(true)
	s.screen.Show(three)
	s.tab("One-time codes")
	s.tap(assets.Say("vault.add.code"))
	seed := s.line("vault.field.seed.hint")
	if !seed.Password {
		t.Fatal("a seed is typed in the open")
	}
	seed.SetText("GEZDGNBVGY3TQOJQ")
	s.tap(assets.Say("vault.codes.read"))
	if len(s.sources) != 1 || !s.sources[0].Text.Same(model.NewValue("GEZDGNBVGY3TQOJQ")) || seed.Text != "" {
		t.Fatalf("%v", s.did)
	}
	s.screen.Read(model.Seeds{}, errors.New("this is no seed of one-time codes: character 3 is one of 0, 1, 8, 9, which no seed has"))
	s.sees("character 3 is one of 0, 1, 8, 9")
	seed.SetText("GEZDGNBVGY3TQOJQ")
	seed.Sent()
	s.screen.Read(model.Seeds{Found: []model.Found{{}}}, nil)
	s.sees("One account was found")
	account := s.line("vault.field.account.found")
	if s.window.Canvas().Focused() != fyne.Focusable(account) {
		t.Error("the person is not asked for the name that is missing")
	}
	account.SetText("acme")
	s.tap(assets.Say("vault.keep.codes.one"))
	if s.last() != "seeds acme" {
		t.Errorf("%v", s.did)
	}
	s.screen.SeedsAdded(model.Seeds{}, nil)
	s.clean("GEZDGNBVGY3TQOJQ")

	s.tab("Secrets")
	s.screen.Picture(nil, errors.New("the picture could not be read"))
	s.sees("The picture could not be read.") // it opened where it belongs
	s.screen.Picture([]byte("png"), nil)
	if len(s.sources) != 3 || string(s.sources[2].Picture) != "png" {
		t.Fatalf("%v", s.did)
	}
	s.screen.Read(model.Seeds{
		Found: []model.Found{{Issuer: "ACME", Account: "bob"}, {Account: "carol"}}, Skipped: []string{"Old Bank: its codes are counted"}, Missing: []string{"part 2 of 2 of the export is missing"},
	}, nil)
	for _, words := range []string{"Two accounts were found", "ACME · bob", "carol", "Old Bank: its codes are counted", "part 2 of 2"} {
		s.sees(words)
	}
	s.tap(assets.Say("vault.keep.codes.many", 2))
	s.screen.SeedsAdded(model.Seeds{Found: []model.Found{{Issuer: "ACME", Account: "bob"}}}, errors.New("bob: the name is taken"))
	s.sees("Bob: the name is taken.")
	s.sees("One account was found")
	s.tap(assets.Say("vault.codes.picture"))
	if s.last() != "pick" {
		t.Errorf("%v", s.did)
	}
}

func TestAPlaceThatCannotBeUsedSaysWhatHelps(t *testing.T) {
	s := newScene(t)
	s.screen.Show(three)
	if len(s.did) != 0 {
		t.Fatalf("the keyring was asked before the screen was opened: %v", s.did)
	}
	s.screen.Visible(true)
	s.screen.Visible(true)
	if strings.Join(s.did, ", ") != "check" {
		t.Fatalf("%v", s.did)
	}
	s.sees(assets.Say("vault.place.asking"))
	s.sees("GITHUB_TOKEN") // the list does not wait for the keyring
	s.answer(errors.New("the keyring is locked: unlock it and try again, or keep secrets in an encrypted file"))
	s.sees("The keyring is locked: unlock it")
	s.tap(assets.Say("vault.again"))
	if strings.Join(s.did, ", ") != "check, check" {
		t.Errorf("%v", s.did)
	}
	s.answer(nil)
	s.sees(assets.Say("vault.place.ready"))
	s.tap(assets.Say("vault.place.check"))
	s.answer(errors.New("there is no keyring here"))
	s.tap(assets.Say("vault.use.memory"))
	if s.last() != "keep memory" {
		t.Errorf("%v", s.did)
	}
	s.screen.Chosen(errors.New("the environment chose it"))
	s.sees("The environment chose it.")
	s.tap(assets.Say("vault.again"))
	late := s.answer
	s.screen.Chosen(nil)
	s.screen.Show(model.Vault{Place: model.InMemory})
	s.answer(nil)
	late(errors.New("the keyring does not answer")) // it is no longer asked
	if strings.Contains(s.words(), "The keyring does not answer.") {
		t.Error("a place that was left still counts")
	}
	s.sees(assets.Say("vault.memory.more"))
	s.screen.Show(model.Vault{Place: model.InMemory, LockedBy: "BROWX_VAULT"})
	s.sees("BROWX_VAULT")
	if uitest.Find(s.screen.Object(), assets.Say("vault.use.keyring")) != nil {
		t.Error("what the environment fixed can be changed")
	}
}

func TestTheEncryptedFileIsMadeAndOpened(t *testing.T) {
	s := newScene(t)
	s.screen.Show(model.Vault{Place: model.InFile, Closed: true, New: true})
	if uitest.Find(s.screen.Object(), assets.Say("vault.add.secret")) != nil {
		t.Error("something can be added to a file that is closed")
	}
	first, second := s.line("vault.file.passphrase"), s.line("vault.file.again")
	enter := func(a, b string) {
		first.SetText(a)
		second.SetText(b)
		s.tap(assets.Say("vault.file.make"))
	}
	enter("short", "short")
	s.sees("at least 10")
	enter("a long passphrase", "a long passphrasf")
	s.sees(assets.Say("vault.file.differ"))
	if len(s.did) != 0 {
		t.Fatalf("%v", s.did)
	}
	enter("a long passphrase", "a long passphrase")
	if s.last() != "open" || s.typed() != "a long passphrase" || first.Text+second.Text != "" {
		t.Fatalf("%v", s.did)
	}
	s.screen.Opened(nil)
	s.screen.Show(model.Vault{Place: model.InFile})
	s.sees(assets.Say("vault.empty.secret"))
	s.clean("a long passphrase")

	s.screen.Show(model.Vault{Place: model.InFile, Closed: true})
	if strings.Contains(s.words(), assets.Say("vault.file.again")) {
		t.Error("it asks twice for one that is there")
	}
	first.SetText("wrong")
	first.Sent()
	s.screen.Opened(errors.New("the passphrase is wrong"))
	s.sees("The passphrase is wrong.")
	if s.window.Canvas().Focused() != fyne.Focusable(first) || first.Text != "" {
		t.Error("the person cannot try again at once")
	}
}

func TestProvidersAreAskedByButtonOnly(t *testing.T) {
	s := newScene(t)
	s.screen.Show(three)
	s.screen.Providers([]model.Provider{{Name: "bitwarden", Found: true, Chosen: true, Path: "/bw", SignedIn: model.SignedInUnknown}, {Name: "none"}})
	s.tab("Providers")
	s.sees("/bw")
	s.sees(assets.Say("vault.provider.chosen"))
	if len(s.did) != 0 {
		t.Fatalf("%v", s.did)
	}
	s.tap(assets.Say("vault.provider.test"))
	s.sees(assets.Say("vault.provider.testing"))
	s.screen.Tested(model.Provider{Name: "bitwarden", Found: true, SignedIn: model.SignedInNo, Problem: "Run bw login."})
	s.screen.Providers([]model.Provider{{Name: "bitwarden", Found: true, Chosen: true, SignedIn: model.SignedInUnknown}, {Name: "none"}})
	s.sees("Run bw login.")
	if strings.Join(s.did, ", ") != "test bitwarden" {
		t.Errorf("%v", s.did)
	}
}

// Whatever is on the screen, it fits into a narrow window.
func TestManyLongItemsFit(t *testing.T) {
	s := newScene(t)
	s.window.Resize(fyne.NewSize(592, 700))
	v := model.Vault{Place: model.InKeyring}
	for i := range 10 {
		it := model.Item{ID: fmt.Sprint(i), Kind: model.SecretItem, Alias: strings.Repeat("GITHUB_TOKEN_", 15), Policy: "once-per-session"}
		for j := range 20 {
			it.Origins = append(it.Origins, fmt.Sprintf("https://a-very-long-host-name-%d.with.many.parts.example.com:8443", j))
		}
		v.Items = append(v.Items, it)
	}
	s.screen.Show(v)
	s.sees("and 16 more")
	s.tap(assets.Say("vault.edit"))
	for _, o := range uitest.Seen(s.screen.Object()) {
		at := fyne.CurrentApp().Driver().AbsolutePositionForObject(o)
		if right := at.X + o.Size().Width; right > 592+4 {
			if _, ok := o.(*widget.Button); ok {
				t.Errorf("%T %q ends at %v", o, o.(*widget.Button).Label(), right)
			}
		}
	}
}
