package browser

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"syscall"
)

func lockThread() {}

// tieToParent does nothing: the end of the pipe makes Chromium quit.
func tieToParent(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = cmd.Process.Kill()
	}
}

// passPipes has Chromium inherit the two handles, and names them on its command line: there are no file descriptors here.
func passPipes(cmd *exec.Cmd, commands, replies *os.File) {
	in, out := syscall.Handle(commands.Fd()), syscall.Handle(replies.Fd())
	for _, h := range []syscall.Handle{in, out} {
		_ = syscall.SetHandleInformation(h, syscall.HANDLE_FLAG_INHERIT, syscall.HANDLE_FLAG_INHERIT)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{AdditionalInheritedHandles: []syscall.Handle{in, out}}
	// First, before the address, so that it is read as a switch.
	cmd.Args = slices.Insert(cmd.Args, 1, fmt.Sprintf("--remote-debugging-io-pipes=%d,%d", uint32(in), uint32(out)))
}

// killStragglers does nothing: the group is all there is to end here.
func (p *process) killStragglers() {}
