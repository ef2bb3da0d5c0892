package store

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/zalando/go-keyring"

	"chaperone/vault"
)

// Service is the name under which entries lie in the keyring.
const Service = "chaperone"

// Keyring keeps values in the keyring of the operating system: Secret Service, Keychain, or Credential Manager.
type Keyring struct{}

var _ Backend = Keyring{}

func (Keyring) Name() string { return "keyring" }

// Most is what the keyring of this system keeps.
func (Keyring) Most() int { return keyringMost(runtime.GOOS) }

// keyringMost is 2,560 bytes on Windows (CRED_MAX_CREDENTIAL_BLOB_SIZE). On macOS go-keyring hands one command line of at most 4,096
// bytes to security(1), with the value in base64.
func keyringMost(goos string) int {
	switch goos {
	case "windows":
		return 2560
	case "darwin":
		rest := len("add-generic-password -U -s "+Service+" -a ") + MostKey + len(" -w go-keyring-base64:\n")
		return (4096 - rest) / 4 * 3
	}
	return MostBytes
}

func (Keyring) Set(_ context.Context, key string, value vault.Secret) error {
	return value.Use(func(v string) error {
		err := asked(func() error { return keyring.Set(Service, key, v) })
		if err != nil && strings.Contains(err.Error(), v) {
			return errors.New("the keyring refused the value")
		}
		return err
	})
}

func (Keyring) Get(_ context.Context, key string) (vault.Secret, error) {
	var value vault.Secret
	err := asked(func() error {
		v, err := keyring.Get(Service, key)
		if err == nil {
			value = vault.NewSecret(key, v)
		}
		return err
	})
	return value, err
}

func (Keyring) Delete(_ context.Context, key string) error {
	return asked(func() error { return keyring.Delete(Service, key) })
}

// asked makes one call to the keyring and says in our words why it failed.
func asked(fn func() error) error {
	call, err := prepare()
	if err != nil {
		return err
	}
	defer call.end()
	err = fn()
	switch {
	case err == nil:
		return nil
	case errors.Is(err, keyring.ErrNotFound):
		return ErrAbsent
	case errors.Is(err, keyring.ErrSetDataTooBig):
		return ErrTooLong
	case errors.Is(err, keyring.ErrUnsupportedPlatform):
		return ErrNoKeyring
	}
	if known := call.why(err); known != nil {
		return fmt.Errorf("%w (%w)", known, err)
	}
	return fmt.Errorf("the keyring answers: %w", err)
}
