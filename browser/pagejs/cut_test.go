package pagejs

import "testing"

func TestCut(t *testing.T) {
	open, shut := CutMarks()
	if got := Cut("abcdef", 6); got != "abcdef" {
		t.Errorf("%q", got)
	}
	if got := Cut("abcdef", 3); got != "ab"+open+"cdef"+shut {
		t.Errorf("%q", got)
	}
}
