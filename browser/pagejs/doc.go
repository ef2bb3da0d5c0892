// Package pagejs is the code that runs inside pages: real JavaScript files, joined into one script.
//
// The script is put into an isolated world of every frame before the document's own scripts run. There it installs
// globalThis.chaperone, a table of functions; each takes one object of arguments and returns a JSON value or a promise of
// one. Loading the script does nothing else but note which fields hold passwords. It uses no eval, no Function and no
// markup, so that it works under any content security policy.
//
// A file in this folder is one function of that name; files in lib are shared by them.
package pagejs
