// Package model decides what the window shows: values of the app in, rows, labels and states out. Its functions
// are pure, know no toolkit and read no clock but the one they are given.
package model
