// Package locale gives the process a language that the window's toolkit can read. Importing it is enough.
//
// The toolkit reads the locale while it is initialised, and writes a complaint to the standard error when that is "C" or
// "POSIX", as it is on servers and in CI. Packages are initialised in the order of their import paths as soon as what they
// import is; this one imports next to nothing and comes before the toolkit's.
package locale

import (
	"os"
	"strings"
)

// plain is what the "C" locale stands for here.
const plain = "en_US.UTF-8"

var _ = mend(os.Getenv, os.Setenv)

// mend sets the variable that says "C" to a locale with a language.
func mend(get func(string) string, set func(string, string) error) error {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		value := get(name)
		if value == "" {
			continue
		}
		language, _, _ := strings.Cut(value, ".")
		if language == "C" || language == "POSIX" {
			return set(name, plain)
		}
		return nil
	}
	return nil
}
