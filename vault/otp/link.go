package otp

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// Import is what a link, a picture or a text held.
type Import struct {
	Keys []Key
	// Skipped says of each entry that cannot be used why.
	Skipped []string
	// Batches are the parts of authenticator exports that were read.
	Batches []Batch
}

// Batch is one part of an export that is spread over several QR codes.
type Batch struct {
	ID int32
	// Index counts from 1.
	Index, Of int
}

// Missing says which parts of an export were not read; nothing if all were.
func (im Import) Missing() []string {
	var missing []string
	have := map[Batch]bool{}
	for _, b := range im.Batches {
		have[b] = true
	}
	told := map[int32]bool{}
	for _, b := range im.Batches {
		if told[b.ID] {
			continue
		}
		told[b.ID] = true
		for i := 1; i <= b.Of; i++ {
			if !have[Batch{b.ID, i, b.Of}] {
				missing = append(missing, fmt.Sprintf("part %d of %d of the export is missing", i, b.Of))
			}
		}
	}
	return missing
}

func (im *Import) add(o Import) {
	im.Keys = append(im.Keys, o.Keys...)
	im.Skipped = append(im.Skipped, o.Skipped...)
	im.Batches = append(im.Batches, o.Batches...)
}

// mostLink bounds a link: ten entries of an export have about 700 bytes, and a QR code holds fewer than 4,300 digits.
const mostLink = 64 << 10

// Parse reads what a person pasted: an otpauth:// link, a steam:// link, an otpauth-migration:// link, or a bare seed. Several
// lines with a link each are read together.
func Parse(text string) (Import, error) {
	text = strings.TrimSpace(text)
	if len(text) > mostLink {
		return Import{}, fmt.Errorf("%w: it is %d characters long", ErrForeign, len(text))
	}
	if !strings.Contains(text, "://") {
		seed, err := ParseSeed("", text)
		if err != nil {
			return Import{}, err
		}
		return Import{Keys: []Key{NewKey("", seed)}}, nil
	}
	var all Import
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		one, err := parseLink(line)
		if err != nil {
			return Import{}, err
		}
		all.add(one)
	}
	return all, nil
}

func parseLink(link string) (Import, error) {
	scheme, rest, _ := strings.Cut(link, ":")
	switch strings.ToLower(scheme) {
	case "otpauth":
		k, err := parseURI(link)
		return Import{Keys: []Key{k}}, err
	case "steam":
		seed, err := ParseSeed("", strings.TrimPrefix(rest, "//"))
		k := Key{Issuer: "Steam", Kind: Steam, Algorithm: "SHA1", Digits: 5, Period: 30, Seed: seed}
		return Import{Keys: []Key{k}}, err
	case "otpauth-migration":
		return parseMigration(link)
	}
	return Import{}, foreign(link)
}

// foreign says what a text is instead, without repeating it: it may hold a password.
func foreign(text string) error {
	lower := strings.ToLower(text)
	for _, known := range []struct{ prefix, what string }{
		{"http://", "it is a web address"}, {"https://", "it is a web address"},
		{"wifi:", "it is the key of a wireless network"}, {"mailto:", "it is a mail address"}, {"tel:", "it is a telephone number"},
		{"begin:v", "it is a contact or an appointment"}, {"mecard:", "it is a contact"}, {"geo:", "it is a place"}, {"smsto:", "it is a text message"},
		{"phonefactor:", "it works with Microsoft's own app only: choose another authenticator app at the site"},
		{"msauth", "it works with Microsoft's own app only: choose another authenticator app at the site"},
		{"duo:", "it works with Duo's own app only"}, {"fido:", "it is a passkey"}, {"bitcoin:", "it is a payment address"},
	} {
		if strings.HasPrefix(lower, known.prefix) {
			return fmt.Errorf("%w: %s", ErrForeign, known.what)
		}
	}
	return fmt.Errorf("%w: links for these begin with otpauth://", ErrForeign)
}

// parseURI reads a link in the form of https://github.com/google/google-authenticator/wiki/Key-Uri-Format. The errors of package
// url are not passed on: they repeat the link.
func parseURI(link string) (Key, error) {
	u, err := url.Parse(link)
	if err != nil {
		return Key{}, fmt.Errorf("%w: the otpauth:// link is damaged", ErrForeign)
	}
	q, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return Key{}, fmt.Errorf("%w: what stands after the ? in the otpauth:// link is damaged", ErrForeign)
	}
	for _, name := range []string{"secret", "issuer", "algorithm", "digits", "period", "encoder"} {
		if len(q[name]) > 1 {
			return Key{}, fmt.Errorf("%w: the link has more than one %s", ErrForeign, name)
		}
	}
	k := Key{Kind: TOTP, Algorithm: "SHA1", Digits: 6, Period: 30}
	switch kind := strings.ToLower(u.Host); {
	case kind == "hotp":
		return Key{}, ErrCounter
	case kind == "steam", kind == "totp" && strings.EqualFold(q.Get("encoder"), "steam"):
		k.Kind, k.Digits = Steam, 5
	case kind != "totp":
		return Key{}, fmt.Errorf("%w: an otpauth:// link goes on with totp/", ErrForeign)
	}
	label := strings.TrimPrefix(u.Path, "/")
	if issuer, account, both := strings.Cut(label, ":"); both {
		k.Issuer, k.Account = strings.TrimSpace(issuer), strings.TrimSpace(account)
	} else {
		k.Account = strings.TrimSpace(label)
	}
	if issuer := strings.TrimSpace(q.Get("issuer")); issuer != "" {
		k.Issuer = issuer
	}
	if !q.Has("secret") {
		return Key{}, fmt.Errorf("%w: the link has no secret", ErrSeed)
	}
	if k.Seed, err = ParseSeed("", q.Get("secret")); err != nil {
		return Key{}, err
	}
	if a := q.Get("algorithm"); a != "" {
		a = strings.ToUpper(a)
		k.Algorithm = strings.ReplaceAll(strings.TrimPrefix(a, "HMAC"), "-", "")
	}
	for name, to := range map[string]*int{"digits": &k.Digits, "period": &k.Period} {
		if !q.Has(name) || q.Get(name) == "" {
			continue
		}
		if *to, err = strconv.Atoi(q.Get(name)); err != nil {
			return Key{}, fmt.Errorf("the link's %s is no number", name)
		}
	}
	return k, k.Check()
}

// Named is the key with its seed under another name.
func (k Key) Named(alias string) Key {
	k.Seed = k.Seed.Renamed(alias)
	return k
}
