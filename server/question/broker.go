package question

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// PickFunc waits for a click in a page.
type PickFunc func(context.Context) (ref string, err error)

// Config sets up a Broker.
type Config struct {
	DenyFor time.Duration // how long a no answers the same question asked again; 0: one minute
}

// Broker holds the open questions.
type Broker struct {
	cfg Config

	mu       sync.Mutex
	next     int
	open     []*card
	denied   map[string]denial
	attended int
	subs     map[int]func(Event)
	nextSub  int
}

type card struct {
	Card
	key     string
	waiting int
	done    chan struct{}
	unpick  context.CancelFunc
}

type denial struct {
	answer Answer
	until  time.Time
}

// Answerer answers questions. There is one, for whoever shows them to the person.
type Answerer struct{ b *Broker }

// defaultTimeout is how long a question stays open that sets no time.
const defaultTimeout = 5 * time.Minute

// New returns a broker and the handle through which its questions are answered.
func New(cfg Config) (*Broker, *Answerer) {
	if cfg.DenyFor == 0 {
		cfg.DenyFor = time.Minute
	}
	b := &Broker{cfg: cfg, denied: map[string]denial{}, subs: map[int]func(Event){}}
	return b, &Answerer{b}
}

// Ask puts a question to the person and waits for the answer. A no is an answer, not an error. The same question asked again
// while it is open joins it, and shortly after a no it is answered by that. When ctx ends, the card is dead at once.
func (b *Broker) Ask(ctx context.Context, q Question) (Answer, error) {
	if err := context.Cause(ctx); err != nil {
		return Answer{}, err
	}
	if q.Timeout <= 0 {
		q.Timeout = defaultTimeout
	}
	c, answer, settled := b.join(q)
	if settled {
		return answer, nil
	}
	if c == nil {
		if q.Private {
			return Answer{}, ErrNobody // the client would see the answer
		}
		return b.elicit(ctx, q)
	}
	defer Waiting(ctx, q.waitWords())()
	timer := time.NewTimer(q.Timeout)
	defer timer.Stop()
	select {
	case <-c.done:
	case <-timer.C:
		b.leave(c, TimedOut)
		if b.ended(c) != Answered {
			return Answer{}, ErrTimedOut
		}
	case <-ctx.Done():
		cause := context.Cause(ctx)
		b.leave(c, endOf(cause))
		return Answer{}, cause
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	switch c.End {
	case Answered:
		return c.Answer, nil
	case TimedOut:
		return Answer{}, ErrTimedOut
	default:
		return Answer{}, fmt.Errorf("%w: %s", ErrEnded, c.End)
	}
}

// endOf says how a card ends whose call ended for that cause.
func endOf(cause error) End {
	switch {
	case errors.Is(cause, context.Canceled):
		return GivenUp
	case errors.Is(cause, context.DeadlineExceeded):
		return TimedOut
	default:
		return Stopped
	}
}

// join finds or opens the card of a question. Without a card and an answer there is nobody to show it to.
func (b *Broker) join(q Question) (c *card, answer Answer, settled bool) {
	key := q.key()
	now := time.Now()
	b.mu.Lock()
	defer b.mu.Unlock()
	if d, ok := b.denied[key]; ok {
		if now.Before(d.until) {
			d.answer.Repeat = true
			return nil, d.answer, true
		}
		delete(b.denied, key)
	}
	for _, c := range b.open {
		if c.key == key {
			c.Count++
			c.waiting++
			if until := now.Add(q.Timeout); until.After(c.Deadline) {
				c.Deadline = until
			}
			b.tellLocked(c)
			return c, Answer{}, false
		}
	}
	if b.attended == 0 {
		return nil, Answer{}, false
	}
	b.next++
	c = &card{key: key, waiting: 1, done: make(chan struct{})}
	c.Card = Card{ID: fmt.Sprintf("q%d", b.next), Question: q, Count: 1, Opened: now, Deadline: now.Add(q.Timeout)}
	b.open = append(b.open, c)
	if q.Pick != nil {
		pickCtx, cancel := context.WithCancel(context.Background())
		c.unpick = cancel
		go b.pick(pickCtx, c)
	}
	b.tellLocked(c)
	return c, Answer{}, false
}

// pick waits for the click of the person in the page, which answers the card.
func (b *Broker) pick(ctx context.Context, c *card) {
	ref, err := c.Question.Pick(ctx)
	answer := Answer{Ref: ref}
	if err != nil {
		if ctx.Err() != nil {
			return
		}
		answer = Answer{Declined: true, Note: err.Error()}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.endLocked(c, Answered, answer)
}

// leave takes one waiter off a card. When it was the last one the card ends.
func (b *Broker) leave(c *card, end End) {
	b.mu.Lock()
	defer b.mu.Unlock()
	c.waiting--
	if c.waiting == 0 {
		b.endLocked(c, end, Answer{})
	}
}

func (b *Broker) ended(c *card) End {
	b.mu.Lock()
	defer b.mu.Unlock()
	return c.End
}

func (b *Broker) endLocked(c *card, end End, answer Answer) bool {
	if c.End != Open {
		return false
	}
	now := time.Now()
	c.End, c.Ended, c.Answer = end, now, answer
	b.open = slices.DeleteFunc(b.open, func(o *card) bool { return o == c })
	if end == Answered && c.Question.denies(answer) {
		for key, d := range b.denied {
			if !now.Before(d.until) {
				delete(b.denied, key)
			}
		}
		b.denied[c.key] = denial{answer, now.Add(b.cfg.DenyFor)}
	}
	if c.unpick != nil {
		c.unpick()
	}
	close(c.done)
	b.tellLocked(c)
	return true
}

// Cards returns the open questions, oldest first.
func (b *Broker) Cards() []Card {
	b.mu.Lock()
	defer b.mu.Unlock()
	list := make([]Card, len(b.open))
	for i, c := range b.open {
		list[i] = c.Card
	}
	return list
}

// Subscribe has fn called for each change of a card, in order. It must not block, nor call the broker.
func (b *Broker) Subscribe(fn func(Event)) (cancel func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	id := b.nextSub
	b.nextSub++
	b.subs[id] = fn
	return func() {
		b.mu.Lock()
		delete(b.subs, id)
		b.mu.Unlock()
	}
}

func (b *Broker) tellLocked(c *card) {
	shown := c.Card
	if shown.Question.Private || shown.Answer.Secret {
		shown.Answer.Text = "" // only who asked gets a secret
	}
	for _, fn := range b.subs {
		fn(Event{shown})
	}
}

// Attended reports whether a person can be reached.
func (b *Broker) Attended() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.attended > 0
}

// Attend says that questions are shown to a person from now on, until leave is called.
func (a *Answerer) Attend() (leave func()) {
	a.b.mu.Lock()
	a.b.attended++
	a.b.mu.Unlock()
	return sync.OnceFunc(func() {
		a.b.mu.Lock()
		a.b.attended--
		a.b.mu.Unlock()
	})
}

// Answer answers an open question. An answer that does not fit its kind is refused; so is one that comes too late.
func (a *Answerer) Answer(id string, answer Answer) error {
	b := a.b
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range b.open {
		if c.ID != id {
			continue
		}
		if err := c.Question.fits(answer); err != nil {
			return fmt.Errorf("%s: %w", id, err)
		}
		answer.Ref, answer.Repeat = "", false
		if answer.Yes && answer.Term == "" {
			answer.Term = Once
		}
		b.endLocked(c, Answered, answer)
		return nil
	}
	return fmt.Errorf("%w: %s", ErrEnded, id)
}
