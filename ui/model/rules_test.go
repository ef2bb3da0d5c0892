package model_test

import (
	"strings"
	"testing"
	"time"

	"chaperone/ui/model"
)

var noon = time.Date(2030, 1, 2, 12, 0, 0, 0, time.UTC)

func TestNothingIsApprovedByASlip(t *testing.T) {
	now := noon
	g := model.NewGuard(func() time.Time { return now })
	steps := []struct {
		name  string
		after time.Duration
		see   []model.Place // nil: nothing new is seen
		ready bool
	}{
		{"never seen", 0, nil, false},
		{"on first paint", 0, []model.Place{{ID: "q1", Top: 10}}, false},
		{"a key 300 ms later", 300 * time.Millisecond, nil, false},
		{"just before the second is over", 699 * time.Millisecond, []model.Place{{ID: "q1", Top: 10}}, false},
		{"after a second in one place", time.Millisecond, nil, true},
		{"when it has moved", 0, []model.Place{{ID: "q1", Top: 90}}, false},
		{"a second after the move", time.Second, []model.Place{{ID: "q1", Top: 90}}, true},
		{"out of sight", 0, []model.Place{{ID: "q2", Top: 10}}, false},
		{"back in sight", 0, []model.Place{{ID: "q1", Top: 90}}, false},
	}
	for _, s := range steps {
		now = now.Add(s.after)
		if s.see != nil {
			g.See(s.see)
		}
		if got := g.Ready("q1"); got != s.ready {
			t.Errorf("%s: ready is %v", s.name, got)
		}
	}
}

func TestCardsOfferWhatTheirKindWants(t *testing.T) {
	for _, c := range []struct {
		q               model.Question
		yes, list       int
		no, note, field bool
	}{
		{model.Question{Kind: model.Acknowledge}, 1, 0, true, true, false},
		{model.Question{Kind: model.Confirm}, 1, 0, true, true, false},
		{model.Question{Kind: model.Choose, Choices: []string{"a", "b", "c", "d"}}, 4, 0, true, false, false},
		{model.Question{Kind: model.Choose, Choices: []string{"a", "b", "c", "d", "e"}}, 0, 5, true, false, false},
		{model.Question{Kind: model.Input}, 1, 0, true, false, true},
		{model.Question{Kind: model.Policy, Grants: []model.Grant{model.Once, model.Session, model.Hour}}, 3, 0, true, false, false},
		{model.Question{Kind: model.Pairing}, 1, 0, true, false, false},
	} {
		c.q.Agent, c.q.Asked, c.q.Until = model.Agent{Name: "Agent", Program: "/usr/bin/agent", PID: 7}, noon, noon.Add(time.Minute)
		card := model.CardOf(c.q, noon.Add(30*time.Second))
		yes := len(card.Yes)
		if len(card.List) > 0 {
			yes = 0
		}
		if yes != c.yes || len(card.List) != c.list || (card.No != nil) != c.no || card.Field != c.field {
			t.Errorf("%s: %d yes, %d in a list, no %v, note %v, field %v", c.q.Kind, len(card.Yes), len(card.List), card.No != nil, card.Note, card.Field)
		}
		if c.q.Kind != model.Choose {
			for _, b := range card.Yes {
				if !b.Yes || !b.Answer.Approved {
					t.Errorf("%s: %q lets something happen and is not guarded", c.q.Kind, b.Label)
				}
			}
		}
		if card.No != nil && card.No.Answer.Approved {
			t.Errorf("%s: the no approves", c.q.Kind)
		}
		if !strings.Contains(card.Process, "/usr/bin/agent") || !strings.Contains(card.Process, "7") {
			t.Errorf("%s: the process reads %q", c.q.Kind, card.Process)
		}
		if card.Part < 0.45 || card.Part > 0.55 {
			t.Errorf("%s: the bar shows %v of the time", c.q.Kind, card.Part)
		}
		for _, words := range []string{card.Ask, card.Who} {
			if words == "" || strings.HasPrefix(words, "ui.") {
				t.Errorf("%s: words are missing: %q", c.q.Kind, words)
			}
		}
	}
}

