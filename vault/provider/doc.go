// Package provider looks up one-time codes and sign-ins in the vault that the person who runs Chaperone chose: Chaperone's own, or
// that of a program that is installed here (oathtool, op, bw, lpass). It is the credentials hook: get_totp and get_credential.
//
// What may be relied on:
//
//   - Nothing is installed, bought or asked: a vault that is not there or not signed in to is a Failure with a hint.
//   - A program gets fixed arguments, then --, then the account; no value is in its arguments or environment; of the environment it
//     gets what it needs and no other keys; its standard input is closed, or holds the seed.
//   - A lookup ends within the limit, and with it the program's whole process group.
//   - What a program writes is in no Failure: it may be the password.
//   - A password comes only for an account with a list of sites, and is exactly what the vault holds.
package provider
