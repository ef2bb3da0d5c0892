// Package mask replaces the values of registered secrets in all that leaves by <ALIAS>, in whatever form they come: as typed,
// encoded, escaped, split, reversed. docs/masking.md lists the forms, and what is not found.
//
// A Mask looks twice. The filter asks in one quick pass whether a text may hold a value at all; it errs to one side only.
// Texts that may are then read in several views, each with a map back into the text, and each match in a view becomes a
// region of the text. Regions that overlap are one region. It bears the name of the longest value in it; among values of one
// length the one that was registered first.
package mask
