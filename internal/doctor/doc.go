// Package doctor looks at what Chaperone needs from this computer and says how to mend what is missing. It promises to change
// nothing: it starts no bus and no keyring, asks for no password, and what it opens to try it is closed again.
package doctor
