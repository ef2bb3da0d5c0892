package listen

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// pidOf finds the process of this user that has the TCP connection from one address to another open; 0 if there is none.
func pidOf(from, to netip.AddrPort) int {
	table := "/proc/net/tcp"
	if from.Addr().Is6() && !from.Addr().Is4In6() {
		table = "/proc/net/tcp6"
	}
	inode := inodeOf(table, from, to)
	if inode == "" {
		return 0
	}
	want := "socket:[" + inode + "]"
	procs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range procs {
		fds, err := os.ReadDir(filepath.Join(dir, "fd"))
		if err != nil {
			continue
		}
		for _, fd := range fds {
			if link, err := os.Readlink(filepath.Join(dir, "fd", fd.Name())); err == nil && link == want {
				pid, _ := strconv.Atoi(filepath.Base(dir))
				return pid
			}
		}
	}
	return 0
}

func inodeOf(table string, from, to netip.AddrPort) string {
	f, err := os.Open(table)
	if err != nil {
		return ""
	}
	defer f.Close()
	wantFrom, wantTo := procAddr(from), procAddr(to)
	for lines := bufio.NewScanner(f); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) > 9 && fields[1] == wantFrom && fields[2] == wantTo && fields[9] != "0" {
			return fields[9]
		}
	}
	return ""
}

// procAddr writes an address as the kernel does: each 32 bits of it in the byte order of the machine, in hex.
func procAddr(a netip.AddrPort) string {
	raw := a.Addr().Unmap().AsSlice()
	for i := 0; i+4 <= len(raw); i += 4 {
		binary.NativeEndian.PutUint32(raw[i:], binary.BigEndian.Uint32(raw[i:]))
	}
	return fmt.Sprintf("%s:%04X", strings.ToUpper(hex.EncodeToString(raw)), a.Port())
}
