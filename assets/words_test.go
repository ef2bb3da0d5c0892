package assets

import "testing"

func TestSay(t *testing.T) {
	if got := Say("app.name"); got != "Chaperone" {
		t.Errorf("Say(app.name) = %q", got)
	}
	if got := Say("no.such.key"); got != "no.such.key" {
		t.Errorf("a missing key reads %q", got)
	}
}
