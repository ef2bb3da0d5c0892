// Package secret lends the secrets of the registry to calls: it finds what an alias stands for, asks the person where the person
// wants to be asked, and refuses what would put a secret, or its name, into the wrong place. Values pass through it only inside
// the typing call.
package secret
