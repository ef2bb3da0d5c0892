package doctor

import (
	"net"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"chaperone/assets"
)

func checkDisplay(cfg Config) []Finding {
	what := assets.Say("doctor.display")
	var list []Finding
	if !cfg.Window {
		list = append(list, note(assets.Say("doctor.window"), assets.Say("doctor.window.none"), assets.Say("doctor.window.none.mend")))
	}
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return append(list, good(what, assets.Say("doctor.display.native")))
	}
	wayland, x := cfg.Getenv("WAYLAND_DISPLAY"), cfg.Getenv("DISPLAY")
	switch {
	case wayland == "" && x == "":
		return append(list, note(what, assets.Say("doctor.display.none"), assets.Say("doctor.display.none.mend")))
	case wayland != "" && reachable("unix", waylandSocket(cfg, wayland)):
		return append(list, good(what, "Wayland "+wayland))
	case x != "" && xReachable(x):
		return append(list, good(what, "X11 "+x))
	}
	return append(list, fault(what, assets.Say("doctor.display.dead", strings.TrimSpace(wayland+" "+x)), assets.Say("doctor.display.dead.mend")))
}

func waylandSocket(cfg Config, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(cfg.Getenv("XDG_RUNTIME_DIR"), name)
}

// xReachable reports whether somebody listens where DISPLAY (host:number.screen) says.
func xReachable(display string) bool {
	i := strings.LastIndexByte(display, ':')
	if i < 0 {
		return false
	}
	host := display[:i]
	number, _, _ := strings.Cut(display[i+1:], ".")
	if host == "" || host == "unix" {
		path := "/tmp/.X11-unix/X" + number
		return reachable("unix", path) || reachable("unix", "@"+path)
	}
	port, err := net.LookupPort("tcp", number)
	if err != nil {
		return false
	}
	return reachable("tcp", net.JoinHostPort(host, itoa(6000+port)))
}

func reachable(network, address string) bool {
	c, err := net.DialTimeout(network, address, 2*time.Second)
	if err != nil {
		return false
	}
	_ = c.Close()
	return true
}
