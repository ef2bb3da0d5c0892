package store

import (
	"context"
	"errors"

	"chaperone/vault"
)

// Backend keeps values by key. Keys are letters, digits, dots, dashes and underscores, at most MostKey of them. The store calls one
// method at a time, and does not trust one to return.
type Backend interface {
	// Name is what people are told: keyring, encrypted file, memory.
	Name() string
	// Most is the length in bytes of the longest value that can be kept.
	Most() int
	// Set keeps a value under a new key, or instead of the one there: all of it, or nothing.
	Set(ctx context.Context, key string, value vault.Secret) error
	// Get reads a value. A key that is not there is ErrAbsent.
	Get(ctx context.Context, key string) (vault.Secret, error)
	// Delete removes a value. A key that is not there is ErrAbsent.
	Delete(ctx context.Context, key string) error
}

// ErrAbsent is what a Backend answers for a key that it does not have.
var ErrAbsent = errors.New("no such entry")

// MostKey is the length in bytes of the longest key.
const MostKey = 80
