package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chaperone/vault"
)

var pass = vault.NewSecret("PASSPHRASE", "correct horse battery")

func TestFile(t *testing.T) {
	work = 10
	suite(t, func(t *testing.T) Backend {
		f, err := CreateFile(filepath.Join(t.TempDir(), "vault.age"), pass)
		if err != nil {
			t.Fatal(err)
		}
		return f
	})
}

func TestFileTellsApart(t *testing.T) {
	work = 10
	path := filepath.Join(t.TempDir(), "sub", "vault.age")
	if _, err := OpenFile(path, pass); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if _, err := CreateFile(path, vault.NewSecret("P", " ")); !errors.Is(err, ErrEmpty) {
		t.Errorf("no passphrase: %v", err)
	}
	f, err := CreateFile(path, pass)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := CreateFile(path, pass); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second one: %v", err)
	}
	if err := f.Set(t.Context(), "K", vault.NewSecret("", canary)); err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 && os.PathSeparator == '/' {
		t.Errorf("mode %v", info.Mode())
	}
	printed := fmt.Sprintf("%v %+v %#v", f, f, f)
	if strings.Contains(printed, "AGE-SECRET") || strings.Contains(printed, "correct horse") || strings.Contains(printed, canary) {
		t.Error("printing it shows a key")
	}
	whole, err := os.ReadFile(path)
	if err != nil || bytes.Contains(whole, []byte(canary)) || bytes.Contains(whole, []byte("AGE-SECRET")) {
		t.Fatalf("plain text, %v", err)
	}
	for _, wrong := range []string{"", "Correct horse battery", "correct horse battery ", canary} {
		if _, err := OpenFile(path, vault.NewSecret("P", wrong)); !errors.Is(err, ErrPassphrase) {
			t.Errorf("a wrong passphrase: %v", err)
		}
	}
	with := func(content []byte) error {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := OpenFile(path, pass)
		if err != nil && (strings.Contains(err.Error(), canary) || strings.Contains(err.Error(), "AGE-SECRET")) {
			t.Errorf("an error shows a value: %v", err)
		}
		return err
	}
	for n := range whole {
		if n%7 == 0 || n > len(whole)-40 {
			if err := with(whole[:n]); !errors.Is(err, ErrTruncated) {
				t.Fatalf("the first %d of %d bytes: %v", n, len(whole), err)
			}
		}
	}
	for name, content := range map[string]string{"text": "hello", "json": `{"a":1}`, "zeros": "\x00\x00\x00", "age": "age-encryption.org/v1\n-> X", "armor": "-----BEGIN AGE ENCRYPTED FILE-----\nx"} {
		if err := with([]byte(content)); !errors.Is(err, ErrForeign) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := with([]byte("chaperone vault 2\nx")); !errors.Is(err, ErrNewer) {
		t.Errorf("a newer one: %v", err)
	}
	for at := len(fileHead) + 60; at < len(whole)-60; at += 41 {
		broken := bytes.Clone(whole)
		if broken[at] == '\n' || broken[at] == '-' {
			continue
		}
		if broken[at]++; broken[at] == whole[at] {
			continue
		}
		if err := with(broken); !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrPassphrase) && !errors.Is(err, ErrTruncated) {
			t.Errorf("byte %d changed: %v", at, err)
		}
	}
	// A part of another vault in the place of ours.
	other := filepath.Join(t.TempDir(), "other.age")
	if _, err := CreateFile(other, pass); err != nil {
		t.Fatal(err)
	}
	_, values, _ := readFile(other)
	key, _, _ := func() ([]byte, []byte, error) { _ = os.WriteFile(path, whole, 0o600); return readFile(path) }()
	if err := with(append(append([]byte(fileHead), key...), values...)); !errors.Is(err, ErrDamaged) {
		t.Errorf("parts of two vaults: %v", err)
	}
	// The store above it says so too.
	_ = os.WriteFile(path, whole, 0o600)
	s := mustOpen(t, Config{Backend: f})
	_ = os.Remove(path)
	if err := s.Check(t.Context()); err == nil || !strings.Contains(err.Error(), "put it back") {
		t.Errorf("a file that vanished: %v", err)
	}
}

func TestChangePassphrase(t *testing.T) {
	work = 10
	path := filepath.Join(t.TempDir(), "vault.age")
	f, err := CreateFile(path, pass)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Set(t.Context(), "K", vault.NewSecret("", canary)); err != nil {
		t.Fatal(err)
	}
	next := vault.NewSecret("P", "another one")
	if err := f.ChangePassphrase(next, next); !errors.Is(err, ErrPassphrase) {
		t.Errorf("%v", err)
	}
	if err := f.ChangePassphrase(pass, next); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenFile(path, pass); !errors.Is(err, ErrPassphrase) {
		t.Errorf("the old one still opens it: %v", err)
	}
	again, err := OpenFile(path, next)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []*File{f, again} {
		if v, err := f.Get(t.Context(), "K"); err != nil || !v.Same(vault.NewSecret("", canary)) {
			t.Error(err)
		}
	}
}

// TestFileHasNoPlainCopies: nothing beside the file holds a value, not even after many changes.
func TestFileHasNoPlainCopies(t *testing.T) {
	work = 10
	dir := t.TempDir()
	f, err := CreateFile(filepath.Join(dir, "vault.age"), pass)
	if err != nil {
		t.Fatal(err)
	}
	s := mustOpen(t, Config{Backend: f, Index: filepath.Join(dir, "index.json")})
	for _, alias := range []string{"A", "B", "C"} {
		if _, err := s.Add(t.Context(), Item{Kind: Secret, Alias: alias}, vault.NewSecret("", canary+alias)); err != nil {
			t.Fatal(err)
		}
	}
	names := []string{}
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, _ error) error {
		if d.IsDir() {
			return nil
		}
		names = append(names, d.Name())
		if raw, _ := os.ReadFile(path); bytes.Contains(raw, []byte(canary)) {
			t.Errorf("%s holds a value", path)
		}
		return nil
	})
	if len(names) != 3 {
		t.Errorf("files left: %q", names)
	}
}
