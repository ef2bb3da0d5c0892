// Package tooldocs writes the reference pages docs/tools.md and docs/settings.md from the declarations in the code.
package tooldocs

//go:generate go run ./write ../../docs
