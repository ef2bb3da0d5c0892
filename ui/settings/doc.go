// Package settings is the screen of settings, one row each, and of the leaves that can be taken back.
package settings
