package locale

import "testing"

func TestOnlyALocaleWithoutALanguageIsMended(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		name string
		want string
	}{
		{map[string]string{"LANG": "C"}, "LANG", plain},
		{map[string]string{"LANG": "C.UTF-8"}, "LANG", plain},
		{map[string]string{"LANG": "de_DE.UTF-8", "LC_ALL": "POSIX"}, "LC_ALL", plain},
		{map[string]string{"LANG": "de_DE.UTF-8"}, "LANG", "de_DE.UTF-8"},
		{map[string]string{"LANG": "C", "LC_ALL": "fr_FR"}, "LANG", "C"},
		{map[string]string{}, "LANG", ""},
	} {
		err := mend(func(k string) string { return c.env[k] }, func(k, v string) error { c.env[k] = v; return nil })
		if err != nil || c.env[c.name] != c.want {
			t.Errorf("%s is %q, want %q (%v)", c.name, c.env[c.name], c.want, err)
		}
	}
}
