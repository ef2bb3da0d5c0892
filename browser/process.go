package browser

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/chromedp"
)

// process is one running Chromium and the pipes to it.
type process struct {
	cmd    *exec.Cmd
	pipe   *chromedp.PipeConn
	exited chan struct{} // closed when the main process has been waited for
	err    error         // valid after exited
	output *tail
}

// start runs Chromium with the pipes as its file descriptors 3 and 4. Its life hangs on ours in two ways: the pipe, whose end
// makes it quit, and the kernel's parent-death signal where there is one.
func start(path string, args, env []string) (*process, error) {
	commandR, commandW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	replyR, replyW, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, commandR.Close(), commandW.Close())
	}
	p := &process{exited: make(chan struct{}), output: &tail{}}
	p.cmd = exec.Command(path, args...)
	p.cmd.Env = env
	p.cmd.Stdout, p.cmd.Stderr = p.output, p.output
	passPipes(p.cmd, commandR, replyW)
	// A grandchild that keeps our output pipe open must not hold Wait up.
	p.cmd.WaitDelay = time.Second
	tieToParent(p.cmd)
	err = spawn(p.cmd)
	err2 := errors.Join(commandR.Close(), replyW.Close())
	if err != nil {
		return nil, errors.Join(err, err2, commandW.Close(), replyR.Close())
	}
	p.pipe = chromedp.NewPipeConn(replyR, commandW)
	go func() {
		p.err = p.cmd.Wait()
		close(p.exited)
	}()
	return p, nil
}

// stop waits for the process to end by itself, then kills its whole group.
func (p *process) stop(grace time.Duration) {
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-p.exited:
	case <-timer.C:
	}
	killGroup(p.cmd)
	<-p.exited
	p.killStragglers()
}

// spawner forks every Chromium from one thread that never ends: the parent-death signal is tied to the thread that forked, not
// to the process.
var spawner = sync.OnceValue(func() chan func() {
	work := make(chan func())
	go func() {
		lockThread()
		for f := range work {
			f()
		}
	}()
	return work
})

func spawn(cmd *exec.Cmd) error {
	done := make(chan error)
	spawner() <- func() { done <- cmd.Start() }
	return <-done
}

// tail keeps the last few kilobytes of what Chromium printed, for the error when it does not come up.
type tail struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

const tailSize = 8 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf.Write(p)
	if over := t.buf.Len() - tailSize; over > 0 {
		t.buf.Next(over)
	}
	return len(p), nil
}

var _ io.Writer = (*tail)(nil)

// lines returns the last lines that say something, at most n of them.
func (t *tail) lines(n int) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var keep []string
	for line := range strings.SplitSeq(t.buf.String(), "\n") {
		if line = strings.TrimSpace(line); line != "" && !strings.Contains(line, "unexpected operator") {
			keep = append(keep, line)
		}
	}
	if len(keep) > n {
		keep = keep[len(keep)-n:]
	}
	return strings.Join(keep, " | ")
}

// launchFailed explains why a process that has been started does not answer.
func (p *process) launchFailed(ctx context.Context, path string, cause error) error {
	select {
	case <-p.exited:
		cause = fmt.Errorf("it ended at once (%v)", p.err)
	case <-time.After(200 * time.Millisecond):
	case <-ctx.Done():
	}
	out := p.output.lines(4)
	switch {
	case strings.Contains(out, "No usable sandbox"):
		cause = fmt.Errorf("this system forbids the namespaces that its sandbox needs; install the distribution's own Chromium package, which brings an AppArmor profile, or allow unprivileged user namespaces: %w", cause)
	case strings.Contains(out, "Running as root without --no-sandbox"):
		cause = fmt.Errorf("Chromium refuses to run as root with its sandbox; run this program as an ordinary user: %w", cause)
	}
	return &LaunchError{Path: path, Output: out, Err: cause}
}
