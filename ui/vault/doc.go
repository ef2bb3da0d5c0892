// Package vault is the screen of what the person lends: secrets, one-time codes, sign-ins, and the vaults that they may come
// from. It shows what is known of an item and never its value, but for a one-time code that the person asks to see. What is
// typed into its masked lines is handed on once and then forgotten.
package vault
