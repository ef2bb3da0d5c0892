// Package page is what can be done with the page in a tab: reading it as text, finding elements, and acting on them with real
// input. The code that runs inside the page is package pagejs; this package calls it frame by frame, translates between the
// frames, and drives mouse and keyboard.
package page
