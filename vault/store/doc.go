// Package store keeps what a person lends: secrets, the seeds of one-time codes, passwords of sign-ins.
//
// Values lie in a Backend, one entry each: the keyring of the operating system, an encrypted file, or memory. All else (names,
// sites, policies, when an item was used) lies in an index file that holds no values, so that listing reads none. There is no
// backend that writes plain text.
//
// What may be relied on:
//
//   - A value is read once for each use, and never to list, edit or remove an item.
//   - No call waits longer than the store's limit, whatever the keyring does. One call at most is inside a backend at a time; while
//     it hangs past the limit, others fail at once with ErrNoAnswer.
//   - A failure or a crash at any moment leaves each item either as it was or as it was to be. What was begun is noted in the index
//     first; the next Open, Add, Replace or Remove finishes it or takes it back.
//   - Several processes may share an index: changes take turns by a lock file beside it.
//   - No error holds a value.
package store
