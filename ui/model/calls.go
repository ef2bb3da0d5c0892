package model

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"chaperone/assets"
)

// Outcome is how a call went, for its colour.
type Outcome int

// The outcomes of a call.
const (
	Good Outcome = iota
	Bad
	Busy
)

// Row is one line of the activity list.
type Row struct {
	ID      string
	Time    string
	Agent   string
	What    []Span
	Where   string
	Outcome string
	How     Outcome
	Ms      string
	Tokens  string
}

// RowOf turns a call into its line.
func RowOf(c Call) Row {
	r := Row{
		ID: c.ID, Time: c.At.Format("15:04:05"), Agent: Who(c.Agent), What: Spans(what(c)),
		Where: Host(c.Origin), Outcome: Line(c.Outcome, 120),
	}
	switch {
	case c.Running:
		r.How, r.Outcome = Busy, assets.Say("ui.activity.running")
		return r
	case c.Failed:
		r.How = Bad
		if r.Outcome == "" {
			r.Outcome = assets.Say("ui.activity.failed")
		}
	case c.Pending:
		r.How = Busy
	case r.Outcome == "":
		r.Outcome = assets.Say("ui.activity.ok")
	}
	r.Ms = strconv.FormatInt(c.Took.Round(time.Millisecond).Milliseconds(), 10)
	r.Tokens = strconv.Itoa(c.Tokens)
	return r
}

// what tells in words what a call did: from a sentence per tool, or else the tool's name with its target.
func what(c Call) string {
	target := Line(c.Target, 160)
	key := "ui.did." + c.Tool
	sentence := assets.Say(key)
	if sentence == key {
		return strings.TrimSpace(c.Tool + " " + target)
	}
	return strings.TrimSpace(strings.ReplaceAll(sentence, "%s", target))
}

// Host is an origin as a person names a site: without https, which goes without saying.
func Host(origin string) string {
	return Line(strings.TrimPrefix(origin, "https://"), 80)
}

// Pass tells whether a call passes the filter.
func (f Filter) Pass(c Call) bool {
	if f.Agent != "" && Who(c.Agent) != f.Agent {
		return false
	}
	if f.Browser != "" && c.Browser != f.Browser {
		return false
	}
	return !f.Failures || c.Failed
}

// Rows returns the lines of the calls that pass.
func Rows(calls []Call, f Filter) []Row {
	rows := make([]Row, 0, len(calls))
	for _, c := range calls {
		if f.Pass(c) {
			rows = append(rows, RowOf(c))
		}
	}
	return rows
}

// Agents and browsers that occur in calls, in order of name, for the filters.
func Occurring(calls []Call) (agents, browsers []string) {
	for _, c := range calls {
		if who := Who(c.Agent); !slices.Contains(agents, who) {
			agents = append(agents, who)
		}
		if c.Browser != "" && !slices.Contains(browsers, c.Browser) {
			browsers = append(browsers, c.Browser)
		}
	}
	slices.Sort(agents)
	slices.Sort(browsers)
	return agents, browsers
}

// SecretLines says where a call typed secrets, and which were kept out of its result.
func SecretLines(d CallDetail) (lines []string) {
	for _, t := range d.Typed {
		alias := "<" + Line(t.Alias, 0) + ">"
		if t.Site == "" {
			lines = append(lines, assets.Say("ui.activity.typed", alias))
			continue
		}
		lines = append(lines, assets.Say("ui.activity.typed.on", alias, Line(t.Site, 0)))
	}
	for _, h := range d.Hidden {
		alias := "<" + Line(h.Alias, 0) + ">"
		if h.Times == 1 {
			lines = append(lines, assets.Say("ui.activity.hidden.one", alias))
			continue
		}
		lines = append(lines, assets.Say("ui.activity.hidden.many", alias, h.Times))
	}
	return lines
}
