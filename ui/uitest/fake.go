// Package uitest is a desk of fakes: what a test puts in is what the window shows, and what the person answers can
// be read back. It works no browser and knows no agent.
package uitest

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/png"
	"slices"
	"sync"

	_ "chaperone/internal/locale" // the toolkit has nothing to complain about in tests either
	"chaperone/ui/model"
)

// Fake is a whole desk. Its fields are changed with Do, which also tells the window.
type Fake struct {
	mu       sync.Mutex
	watchers []func(model.Topic)

	Asked     []model.Question
	Answers   map[string]model.Answer
	Done      []model.Call
	Details   map[string]model.CallDetail
	Exports   []model.Filter
	Open      []model.Browser
	Acts      []string // "take over a", in the order they came
	Caps      []model.Capability
	Now       model.State
	Clients   []model.Program
	Changed   map[string]model.Change
	Let       []model.Paired
	At        model.Endpoint
	Table     []model.Setting
	Granted   []model.Lease
	Want      model.Wishes
	Err       error // what every deed ends with
	Lent      model.Vault
	Trouble   error         // what the place of the values says
	Typed     []model.Value // values that came in
	Sources   []model.SeedSource
	Seeds     model.Seeds
	CodeNow   model.Code
	Vaults    []model.Provider
	Pictures  int // how often a thumbnail was asked for
	PictureOf func(id string) []byte
}

// New returns a desk on which nothing lies.
func New() *Fake {
	return &Fake{Answers: map[string]model.Answer{}, Details: map[string]model.CallDetail{}, Changed: map[string]model.Change{},
		Want: model.Wishes{CloseToTray: true, Notifications: true}}
}

// Do changes the desk and tells the window that a topic changed.
func (f *Fake) Do(t model.Topic, change func()) {
	f.mu.Lock()
	change()
	watchers := slices.Clone(f.watchers)
	f.mu.Unlock()
	for _, w := range watchers {
		w(t)
	}
}

// Read looks at the desk.
func (f *Fake) Read(look func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	look()
}

// Watch calls w for every change.
func (f *Fake) Watch(w func(model.Topic)) func() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.watchers = append(f.watchers, w)
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.watchers = nil
	}
}

func copied[T any](f *Fake, list *[]T) []T {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(*list)
}

// Questions returns what was put in.
func (f *Fake) Questions() []model.Question { return copied(f, &f.Asked) }

// Answer keeps the answer and ends the question.
func (f *Fake) Answer(id string, a model.Answer) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.Err != nil {
		return f.Err
	}
	for i, q := range f.Asked {
		if q.ID == id && q.Phase == model.Waiting {
			f.Asked[i].Phase, f.Asked[i].Answer, f.Asked[i].At = model.Answered, a, q.Asked
			f.Answers[id] = a
			return nil
		}
	}
	return errors.New("this request is no longer waiting")
}

// Calls returns what was put in.
func (f *Fake) Calls() []model.Call { return copied(f, &f.Done) }

// Call returns the detail that was put in.
func (f *Fake) Call(id string) (model.CallDetail, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	d, ok := f.Details[id]
	if !ok {
		return d, errors.New("it was " + id)
	}
	return d, nil
}

// Export keeps the filter.
func (f *Fake) Export(x model.Filter) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.Exports = append(f.Exports, x)
	return "audit/activity.jsonl", f.Err
}

// Browsers returns what was put in.
func (f *Fake) Browsers() []model.Browser { return copied(f, &f.Open) }

// Thumbnail returns PictureOf, or a plain picture.
func (f *Fake) Thumbnail(_ context.Context, id string) ([]byte, error) {
	f.mu.Lock()
	f.Pictures++
	of := f.PictureOf
	f.mu.Unlock()
	if of != nil {
		return of(id), nil
	}
	return Picture(160, 90, color.NRGBA{0xd0, 0xe0, 0xf0, 0xff}), nil
}

// Picture returns a PNG of one colour.
func Picture(w, h int, c color.Color) []byte {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.Set(x, y, c)
		}
	}
	var out bytes.Buffer
	_ = png.Encode(&out, img)
	return out.Bytes()
}

func (f *Fake) act(what string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.Acts = append(f.Acts, what)
	return f.Err
}

// Show, TakeOver, HandBack and Close keep that they were called.
func (f *Fake) Show(_ context.Context, id string) error { return f.act("show " + id) }

// TakeOver is kept.
func (f *Fake) TakeOver(_ context.Context, id string) error { return f.act("take over " + id) }

// HandBack is kept.
func (f *Fake) HandBack(_ context.Context, id string) error { return f.act("hand back " + id) }

// Close is kept.
func (f *Fake) Close(_ context.Context, id string) error { return f.act("close " + id) }

// Capabilities returns what was put in.
func (f *Fake) Capabilities() []model.Capability { return copied(f, &f.Caps) }

// Switch switches it.
func (f *Fake) Switch(name string, on bool) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.Err != nil {
		return f.Err
	}
	for i := range f.Caps {
		if f.Caps[i].Name == name {
			f.Caps[i].On, f.Caps[i].Source = on, model.FromPerson
		}
	}
	return nil
}

// State returns what was put in.
func (f *Fake) State() model.State {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.Now
}

// Pause pauses.
func (f *Fake) Pause() { f.mu.Lock(); f.Now.Paused = true; f.mu.Unlock() }

// Resume resumes.
func (f *Fake) Resume() { f.mu.Lock(); f.Now.Paused = false; f.mu.Unlock() }

