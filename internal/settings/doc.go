// Package settings is the one table of everything that can be set, and the layers in which it is: defaults, environment, the
// person's file, the session. It knows names and values, not what they do.
package settings
