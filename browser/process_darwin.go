package browser

import (
	"os"
	"os/exec"
	"syscall"
)

func lockThread() {}

// tieToParent puts Chromium into a group of its own. There is no parent-death signal here: the end of the pipe makes it quit.
func tieToParent(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}

// passPipes gives Chromium its two ends as the file descriptors 3 and 4.
func passPipes(cmd *exec.Cmd, commands, replies *os.File) {
	cmd.ExtraFiles = []*os.File{commands, replies}
}

// killStragglers does nothing: the group is all there is to end here.
func (p *process) killStragglers() {}
