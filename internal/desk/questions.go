package desk

import (
	"strings"
	"time"

	"chaperone/server/client"
	"chaperone/server/egress"
	"chaperone/server/question"
	"chaperone/server/tool"
	"chaperone/ui/model"
)

// pastKept is how many ended questions are remembered, and pastFor how long.
const (
	pastKept = 50
	pastFor  = time.Hour
)

// remember keeps a card that has ended. It runs inside the broker's own call, so it must not ask the broker anything.
func (d *Desk) remember(c question.Card) {
	if c.End == question.Open {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.past = append([]question.Card{c}, d.past...)
	if len(d.past) > pastKept {
		d.past = d.past[:pastKept]
	}
}

// Questions implements ui.Questions.
func (d *Desk) Questions() []model.Question {
	var list []model.Question
	for _, c := range d.cfg.Questions.Cards() {
		q := questionOf(c)
		q.Secrets = q.Kind == model.Input && c.Question.Tool == "await_human" && d.cfg.Gate.Has(tool.Secrets)
		list = append(list, q)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, c := range d.past {
		if time.Since(c.Ended) < pastFor {
			list = append(list, questionOf(c))
		}
	}
	return list
}

func questionOf(c question.Card) model.Question {
	q := c.Question
	m := model.Question{
		ID: c.ID, Kind: model.Kind(q.Kind), Agent: agentOf(q.Client), Browser: q.Session, Origin: q.Site, Ask: shown(q.Ask), Says: shown(q.Quote), Detail: shown(q.Warning),
		Picture: q.Picture, Choices: q.Choices, Repeats: c.Count, Asked: c.Opened, Until: c.Deadline,
		Private: q.Private,
	}
	m.Alias, _ = strings.CutPrefix(q.Scope, "secret:")
	if m.Alias == q.Scope {
		m.Alias = ""
	}
	for _, t := range q.Terms {
		m.Grants = append(m.Grants, model.Grant(t))
	}
	switch c.End {
	case question.Open:
	case question.Answered:
		m.Phase, m.At, m.Answer = model.Answered, c.Ended, answerOf(c)
	case question.TimedOut:
		m.Phase, m.At, m.EndedBy = model.Ended, c.Ended, model.ByTime
	case question.GivenUp:
		m.Phase, m.At, m.EndedBy = model.Ended, c.Ended, model.ByAgent
	default:
		m.Phase, m.At, m.EndedBy = model.Ended, c.Ended, model.ByApp
	}
	return m
}

func answerOf(c question.Card) model.Answer {
	a := c.Answer
	approved := !a.Declined
	switch c.Question.Kind {
	case question.Confirm, question.Pairing, question.Policy:
		approved = a.Yes
	}
	return model.Answer{Approved: approved, Grant: model.Grant(a.Term), Choice: a.Choice, Text: a.Text, Secret: a.Secret, Note: a.Note}
}

func agentOf(c *client.Client) model.Agent {
	if c == nil {
		return model.Agent{}
	}
	return model.Agent{ID: c.ID, Name: c.Name, Program: c.Program, PID: c.PID}
}

// Answer implements ui.Questions.
func (d *Desk) Answer(id string, a model.Answer) error {
	answer := question.Answer{Note: a.Note}
	for _, c := range d.cfg.Questions.Cards() {
		if c.ID != id {
			continue
		}
		switch c.Question.Kind {
		case question.Confirm, question.Pairing, question.Policy:
			answer.Yes = a.Approved
			if a.Approved {
				answer.Term = question.Term(a.Grant)
			}
		case question.Choose:
			answer.Choice, answer.Declined = a.Choice, !a.Approved
		case question.Input:
			answer.Text, answer.Declined = a.Text, !a.Approved
			if a.Approved && (a.Secret || c.Question.Private) {
				answer.Secret = !c.Question.Private
				_ = a.Value.Use(func(text string) error { answer.Text = text; return nil })
			}
		default:
			answer.Declined = !a.Approved
		}
	}
	return d.cfg.Answers.Answer(id, answer)
}

// shown is a text in which page code has cut something off, as a person reads it.
func shown(s string) string { return string(egress.Shown([]byte(s))) }
