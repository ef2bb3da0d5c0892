//go:build unix

package provider

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// group is the process group of a program.
type group struct{ cmd *exec.Cmd }

// ownGroup puts a program into a session, and so a group, of its own: it has no terminal to ask on, and can be ended with its
// children.
func ownGroup(cmd *exec.Cmd) *group {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return &group{cmd}
}

func (g *group) started() {}

// kill ends all of the group. The group's id is the program's pid, and stays taken while the group has a process.
func (g *group) kill() error {
	err := syscall.Kill(-g.cmd.Process.Pid, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}

func (g *group) done() {}

func brokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
