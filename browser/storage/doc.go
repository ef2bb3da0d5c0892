// Package storage reads what pages keep in the browser: localStorage and sessionStorage, IndexedDB, Cache Storage.
//
// It asks in an isolated world of a frame, which shares the storage of the frame's origin. Reading makes and changes nothing, and
// stands in the way of no page that changes its own storage at the time. Texts are handed out whole or not at all: what is cut in
// the middle no mask would know.
package storage
