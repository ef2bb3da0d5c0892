package model

import (
	"slices"
	"strings"
	"time"

	"chaperone/assets"
)

// Linger is how long a question that ended elsewhere stays in its place, grey, so that the person sees why it is
// gone and nothing moves under the pointer.
const Linger = 20 * time.Second

// Button is one answer that a card offers.
type Button struct {
	Label  string
	Answer Answer
	Yes    bool // it lets something happen, so the guard holds it back at first
}

// Card is a question as it is shown.
type Card struct {
	ID      string
	Kind    Kind
	Letter  string // stands for the agent
	Who     string
	Process string
	Site    string // full origin
	Ask     string
	Says    string // the agent's own words
	Detail  string
	Repeats string // "Asked 5 times"
	Picture []byte

	Yes   []Button // the first is the plain one
	No    *Button  // nil where there is nothing to refuse
	List  []string // choices that are too many for buttons
	Field bool     // a line to type into
	Mask  bool     // what is typed into it is a secret
	Used  string   // what becomes of the secret
	Offer bool     // the answer may be given as a secret
	Note  bool     // a note to the agent may be added

	Timed   bool
	Part    float64 // of the time that is left, 1 to 0
	Left    string
	Over    bool   // it takes no answer any more
	Closing string // and who ended it
}

// mostButtons is how many choices fit as buttons; more become a list.
const mostButtons = 4

// CardOf turns a question into what is shown of it.
func CardOf(q Question, now time.Time) Card {
	c := Card{
		ID: q.ID, Kind: q.Kind, Picture: q.Picture,
		Letter: Initial(Who(q.Agent)), Who: Who(q.Agent), Process: Process(q.Agent),
		Site: Line(q.Origin, 0), Ask: strings.TrimSuffix(Line(q.Ask, 240), "."), Says: Paragraph(q.Says, 2000), Detail: Line(q.Detail, 300),
		Over: q.Phase != Waiting,
	}
	if c.Ask == "" {
		c.Ask = assets.Say("ui.ask." + string(q.Kind))
	}
	if q.Repeats > 1 {
		c.Repeats = assets.Say("ui.card.repeats", q.Repeats)
	}
	switch q.Kind {
	case Acknowledge:
		c.Yes = []Button{{Label: assets.Say("ui.answer.done"), Answer: Answer{Approved: true}, Yes: true}}
		c.No = no("ui.answer.cannot")
		c.Note = true
	case Confirm:
		c.Yes = []Button{{Label: assets.Say("ui.answer.approve"), Answer: Answer{Approved: true}, Yes: true}}
		c.No = no("ui.answer.deny")
		c.Note = true
	case Choose:
		c.No = no("ui.answer.none")
		if len(q.Choices) > mostButtons {
			for _, choice := range q.Choices {
				c.List = append(c.List, Line(choice, 160))
			}
			c.Yes = []Button{{Label: assets.Say("ui.answer.choose"), Answer: Answer{Approved: true}, Yes: true}}
			break
		}
		for i, choice := range q.Choices {
			c.Yes = append(c.Yes, Button{Label: Line(choice, 60), Answer: Answer{Approved: true, Choice: i}, Yes: true})
		}
	case Input:
		c.Field, c.Mask, c.Offer = true, q.Private, q.Secrets && !q.Private
		if c.Mask {
			c.Used = assets.Say("ui.card.private")
			if q.Alias != "" {
				c.Used = assets.Say("ui.card.private.as", "<"+Line(q.Alias, 0)+">")
			}
		}
		c.Yes = []Button{{Label: assets.Say("ui.answer.send"), Answer: Answer{Approved: true}, Yes: true}}
		c.No = no("ui.answer.noinput")
	case PickElement:
		c.Detail = strings.TrimSpace(c.Detail + " " + assets.Say("ui.card.pick"))
		c.No = no("ui.answer.cancel")
	case Pairing:
		c.Yes = grants("ui.pairing.", q.Grants)
		c.No = no("ui.answer.keepout")
	default:
		c.Yes = grants("ui.grant.", q.Grants)
		c.No = no("ui.answer.deny")
		c.Note = true
	}
	c.Timed = !q.Until.IsZero() && q.Until.After(q.Asked)
	if c.Timed {
		whole := q.Until.Sub(q.Asked)
		c.Part = max(0, min(1, float64(q.Until.Sub(now))/float64(whole)))
		c.Left = Left(q.Until, now)
	}
	if c.Over {
		c.Timed = false
		c.Closing = closing(q)
	}
	return c
}

