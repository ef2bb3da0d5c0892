package main

import (
	"os/exec"
	"syscall"
)

// apart detaches a process from this one's console.
func apart(cmd *exec.Cmd) {
	const detachedProcess = 0x00000008
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP | detachedProcess}
}
