package demo

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"

	"chaperone/assets"
)

// Config says where the demo runs and where it tells about it.
type Config struct {
	// Binary is the program that is started as a client would start it.
	Binary string
	// Args are its arguments; without any it joins the running app, starting it if none runs.
	Args []string
	// Env are additions to its environment.
	Env []string
	// App has the app with its window started first, in the workspace that Env names, and left open until the person quits it.
	App bool
	// Out gets the story, Log what the program says on its error output.
	Out, Log io.Writer
	// In is the person's terminal, asked only where there is no window. Without it nobody is asked and the answer is no.
	In io.Reader
}

// session is the demo's own, so that it disturbs no other agent's browser.
const session = "demo"

// Run serves the shop, lets the scripted agent use it, and ends both. It fails when a step did not do what it says.
func Run(ctx context.Context, config Config) error {
	_, err := run(ctx, config)
	return err
}

// run also tells what reached the shop.
func run(ctx context.Context, config Config) (seen []string, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	site, err := Serve(ctx)
	if err != nil {
		return nil, err
	}
	args := config.Args
	if len(args) == 0 {
		args = []string{"stdio"}
	}
	shop := "--demo-site=" + strings.TrimSuffix(site.URL, "/")
	env := append(slices.Clone(environment), config.Env...)
	done := func() {}
	if config.App {
		fmt.Fprintln(config.Out, assets.Say("demo.app"))
		if done, err = startApp(ctx, config, env, shop); err != nil {
			return nil, fmt.Errorf("demo: %w", err)
		}
	} else {
		args = append(slices.Clone(args), shop)
	}
	command := exec.Command(config.Binary, args...)
	command.Env = append(command.Environ(), env...)
	command.Stderr = config.Log
	a := &agent{out: config.Out, site: site, here: slices.Contains(args, "--standalone")}
	a.say("demo.start", site.URL)
	a.client, err = dial(ctx, command, a.ask(config.In), a.waits)
	if err != nil {
		return nil, fmt.Errorf("demo: %w", err)
	}
	err = a.work(ctx)
	if closing := a.client.close(); err == nil && closing != nil {
		err = fmt.Errorf("%s ended badly: %w", config.Binary, closing)
	}
	if err != nil {
		return site.Seen(), fmt.Errorf("demo: %w", err)
	}
	a.say("demo.end")
	done()
	return site.Seen(), nil
}

type agent struct {
	client *client
	site   *Site
	out    io.Writer
	// here says that questions come to the person's terminal, since there is no window.
	here bool

	mu      sync.Mutex
	told    map[string]bool
	unheard bool // a question came that nobody answered
}

func (a *agent) say(key string, args ...any) {
	fmt.Fprintln(a.out, assets.Say(key, args...))
}

// waits tells once why a call takes long. A question that the story announces needs no second word.
func (a *agent) waits(tool, words string) {
	if tool == "await_human" {
		return
	}
	a.mu.Lock()
	known := a.told[tool]
	if a.told == nil {
		a.told = map[string]bool{}
	}
	a.told[tool] = true
	a.mu.Unlock()
	switch {
	case known:
	case tool == "open_session" && !strings.Contains(words, "paused"):
		a.say("demo.letin") // the first call of an agent that was never here
	default:
		a.say("demo.waits", words)
	}
}

// ask asks the person in the terminal.
func (a *agent) ask(in io.Reader) func(string) bool {
	if in == nil {
		in = strings.NewReader("")
	}
	lines := bufio.NewReader(in)
	return func(question string) bool {
		fmt.Fprint(a.out, assets.Say("demo.terminal", question))
		line, err := lines.ReadString('\n')
		if err != nil {
			fmt.Fprintln(a.out)
			a.mu.Lock()
			a.unheard = true
			a.mu.Unlock()
			return false
		}
		return strings.EqualFold(strings.TrimSpace(line), assets.Say("demo.yes"))
	}
}

// refused tells how the step that belongs to the person ended without a yes.
func (a *agent) refused() {
	a.mu.Lock()
	unheard := a.unheard
	a.mu.Unlock()
	if unheard {
		a.say("demo.unheard")
		return
	}
	a.say("demo.denied")
}

// do runs a tool in the demo's session and takes a refusal for what it is: the end of this demo.
func (a *agent) do(ctx context.Context, tool string, args map[string]any) (answer, error) {
	if args == nil {
		args = map[string]any{}
	}
	args["session"] = session
	got, err := a.client.call(ctx, tool, args)
	if err != nil {
		return answer{}, err
	}
	if got.Failed {
		return answer{}, fmt.Errorf("%s: %s", tool, refusal(got))
	}
	return got, nil
}

func refusal(got answer) string {
	why, _ := got.Object["error"].(string)
	hint, _ := got.Object["hint"].(string)
	if why == "" {
		return got.Text
	}
	return strings.TrimSpace(why + " " + hint)
}

// look reads the page and names the elements in it.
func (a *agent) look(ctx context.Context) (view, error) {
	got, err := a.do(ctx, "snapshot", nil)
	return view(got.Text), err
}

// view is a snapshot: a line per element, with its role, its name and its ref.
type view string

// ref finds an element as a reader of the snapshot would: by its role and its name.
func (v view) ref(role, name string) (string, error) {
	line := regexp.MustCompile(`(?m)(?:^|\s)` + role + ` "` + regexp.QuoteMeta(name) + `".*?\[ref=(e\d+)\]`).FindStringSubmatch(string(v))
	if line == nil {
		return "", fmt.Errorf("the page shows no %s %q:\n%s", role, name, v)
	}
	return line[1], nil
}

// title is the page's, as the snapshot's head has it.
func (v view) title() string {
	for line := range strings.Lines(string(v)) {
		if rest, ok := strings.CutPrefix(line, "title:"); ok {
			return strings.TrimSpace(rest)
		}
	}
	return ""
}

// press reads the page and clicks one element of it.
func (a *agent) press(ctx context.Context, role, name string) (answer, error) {
	seen, err := a.look(ctx)
	if err != nil {
		return answer{}, err
	}
	ref, err := seen.ref(role, name)
	if err != nil {
		return answer{}, err
	}
	return a.do(ctx, "click", map[string]any{"ref": ref})
}

// expect waits until the page says something.
func (a *agent) expect(ctx context.Context, text string) error {
	_, err := a.do(ctx, "wait_for", map[string]any{"text": text})
	return err
}
