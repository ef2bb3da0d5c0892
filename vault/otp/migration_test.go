package otp

import (
	"encoding/base32"
	"encoding/base64"
	"errors"
	"net/url"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"chaperone/vault"
)

func varint(b []byte, n protowire.Number, v uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(b, n, protowire.VarintType), v)
}

func bytesField(b []byte, n protowire.Number, v []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, n, protowire.BytesType), v)
}

func entry(issuer, name, seed string, algorithm, digits, kind uint64) []byte {
	raw, _ := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(seed)
	b := bytesField(nil, 1, raw)
	b = bytesField(b, 2, []byte(name))
	b = bytesField(b, 3, []byte(issuer))
	b = varint(b, 4, algorithm)
	b = varint(b, 5, digits)
	b = varint(b, 6, kind)
	return varint(b, 7, 0)
}

func payload(size, at, id uint64, entries ...[]byte) []byte {
	var b []byte
	for _, e := range entries {
		b = bytesField(b, 1, e)
	}
	b = varint(b, 2, 1)
	b = varint(b, 3, size)
	b = varint(b, 4, at)
	return varint(b, 5, id)
}

func migration(size, at, id uint64, entries ...[]byte) string {
	return url.QueryEscape(base64.StdEncoding.EncodeToString(payload(size, at, id, entries...)))
}

// TestMigrationWithoutVersion has an example that is passed around: written by hand, it has no version, as a link that was cut
// behind an entry. It is not taken for a whole export, for nothing tells how many entries are missing.
func TestMigrationWithoutVersion(t *testing.T) {
	im, err := Parse("otpauth-migration://offline?data=CjEKCkhlbGxvId6tvu8SGEV4YW1wbGU6YWxpY2VAZ29vZ2xlLmNvbRoHRXhhbXBsZTAC")
	if !errors.Is(err, ErrTruncated) {
		t.Fatalf("%+v, %v", im, err)
	}
}

func TestMigration(t *testing.T) {
	data := migration(3, 1, 77,
		entry("Acme", "Acme:alice@acme.test", plainSeed, 1, 1, 2),
		entry("", "Big Corp:bob", plainSeed, 3, 2, 2),
		entry("Count", "carol", plainSeed, 1, 1, 1),
		entry("Old", "dave", plainSeed, 4, 1, 2),
		entry("Zero", "erin", plainSeed, 0, 0, 0),
		entry("Short", "frank", "", 1, 1, 2))
	for _, link := range []string{
		"otpauth-migration://offline?data=" + data,
		"OTPAUTH-MIGRATION://offline?x=1&data=" + strings.TrimRight(strings.ReplaceAll(data, "%2B", "+"), "%3D") + "#f",
	} {
		im, err := Parse(link)
		if err != nil || len(im.Keys) != 3 || len(im.Skipped) != 3 {
			t.Fatalf("%+v, %v", im, err)
		}
		if k := im.Keys[0]; k.Issuer != "Acme" || k.Account != "alice@acme.test" || k.Digits != 6 || k.Algorithm != "SHA1" || !k.Seed.Same(vault.NewSecret("", plainSeed)) {
			t.Errorf("%+v", k)
		}
		if k := im.Keys[1]; k.Issuer != "Big Corp" || k.Account != "bob" || k.Digits != 8 || k.Algorithm != "SHA512" {
			t.Errorf("%+v", k)
		}
		if s := strings.Join(im.Skipped, "\n"); !strings.Contains(s, "Count (carol): its codes are counted") || !strings.Contains(s, "Old (dave): the algorithm") || !strings.Contains(s, "Short (frank)") {
			t.Errorf("%q", s)
		}
		if m := im.Missing(); len(im.Batches) != 1 || im.Batches[0] != (Batch{77, 2, 3}) || len(m) != 2 || m[0] != "part 1 of 3 of the export is missing" {
			t.Errorf("%+v, %q", im.Batches, m)
		}
	}
}

// TestMigrationCut cuts an export everywhere: each is explained, and none is taken for a whole one.
func TestMigrationCut(t *testing.T) {
	raw := payload(1, 0, 5, entry("Acme", "alice", plainSeed, 1, 1, 2), entry("Big", "bob", plainSeed, 1, 1, 2))
	whole := base64.StdEncoding.EncodeToString(raw)
	tail := 0
	for n := range len(whole) {
		im, err := Parse("otpauth-migration://offline?data=" + whole[:n])
		if err == nil {
			// Only the numbers of the batch, after both entries, may be missing without being missed.
			if tail++; len(im.Keys) != 2 {
				t.Errorf("%d of %d: %+v", n, len(whole), im)
			}
			continue
		}
		if !errors.Is(err, ErrTruncated) || strings.Contains(err.Error(), plainSeed[:8]) {
			t.Errorf("%d of %d: %v", n, len(whole), err)
		}
	}
	if tail > 9 {
		t.Errorf("%d cuts were not noticed", tail)
	}
	for _, bad := range []string{"otpauth-migration://offline", "otpauth-migration://offline?data=", "otpauth-migration://offline?data=%4"} {
		if _, err := Parse(bad); !errors.Is(err, ErrTruncated) {
			t.Errorf("%s: %v", bad, err)
		}
	}
	for _, bad := range []string{"!!!!", base64.StdEncoding.EncodeToString([]byte("\x00\x00\x00")), base64.StdEncoding.EncodeToString(payload(1, 0, 0))} {
		if _, err := Parse("otpauth-migration://offline?data=" + url.QueryEscape(bad)); !errors.Is(err, ErrForeign) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
