package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"filippo.io/age"
	"filippo.io/age/armor"

	"chaperone/vault"
)

// File keeps values in one file that a passphrase opens. Its first line is fileHead; then come two age files in armor, which the
// age program can open too: the key of the second, encrypted with the passphrase (scrypt), and the values as JSON, encrypted with
// that key. So the passphrase is needed once, when the file is opened, and is not kept. Values are decrypted for each use, and not
// kept either.
type File struct {
	path string
	// The keys are behind functions so that nothing prints them.
	decrypt func(io.Reader) (io.Reader, error)
	encrypt func(io.Writer) (io.WriteCloser, error)
}

var _ Backend = (*File)(nil)

const (
	fileHead    = "chaperone vault 1\n"
	fileHeadAny = "chaperone vault "
	mostFile    = 64 << 20
)

// work is age's scrypt work factor, about a second; tests lower it.
var work = 18

// CreateFile makes a new encrypted file. fs.ErrExist if there is one already.
func CreateFile(path string, passphrase vault.Secret) (*File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	// The name is taken first, so that of two at once one is refused.
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	identity, err := age.GenerateX25519Identity()
	if err == nil {
		var key []byte
		if key, err = sealKey(identity, passphrase); err == nil {
			file := openedFile(path, identity)
			if err = file.write(key, map[string][]byte{}); err == nil {
				return file, nil
			}
		}
	}
	_ = os.Remove(path)
	return nil, err
}

