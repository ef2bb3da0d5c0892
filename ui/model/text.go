package model

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"chaperone/assets"
)

// Line makes foreign text fit for one line: no control characters, nothing that turns the direction of reading
// or hides itself, runs of blanks as one, and at most max runes.
func Line(s string, max int) string {
	return cut(strings.Join(strings.Fields(strings.Map(plain, s)), " "), max)
}

// Paragraph is Line, but keeps line breaks, at most one empty line at a time.
func Paragraph(s string, max int) string {
	var out []string
	empty := 0
	for line := range strings.SplitSeq(strings.ReplaceAll(s, "\r\n", "\n"), "\n") {
		line = strings.TrimRight(strings.Map(plain, line), " ")
		if line == "" {
			empty++
			if empty > 1 {
				continue
			}
		} else {
			empty = 0
		}
		out = append(out, line)
	}
	return cut(strings.TrimSpace(strings.Join(out, "\n")), max)
}

// plain drops what a person would not see but be misled by.
func plain(r rune) rune {
	switch {
	case r == '\n' || r == '\r' || r == '\t':
		return ' '
	case unicode.IsControl(r):
		return -1
	case unicode.Is(unicode.Cf, r) && r != '\u200d': // direction marks, zero-width blanks; not the emoji joiner
		return -1
	case r == '\u2028' || r == '\u2029':
		return ' '
	}
	return r
}

func cut(s string, max int) string {
	if max <= 0 || len(s) <= max {
		return s
	}
	runes := []rune(s)
	if len(runes) <= max {
		return s
	}
	return strings.TrimRight(string(runes[:max-1]), " ") + "…"
}

// Initial is the letter that stands for a name.
func Initial(name string) string {
	for _, r := range name {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return string(unicode.ToUpper(r))
		}
	}
	return "?"
}

// Who names an agent for a person.
func Who(a Agent) string {
	if name := Line(a.Name, 40); name != "" {
		return name
	}
	if a.Program != "" {
		return Line(base(a.Program), 40)
	}
	return assets.Say("ui.agent.unnamed")
}

// Process tells which program an agent is, as the operating system says it; "" where that is unknown.
func Process(a Agent) string {
	switch {
	case a.Program != "" && a.PID != 0:
		return assets.Say("ui.agent.program", Line(a.Program, 80), a.PID)
	case a.Program != "":
		return Line(a.Program, 80)
	case a.PID != 0:
		return assets.Say("ui.agent.pid", a.PID)
	}
	return ""
}

func base(path string) string {
	if i := strings.LastIndexAny(path, `/\`); i >= 0 {
		return path[i+1:]
	}
	return path
}

// Ago tells how long ago t was.
func Ago(t, now time.Time) string {
	d := now.Sub(t)
	switch {
	case d < 10*time.Second:
		return assets.Say("ui.ago.now")
	case d < time.Minute:
		return assets.Say("ui.ago.seconds", int(d.Seconds()))
	case d < time.Hour:
		return assets.Say("ui.ago.minutes", int(d.Minutes()))
	case d < 24*time.Hour && t.YearDay() == now.YearDay():
		return assets.Say("ui.ago.today", t.Format("15:04"))
	}
	return t.Format("2 Jan 2006, 15:04")
}

// Clock tells when t was, for one who looks at now.
func Clock(t, now time.Time) string {
	if t.Year() == now.Year() && t.YearDay() == now.YearDay() {
		return t.Format("15:04")
	}
	return t.Format("2 Jan, 15:04")
}

// Left tells how much time is left until t.
func Left(t, now time.Time) string {
	d := t.Sub(now).Round(time.Second)
	switch {
	case d <= 0:
		return assets.Say("ui.left.none")
	case d < time.Minute:
		return assets.Say("ui.left.seconds", int(d.Seconds()))
	case d < time.Hour:
		return assets.Say("ui.left.minutes", fmt.Sprintf("%d:%02d", int(d.Minutes()), int(d.Seconds())%60))
	}
	return assets.Say("ui.left.hours", fmt.Sprintf("%d:%02d", int(d.Hours()), int(d.Minutes())%60))
}

// Count writes a small number as a word, as people do at the start of a sentence.
func Count(n int) string {
	if n >= 0 && n <= 9 {
		return assets.Say("ui.count." + strconv.Itoa(n))
	}
	return strconv.Itoa(n)
}

// Counted picks the words for one or for several and puts the number in.
func Counted(key string, n int) string {
	if n == 1 {
		return assets.Say(key + ".one")
	}
	return assets.Say(key+".many", Count(n))
}

// said returns the words under key, or other if nobody wrote any.
func said(key, other string) string {
	if text := assets.Say(key); text != key {
		return text
	}
	return other
}
