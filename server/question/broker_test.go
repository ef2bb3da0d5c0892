package question

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"chaperone/server/client"
)

var claude = &client.Client{ID: "c1", Name: "Claude Code"}

type asked struct {
	answer Answer
	err    error
}

func ask(ctx context.Context, b *Broker, q Question) <-chan asked {
	ch := make(chan asked, 1)
	go func() {
		a, err := b.Ask(ctx, q)
		ch <- asked{a, err}
	}()
	return ch
}

func attended(t *testing.T) (*Broker, *Answerer) {
	b, a := New(Config{})
	t.Cleanup(a.Attend())
	return b, a
}

func TestAnswers(t *testing.T) {
	for _, test := range []struct {
		name string
		q    Question
		bad  []Answer
		good Answer
		want Answer
	}{
		{"acknowledge", Question{Kind: Acknowledge}, nil, Answer{}, Answer{}},
		{"confirm", Question{Kind: Confirm}, []Answer{{Yes: true, Term: Always}}, Answer{Yes: true, Note: "go"}, Answer{Yes: true, Term: Once, Note: "go"}},
		{"deny", Question{Kind: Confirm}, nil, Answer{}, Answer{}},
		{"choose", Question{Kind: Choose, Choices: []string{"a", "b"}}, []Answer{{Choice: 2}, {Choice: -1}}, Answer{Choice: 1}, Answer{Choice: 1}},
		{"input", Question{Kind: Input}, nil, Answer{Text: "42"}, Answer{Text: "42"}},
		{"policy", Question{Kind: Policy, Terms: []Term{Once, ForHour}}, []Answer{{Yes: true, Term: Always}}, Answer{Yes: true, Term: ForHour}, Answer{Yes: true, Term: ForHour}},
		{"an element is not picked in the window", Question{Kind: PickElement}, []Answer{{Ref: "e1"}}, Answer{Declined: true}, Answer{Declined: true}},
		{"no forged ref", Question{Kind: Input}, nil, Answer{Ref: "e1", Repeat: true}, Answer{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, a := attended(t)
				got := ask(t.Context(), b, test.q)
				synctest.Wait()
				id := b.Cards()[0].ID
				for _, bad := range test.bad {
					if err := a.Answer(id, bad); err == nil {
						t.Errorf("the answer %+v was taken", bad)
					}
				}
				if err := a.Answer(id, test.good); err != nil {
					t.Fatal(err)
				}
				if r := <-got; r.err != nil || r.answer != test.want {
					t.Errorf("got %+v, want %+v", r, test.want)
				}
				if err := a.Answer(id, test.good); !errors.Is(err, ErrEnded) {
					t.Errorf("a second answer: %v", err)
				}
			})
		})
	}
}

// What a person types as a secret goes to who asked, and to nobody else: no window, no journal, no client's own form.
func TestPrivateAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, a := attended(t)
		var seen []Card
		b.Subscribe(func(e Event) { seen = append(seen, e.Card) })
		for _, c := range []struct {
			q      Question
			answer Answer
		}{{Question{Kind: Input, Private: true}, Answer{Text: "hunter2"}}, {Question{Kind: Input}, Answer{Text: "hunter2", Secret: true}}} {
			got := ask(t.Context(), b, c.q)
			synctest.Wait()
			if err := a.Answer(b.Cards()[0].ID, c.answer); err != nil {
				t.Fatal(err)
			}
			if r := <-got; r.err != nil || r.answer.Text != "hunter2" {
				t.Errorf("who asked got %+v", r)
			}
		}
		if text := fmt.Sprintf("%+v", seen); strings.Contains(text, "hunter2") || len(seen) < 4 {
			t.Errorf("others saw %s", text)
		}
	})
	b, _ := New(Config{})
	c := &Caller{Elicit: func(context.Context, Question) (Answer, error) { return Answer{Text: "hunter2"}, nil }}
	if _, err := b.Ask(WithCaller(t.Context(), c), Question{Kind: Input, Private: true}); !errors.Is(err, ErrNobody) {
		t.Errorf("a secret was asked for through the client: %v", err)
	}
}

func TestTimeOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, a := attended(t)
		var last Card
		b.Subscribe(func(e Event) { last = e.Card })
		start := time.Now()
		if _, err := b.Ask(t.Context(), Question{Kind: Confirm, Timeout: time.Minute}); !errors.Is(err, ErrTimedOut) {
			t.Errorf("err = %v", err)
		}
		if took := time.Since(start); took != time.Minute {
			t.Errorf("it took %v", took)
		}
		if last.End != TimedOut || last.Ended.IsZero() || len(b.Cards()) != 0 {
			t.Errorf("the card stands as %+v", last)
		}
		if err := a.Answer(last.ID, Answer{Yes: true}); !errors.Is(err, ErrEnded) {
			t.Errorf("an answer after the end: %v", err)
		}
	})
}

func TestGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, a := attended(t)
		var last Card
		b.Subscribe(func(e Event) { last = e.Card })
		ctx, cancel := context.WithCancel(t.Context())
		got := ask(ctx, b, Question{Kind: Confirm, Client: claude})
		synctest.Wait()
		cancel()
		if r := <-got; !errors.Is(r.err, context.Canceled) {
			t.Errorf("err = %v", r.err)
		}
		if last.End != GivenUp || last.Question.Client.Name != "Claude Code" {
			t.Errorf("the card stands as %+v", last)
		}
		if err := a.Answer(last.ID, Answer{Yes: true}); !errors.Is(err, ErrEnded) {
			t.Errorf("a dead card was answered: %v", err)
		}
	})
}

// Five equal and two different requests make three cards; a no answers the repeats for a minute.
func TestRepeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, a := attended(t)
		same := Question{Kind: Policy, Scope: "navigate_off_allowlist", Site: "https://a.test", Client: claude}
		var waits []<-chan asked
		for range 5 {
			waits = append(waits, ask(t.Context(), b, same))
			synctest.Wait()
		}
		other := same
		other.Site = "https://b.test"
		second := ask(t.Context(), b, other)
		other.Site, other.Client = "https://a.test", &client.Client{ID: "c2"}
		third := ask(t.Context(), b, other)
		synctest.Wait()
		cards := b.Cards()
		if len(cards) != 3 || cards[0].Count != 5 {
			t.Fatalf("%d cards, the first asked %d times", len(cards), cards[0].Count)
		}
		if err := a.Answer(cards[0].ID, Answer{Note: "no"}); err != nil {
			t.Fatal(err)
		}
		for _, w := range waits {
			if r := <-w; r.err != nil || r.answer.Yes || r.answer.Repeat {
				t.Errorf("a waiter got %+v", r)
			}
		}
		if r := <-ask(t.Context(), b, same); r.err != nil || r.answer.Yes || !r.answer.Repeat || r.answer.Note != "no" {
			t.Errorf("a repeat got %+v", r)
		}
		for _, c := range cards[1:] {
			_ = a.Answer(c.ID, Answer{Yes: true})
		}
		if x, y := <-second, <-third; !x.answer.Yes || !y.answer.Yes {
			t.Errorf("the others got %+v and %+v", x, y)
		}
		time.Sleep(time.Minute)
		later := ask(t.Context(), b, same)
		synctest.Wait()
		if len(b.Cards()) != 1 {
			t.Fatal("after a minute the person is not asked again")
		}
		_ = a.Answer(b.Cards()[0].ID, Answer{Yes: true})
		if r := <-later; !r.answer.Yes {
			t.Errorf("later: %+v", r)
		}
	})
}

// One of two who asked the same gives up: the card lives on for the other.
func TestJoinedGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, a := attended(t)
		ctx, cancel := context.WithCancel(t.Context())
		first, second := ask(ctx, b, Question{Kind: Confirm}), ask(t.Context(), b, Question{Kind: Confirm})
		synctest.Wait()
		cancel()
		<-first
		if len(b.Cards()) != 1 {
			t.Fatal("the card died with the first")
		}
		_ = a.Answer(b.Cards()[0].ID, Answer{Yes: true})
		if r := <-second; !r.answer.Yes {
			t.Errorf("%+v", r)
		}
	})
}

func TestNobody(t *testing.T) {
	b, a := New(Config{})
	if _, err := b.Ask(t.Context(), Question{Kind: Confirm}); !errors.Is(err, ErrNobody) {
		t.Errorf("err = %v", err)
	}
	leave := a.Attend()
	leave()
	leave()
	if b.Attended() {
		t.Error("attended after leaving")
	}
	if _, err := b.Ask(t.Context(), Question{Kind: Confirm}); !errors.Is(err, ErrNobody) {
		t.Errorf("err = %v", err)
	}
}

func TestElicit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, a := New(Config{})
		asks := 0
		reply, failure := Answer{Yes: true, Term: Always}, error(nil)
		ctx := WithCaller(t.Context(), &Caller{Elicit: func(ctx context.Context, q Question) (Answer, error) {
			asks++
			return reply, failure
		}})
		if got, err := b.Ask(ctx, Question{Kind: Policy, Terms: []Term{Always}}); err != nil || got.Term != Once {
			t.Errorf("%+v, %v: what a client says lasts once", got, err)
		}
		reply = Answer{Choice: 7}
		if _, err := b.Ask(ctx, Question{Kind: Choose, Choices: []string{"a"}}); err == nil {
			t.Error("a choice that does not exist was taken")
		}
		for _, kind := range []Kind{PickElement, Pairing} {
			if _, err := b.Ask(ctx, Question{Kind: kind}); !errors.Is(err, ErrNobody) {
				t.Errorf("%s: %v", kind, err)
			}
		}
		asks = 0
		leave := a.Attend()
		defer leave()
		got := ask(ctx, b, Question{Kind: Confirm})
		synctest.Wait()
		if asks != 0 || len(b.Cards()) != 1 {
			t.Error("the client was asked though a person is there")
		}
		_ = a.Answer(b.Cards()[0].ID, Answer{Yes: true})
		<-got
	})
}

