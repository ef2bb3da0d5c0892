// Package doctor looks at what Chaperone needs from this computer and says how to mend what is missing. It promises to change
// nothing but what every start changes (the workspace is made, a settings file that cannot be read is put aside): it starts no
// bus and no keyring, asks for no password, and what it opens to try it is closed again.
package doctor