// Programs returns what was put in.
func (f *Fake) Programs() []model.Program { return copied(f, &f.Clients) }

// Preview returns the change that was put in.
func (f *Fake) Preview(program string) (model.Change, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.Changed[program], f.Err
}

// Add is kept.
func (f *Fake) Add(program string, _ model.Change) error { return f.act("add " + program) }

// Paired returns what was put in.
func (f *Fake) Paired() []model.Paired { return copied(f, &f.Let) }

// Forget is kept.
func (f *Fake) Forget(id string) error { return f.act("forget " + id) }

// Endpoint returns what was put in.
func (f *Fake) Endpoint() model.Endpoint {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.At
}

// Renew is kept.
func (f *Fake) Renew() error { return f.act("renew") }

// Settings returns what was put in.
func (f *Fake) Settings() []model.Setting { return copied(f, &f.Table) }

// Set keeps the value.
func (f *Fake) Set(key, value string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.Err != nil {
		return f.Err
	}
	for i := range f.Table {
		if f.Table[i].Key == key {
			f.Table[i].Value = value
		}
	}
	return nil
}

// Wishes returns what was put in.
func (f *Fake) Wishes() model.Wishes {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.Want
}

// Leases returns what was put in.
func (f *Fake) Leases() []model.Lease { return copied(f, &f.Granted) }

// Revoke is kept.
func (f *Fake) Revoke(id string) error { return f.act("revoke " + id) }

// Vault is the fake as the vault.
func (f *Fake) Vault() FakeVault { return FakeVault{f} }

// FakeVault is the fake as the vault, whose State is another one.
type FakeVault struct{ *Fake }

// State returns what was put in.
func (f FakeVault) State(context.Context) model.Vault {
	f.mu.Lock()
	defer f.mu.Unlock()
	v := f.Lent
	v.Items = slices.Clone(v.Items)
	return v
}

// Check is kept, and says Trouble.
func (f FakeVault) Check(context.Context) error {
	_ = f.act("check")
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.Trouble
}

// Keep is kept, and moves the vault.
func (f FakeVault) Keep(place model.Keeping) error {
	err := f.act("keep in " + string(place))
	if err == nil {
		f.Do(model.Secrets, func() { f.Lent.Place, f.Lent.Closed = place, place == model.InFile })
	}
	return err
}

func (f *Fake) typed(v model.Value) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.Typed = append(f.Typed, v)
}

// Open keeps the passphrase and opens the file.
func (f FakeVault) Open(_ context.Context, passphrase model.Value) error {
	f.typed(passphrase)
	err := f.act("open")
	if err == nil {
		f.Do(model.Secrets, func() { f.Lent.Closed, f.Lent.New = false, false })
	}
	return err
}

// FakeItems is the fake as the items, whose Add is another one.
type FakeItems struct{ *Fake }

// Items is the fake as the items.
func (f *Fake) Items() FakeItems { return FakeItems{f} }

// Add puts an item in.
func (f FakeItems) Add(_ context.Context, kind model.ItemKind, d model.Draft, v model.Value) error {
	f.typed(v)
	name := d.Alias + d.Account
	err := f.act("add " + string(kind) + " " + name)
	if err == nil {
		f.Do(model.Secrets, func() {
			f.Lent.Items = append(f.Lent.Items, model.Item{ID: name, Kind: kind, Alias: d.Alias, Account: d.Account, User: d.User, Origins: d.Sites, Policy: d.Policy})
		})
	}
	return err
}

// Change changes an item.
func (f FakeItems) Change(_ context.Context, id string, d model.Draft) error {
	err := f.act("change " + id)
	if err == nil {
		f.Do(model.Secrets, func() {
			for i := range f.Lent.Items {
				if it := &f.Lent.Items[i]; it.ID == id {
					it.User, it.Origins, it.Policy = d.User, d.Sites, d.Policy
				}
			}
		})
	}
	return err
}

// Replace keeps the value.
func (f FakeItems) Replace(_ context.Context, id string, v model.Value) error {
	f.typed(v)
	return f.act("replace " + id)
}

// Remove takes an item out.
func (f FakeItems) Remove(_ context.Context, id string) error {
	err := f.act("remove " + id)
	if err == nil {
		f.Do(model.Secrets, func() {
			f.Lent.Items = slices.DeleteFunc(f.Lent.Items, func(it model.Item) bool { return it.ID == id })
		})
	}
	return err
}

// FakeCodes is the fake as the codes, whose Read is another one.
type FakeCodes struct{ *Fake }

// Codes is the fake as the codes.
func (f *Fake) Codes() FakeCodes { return FakeCodes{f} }

// Read returns the seeds that were put in.
func (f FakeCodes) Read(_ context.Context, from model.SeedSource, _ model.Seeds) (model.Seeds, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.Sources = append(f.Sources, from)
	return f.Seeds, f.Err
}

// AddSeeds is kept.
func (f *Fake) AddSeeds(_ context.Context, found model.Seeds, d model.Draft) (model.Seeds, error) {
	return found, f.act("add seeds " + d.Account)
}

// Code returns the code that was put in.
func (f *Fake) Code(_ context.Context, id string) (model.Code, error) {
	return f.CodeNow, f.act("code " + id)
}

// Providers returns what was put in.
func (f *Fake) Providers() []model.Provider { return copied(f, &f.Vaults) }

// Test is kept.
func (f *Fake) Test(_ context.Context, name string) model.Provider {
	_ = f.act("test " + name)
	return model.Provider{Name: name, Found: true, SignedIn: model.SignedInYes}
}