func TestPick(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, a := attended(t)
		click := make(chan string)
		var stopped atomic.Bool
		pick := func(ctx context.Context) (string, error) {
			select {
			case ref := <-click:
				return ref, nil
			case <-ctx.Done():
				stopped.Store(true)
				return "", ctx.Err()
			}
		}
		got := ask(t.Context(), b, Question{Kind: PickElement, Pick: pick})
		click <- "e7"
		if r := <-got; r.err != nil || r.answer.Ref != "e7" {
			t.Errorf("%+v", r)
		}
		got = ask(t.Context(), b, Question{Kind: PickElement, Pick: pick})
		synctest.Wait()
		if err := a.Answer(b.Cards()[0].ID, Answer{Declined: true}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if r := <-got; !r.answer.Declined || !stopped.Load() {
			t.Errorf("%+v, picking stopped: %v", r, stopped.Load())
		}
	})
}

func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, a := attended(t)
		start := time.Now()
		var mu sync.Mutex
		var at []time.Duration
		ctx := WithCaller(t.Context(), &Caller{
			Progress: func(string) { mu.Lock(); at = append(at, time.Since(start)); mu.Unlock() },
			Detach:   func() { t.Error("detached in spite of a token") },
		})
		got := ask(ctx, b, Question{Kind: Confirm})
		time.Sleep(90 * time.Second)
		mu.Lock()
		n := len(at)
		if n < 20 || at[0] != 0 || at[1] > 5*time.Second {
			t.Errorf("progress at %v", at)
		}
		mu.Unlock()
		_ = a.Answer(b.Cards()[0].ID, Answer{Yes: true})
		<-got
		time.Sleep(time.Minute)
		if len(at) > n+1 {
			t.Errorf("progress after the end: %v", at[n:])
		}
	})
}

func TestDetach(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, a := attended(t)
		start := time.Now()
		var detached time.Duration
		ctx := WithCaller(t.Context(), &Caller{Detach: func() { detached = time.Since(start) }})
		got := ask(ctx, b, Question{Kind: Confirm})
		time.Sleep(50 * time.Second)
		synctest.Wait()
		if detached != 45*time.Second {
			t.Errorf("detached after %v", detached)
		}
		if len(b.Cards()) != 1 {
			t.Fatal("the card is gone")
		}
		_ = a.Answer(b.Cards()[0].ID, Answer{Yes: true})
		if r := <-got; !r.answer.Yes {
			t.Errorf("%+v", r)
		}
	})
}

// Askers, answerers, cancellations and time-outs all at once: every Ask returns, every card ends exactly once, and a card
// that was answered gave its answer to somebody.
func TestRaces(t *testing.T) {
	b, a := New(Config{DenyFor: time.Microsecond})
	defer a.Attend()()
	var mu sync.Mutex
	ends := map[string]int{}
	var cards []string
	b.Subscribe(func(e Event) {
		mu.Lock()
		defer mu.Unlock()
		if e.Card.End != Open {
			ends[e.Card.ID]++
		} else if !slices.Contains(cards, e.Card.ID) {
			cards = append(cards, e.Card.ID)
		}
	})
	stop := make(chan struct{})
	var answering sync.WaitGroup
	for range 4 {
		answering.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				for _, c := range b.Cards() {
					if err := a.Answer(c.ID, Answer{Yes: rand.IntN(2) == 0}); err != nil && !errors.Is(err, ErrEnded) {
						t.Error(err)
					}
				}
			}
		})
	}
	var asking sync.WaitGroup
	for i := range 32 {
		asking.Go(func() {
			for j := range 40 {
				ctx, cancel := context.WithTimeout(context.Background(), time.Duration(rand.IntN(2000))*time.Microsecond)
				_, err := b.Ask(ctx, Question{Kind: Confirm, Ask: fmt.Sprint((i + j) % 7), Timeout: time.Duration(1+rand.IntN(1000)) * time.Microsecond})
				cancel()
				if err != nil && !errors.Is(err, ErrTimedOut) && !errors.Is(err, context.DeadlineExceeded) && !strings.Contains(err.Error(), "has ended") {
					t.Error(err)
				}
			}
		})
	}
	asking.Wait()
	close(stop)
	answering.Wait()
	if open := b.Cards(); len(open) != 0 {
		t.Errorf("%d cards are still open", len(open))
	}
	for _, id := range cards {
		if ends[id] != 1 {
			t.Errorf("%s ended %d times", id, ends[id])
		}
	}
}
