package otp

import (
	"context"
	"errors"
	"fmt"
	"time"

	lib "github.com/pquerna/otp"
	"github.com/pquerna/otp/totp"

	"chaperone/vault"
)

// Kind says how a code is written.
type Kind string

const (
	// TOTP is digits, RFC 6238.
	TOTP Kind = "totp"
	// Steam is five letters and digits of Steam's own alphabet.
	Steam Kind = "steam"
)

// Key is what codes are computed from.
type Key struct {
	Issuer, Account string
	Kind            Kind
	// Algorithm is SHA1, SHA256 or SHA512.
	Algorithm string
	// Digits is the length of a code, 5 to 10.
	Digits int
	// Period is how long a code is good, in seconds, 5 to 300.
	Period int
	// Seed is base32, as ParseSeed leaves it.
	Seed vault.Secret
}

// NewKey is a key as nearly all sites use them: SHA1, six digits, thirty seconds.
func NewKey(account string, seed vault.Secret) Key {
	return Key{Account: account, Kind: TOTP, Algorithm: "SHA1", Digits: 6, Period: 30, Seed: seed}
}

var algorithms = map[string]lib.Algorithm{"SHA1": lib.AlgorithmSHA1, "SHA256": lib.AlgorithmSHA256, "SHA512": lib.AlgorithmSHA512}

// Check reports what is wrong with a key, apart from its seed.
func (k Key) Check() error {
	_, known := algorithms[k.Algorithm]
	switch {
	case k.Kind != TOTP && k.Kind != Steam:
		return fmt.Errorf("the kind of code is none of %s, %s", TOTP, Steam)
	case !known:
		return errors.New("the algorithm is none of SHA1, SHA256, SHA512")
	case k.Digits < 5 || k.Digits > 10:
		return fmt.Errorf("a code has 5 to 10 digits, not %d", k.Digits)
	case k.Kind == Steam && k.Digits != 5:
		return fmt.Errorf("a code of Steam has 5 characters, not %d", k.Digits)
	case k.Period < 5 || k.Period > 300:
		return fmt.Errorf("a code is good for 5 to 300 seconds, not %d", k.Period)
	}
	return nil
}

// Code is one code and the time it has.
type Code struct {
	Text string
	// Left is how long it is still good, counted from the time it was asked for; more than nothing, at most a period.
	Left time.Duration
	// Ends is when the next one begins.
	Ends time.Time
}

// At computes the code of a moment.
func (k Key) At(t time.Time) (Code, error) {
	if err := k.Check(); err != nil {
		return Code{}, err
	}
	if t.Unix() < 0 {
		return Code{}, errors.New("the clock of this computer is wrong: it shows a time before 1970")
	}
	encoder := lib.EncoderDefault
	if k.Kind == Steam {
		encoder = lib.EncoderSteam
	}
	period := int64(k.Period)
	ends := time.Unix((t.Unix()/period+1)*period, 0)
	c := Code{Left: ends.Sub(t), Ends: ends}
	return c, k.Seed.Use(func(seed string) error {
		if seed == "" {
			return fmt.Errorf("%w: it is empty", ErrSeed)
		}
		text, err := totp.GenerateCodeCustom(seed, t, totp.ValidateOpts{
			Period: uint(k.Period), Digits: lib.Digits(k.Digits), Algorithm: algorithms[k.Algorithm], Encoder: encoder,
		})
		if err != nil {
			return fmt.Errorf("%w: it is no base32", ErrSeed)
		}
		c.Text = text
		return nil
	})
}

// Least is the time that a code must have left to be typed: one that ends sooner could arrive too late.
const Least = 5 * time.Second

// Clock tells the time and waits.
type Clock interface {
	Now() time.Time
	// After sends once the time is over, like time.After.
	After(time.Duration) <-chan time.Time
}

// Wall is the clock of this computer.
type Wall struct{}

func (Wall) Now() time.Time                         { return time.Now() }
func (Wall) After(d time.Duration) <-chan time.Time { return time.After(d) }

// CodeFor computes the code to type now. With less than Least left it waits for the next one, once: a period of that length has
// never more. It returns early with the context's error.
func (k Key) CodeFor(ctx context.Context, clock Clock) (Code, error) {
	c, err := k.At(clock.Now())
	if err != nil || c.Left >= Least {
		return c, err
	}
	ends := c.Ends
	for range 4 { // a timer may fire early, a clock may be set back
		left := ends.Sub(clock.Now())
		if left <= 0 {
			break
		}
		select {
		case <-clock.After(left):
		case <-ctx.Done():
			return Code{}, ctx.Err()
		}
	}
	return k.At(clock.Now())
}
