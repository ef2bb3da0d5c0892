// Package requests is the screen of what agents want from the person. It shows questions and hands answers to a
// callback. A yes is handed on only when the guard says that the person has had time to see what it is for.
package requests
