package tooldocs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chaperone/internal/settings"
	"chaperone/server/tools"
)

func TestFresh(t *testing.T) {
	for name, want := range map[string]string{"tools.md": Tools(tools.Declared()), "settings.md": Settings()} {
		got, err := os.ReadFile(filepath.Join("..", "..", "docs", name))
		if err != nil || string(got) != want {
			t.Errorf("docs/%s is not what the code says; run go generate ./internal/tooldocs (%v)", name, err)
		}
	}
}

func TestComplete(t *testing.T) {
	page := Tools(tools.Declared())
	for _, set := range tools.Declared() {
		for _, tl := range set.Tools {
			if !strings.Contains(page, "### `"+tl.Name+"`\n\n"+tl.Does) {
				t.Errorf("%s is missing", tl.Name)
			}
		}
	}
	for _, s := range settings.Table() {
		if !strings.Contains(Settings(), "| `"+s.Key+"` |") {
			t.Errorf("%s is missing", s.Key)
		}
	}
}
