package model_test

import (
	"strings"
	"testing"
	"time"

	"chaperone/ui/model"
)

func TestForeignTextMisleadsNobody(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                     "plain",
		"two\nlines\tand a tab":     "two lines and a tab",
		"safe\u202egnp.exe":         "safegnp.exe",
		"zero\u200bwidth\ufeff":     "zerowidth",
		"bell\a and escape\x1b[31m": "bell and escape[31m",
		"  many   blanks  ":         "many blanks",
		"isolate\u2066x\u2069":      "isolatex",
		strings.Repeat("a", 50):     strings.Repeat("a", 19) + "…",
		"ééééééééééééééééééééééééé":      "ééééééééééééééééééé…",
		"family 👩\u200d👧 stays a family": "family 👩\u200d👧 stays a…",
	} {
		if got := model.Line(in, 20); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
	if got := model.Paragraph("one\r\n\n\n\n\ntwo\u202e\x00\n", 100); got != "one\n\ntwo" {
		t.Errorf("a paragraph became %q", got)
	}
}

// The end of an origin is what tells a site from another that only begins like it.
func TestOriginsAreNeverCut(t *testing.T) {
	origin := "https://" + strings.Repeat("app.example-bank.com.", 30) + "evil.example:8443"
	if c := model.CardOf(model.Question{Origin: origin}, noon); c.Site != origin {
		t.Errorf("the site reads %q", c.Site)
	}
}

func TestTimesInWords(t *testing.T) {
	for ago, want := range map[time.Duration]string{
		time.Second: "just now", 45 * time.Second: "45 s ago", 3 * time.Minute: "3 min ago", 2 * time.Hour: "at 10:00", 30 * time.Hour: "1 Jan 2030, 06:00",
	} {
		if got := model.Ago(noon.Add(-ago), noon); got != want {
			t.Errorf("%v ago: %q, want %q", ago, got, want)
		}
	}
	for left, want := range map[time.Duration]string{
		-time.Second: "time is up", 35 * time.Second: "35 s left", 252 * time.Second: "4:12 min left", 90 * time.Minute: "1:30 h left",
	} {
		if got := model.Left(noon.Add(left), noon); got != want {
			t.Errorf("%v left: %q, want %q", left, got, want)
		}
	}
}

func TestWhoNamesEverybody(t *testing.T) {
	for want, a := range map[string]model.Agent{
		"Claude Code": {Name: "Claude Code", Program: "/usr/bin/claude"}, "codex": {Program: "/usr/local/bin/codex"}, "An unnamed agent": {},
		"claude.exe": {Name: "\u200b\n", Program: `C:\Program Files\claude.exe`},
	} {
		if got := model.Who(a); got != want {
			t.Errorf("%+v is called %q, want %q", a, got, want)
		}
	}
}
