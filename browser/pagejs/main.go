package pagejs

import (
	_ "embed"
	"sync"
)

//go:embed main/look.js
var lookFile string

// Look is an expression of the function look, which runs in a page's own world: it is the one thing that our code does there,
// for agents that may run scripts of their own.
var Look = sync.OnceValue(func() string {
	plain, err := files.ReadFile("lib/plain.js")
	if err != nil {
		panic(err)
	}
	return "(() => {\n" + noise.ReplaceAllString(string(plain)+lookFile, "") + "return look;\n})()"
})