// OpenFile opens an encrypted file. ErrPassphrase, ErrTruncated, ErrForeign, ErrDamaged, ErrNewer, or fs.ErrNotExist.
func OpenFile(path string, passphrase vault.Secret) (*File, error) {
	key, values, err := readFile(path)
	if err != nil {
		return nil, err
	}
	var identity *age.X25519Identity
	err = passphrase.Use(func(p string) error {
		with, err := age.NewScryptIdentity(p)
		if err != nil {
			return ErrPassphrase // it is empty
		}
		r, err := age.Decrypt(armor.NewReader(bytes.NewReader(key)), with)
		if err != nil {
			var none *age.NoIdentityMatchError
			if errors.As(err, &none) {
				return ErrPassphrase
			}
			return fmt.Errorf("%w (its key)", ErrDamaged)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			return fmt.Errorf("%w (its key)", ErrDamaged)
		}
		if identity, err = age.ParseX25519Identity(strings.TrimSpace(string(text))); err != nil {
			return fmt.Errorf("%w (its key)", ErrDamaged) // the reason would show the key
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	file := openedFile(path, identity)
	_, err = file.open(values)
	return file, err
}

func openedFile(path string, identity *age.X25519Identity) *File {
	return &File{
		path:    path,
		decrypt: func(r io.Reader) (io.Reader, error) { return age.Decrypt(r, identity) },
		encrypt: func(w io.Writer) (io.WriteCloser, error) { return age.Encrypt(w, identity.Recipient()) },
	}
}

// sealKey encrypts the file's key with the passphrase.
func sealKey(identity *age.X25519Identity, passphrase vault.Secret) ([]byte, error) {
	var out bytes.Buffer
	err := passphrase.Use(func(p string) error {
		if strings.TrimSpace(p) == "" {
			return fmt.Errorf("the passphrase: %w", ErrEmpty)
		}
		to, err := age.NewScryptRecipient(p)
		if err != nil {
			return err
		}
		to.SetWorkFactor(work)
		return seal(&out, func(w io.Writer) (io.WriteCloser, error) { return age.Encrypt(w, to) }, []byte(identity.String()+"\n"))
	})
	return out.Bytes(), err
}

func seal(out io.Writer, encrypt func(io.Writer) (io.WriteCloser, error), plain []byte) error {
	a := armor.NewWriter(out)
	w, err := encrypt(a)
	if err != nil {
		return err
	}
	if _, err = w.Write(plain); err != nil {
		return err
	}
	if err = w.Close(); err != nil {
		return err
	}
	return a.Close()
}

// readFile splits the file into its two armored parts.
func readFile(path string) (key, values []byte, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	if info.Size() > mostFile || !info.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("%s: %w: it is no file, or larger than %d MB", path, ErrForeign, mostFile>>20)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	rest, ours := bytes.CutPrefix(raw, []byte(fileHead))
	switch {
	case ours:
	case bytes.HasPrefix([]byte(fileHead), raw):
		return nil, nil, fmt.Errorf("%s: %w", path, ErrTruncated)
	case bytes.HasPrefix(raw, []byte(fileHeadAny)):
		return nil, nil, fmt.Errorf("%s: %w", path, ErrNewer)
	case bytes.HasPrefix(raw, []byte("age-encryption.org/")), bytes.HasPrefix(raw, []byte(armor.Header)):
		return nil, nil, fmt.Errorf("%s: %w: it is encrypted with age, by something else", path, ErrForeign)
	default:
		return nil, nil, fmt.Errorf("%s: %w", path, ErrForeign)
	}
	end := []byte(armor.Footer + "\n")
	first := bytes.Index(rest, end)
	if first < 0 || !bytes.HasSuffix(rest[first+len(end):], end) {
		return nil, nil, fmt.Errorf("%s: %w", path, ErrTruncated)
	}
	return rest[:first+len(end)], rest[first+len(end):], nil
}

func (f *File) open(sealed []byte) (map[string][]byte, error) {
	r, err := f.decrypt(armor.NewReader(bytes.NewReader(sealed)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.path, ErrDamaged)
	}
	plain, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.path, ErrDamaged)
	}
	defer clear(plain)
	values := map[string][]byte{}
	if err := json.Unmarshal(plain, &values); err != nil {
		return nil, fmt.Errorf("%s: %w", f.path, ErrDamaged) // the reason would show values
	}
	return values, nil
}

func (f *File) write(key []byte, values map[string][]byte) error {
	plain, err := json.Marshal(values)
	if err != nil {
		return err
	}
	defer clear(plain)
	out := bytes.NewBuffer([]byte(fileHead))
	out.Write(key)
	if err := seal(out, f.encrypt, plain); err != nil {
		return err
	}
	return writeFile(f.path, out.Bytes())
}

// edit changes the values; fn's error leaves the file alone.
func (f *File) edit(fn func(map[string][]byte) error) error {
	key, sealed, err := readFile(f.path)
	if err != nil {
		return f.lost(err)
	}
	values, err := f.open(sealed)
	if err != nil {
		return err
	}
	defer wipe(values)
	if err := fn(values); err != nil {
		return err
	}
	return f.write(key, values)
}

// ChangePassphrase makes another passphrase open the file; the values stay as they are. ErrPassphrase if old is not the one.
func (f *File) ChangePassphrase(old, passphrase vault.Secret) error {
	_, sealed, err := readFile(f.path)
	if err != nil {
		return f.lost(err)
	}
	if _, err := OpenFile(f.path, old); err != nil {
		return err
	}
	values, err := f.open(sealed)
	if err != nil {
		return err
	}
	defer wipe(values)
	// A new key too, so that an old copy of the file and its passphrase do not open the new one.
	identity, err := age.GenerateX25519Identity()
	if err != nil {
		return err
	}
	key, err := sealKey(identity, passphrase)
	if err != nil {
		return err
	}
	next := openedFile(f.path, identity)
	if err := next.write(key, values); err != nil {
		return err
	}
	f.decrypt, f.encrypt = next.decrypt, next.encrypt
	return nil
}

func (f *File) lost(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the encrypted file is gone: put it back (%w)", err)
	}
	return err
}

func (f *File) Name() string { return "encrypted file" }

func (f *File) Most() int { return MostBytes }

func (f *File) Set(_ context.Context, key string, value vault.Secret) error {
	return f.edit(func(values map[string][]byte) error {
		return value.Use(func(v string) error {
			values[key] = []byte(v)
			return nil
		})
	})
}

func (f *File) Get(_ context.Context, key string) (vault.Secret, error) {
	_, sealed, err := readFile(f.path)
	if err != nil {
		return vault.Secret{}, f.lost(err)
	}
	values, err := f.open(sealed)
	if err != nil {
		return vault.Secret{}, err
	}
	defer wipe(values)
	value, ok := values[key]
	if !ok {
		return vault.Secret{}, ErrAbsent
	}
	return vault.NewSecret(key, string(value)), nil
}

func (f *File) Delete(_ context.Context, key string) error {
	return f.edit(func(values map[string][]byte) error {
		if _, ok := values[key]; !ok {
			return ErrAbsent
		}
		clear(values[key])
		delete(values, key)
		return nil
	})
}

func wipe(values map[string][]byte) {
	for _, v := range values {
		clear(v)
	}
}