func no(key string) *Button { return &Button{Label: assets.Say(key)} }

func grants(key string, offered []Grant) []Button {
	if len(offered) == 0 {
		offered = []Grant{Once}
	}
	var out []Button
	for _, g := range offered {
		label := key + string(g)
		if len(offered) == 1 && g == Once {
			label = key + "only"
		}
		out = append(out, Button{Label: assets.Say(label), Answer: Answer{Approved: true, Grant: g}, Yes: true})
	}
	return out
}

func closing(q Question) string {
	if q.Phase == Answered {
		return verdict(q)
	}
	if q.EndedBy == ByAgent {
		return assets.Say("ui.ended.agent", Who(q.Agent))
	}
	return said("ui.ended."+string(q.EndedBy), assets.Say("ui.ended.app"))
}

func verdict(q Question) string {
	if !q.Answer.Approved {
		return assets.Say("ui.verdict.no")
	}
	switch q.Kind {
	case Acknowledge:
		return assets.Say("ui.verdict.done")
	case Choose, Input, PickElement:
		return assets.Say("ui.verdict.answered")
	case Pairing:
		return assets.Say("ui.verdict.paired")
	}
	return assets.Say("ui.verdict.yes")
}

// Past is a question that is over, as one line.
type Past struct {
	ID      string
	Verdict string
	Good    bool
	Ask     string
	When    string // for whom, and how long ago
}

// Board is the whole screen of requests.
type Board struct {
	Title string // how many wait
	Cards []Card // oldest first
	Past  []Past // newest first
}

// mostPast is how many lines of the past are shown.
const mostPast = 6

// BoardOf sorts questions into cards and lines.
func BoardOf(questions []Question, now time.Time) Board {
	var b Board
	var cards, past []Question
	waiting := 0
	agents := map[string]bool{}
	for _, q := range questions {
		switch {
		case q.Phase == Waiting:
			waiting++
			agents[Who(q.Agent)] = true
			cards = append(cards, q)
		case q.Phase == Ended && now.Sub(q.At) < Linger:
			cards = append(cards, q)
		default:
			past = append(past, q)
		}
	}
	slices.SortStableFunc(cards, func(a, b Question) int { return a.Asked.Compare(b.Asked) })
	slices.SortStableFunc(past, func(a, b Question) int { return b.At.Compare(a.At) })
	for _, q := range cards {
		b.Cards = append(b.Cards, CardOf(q, now))
	}
	for _, q := range past[:min(len(past), mostPast)] {
		c := CardOf(q, now)
		b.Past = append(b.Past, Past{
			ID: q.ID, Verdict: c.Closing, Good: q.Phase == Answered && q.Answer.Approved, Ask: c.Ask,
			When: assets.Say("ui.past.when", c.Who, Ago(q.At, now)),
		})
	}
	switch {
	case waiting == 0:
		b.Title = assets.Say("ui.requests.none")
	case len(agents) == waiting:
		b.Title = Counted("ui.requests.agents", waiting)
	default:
		b.Title = Counted("ui.requests.waiting", waiting)
	}
	return b
}

// Open counts the questions that wait.
func Open(questions []Question) int {
	n := 0
	for _, q := range questions {
		if q.Phase == Waiting {
			n++
		}
	}
	return n
}
