package model_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"chaperone/ui/model"
)

func shown(diff []model.DiffLine) string {
	var out []string
	for _, l := range diff {
		out = append(out, strings.TrimRight(string(l.Sign)+l.Text, " "))
	}
	return strings.Join(out, "\n")
}

func TestDiff(t *testing.T) {
	long := func(n int, middle string) string {
		var b strings.Builder
		for i := range n {
			if i == n/2 {
				b.WriteString(middle)
			}
			fmt.Fprintf(&b, "line %d\n", i)
		}
		return b.String()
	}
	for _, c := range []struct{ name, before, after, want string }{
		{"the same", "a\nb\n", "a\nb\n", ""},
		{"a new file", "", "a\nb\n", "+a\n+b"},
		{"one line more", "a\nc\n", "a\nb\nc\n", " a\n+b\n c"},
		{"one line less", "a\nb\nc\n", "a\nc\n", " a\n-b\n c"},
		{"one line changed", "{}\n", "{\"x\":1}\n", "-{}\n+{\"x\":1}"},
		{"in the middle of a long file", long(20, ""), long(20, "new\n"), " …\n line 7\n line 8\n line 9\n+new\n line 10\n line 11\n line 12\n …"},
	} {
		if got := shown(model.Diff(c.before, c.after)); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
	if d := model.Diff(strings.Repeat("a\n", 5000), strings.Repeat("b\n", 5000)); len(d) != 10000 {
		t.Errorf("a huge change has %d lines", len(d))
	}
}

func TestRowsSayWhatHappened(t *testing.T) {
	call := func(tool, target string) model.Call {
		return model.Call{ID: "k", At: noon, Agent: model.Agent{Name: "Codex"}, Tool: tool, Target: target, Origin: "https://login.acme.test", Took: 148 * time.Millisecond, Tokens: 212}
	}
	for _, c := range []struct {
		call    model.Call
		what    string
		outcome string
		how     model.Outcome
	}{
		{call("click", "“Sign in”"), "Clicked “Sign in”", "done", model.Good},
		{call("snapshot", ""), "Read the page", "done", model.Good},
		{call("some_new_tool", "“x”"), "some_new_tool “x”", "done", model.Good},
		{call("fill", "100% of “x%s”"), "Filled 100% of “x%s”", "done", model.Good},
		{func() model.Call { c := call("click", ""); c.Failed = true; return c }(), "Clicked", "failed", model.Bad},
		{func() model.Call { c := call("click", ""); c.Running = true; return c }(), "Clicked", "running…", model.Busy},
		{func() model.Call { c := call("navigate", "x"); c.Failed, c.Outcome = true, "you denied it"; return c }(), "Opened x", "you denied it", model.Bad},
	} {
		r := model.RowOf(c.call)
		what := ""
		for _, s := range r.What {
			what += s.Text
		}
		if what != c.what || r.Outcome != c.outcome || r.How != c.how || r.Where != "login.acme.test" {
			t.Errorf("%s: %q, %q, %v at %q", c.call.Tool, what, r.Outcome, r.How, r.Where)
		}
		if !c.call.Running && (r.Ms != "148" || r.Tokens != "212") {
			t.Errorf("%s: %s ms, %s tokens", c.call.Tool, r.Ms, r.Tokens)
		}
	}
}

func TestFiltersNarrowTogether(t *testing.T) {
	calls := []model.Call{
		{ID: "1", Agent: model.Agent{Name: "A"}, Browser: "x"}, {ID: "2", Agent: model.Agent{Name: "A"}, Browser: "y", Failed: true},
		{ID: "3", Agent: model.Agent{Name: "B"}, Browser: "x", Failed: true}, {ID: "4", Agent: model.Agent{Name: "B"}, Browser: "x"},
	}
	for want, f := range map[string]model.Filter{
		"1234": {}, "12": {Agent: "A"}, "134": {Browser: "x"}, "23": {Failures: true}, "3": {Agent: "B", Browser: "x", Failures: true}, "": {Agent: "C"},
	} {
		got := ""
		for _, r := range model.Rows(calls, f) {
			got += r.ID
		}
		if got != want {
			t.Errorf("%+v lets %q through, want %q", f, got, want)
		}
	}
	agents, browsers := model.Occurring(calls)
	if strings.Join(agents, "") != "AB" || strings.Join(browsers, "") != "xy" {
		t.Errorf("occurring: %v, %v", agents, browsers)
	}
}

func TestTheBoardKeepsThePersonsPlace(t *testing.T) {
	q := func(id string, asked int, phase model.Phase, ended int) model.Question {
		return model.Question{ID: id, Kind: model.Confirm, Ask: id, Agent: model.Agent{Name: id}, Asked: noon.Add(time.Duration(asked) * time.Second),
			Phase: phase, At: noon.Add(time.Duration(ended) * time.Second), Answer: model.Answer{Approved: true}}
	}
	b := model.BoardOf([]model.Question{
		q("new", 30, model.Waiting, 0), q("old", 10, model.Waiting, 0), q("just ended", 20, model.Ended, 55),
		q("ended long ago", 1, model.Ended, 5), q("answered", 5, model.Answered, 50), q("answered first", 4, model.Answered, 40),
	}, noon.Add(time.Minute))
	var cards, past []string
	for _, c := range b.Cards {
		cards = append(cards, c.ID)
	}
	for _, p := range b.Past {
		past = append(past, p.ID)
	}
	if got := strings.Join(cards, ", "); got != "old, just ended, new" {
		t.Errorf("cards: %s", got)
	}
	if got := strings.Join(past, ", "); got != "answered, answered first, ended long ago" {
		t.Errorf("past: %s", got)
	}
	if !b.Cards[1].Over || b.Title != "Two agents are waiting for you" {
		t.Errorf("%+v, %q", b.Cards[1], b.Title)
	}
}

func TestLeasesSayHowLong(t *testing.T) {
	a := model.Agent{Name: "Codex"}
	rows := model.LeaseRows([]model.Lease{
		{ID: "1", Agent: a, What: "open sites", Origin: "https://a.test", Expires: noon.Add(90 * time.Second), Uses: 3},
		{ID: "2", Agent: a, What: "download", Session: true}, {ID: "3", Agent: a, What: "upload", Granted: noon.Add(-3 * time.Minute)},
	}, noon)
	for i, want := range []string{"Codex may open sites on a.test|1:30 min left · used 3 times", "Codex may download|while it stays connected", "Codex may upload|always, since 3 min ago"} {
		if got := rows[i].What + "|" + rows[i].Until; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
