package model

import "time"

// ItemKind says what the value of an item is.
type ItemKind string

// The kinds of item: one tab each.
const (
	SecretItem ItemKind = "secret"
	CodeItem   ItemKind = "code"
	SignInItem ItemKind = "sign-in"
)

// UsePolicy says when the person is asked before an item is used.
type UsePolicy string

// UsePolicies are those that there are, the most careful first.
var UsePolicies = []UsePolicy{"ask-each-time", "once-per-session", "never-ask"}

// Item is one thing that is kept, without its value.
type Item struct {
	ID      string
	Kind    ItemKind
	Alias   string // what agents write, without the brackets
	Account string // of a code or a sign-in
	User    string // of a sign-in
	Issuer  string // of a code
	Origins []string
	Policy  UsePolicy
	Note    string
	Used    time.Time // zero: never
	UsedBy  string    // the client that asked
	UsedAt  string    // the site it went to
	Hidden  int       // how often it was kept out of a result since the start
}

// Draft is what the person wrote about an item that is new or to be changed.
type Draft struct {
	Alias   string // of a secret
	Account string // of a code or a sign-in
	User    string // of a sign-in
	Sites   []string
	Policy  UsePolicy
}

// Keeping is where values are kept.
type Keeping string

// The places. Nothing is ever kept in plain text.
const (
	InKeyring Keeping = "keyring"
	InFile    Keeping = "file"
	InMemory  Keeping = "memory"
)

// Vault is what is kept, and how the place of the values stands, as far as it is known without asking the place.
type Vault struct {
	Place    Keeping
	LockedBy string   // the environment variable that chose the place; "" where the person may
	Closed   bool     // the encrypted file waits for its passphrase
	New      bool     // there is no encrypted file yet
	Notes    []string // what the person should know
	Items    []Item
	Problem  string // why the items cannot be listed; "" where they can
}

// SeedSource is where seeds of one-time codes are read from: one of the two.
type SeedSource struct {
	Text    Value  // a seed, or links
	Picture []byte // with QR codes
}

// Seeds is what was found in sources.
type Seeds struct {
	Found   []Found
	Skipped []string // why entries cannot be used
	Missing []string // parts of an export that were not read
	Keys    any      // what the desk keeps of it, in a form that does not print
}

// Found is one seed that was found.
type Found struct{ Issuer, Account, Alias string }

// Code is a one-time code that the person looks at.
type Code struct {
	Text Value
	Ends time.Time     // when it is no longer good
	Good time.Duration // how long each is good
}

// SignedIn tells whether a provider can look something up.
type SignedIn string

// Unknown is before anybody looked.
const (
	SignedInUnknown SignedIn = "unknown"
	SignedInYes     SignedIn = "yes"
	SignedInNo      SignedIn = "no"
)

// Provider is a vault that codes and sign-ins may come from.
type Provider struct {
	Name     string // "1password"
	Chosen   bool   // it is the one that agents get codes and sign-ins from
	Found    bool
	Path     string // of its program; "" where it has none
	SignedIn SignedIn
	Problem  string // what is wrong, and what helps; "" where nothing is known to be
}
