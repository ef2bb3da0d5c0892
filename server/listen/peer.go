package listen

import (
	"os"

	"chaperone/server/client"
)

// process is what the operating system says of a process.
type process struct {
	pid, parent int
	started     uint64 // in the system's own measure, later is more; 0 where it is not told
	program     string // path of the executable
}

// mostParents is how far up a process's ancestry is followed.
const mostParents = 16

// ancestry describes a process and those above it. A process id alone says nothing, because ids are used again: one that
// started later than its child is somebody else, and ends the list.
func ancestry(pid int, look func(pid int) (process, error)) []process {
	var list []process
	for pid > 1 && len(list) <= mostParents {
		p, err := look(pid)
		if err != nil {
			break
		}
		if n := len(list); n > 0 && list[n-1].started < p.started {
			break
		}
		list = append(list, p)
		pid = p.parent
	}
	return list
}

// behindBridge says which program asks over the socket: where that is our own bridge, the one that started it.
func behindBridge(list []process) client.Client {
	if len(list) > 1 && isSelf(list[0].program) {
		list = list[1:]
	}
	return clientOf(list)
}

func clientOf(list []process) client.Client {
	var who client.Client
	for i, p := range list {
		if i == 0 {
			who.PID, who.Program = p.pid, p.program
			continue
		}
		who.Parents = append(who.Parents, client.Process{PID: p.pid, Program: p.program})
	}
	return who
}

// isSelf reports whether a path is that of the program that is running, also after it was replaced by a newer version.
func isSelf(path string) bool {
	self, err := os.Executable()
	return err == nil && path != "" && path == self
}

// LineClient describes the process that started this one, which for standalone stdio is the client.
func LineClient() client.Client {
	who := clientOf(ancestry(os.Getppid(), lookAt))
	who.Transport = "stdio"
	return who
}
