package listen

import (
	"errors"
	"fmt"
	"net"
	"unsafe"

	"chaperone/server/client"

	"golang.org/x/sys/windows"
)

var getClientProcessID = windows.NewLazySystemDLL("kernel32.dll").NewProc("GetNamedPipeClientProcessId")

// peerOf asks the system which process opened the pipe. Its descriptor lets no other user in.
func peerOf(c net.Conn) (client.Client, error) {
	f, ok := c.(interface{ Fd() uintptr })
	if !ok {
		return client.Client{}, errors.New("not a local connection")
	}
	var pid uint32
	if r, _, err := getClientProcessID.Call(f.Fd(), uintptr(unsafe.Pointer(&pid))); r == 0 {
		return client.Client{}, fmt.Errorf("the system does not say who connected: %w", err)
	}
	return behindBridge(ancestry(int(pid), lookAt)), nil
}

// lookAt holds the process open while it is looked at, so that its id cannot be taken by another one meanwhile.
func lookAt(pid int) (process, error) {
	p := process{pid: pid}
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return p, err
	}
	defer func() { _ = windows.CloseHandle(h) }()
	var created, exited, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(h, &created, &exited, &kernel, &user); err != nil {
		return p, err
	}
	p.started = uint64(created.Nanoseconds())
	name := make([]uint16, windows.MAX_LONG_PATH)
	size := uint32(len(name))
	if windows.QueryFullProcessImageName(h, 0, &name[0], &size) == nil {
		p.program = windows.UTF16ToString(name[:size])
	}
	p.parent = parentOf(uint32(pid))
	return p, nil
}

func parentOf(pid uint32) int {
	snap, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return 0
	}
	defer func() { _ = windows.CloseHandle(snap) }()
	var e windows.ProcessEntry32
	e.Size = uint32(unsafe.Sizeof(e))
	for err := windows.Process32First(snap, &e); err == nil; err = windows.Process32Next(snap, &e) {
		if e.ProcessID == pid {
			return int(e.ParentProcessID)
		}
	}
	return 0
}
