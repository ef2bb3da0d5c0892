package browser

import (
	"bytes"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
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

// killStragglers ends helper processes that left the group and outlive their browser: they would go on writing to its profile.
// Each of them carries the profile's folder on its command line.
func (p *process) killStragglers() {
	mark := ""
	for _, a := range p.cmd.Args {
		if strings.HasPrefix(a, "--user-data-dir=") {
			mark = a
		}
	}
	if mark == "" {
		return
	}
	for quiet := 0; quiet < 2; time.Sleep(5 * time.Millisecond) {
		quiet++
		for _, pid := range running(mark) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			quiet = 0
		}
	}
}

// running lists the processes with that argument.
func running(argument string) (pids []int) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		line, err := os.ReadFile("/proc/" + e.Name() + "/cmdline")
		if err != nil {
			continue
		}
		for a := range bytes.SplitSeq(line, []byte{0}) {
			if string(a) == argument {
				pids = append(pids, pid)
				break
			}
		}
	}
	return pids
}
