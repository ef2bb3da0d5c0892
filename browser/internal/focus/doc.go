// Package focus gives the person's window its focus back when a click of an agent took it.
//
// Chromium asks the window manager to activate its window whenever a mouse button goes down in a page, also when the click
// comes over the protocol. Some window managers refuse that to a program that the person is not using; others do it. Where the
// desktop is X11, the Guard watches the active window and hands it back at once. Elsewhere it does nothing.
package focus
