package store

import "errors"

// What a person can act on. Each says what to do; test with errors.Is.
var (
	// ErrNoKeyring: nothing here keeps secrets, so that trying again does not help.
	ErrNoKeyring = errors.New("there is no keyring here: install and start one (on Linux gnome-keyring, KWallet or KeePassXC, in a desktop session), or keep secrets in an encrypted file")
	// ErrLocked: the keyring is there and locked, and it asked nobody.
	ErrLocked = errors.New("the keyring is locked: unlock it (log in to the desktop, or open Passwords and Keys, KWallet or Keychain Access) and try again, or keep secrets in an encrypted file")
	// ErrDismissed: the keyring asked for its password and the question was closed.
	ErrDismissed = errors.New("the keyring asked for its password and the question was closed: try again and answer it, or keep secrets in an encrypted file")
	// ErrNoAnswer: the keyring did not answer within the limit. It may be waiting for the person.
	ErrNoAnswer = errors.New("the keyring does not answer: see whether one of its windows waits for a password, or start it anew; until it answers, secrets cannot be read")
	// ErrGone: the index names an item whose value was taken out of the keyring.
	ErrGone = errors.New("the value is gone from where it was kept: enter it again, or remove the item")
	// ErrNoItem: there is no item of that name.
	ErrNoItem = errors.New("there is no such item")
	// ErrTaken: another item has the alias or the account.
	ErrTaken = errors.New("the name is taken")
	// ErrTooLong: the backend cannot keep a value of that length; nothing was written.
	ErrTooLong = errors.New("the value is too long to be kept here")
	// ErrEmpty: the value is empty or nothing but white space.
	ErrEmpty = errors.New("the value is empty")
	// ErrUnsettled comes beside another error when a change was begun and it is not known yet whether it happened.
	ErrUnsettled = errors.New("whether it was kept is not known yet: that is looked at again at the next change and the next start")
	// ErrLingers: an item was removed from the list, and its value could not be deleted yet.
	ErrLingers = errors.New("it is no longer listed nor lent, but its value is still in the keyring: deleting it is tried again at the next change and the next start")
	// ErrIndex: the index file cannot be understood.
	ErrIndex = errors.New("the list of secrets cannot be read")
	// ErrNewer: the index or the encrypted file was written by a newer version; nothing is changed.
	ErrNewer = errors.New("it was written by a newer version of Chaperone: update Chaperone")

	// ErrPassphrase: the encrypted file does not open with it.
	ErrPassphrase = errors.New("the passphrase is wrong")
	// ErrTruncated: the encrypted file ends too early.
	ErrTruncated = errors.New("the encrypted file ends too early: put a copy of it in its place")
	// ErrForeign: the file is no encrypted file of this package.
	ErrForeign = errors.New("the file is no vault of Chaperone")
	// ErrDamaged: the encrypted file was changed by something else.
	ErrDamaged = errors.New("the encrypted file is damaged: put a copy of it in its place")
)
