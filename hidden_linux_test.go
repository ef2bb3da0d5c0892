package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"chaperone/server/question"
)

// heard is what a terminal shows.
type heard struct {
	mu   sync.Mutex
	all  bytes.Buffer
	more chan struct{} // something was shown since the last look
}

func newHeard() *heard { return &heard{more: make(chan struct{}, 1)} }

func (h *heard) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	select {
	case h.more <- struct{}{}:
	default:
	}
	return h.all.Write(p)
}

func (h *heard) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.all.String()
}

func (h *heard) until(t *testing.T, words string) {
	t.Helper()
	limit := time.After(10 * time.Second)
	for !strings.Contains(h.String(), words) {
		select {
		case <-h.more:
		case <-limit:
			t.Fatalf("%q was never said:\n%s", words, h)
		}
	}
}

// unseen waits until a terminal does not show what is typed. Nothing tells of that, so it is looked at.
func unseen(t *testing.T, terminal *os.File) {
	t.Helper()
	limit := time.After(10 * time.Second)
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for {
		state, err := unix.IoctlGetTermios(int(terminal.Fd()), unix.TCGETS)
		if err != nil {
			t.Fatal(err)
		}
		if state.Lflag&unix.ECHO == 0 {
			return
		}
		select {
		case <-look.C:
		case <-limit:
			t.Fatal("the terminal goes on showing what is typed")
		}
	}
}

// newTerminal opens both ends of a terminal.
func newTerminal(t *testing.T) (person, program *os.File) {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no terminals here:", err)
	}
	t.Cleanup(func() { _ = person.Close() })
	if err := unix.IoctlSetPointerInt(int(person.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Skip(err)
	}
	n, err := unix.IoctlGetInt(int(person.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Skip(err)
	}
	program, err = os.OpenFile(fmt.Sprint("/dev/pts/", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = program.Close() })
	return person, program
}

func ask(t *testing.T, broker *question.Broker, q question.Question) <-chan question.Answer {
	t.Helper()
	got := make(chan question.Answer, 1)
	go func() {
		a, err := broker.Ask(t.Context(), q)
		if err != nil && t.Context().Err() == nil {
			t.Error(err)
		}
		got <- a
	}()
	return got
}

func TestASecretIsTypedIntoTheTerminalUnseen(t *testing.T) {
	person, program := newTerminal(t)
	broker, answers := question.New(question.Config{})
	said := newHeard()
	go func() { _, _ = io.Copy(said, person) }()
	term := &terminal{out: program, questions: broker, answers: answers}
	go func() { _ = term.run(t.Context(), program) }()
	said.until(t, "Type:")

	got := ask(t, broker, question.Question{Kind: question.Input, Ask: "Asks you for a secret", Private: true, Timeout: time.Minute})
	said.until(t, "it is not shown")
	write := func(line string) { _, _ = person.WriteString(line + "\n") }
	write("answer 1 hunter-seen")
	said.until(t, "Take this one for known")
	write("answer 1")
	said.until(t, "It is not shown.")
	unseen(t, program)
	write("hunter-hidden")
	if a := <-got; a.Text != "hunter-hidden" || a.Secret {
		t.Errorf("got %+v", a)
	}
	got = ask(t, broker, question.Question{Kind: question.Input, Ask: "Which user?", Timeout: time.Minute})
	said.until(t, "Which user?")
	write("secret 2")
	unseen(t, program)
	write("hunter-alias")
	if a := <-got; a.Text != "hunter-alias" || !a.Secret {
		t.Errorf("got %+v", a)
	}
	if shown := said.String(); strings.Contains(shown, "hunter-hidden") || strings.Contains(shown, "hunter-alias") {
		t.Errorf("the terminal showed it:\n%s", shown)
	}
}

func TestASecretIsRefusedWhereItWouldBeSeen(t *testing.T) {
	broker, answers := question.New(question.Config{})
	said := newHeard()
	in, feed := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	term := &terminal{out: said, questions: broker, answers: answers}
	ended := make(chan struct{})
	go func() { _ = term.run(ctx, in); close(ended) }()
	said.until(t, "Type:")
	got := ask(t, broker, question.Question{Kind: question.Input, Ask: "Asks you for a secret", Private: true, Timeout: time.Minute})
	said.until(t, "it is not shown")
	_, _ = feed.Write([]byte("answer 1\n"))
	said.until(t, "can only be typed into a terminal")
	_, _ = feed.Write([]byte("deny 1\n"))
	if a := <-got; !a.Declined {
		t.Errorf("got %+v", a)
	}
	stop()
	<-ended
}
