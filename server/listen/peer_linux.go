package listen

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"

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
	var cred *unix.Ucred
	var credErr error
	if err := raw.Control(func(fd uintptr) { cred, credErr = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) }); err != nil {
		return client.Client{}, err
	}
	if credErr != nil {
		return client.Client{}, fmt.Errorf("the kernel does not say who connected: %w", credErr)
	}
	if int(cred.Uid) != os.Geteuid() && cred.Uid != 0 {
		return client.Client{}, fmt.Errorf("process %d belongs to user %d", cred.Pid, cred.Uid)
	}
	return behindBridge(ancestry(int(cred.Pid), lookAt)), nil
}

// lookAt reads /proc.
func lookAt(pid int) (process, error) {
	p := process{pid: pid}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return p, err
	}
	// The name in brackets may hold anything, so the fields are counted from its end.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 20 {
		return p, fmt.Errorf("/proc/%d/stat has %d fields", pid, len(fields))
	}
	if p.parent, err = strconv.Atoi(fields[1]); err != nil {
		return p, err
	}
	if p.started, err = strconv.ParseUint(fields[19], 10, 64); err != nil {
		return p, err
	}
	if exe, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid)); err == nil {
		p.program = strings.TrimSuffix(exe, " (deleted)")
	}
	return p, nil
}
