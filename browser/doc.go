// Package browser runs the Chromium that agents drive: its process, its sessions, tabs and frames, and what they do.
//
// One Session is one Chromium process on a pipe, so that no other local process can attach to it. Every target has one
// flat CDP session, paused at its start until our scripts are in it. Page code lives in an isolated world of each frame
// (package pagejs); a Frame calls it by name. What happens while an action runs (requests, navigation, dialogs, new tabs)
// is collected by Tab.Act, which also waits until the action's consequences have settled.
//
// Of the page functions this package itself calls three: tick({frames}) resolves after two turns of the page's event loop and
// that many drawn frames (or a short while where none are drawn), and refOf({next}, element) gives an element a reference
// number and answers {ref, next}; title({}) is the title of the document.
package browser
