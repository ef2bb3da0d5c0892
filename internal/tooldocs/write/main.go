// Command write writes the reference pages into the folder named by its argument.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"chaperone/internal/tooldocs"
	"chaperone/server/tools"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: write FOLDER")
		os.Exit(2)
	}
	for name, text := range map[string]string{"tools.md": tooldocs.Tools(tools.Declared()), "settings.md": tooldocs.Settings()} {
		if err := os.WriteFile(filepath.Join(os.Args[1], name), []byte(text), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
