package browser

import "os/exec"

func lockThread() {}

// tieToParent does nothing: the end of the pipe makes Chromium quit.
func tieToParent(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = cmd.Process.Kill()
	}
}
