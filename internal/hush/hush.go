// Package hush keeps libraries from writing to the standard error before the program has begun. The window's toolkit complains
// about the locale C at every start, also of commands that show no window, and a person in a terminal reads it as our error.
//
// It relies on the order in which Go initialises packages: by import path, as soon as what they import is ready. This one
// imports little and comes before fyne.io; a test of the whole program sees to it that this stays so.
package hush

import (
	"io"
	"log"
)

// held is the log's writer, taken away until Release.
var held = hold()

func hold() io.Writer {
	w := log.Writer()
	log.SetOutput(io.Discard)
	return w
}

// Release lets libraries write again. It is the first thing that main does.
func Release() { log.SetOutput(held) }
