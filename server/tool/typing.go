package tool

// Typing is a text that a call would put into a page, where it may stand for a secret.
type Typing struct {
	Text   string
	Target *Target // nil: whatever has the focus
	// Never says why a secret cannot go there; empty: it can.
	Never string
}

// Typings are the texts that the call would put into a page.
func (b Bound) Typings() []Typing {
	if t, ok := b.Args.(interface{ Typings() []Typing }); ok {
		return t.Typings()
	}
	return nil
}

// Uncovered reports whether the call wants a picture in which secrets are not covered.
func (b Bound) Uncovered() bool {
	u, ok := b.Args.(interface{ Uncovered() bool })
	return ok && u.Uncovered()
}
