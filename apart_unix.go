//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// apart puts a process into a session of its own: it gets no signal of this terminal, and goes on when this process ends.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
