// Package otp reads the seeds of one-time codes in the forms in which people have them, and computes the codes: RFC 6238, with the
// variant that Steam uses. The arithmetic is that of github.com/pquerna/otp.
//
// A seed is a vault.Secret from the moment it is read; no error holds a part of one, nor of a link or a picture that held it.
package otp
