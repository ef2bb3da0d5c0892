package otp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"chaperone/vault"
)

func seedOf(raw string) vault.Secret { return vault.NewSecret("SEED", encodeSeed([]byte(raw))) }

// TestRFC4226 has the counted codes of appendix D: the one of counter n is that of second 30 n.
func TestRFC4226(t *testing.T) {
	k := NewKey("", seedOf("12345678901234567890"))
	for n, want := range []string{"755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489"} {
		if c, err := k.At(time.Unix(int64(n)*30, 0)); err != nil || c.Text != want {
			t.Errorf("%d: %q, %v", n, c.Text, err)
		}
	}
}

// TestRFC6238 has the codes of appendix B, with the seeds as erratum 2866 has them.
func TestRFC6238(t *testing.T) {
	seeds := map[string]string{"SHA1": "12345678901234567890", "SHA256": "12345678901234567890123456789012",
		"SHA512": "1234567890123456789012345678901234567890123456789012345678901234"}
	for _, v := range []struct {
		at                   int64
		sha1, sha256, sha512 string
	}{
		{59, "94287082", "46119246", "90693936"},
		{1111111109, "07081804", "68084774", "25091201"},
		{1111111111, "14050471", "67062674", "99943326"},
		{1234567890, "89005924", "91819424", "93441116"},
		{2000000000, "69279037", "90698825", "38618901"},
		{20000000000, "65353130", "77737706", "47863826"},
	} {
		for algorithm, want := range map[string]string{"SHA1": v.sha1, "SHA256": v.sha256, "SHA512": v.sha512} {
			k := NewKey("", seedOf(seeds[algorithm]))
			k.Algorithm, k.Digits = algorithm, 8
			if c, err := k.At(time.Unix(v.at, 0)); err != nil || c.Text != want {
				t.Errorf("%d %s: %q, %v", v.at, algorithm, c.Text, err)
			}
			for digits := 5; digits <= 10; digits++ {
				k.Digits = digits
				if c, err := k.At(time.Unix(v.at, 0)); err != nil || len(c.Text) != digits || digits <= 8 && !strings.HasSuffix(want, c.Text) || digits > 8 && !strings.HasSuffix(c.Text, want) {
					t.Errorf("%d digits: %q, %v", digits, c.Text, err)
				}
			}
		}
	}
}

// TestSteam has the codes that KeePassXC tests with.
func TestSteam(t *testing.T) {
	im, err := Parse("otpauth://totp/Steam:me?secret=63BEDWCQZKTQWPESARIERL5DTTQFCJTK&issuer=Steam&encoder=steam")
	if err != nil || len(im.Keys) != 1 {
		t.Fatal(err)
	}
	for at, want := range map[int64]string{1511200518: "FR8RV", 1511200714: "9P3VP"} {
		if c, err := im.Keys[0].At(time.Unix(at, 0)); err != nil || c.Text != want {
			t.Errorf("%q, %v", c.Text, err)
		}
	}
	for _, link := range []string{"steam://63BEDWCQZKTQWPESARIERL5DTTQFCJTK", "otpauth://steam/Steam:me?secret=63bedwcqzktqwpesarierl5dttqfcjtk&digits=5"} {
		if im, err := Parse(link); err != nil || im.Keys[0].Kind != Steam || im.Keys[0].Issuer != "Steam" {
			t.Errorf("%+v, %v", im, err)
		}
	}
}

func TestTimeLeft(t *testing.T) {
	k := NewKey("", seedOf("12345678901234567890"))
	for at, want := range map[time.Time]time.Duration{
		time.Unix(0, 0): 30 * time.Second, time.Unix(29, 0): time.Second, time.Unix(30, 0): 30 * time.Second,
		time.Unix(59, 999e6): time.Millisecond, time.Unix(60, 1): 30*time.Second - 1,
	} {
		if c, err := k.At(at); err != nil || c.Left != want || !c.Ends.Equal(at.Add(want)) {
			t.Errorf("at %v: %v left, ends %v, %v", at, c.Left, c.Ends, err)
		}
	}
	k.Period = 300
	if c, _ := k.At(time.Unix(1, 0)); c.Left != 299*time.Second {
		t.Error(c.Left)
	}
	if _, err := k.At(time.Unix(-1, 0)); err == nil || !strings.Contains(err.Error(), "clock") {
		t.Error(err)
	}
}

// clock goes on by what is waited for, and a little less the first time, as timers may.
type clock struct {
	now    time.Time
	waited []time.Duration
	stops  bool
}

