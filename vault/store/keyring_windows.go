package store

import (
	"errors"
	"syscall"
)

type plainCall struct{}

func prepare() (plainCall, error) { return plainCall{}, nil }

func (plainCall) end() {}

// why knows ERROR_NO_SUCH_LOGON_SESSION: services and remote shells have no Credential Manager. Not run on Windows.
func (plainCall) why(err error) error {
	if errors.Is(err, syscall.Errno(1312)) {
		return ErrNoKeyring
	}
	return nil
}
