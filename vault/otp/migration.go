package otp

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	"chaperone/vault"
)

// An authenticator export is otpauth-migration://offline?data=… with a protobuf message in base64. Google has not published it;
// its fields are known from the app:
//
//	message Payload { repeated Entry entries = 1; int32 version = 2; int32 batch_size = 3; int32 batch_index = 4; int32 batch_id = 5; }
//	message Entry { bytes secret = 1; string name = 2; string issuer = 3; Algorithm algorithm = 4; Digits digits = 5; Type type = 6; int64 counter = 7; }
//
// Algorithm: 1 SHA1, 2 SHA256, 3 SHA512, 4 MD5. Digits: 1 six, 2 eight. Type: 1 HOTP, 2 TOTP. Zero is the first of each, for the
// type TOTP.

// mostEntries bounds an export; the app puts ten into a link.
const mostEntries = 1000

func parseMigration(link string) (Import, error) {
	_, query, _ := strings.Cut(link, "?")
	query, _, _ = strings.Cut(query, "#")
	var data string
	for pair := range strings.SplitSeq(query, "&") {
		if name, value, _ := strings.Cut(pair, "="); name == "data" {
			data = value
		}
	}
	if data == "" {
		return Import{}, fmt.Errorf("%w (it has no data)", ErrTruncated)
	}
	// A + is a plus here, as it is in base64, and not a blank.
	data, err := url.PathUnescape(data)
	if err != nil {
		return Import{}, ErrTruncated // a % without its two digits
	}
	raw, err := decode64(data)
	if err != nil {
		return Import{}, err
	}
	return parsePayload(raw)
}

func decode64(data string) ([]byte, error) {
	data = strings.NewReplacer("-", "+", "_", "/", " ", "+", "\n", "", "\r", "").Replace(data)
	bare := strings.TrimRight(data, "=")
	if strings.Trim(bare, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") != "" {
		return nil, fmt.Errorf("%w: the data of the export link are damaged", ErrForeign)
	}
	if len(bare)%4 == 1 {
		return nil, ErrTruncated
	}
	raw, err := base64.RawStdEncoding.DecodeString(bare)
	if err != nil {
		return nil, fmt.Errorf("%w: the data of the export link are damaged", ErrForeign)
	}
	return raw, nil
}

func parsePayload(raw []byte) (Import, error) {
	var im Import
	var version, size, at, id uint64
	err := fields(raw, func(n protowire.Number, number uint64, bytes []byte) error {
		switch n {
		case 1:
			if len(im.Keys)+len(im.Skipped) >= mostEntries {
				return fmt.Errorf("%w: the export has more than %d entries", ErrForeign, mostEntries)
			}
			return im.entry(bytes)
		case 2:
			version = number
		case 3:
			size = number
		case 4:
			at = number
		case 5:
			id = number
		}
		return nil
	})
	if err != nil {
		return Import{}, err
	}
	// The version comes after the entries, and the app always writes it: a link that was cut between two entries lacks it.
	if version == 0 {
		return Import{}, ErrTruncated
	}
	if size > 1 && size <= mostEntries && at < size {
		im.Batches = append(im.Batches, Batch{ID: int32(id), Index: int(at) + 1, Of: int(size)})
	}
	if len(im.Keys)+len(im.Skipped) == 0 {
		return Import{}, fmt.Errorf("%w: the export is empty", ErrForeign)
	}
	return im, nil
}

func (im *Import) entry(raw []byte) error {
	k := Key{Kind: TOTP, Algorithm: "SHA1", Digits: 6, Period: 30}
	var seed []byte
	var kind uint64
	err := fields(raw, func(n protowire.Number, number uint64, bytes []byte) error {
		switch n {
		case 1:
			seed = bytes
		case 2:
			k.Account = printable(bytes)
		case 3:
			k.Issuer = printable(bytes)
		case 4:
			k.Algorithm = map[uint64]string{0: "SHA1", 1: "SHA1", 2: "SHA256", 3: "SHA512"}[number]
		case 5:
			k.Digits = map[uint64]int{0: 6, 1: 6, 2: 8}[number]
		case 6:
			kind = number
		}
		return nil
	})
	if err != nil {
		return err
	}
	if issuer, account, both := strings.Cut(k.Account, ":"); both && (k.Issuer == "" || k.Issuer == issuer) {
		k.Issuer, k.Account = issuer, strings.TrimSpace(account)
	}
	switch {
	case kind == 1:
		err = ErrCounter
	case kind != 0 && kind != 2:
		err = fmt.Errorf("%w: it is of an unknown kind", ErrForeign)
	default:
		var typed vault.Secret
		if typed, err = ParseSeed("", encodeSeed(seed)); err == nil {
			k.Seed = typed
			err = k.Check()
		}
	}
	if err != nil {
		im.Skipped = append(im.Skipped, fmt.Sprintf("%s: %v", k.says(), err))
		return nil
	}
	im.Keys = append(im.Keys, k)
	return nil
}

// says names a key for people.
func (k Key) says() string {
	switch {
	case k.Issuer != "" && k.Account != "":
		return k.Issuer + " (" + k.Account + ")"
	case k.Issuer+k.Account != "":
		return k.Issuer + k.Account
	}
	return "an entry without a name"
}

func printable(raw []byte) string {
	return strings.ToValidUTF8(string(raw), "�")
}

// fields calls fn for each field of a message: with its number, if it is a varint, or its bytes.
func fields(raw []byte, fn func(n protowire.Number, number uint64, bytes []byte) error) error {
	for len(raw) > 0 {
		n, kind, size := protowire.ConsumeTag(raw)
		if size < 0 {
			return broken(size)
		}
		raw = raw[size:]
		var number uint64
		var bytes []byte
		switch kind {
		case protowire.VarintType:
			number, size = protowire.ConsumeVarint(raw)
		case protowire.BytesType:
			bytes, size = protowire.ConsumeBytes(raw)
		default:
			size = protowire.ConsumeFieldValue(n, kind, raw)
		}
		if size < 0 {
			return broken(size)
		}
		raw = raw[size:]
		if err := fn(n, number, bytes); err != nil {
			return err
		}
	}
	return nil
}

func broken(size int) error {
	if errors.Is(protowire.ParseError(size), io.ErrUnexpectedEOF) {
		return ErrTruncated
	}
	return fmt.Errorf("%w: the data of the export link are damaged", ErrForeign)
}