func (c *clock) Now() time.Time { return c.now }

func (c *clock) After(d time.Duration) <-chan time.Time {
	c.waited = append(c.waited, d)
	ch := make(chan time.Time, 1)
	if c.stops {
		return ch
	}
	if len(c.waited) == 1 {
		d -= 2 * time.Millisecond
	}
	c.now = c.now.Add(d)
	ch <- c.now
	return ch
}

func TestCodeFor(t *testing.T) {
	k := NewKey("", seedOf("12345678901234567890"))
	for _, try := range []struct {
		at    time.Time
		want  string
		waits int
	}{
		{time.Unix(0, 0), "755224", 0},
		{time.Unix(25, 0), "755224", 0},
		{time.Unix(25, 1), "287082", 2},
		{time.Unix(29, 999e6), "287082", 2},
	} {
		c := &clock{now: try.at}
		got, err := k.CodeFor(t.Context(), c)
		if err != nil || got.Text != try.want || len(c.waited) != try.waits || got.Left < Least {
			t.Errorf("at %v: %+v, %v, waited %v", try.at, got, err, c.waited)
		}
	}
	k.Period = 5
	c := &clock{now: time.Unix(3, 0)}
	if got, err := k.CodeFor(t.Context(), c); err != nil || got.Text != "287082" || len(c.waited) != 2 {
		t.Errorf("the shortest period: %+v, %v, %v", got, err, c.waited)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := k.CodeFor(ctx, &clock{now: time.Unix(3, 0), stops: true}); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	k.Period = 30
	if got, err := k.CodeFor(t.Context(), Wall{}); err != nil || len(got.Text) != 6 {
		t.Error(err)
	}
}

const plainSeed = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"

func TestParseSeed(t *testing.T) {
	for _, typed := range []string{plainSeed, strings.ToLower(plainSeed), " JBSW Y3DP EHPK 3PXP  jbsw y3dp ehpk 3pxp\n", "JBSW-Y3DP-EHPK-3PXP–JBSW‑Y3DP-EHPK-3PXP",
		plainSeed + "======", plainSeed + " = =", "JBSWY3DPEHPK3PXP\u00a0\u200bJBSWY3DPEHPK3PXP\t"} {
		s, err := ParseSeed("TOTP_X", typed)
		if err != nil || !s.Same(vault.NewSecret("", plainSeed)) || s.Name() != "TOTP_X" {
			t.Errorf("%q: %v", typed, err)
		}
	}
	for typed, want := range map[string]string{
		"": "empty", " - =": "empty", "ABC": "3 characters", "123456": "character 1", "JBSWY3DPEHPK3PX0": "character 16", "JBSW Y3DP 8HPK": "character 9",
		"JBSWY3DPEHPK3PXPA": "17 characters", "JBSWY3DPEHPK3PXPABC": "19 characters", "JBSWY3DPEHPK3PXPABCDEF": "22 characters",
		"JBSWY3DP=EHPK3PXP": "character 9", "JBSWY3DPÄHPK3PXP": "character 9", "JBSWY3DP\x00HPK3PXP": "character 9", "JBSWY3DP\xffHPK3PXP": "character 9",
		"JBSWY3DP:x": "link", strings.Repeat("JBSWY3DP", 65): "520 characters",
	} {
		s, err := ParseSeed("X", typed)
		if !errors.Is(err, ErrSeed) || !strings.Contains(err.Error(), want) || !s.Empty() || strings.Contains(err.Error(), "JBSW") || strings.Contains(err.Error(), "HPK") {
			t.Errorf("%q: %v", typed, err)
		}
	}
}

func TestParseURI(t *testing.T) {
	for link, want := range map[string]Key{
		"otpauth://totp/Acme:alice@acme.test?secret=" + plainSeed + "&issuer=Acme":                                                {Issuer: "Acme", Account: "alice@acme.test"},
		"otpauth://totp/Acme%3A%20alice?secret=jbsw%20y3dp-ehpk3pxp+jbswy3dpehpk3pxp%3D%3D&algorithm=SHA512&digits=10&period=300": {Issuer: "Acme", Account: "alice", Algorithm: "SHA512", Digits: 10, Period: 300},
		"OTPAUTH://TOTP/alice?secret=" + plainSeed + "&issuer=Big+Corp&algorithm=sha-256&digits=5&period=5":                       {Issuer: "Big Corp", Account: "alice", Algorithm: "SHA256", Digits: 5, Period: 5},
		"otpauth://totp/Old:bob?issuer=New&secret=" + plainSeed + "&algorithm=HmacSHA1&image=https%3A%2F%2Fx":                     {Issuer: "New", Account: "bob"},
		"otpauth://totp/?secret=" + plainSeed + "&digits=&counter=3":                                                              {},
		"otpauth://totp?secret=" + plainSeed:                                                                                      {},
	} {
		if want.Algorithm == "" {
			want.Algorithm = "SHA1"
		}
		if want.Digits == 0 {
			want.Digits, want.Period = 6, 30
		}
		im, err := Parse("\n " + link + "\n")
		if err != nil || len(im.Keys) != 1 {
			t.Errorf("%s: %v", link, err)
			continue
		}
		got := im.Keys[0]
		if got.Issuer != want.Issuer || got.Account != want.Account || got.Algorithm != want.Algorithm || got.Digits != want.Digits || got.Period != want.Period || got.Kind != TOTP ||
			!got.Seed.Same(vault.NewSecret("", plainSeed)) {
			t.Errorf("%s: %+v", link, got)
		}
	}
	for link, want := range map[string]error{
		"otpauth://hotp/x?secret=" + plainSeed + "&counter=1":             ErrCounter,
		"otpauth://totp/x?secret=" + plainSeed + "&secret=" + plainSeed:   ErrForeign,
		"otpauth://totp/x?secret=" + plainSeed + "%zz":                    ErrForeign,
		"otpauth://totp/%zz?secret=" + plainSeed:                          ErrForeign,
		"otpauth://yaotp/x?secret=" + plainSeed:                           ErrForeign,
		"otpauth://totp/x?issuer=a":                                       ErrSeed,
		"otpauth://totp/x?secret=":                                        ErrSeed,
		"otpauth://totp/x?secret=" + plainSeed + "1":                      ErrSeed,
		"otpauth://totp/x?secret=" + plainSeed + "&digits=4":              nil,
		"otpauth://totp/x?secret=" + plainSeed + "&digits=11":             nil,
		"otpauth://totp/x?secret=" + plainSeed + "&digits=six":            nil,
		"otpauth://totp/x?secret=" + plainSeed + "&period=4":              nil,
		"otpauth://totp/x?secret=" + plainSeed + "&period=301":            nil,
		"otpauth://totp/x?secret=" + plainSeed + "&algorithm=MD5":         nil,
		"otpauth://steam/x?secret=" + plainSeed + "&digits=6":             nil,
		"https://example.com/?secret=" + plainSeed:                        ErrForeign,
		"phonefactor://activate?secret=" + plainSeed:                      ErrForeign,
		"otpauth://totp/x?secret=" + plainSeed + "\nhttps://" + plainSeed: ErrForeign,
		"x://" + strings.Repeat(plainSeed, 3000):                          ErrForeign,
	} {
		im, err := Parse(link)
		if err == nil || want != nil && !errors.Is(err, want) || len(im.Keys) != 0 {
			t.Errorf("%.80s: %v", link, err)
		}
		if err != nil && strings.Contains(err.Error(), "JBSW") {
			t.Errorf("the error shows the seed: %v", err)
		}
	}
}

func TestNothingPrintsASeed(t *testing.T) {
	im, err := Parse("otpauth://totp/x?secret=" + plainSeed)
	if err != nil {
		t.Fatal(err)
	}
	if text := fmt.Sprintf("%v %+v %#v", im, im, im.Keys[0]); strings.Contains(text, "JBSW") {
		t.Error(text)
	}
	if im, err := Parse(strings.ToLower(plainSeed)); err != nil || len(im.Keys) != 1 {
		t.Errorf("a bare seed: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("otpauth://totp/a:b?secret=" + plainSeed + "&digits=8")
	f.Add("otpauth-migration://offline?data=" + migration(1, 0, 0, entry("A", "b", plainSeed, 1, 1, 2)))
	f.Add("JBSW Y3DP")
	f.Fuzz(func(t *testing.T, text string) {
		im, err := Parse(text)
		if err != nil {
			if len(im.Keys) > 0 {
				t.Error("keys beside an error")
			}
			return
		}
		for _, k := range im.Keys {
			if k.Check() != nil {
				t.Errorf("a key that is none: %+v", k)
			}
			if _, err := k.At(time.Unix(1e9, 0)); err != nil {
				t.Error(err)
			}
		}
	})
}
