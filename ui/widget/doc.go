// Package widget is the building blocks of the window, drawn in its own theme: cards, buttons, pills, switches,
// wrapped text with masks, a long list. Everything that can be clicked can be reached and worked with the keyboard
// and shows where the focus is. Widgets hold no state of the app.
package widget
