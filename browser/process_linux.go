package browser

import (
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

func lockThread() { runtime.LockOSThread() }

// tieToParent has the kernel kill Chromium when this process dies, and puts it into a group of its own, so that a Ctrl-C in
// our terminal is ours to handle and the whole group can be ended.
func tieToParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}

func killGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}

// passPipes gives Chromium its two ends as the file descriptors 3 and 4.
func passPipes(cmd *exec.Cmd, commands, replies *os.File) {
	cmd.ExtraFiles = []*os.File{commands, replies}
}
