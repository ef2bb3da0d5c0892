package activity_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"chaperone/assets"
	"chaperone/ui/activity"
	"chaperone/ui/model"
	"chaperone/ui/uitest"
	"chaperone/ui/widget"
)

func calls(n int) []model.Call {
	at := time.Date(2030, 1, 2, 12, 0, 0, 0, time.UTC)
	out := make([]model.Call, n)
	for i := range out {
		out[i] = model.Call{ID: fmt.Sprint("k", n-i), At: at.Add(-time.Duration(i) * time.Second), Agent: model.Agent{Name: []string{"Codex", "Claude"}[i%2]},
			Tool: "click", Target: fmt.Sprintf("“Button %d”", n-i), Failed: i%10 == 0, Browser: "default"}
	}
	return out
}

func list(t *testing.T, s *activity.Screen) *widget.RowList {
	t.Helper()
	for _, o := range uitest.Seen(s.Object()) {
		if l, ok := o.(*widget.RowList); ok {
			return l
		}
	}
	t.Fatal("there is no list")
	return nil
}

func TestOnlyWhatIsInSightIsDrawn(t *testing.T) {
	test.NewTempApp(t)
	s := activity.New(activity.Callbacks{})
	w := test.NewTempWindow(t, s.Object())
	w.Resize(fyne.NewSize(900, 600))
	s.Show(calls(2000))
	if n := list(t, s).Drawn(); n < 5 || n > 30 {
		t.Errorf("%d rows of 2000 are drawn", n)
	}
	began := time.Now()
	for range 20 {
		s.Show(calls(2000))
	}
	if took := time.Since(began) / 20; took > 250*time.Millisecond {
		t.Errorf("showing 2000 calls takes %v", took)
	}
}

func TestTheListStaysWhereThePersonReads(t *testing.T) {
	test.NewTempApp(t)
	s := activity.New(activity.Callbacks{})
	w := test.NewTempWindow(t, s.Object())
	w.Resize(fyne.NewSize(900, 600))
	all := calls(500)
	s.Show(all[20:])
	w.Canvas().Focus(list(t, s))
	for range 3 {
		list(t, s).TypedKey(&fyne.KeyEvent{Name: fyne.KeyPageDown})
	}
	before := rows(s)
	s.Show(all) // twenty more at the top
	if after := rows(s); after != before {
		t.Errorf("the rows moved:\n%s\nbecame\n%s", before, after)
	}
}

// rows returns what the rows say, in the order they stand.
func rows(s *activity.Screen) string {
	var out []string
	for line := range strings.SplitSeq(uitest.Words(s.Object()), "\n") {
		if strings.Contains(line, "Button") {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

func TestFilters(t *testing.T) {
	test.NewTempApp(t)
	var exported []model.Filter
	s := activity.New(activity.Callbacks{Export: func(f model.Filter) { exported = append(exported, f) }})
	w := test.NewTempWindow(t, s.Object())
	w.Resize(fyne.NewSize(900, 600))
	if !strings.Contains(uitest.Words(s.Object()), assets.Say("ui.activity.empty")) {
		t.Error("an empty list says nothing")
	}
	s.Show(calls(11))
	test.Tap(uitest.Find(s.Object(), assets.Say("ui.activity.failures")))
	if got := rows(s); strings.Count(got, "Button") != 2 {
		t.Errorf("two calls failed, shown are\n%s", got)
	}
	test.Tap(uitest.Find(s.Object(), assets.Say("ui.activity.export")))
	if len(exported) != 1 || !exported[0].Failures {
		t.Errorf("the export does not follow the filter: %+v", exported)
	}
	s.Exported("", errors.New("the disk is full"))
	if !strings.Contains(uitest.Words(s.Object()), "the disk is full") {
		t.Error("a failed export is not said")
	}
	s.Show(calls(11)[1:5])
	if !strings.Contains(uitest.Words(s.Object()), assets.Say("ui.activity.filtered")) {
		t.Error("a filter that leaves nothing says nothing")
	}
}

func TestARowOpensToWhatTheAgentGot(t *testing.T) {
	test.NewTempApp(t)
	var asked, copied []string
	s := activity.New(activity.Callbacks{Open: func(id string) { asked = append(asked, id) }, Copy: func(text string) { copied = append(copied, text) }})
	w := test.NewTempWindow(t, s.Object())
	w.Resize(fyne.NewSize(900, 700))
	s.Show(calls(5))
	w.Canvas().Focus(list(t, s))
	list(t, s).TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	list(t, s).TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if len(asked) != 1 || asked[0] != "k4" {
		t.Fatalf("asked for %v", asked)
	}
	s.Detail("k5", model.CallDetail{Result: "of another call"}, nil)
	if strings.Contains(uitest.Words(s.Object()), "of another call") {
		t.Error("a detail was shown that nobody asked for")
	}
	raw := `{"value":"<ACME_PASSWORD>"}`
	s.Detail("k4", model.CallDetail{Arguments: raw, Result: "url: https://a.test"}, nil)
	if got := uitest.Words(s.Object()); !strings.Contains(got, "<ACME_PASSWORD>") || !strings.Contains(got, "url: https://a.test") {
		t.Errorf("the detail reads\n%s", got)
	}
	test.Tap(uitest.Find(list(t, s), assets.Say("ui.copy")))
	if len(copied) != 1 || copied[0] != raw {
		t.Errorf("copied %q", copied)
	}
	s.Detail("k4", model.CallDetail{Typed: []model.TypedSecret{{Alias: "API_KEY", Site: "https://a.test"}}, Hidden: []model.HiddenValue{{Alias: "PIN", Times: 2}}}, nil)
	for _, want := range []string{"<API_KEY> was typed on https://a.test", "<PIN> stood in the result 2 times"} {
		if !strings.Contains(uitest.Words(s.Object()), want) {
			t.Errorf("the detail does not say %q", want)
		}
	}
	list(t, s).TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if list(t, s).Opened() != "" {
		t.Error("the row did not close")
	}
}
