// Package locale gives the process a language that the window's toolkit can read. Importing it is enough.
//
// The toolkit reads the locale while it is initialised, and writes a complaint to the standard error when that is "C.UTF-8",
// as it is on servers and in CI; a person in a terminal reads it as our error. Packages are initialised in the order of their
// import paths as soon as what they import is; this one imports next to nothing and comes before the toolkit's.
package locale

import (
	"os"
	"strings"
)

// plain is the language of a locale without one.
const plain = "en"

var _ = mend(os.Getenv, os.Setenv)

// mend names a language beside a locale that has none but says more than its bare name, which the toolkit does understand.
// The locale itself is left alone: programs that we start read it too, and ignore the language that goes with it.
func mend(get func(string) string, set func(string, string) error) error {
	if get("LANGUAGE") != "" {
		return nil
	}
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		value := get(name)
		if value == "" {
			continue
		}
		if strings.HasPrefix(value, "C.") || strings.HasPrefix(value, "POSIX.") {
			return set("LANGUAGE", plain)
		}
		return nil
	}
	return nil
}
