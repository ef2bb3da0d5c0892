package otp

import "errors"

// What is wrong with what a person gave. The texts around them say more; test with errors.Is.
var (
	// ErrSeed: the seed cannot be one.
	ErrSeed = errors.New("this is no seed of one-time codes")
	// ErrCounter: the codes are counted (HOTP), which needs a counter that both sides keep.
	ErrCounter = errors.New("its codes are counted (HOTP) and do not change with the clock: such codes are not supported, set up a time-based code at the site instead")
	// ErrTruncated: an export link was cut.
	ErrTruncated = errors.New("the export link ends too early: copy it whole, or scan the picture again")
	// ErrForeign: the text or the QR code is for something else.
	ErrForeign = errors.New("this is not for one-time codes")
	// ErrPicture: the bytes are no picture that can be read.
	ErrPicture = errors.New("the picture cannot be read")
	// ErrNoCode: the picture shows no QR code.
	ErrNoCode = errors.New("no QR code was found in the picture: use a sharper or larger one that shows the whole code with its white border")
)
