package server

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"chaperone/server/journal"
	"chaperone/server/question"
)

// R028: a client with a hard limit of a minute, a person who needs 90 seconds. The call comes back early with a pending
// handle; a second tool reads the outcome; nothing runs twice.
func TestPending(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, steps := start(t, nil)
		defer s.answerer.Attend()()
		ctx := as(t.Context(), "c1")
		begin := time.Now()
		limited, cancel := context.WithTimeout(ctx, time.Minute)
		got := s.try(limited, "asks", `{}`)
		cancel()
		if took := time.Since(begin); took != 45*time.Second || got["pending"] != true || got["failed"] != false {
			t.Fatalf("after %v: %v", took, got)
		}
		id := fmt.Sprint(got["requestId"])
		fetch := func(ctx context.Context) map[string]any {
			raw, _ := json.Marshal(map[string]string{"requestId": id})
			return s.try(ctx, "await_human", string(raw))
		}
		if got := fetch(as(t.Context(), "c2")); got["code"] != "unknown-request" {
			t.Errorf("another client fetched it: %v", got)
		}
		if got := fetch(ctx); got["pending"] != true || got["requestId"] != id || time.Since(begin) != 90*time.Second {
			t.Errorf("after %v: %v", time.Since(begin), got)
		}
		if cards := s.questions.Cards(); len(cards) != 1 || cards[0].Count != 1 {
			t.Fatalf("%+v", cards)
		}
		done := make(chan map[string]any, 1)
		go func() { done <- fetch(ctx) }()
		synctest.Wait()
		if err := s.answerer.Answer(s.questions.Cards()[0].ID, question.Answer{Yes: true}); err != nil {
			t.Fatal(err)
		}
		if got := <-done; got["value"] != true {
			t.Errorf("%v", got)
		}
		// A fetch whose answer was lost can be repeated.
		if got := fetch(ctx); got["value"] != true {
			t.Errorf("the second time: %v", got)
		}
		if fmt.Sprint(steps.steps) != "[asking asked]" {
			t.Errorf("the handler went %v", steps.steps)
		}
		var outcomes []journal.Outcome
		for _, e := range s.journal.Entries(0) {
			outcomes = append(outcomes, e.Outcome)
		}
		if fmt.Sprint(outcomes) != "[pending refused pending ok ok]" {
			t.Errorf("journal: %v", outcomes)
		}
	})
}

// A pending call that nobody fetches ends with its client, and its card is dead.
func TestPendingClientGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := start(t, nil)
		defer s.answerer.Attend()()
		got := s.try(as(t.Context(), "c1"), "asks", `{}`)
		if got["pending"] != true {
			t.Fatalf("%v", got)
		}
		s.ClientGone("c1")
		synctest.Wait()
		if len(s.questions.Cards()) != 0 || len(s.gate.Running()) != 0 {
			t.Errorf("left: %v, %v", s.questions.Cards(), s.gate.Running())
		}
	})
}

// A pending call is stopped by a pause like any other, and its client learns it when it fetches.
func TestPendingPaused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := start(t, nil)
		defer s.answerer.Attend()()
		ctx := as(t.Context(), "c1")
		id := fmt.Sprint(s.try(ctx, "asks", `{}`)["requestId"])
		s.gate.Pause()
		synctest.Wait()
		if len(s.questions.Cards()) != 0 {
			t.Error("the card is still open")
		}
		if got := s.try(ctx, "await_human", `{"requestId":"`+id+`"}`); got["code"] != "paused" {
			t.Errorf("%v", got)
		}
	})
}

// A call that a pause holds is pending too after a while, and runs once the person resumes.
func TestHeldIsPending(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, steps := start(t, nil)
		ctx := as(t.Context(), "c1")
		s.gate.Pause()
		got := s.try(ctx, "echo", `{"text":"x"}`)
		if got["pending"] != true || steps.has("handler") {
			t.Fatalf("%v", got)
		}
		s.gate.Resume()
		if got := s.try(ctx, "await_human", fmt.Sprintf(`{"requestId":%q}`, got["requestId"])); got["text"] != "x" {
			t.Errorf("%v", got)
		}
		if fmt.Sprint(steps.steps) != "[handler]" {
			t.Errorf("the handler went %v", steps.steps)
		}
	})
}

// The client cancels its call: the card is dead at once.
func TestCancelKillsCard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := start(t, nil)
		defer s.answerer.Attend()()
		var last question.Card
		s.questions.Subscribe(func(e question.Event) { last = e.Card })
		ctx, cancel := context.WithCancel(as(t.Context(), "c1"))
		go s.try(ctx, "asks", `{}`)
		synctest.Wait()
		cancel()
		synctest.Wait()
		if last.End != question.GivenUp {
			t.Errorf("%+v", last)
		}
	})
}
