package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"sync"

	"chaperone/assets"
	"chaperone/server/egress"
	"chaperone/server/question"
)

// runServe serves agents without a window. The person answers in this terminal.
func runServe(ctx context.Context, in io.Reader, out io.Writer) error {
	p, err := assemble(kind{pair: true, level: slog.LevelInfo})
	if err != nil {
		return err
	}
	defer p.close()
	d, ok, err := p.open(false, nil)
	if err != nil {
		return err
	}
	if !ok {
		e, _ := p.dir.Endpoint()
		return fmt.Errorf("%s", assets.Say("cli.running.serve", e.PID))
	}
	fmt.Fprintln(out, assets.Say("cli.serve.ready", d.endpoint.HTTP))
	t := &terminal{out: out, questions: p.server.Questions(), answers: p.server.Answerer(), pause: p.server.Gate().Pause, resume: p.server.Gate().Resume}
	return t.run(ctx, in)
}

// terminal shows the questions of agents and reads the person's answers.
type terminal struct {
	out           io.Writer
	questions     *question.Broker
	answers       *question.Answerer
	pause, resume func()
	in            io.Reader // set by run

	mu sync.Mutex
}

func (t *terminal) say(text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	fmt.Fprintln(t.out, text)
}

// run reads commands until the person quits, or ctx ends. A terminal that is closed cannot answer: questions then count as
// asked of nobody, and serving goes on.
func (t *terminal) run(ctx context.Context, in io.Reader) error {
	t.in = in
	leave := t.answers.Attend()
	defer leave()
	defer t.questions.Subscribe(func(e question.Event) { go t.card(e.Card) })()
	t.say(assets.Say("cli.serve.help"))
	lines, next := make(chan string), make(chan struct{})
	go func() {
		defer close(lines)
		scan := bufio.NewScanner(in)
		for scan.Scan() {
			select {
			case lines <- scan.Text():
			case <-ctx.Done():
				return
			}
			select { // a command may read a line of its own
			case <-next:
			case <-ctx.Done():
				return
			}
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return nil
		case line, ok := <-lines:
			if !ok {
				leave()
				<-ctx.Done()
				return nil
			}
			if t.command(ctx, strings.TrimSpace(line)) {
				return nil
			}
			select {
			case next <- struct{}{}:
			case <-ctx.Done():
			}
		}
	}
}

// card shows a question, or that it is over.
func (t *terminal) card(c question.Card) {
	if c.End != question.Open {
		if c.End != question.Answered {
			t.say(assets.Say("cli.gone", c.ID, string(c.End)))
		}
		return
	}
	q := c.Question
	who := "an agent"
	if q.Client != nil {
		who = q.Client.Name
		if q.Client.Program != "" {
			who += " (" + q.Client.Program + ", pid " + strconv.Itoa(q.Client.PID) + ")"
		}
	}
	text := assets.Say("cli.asks", c.ID, plain(who), plain(string(egress.Shown([]byte(q.Ask)))))
	if q.Quote != "" {
		text += "\n" + assets.Say("cli.quote", plain(q.Quote))
	}
	switch q.Kind {
	case question.Choose:
		choices := make([]string, len(q.Choices))
		for i, choice := range q.Choices {
			choices[i] = fmt.Sprintf("%d %s", i, plain(choice))
		}
		text += "\n" + assets.Say("cli.howto.choose", c.ID, strings.Join(choices, ", "))
	case question.Input:
		howto := "cli.howto.input"
		if q.Private {
			howto = "cli.howto.private"
		}
		text += "\n" + assets.Say(howto, c.ID)
	case question.Acknowledge:
		text += "\n" + assets.Say("cli.howto.ack", c.ID)
	case question.PickElement:
		text += "\n" + assets.Say("cli.howto.pick", c.ID)
	default:
		text += "\n" + assets.Say("cli.howto.approve", c.ID)
	}
	t.say(text)
}

// plain keeps an agent's words from steering the terminal.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return '·'
		}
		return r
	}, s)
}

// command carries out one line and reports whether the person quits.
func (t *terminal) command(ctx context.Context, line string) (quit bool) {
	verb, rest, _ := strings.Cut(line, " ")
	id, text, _ := strings.Cut(strings.TrimSpace(rest), " ")
	if id != "" && !strings.HasPrefix(id, "q") {
		id = "q" + id
	}
	var err error
	switch verb {
	case "":
	case "list":
		cards := t.questions.Cards()
		if len(cards) == 0 {
			t.say(assets.Say("cli.none"))
		}
		for _, c := range cards {
			t.card(c)
		}
	case "approve", "yes":
		err = t.answers.Answer(id, question.Answer{Yes: true, Note: text})
	case "deny", "no":
		err = t.answers.Answer(id, question.Answer{Declined: true, Note: text})
	case "secret":
		err = t.secret(ctx, id, text)
	case "answer":
		if q, ok := t.question(id); ok && q.Private {
			err = t.secret(ctx, id, text)
			break
		}
		a := question.Answer{Text: text, Yes: true}
		if n, wrong := strconv.Atoi(text); wrong == nil {
			a.Choice = n
		}
		err = t.answers.Answer(id, a)
	case "pause":
		t.pause()
		t.say(assets.Say("cli.paused"))
	case "resume":
		t.resume()
		t.say(assets.Say("cli.resumed"))
	case "quit", "exit":
		return true
	case "help", "?":
		t.say(assets.Say("cli.serve.help"))
	default:
		t.say(assets.Say("cli.unknown", plain(line)))
		t.say(assets.Say("cli.serve.help"))
	}
	if err != nil {
		t.say(err.Error())
	}
	return false
}

func (t *terminal) question(id string) (question.Question, bool) {
	for _, c := range t.questions.Cards() {
		if c.ID == id {
			return c.Question, true
		}
	}
	return question.Question{}, false
}

// secret reads an answer without showing it. What stands in the line of the command was seen already, and is not taken.
func (t *terminal) secret(ctx context.Context, id, text string) error {
	q, ok := t.question(id)
	switch {
	case ok && q.Kind != question.Input:
		return errors.New(assets.Say("cli.private.none", id))
	case text != "":
		return errors.New(assets.Say("cli.private.line", id))
	}
	t.say(assets.Say("cli.private.type"))
	value, err := hidden(ctx, t.in)
	switch {
	case err != nil:
		return err
	case strings.TrimSpace(value) == "":
		return errors.New(assets.Say("cli.private.empty", id))
	}
	return t.answers.Answer(id, question.Answer{Text: value, Secret: !q.Private})
}

// headless serves in the terminal because no window can be shown.
func headless(ctx context.Context) error {
	fmt.Fprintln(os.Stderr, assets.Say("cli.nowindow"))
	return runServe(ctx, os.Stdin, os.Stdout)
}
