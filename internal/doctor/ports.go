package doctor

import (
	"errors"
	"net"
	neturl "net/url"
	"os"
	"strconv"

	"chaperone/assets"
	"chaperone/internal/settings"
	"chaperone/internal/workspace"
)

func itoa(n int) string { return strconv.Itoa(n) }

// checkPorts looks whether the HTTP endpoint can have its port, or has it.
func checkPorts(cfg Config, dir *workspace.Dir, set *settings.Store) []Finding {
	if set == nil {
		return nil
	}
	what, addr := assets.Say("doctor.port"), set.Text("httpAddr")
	if dir != nil && cfg.Running(dir) != 0 {
		if e, err := dir.Endpoint(); err == nil && e.HTTP != "" {
			if u, err := neturl.Parse(e.HTTP); err == nil && u.Host != addr && u.Port() != "" {
				return []Finding{note(what, assets.Say("doctor.port.other", e.HTTP, addr), assets.Say("doctor.port.mend"))}
			}
			return []Finding{good(what, assets.Say("doctor.port.ours", e.HTTP))}
		}
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return []Finding{note(what, assets.Say("doctor.port.taken", addr, reason(err)), assets.Say("doctor.port.mend"))}
	}
	_ = l.Close()
	return []Finding{good(what, assets.Say("doctor.port.free", addr))}
}

// reason is what the system says of an address, without the address again.
func reason(err error) error {
	if call := (*os.SyscallError)(nil); errors.As(err, &call) {
		return call.Err
	}
	return err
}
