// Package theme is the look of the window: its colours, light and dark, and its sizes. Widgets name a colour by
// its role and never by its value.
package theme