func TestAnEndedQuestionSaysWhoEndedIt(t *testing.T) {
	for _, by := range []model.Ender{model.ByAgent, model.ByTime, model.ByBrowser, model.ByApp} {
		q := model.Question{ID: "q1", Kind: model.Confirm, Ask: "May I?", Agent: model.Agent{Name: "Agent"}, Phase: model.Ended, EndedBy: by, Asked: noon, At: noon}
		b := model.BoardOf([]model.Question{q}, noon.Add(time.Second))
		if len(b.Cards) != 1 || !b.Cards[0].Over || b.Cards[0].Closing == "" || strings.HasPrefix(b.Cards[0].Closing, "ui.") {
			t.Errorf("%s: %+v", by, b.Cards)
		}
		if later := model.BoardOf([]model.Question{q}, noon.Add(model.Linger+time.Second)); len(later.Cards) != 0 || len(later.Past) != 1 {
			t.Errorf("%s: after a while %d cards, %d lines", by, len(later.Cards), len(later.Past))
		}
	}
}

func TestTheTraySaysWhatMattersMost(t *testing.T) {
	asked := []model.Question{{Phase: model.Waiting}, {Phase: model.Answered}}
	open := []model.Browser{{ID: "default", Agent: model.Agent{Name: "Agent"}, Origin: "https://app.example.com"}}
	for _, c := range []struct {
		name string
		tray model.Tray
		icon model.Icon
		want []model.Do
	}{
		{"nothing", model.TrayOf(nil, nil, model.State{}), model.Idle, []model.Do{model.DoPause, model.DoOpen, model.DoQuit}},
		{"an agent works", model.TrayOf(nil, open, model.State{Running: 1}), model.Active, []model.Do{model.DoBrowser, model.DoPause}},
		{"paused", model.TrayOf(nil, open, model.State{Running: 1, Paused: true}), model.Paused, []model.Do{model.DoResume}},
		{"somebody asks", model.TrayOf(asked, open, model.State{Running: 1, Paused: true}), model.Needed, []model.Do{model.DoRequests, model.DoResume}},
	} {
		if c.tray.Icon != c.icon {
			t.Errorf("%s: the icon is %v", c.name, c.tray.Icon)
		}
		quits := 0
		does := map[model.Do]bool{}
		for _, i := range c.tray.Items {
			does[i.Do] = true
			if i.Do == model.DoQuit {
				quits++
			}
			if strings.HasPrefix(i.Label, "ui.") {
				t.Errorf("%s: words are missing: %s", c.name, i.Label)
			}
		}
		for _, d := range c.want {
			if !does[d] {
				t.Errorf("%s: there is no entry %v", c.name, d)
			}
		}
		if quits != 1 {
			t.Errorf("%s: %d ways to quit", c.name, quits)
		}
	}
}

func TestRiskyCapabilitiesThatAreOnAreWarnedOf(t *testing.T) {
	r := model.RightsOf([]model.Capability{
		{Name: "read", On: true, Tools: 12}, {Name: "eval", On: true, Risky: true, Tools: 1, Risk: "Any script can run.", Since: noon, Source: model.FromPerson},
		{Name: "secrets", Risky: true, Tools: 1, Risk: "Typed."}, {Name: "stealth", On: true, Risky: true, Tools: 1, LockedBy: "BROWX_CAPABILITIES", Source: model.FromEnvironment},
	}, noon)
	if len(r.Usual) != 1 || len(r.Risky) != 3 || len(r.Warnings) != 2 || r.Warning == "" {
		t.Fatalf("%+v", r)
	}
	if !strings.Contains(r.Warnings[0], "Any script can run.") {
		t.Errorf("the warning reads %q", r.Warnings[0])
	}
	if !strings.Contains(r.Risky[2].Locked, "BROWX_CAPABILITIES") {
		t.Errorf("what the environment fixed reads %q", r.Risky[2].Locked)
	}
	if off := model.RightsOf([]model.Capability{{Name: "eval", Risky: true}}, noon); off.Warning != "" {
		t.Errorf("nothing risky is on, and the warning reads %q", off.Warning)
	}
}

func TestMasksStandOut(t *testing.T) {
	spans := model.Spans(`{"value":"<ACME_PASSWORD>","b":"<i>"}`)
	if len(spans) != 3 || !spans[1].Masked || spans[1].Text != "<ACME_PASSWORD>" || spans[0].Masked || spans[2].Masked {
		t.Errorf("%+v", spans)
	}
}
