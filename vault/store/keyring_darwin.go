package store

import (
	"errors"
	"os/exec"
)

type plainCall struct{}

func prepare() (plainCall, error) { return plainCall{}, nil }

func (plainCall) end() {}

// why reads the exit code of security(1): the low byte of the OSStatus in SecBase.h. Not run on a Mac.
func (plainCall) why(err error) error {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		if errors.Is(err, exec.ErrNotFound) {
			return ErrNoKeyring
		}
		return nil
	}
	switch exit.ExitCode() {
	case 36, 51: // errSecInteractionNotAllowed -25308, errSecAuthFailed -25293
		return ErrLocked
	case 128: // userCanceledErr -128
		return ErrDismissed
	case 37, 50: // errSecNoDefaultKeychain -25307, errSecNoSuchKeychain -25294
		return ErrNoKeyring
	}
	return nil
}
