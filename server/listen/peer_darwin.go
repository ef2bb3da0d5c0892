package listen

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"os"

	"chaperone/server/client"

	"golang.org/x/sys/unix"
)

// peerOf asks the kernel who is at the other end of a local connection. Other users are refused, root apart.
func peerOf(c net.Conn) (client.Client, error) {
	uc, ok := c.(*net.UnixConn)
	if !ok {
		return client.Client{}, errors.New("not a local connection")
	}
	raw, err := uc.SyscallConn()
	if err != nil {
		return client.Client{}, err
	}
	var pid int
	var cred *unix.Xucred
	var pidErr, credErr error
	if err := raw.Control(func(fd uintptr) {
		pid, pidErr = unix.GetsockoptInt(int(fd), unix.SOL_LOCAL, unix.LOCAL_PEERPID)
		cred, credErr = unix.GetsockoptXucred(int(fd), unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	}); err != nil {
		return client.Client{}, err
	}
	if err := errors.Join(pidErr, credErr); err != nil {
		return client.Client{}, fmt.Errorf("the kernel does not say who connected: %w", err)
	}
	if int(cred.Uid) != os.Geteuid() && cred.Uid != 0 {
		return client.Client{}, fmt.Errorf("process %d belongs to user %d", pid, cred.Uid)
	}
	return behindBridge(ancestry(pid, lookAt)), nil
}

// lookAt asks the kernel's table of processes.
func lookAt(pid int) (process, error) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return process{}, err
	}
	start := info.Proc.P_starttime
	return process{
		pid: pid, parent: int(info.Eproc.Ppid), program: programOf(pid),
		started: uint64(start.Sec)*1_000_000 + uint64(start.Usec),
	}, nil
}

// programOf reads the path of the executable, which comes first in the arguments that the kernel keeps, after their number.
func programOf(pid int) string {
	raw, err := unix.SysctlRaw("kern.procargs2", pid)
	if err != nil || len(raw) < binary.Size(int32(0)) {
		return ""
	}
	path, _, _ := bytes.Cut(raw[4:], []byte{0})
	return string(path)
}
