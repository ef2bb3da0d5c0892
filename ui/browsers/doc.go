// Package browsers is the screen of the open browsers: a tile for each, with a picture of what it shows now.
package browsers
