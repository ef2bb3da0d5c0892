// Package ui is the window and the tray of the app. It shows what its Desk says and hands the person's answers
// back; it starts nothing of its own and knows no other part of the app.
package ui
