package locale

import "testing"

func TestOnlyALocaleWithoutALanguageIsMended(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want string
	}{
		{map[string]string{"LANG": "C"}, ""}, // the toolkit knows this one
		{map[string]string{"LANG": "C.UTF-8"}, plain},
		{map[string]string{"LANG": "de_DE.UTF-8", "LC_ALL": "POSIX.UTF-8"}, plain},
		{map[string]string{"LANG": "de_DE.UTF-8"}, ""},
		{map[string]string{"LANG": "C.UTF-8", "LC_ALL": "fr_FR"}, ""},
		{map[string]string{"LANG": "C.UTF-8", "LANGUAGE": "de:en"}, "de:en"},
		{map[string]string{}, ""},
	} {
		err := mend(func(k string) string { return c.env[k] }, func(k, v string) error { c.env[k] = v; return nil })
		if err != nil || c.env["LANGUAGE"] != c.want {
			t.Errorf("%v: the language is %q, want %q (%v)", c.env, c.env["LANGUAGE"], c.want, err)
		}
	}
}
