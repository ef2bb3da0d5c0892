package browser

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
)

// flags are the switches of a managed Chromium. Those that quieten it (no sync, no component updates, no translation bar)
// are the usual ones of browser automation; popup blocking is off because an agent's click must open what it opens.
func flags(o Options, dir string) []string {
	list := []string{
		"--remote-debugging-pipe",
		"--user-data-dir=" + dir,
		"--no-first-run",
		"--no-default-browser-check",
		"--disable-background-networking",
		"--disable-background-timer-throttling",
		"--disable-backgrounding-occluded-windows",
		"--disable-breakpad",
		"--disable-client-side-phishing-detection",
		"--disable-component-update",
		"--disable-default-apps",
		"--disable-dev-shm-usage",
		"--disable-features=" + strings.Join([]string{
			"Translate", "MediaRouter", "OptimizationHints", "AcceptCHFrame", "InfiniteSessionRestore", "DestroyProfileOnBrowserClose",
			"GlobalMediaControls", "ImprovedCookieControls", "LensOverlay", "PaintHolding", "HttpsUpgrades",
		}, ","),
		"--disable-hang-monitor",
		"--disable-ipc-flooding-protection",
		"--disable-popup-blocking",
		"--disable-prompt-on-repost",
		"--disable-renderer-backgrounding",
		"--disable-search-engine-choice-screen",
		"--disable-session-crashed-bubble",
		"--hide-crash-restore-bubble",
		"--disable-sync",
		"--metrics-recording-only",
		"--no-service-autorun",
		"--password-store=basic",
		"--use-mock-keychain",
		"--enable-unsafe-extension-debugging",
	}
	width, height := 1280, 720
	if o.Width > 0 && o.Height > 0 {
		width, height = o.Width, o.Height
	}
	if o.Headless {
		list = append(list, "--headless=new", "--hide-scrollbars", "--mute-audio", "--force-color-profile=srgb", "--disable-gpu",
			fmt.Sprintf("--window-size=%d,%d", width, height))
	} else {
		// The window is opened by us, without taking the focus from what the person is doing.
		list = append(list, "--no-startup-window", fmt.Sprintf("--window-size=%d,%d", width, height+chromeHeight))
	}
	if o.NoSandbox {
		list = append(list, "--no-sandbox", "--test-type")
	}
	list = append(list, o.ExtraFlags...)
	if o.Headless {
		list = append(list, "about:blank")
	}
	return list
}

// chromeHeight is about what the tab strip and the address bar of a visible window take.
const chromeHeight = 87

// environment is what Chromium inherits: what it needs for display, fonts and language, and nothing of ours, since this
// program's own variables may hold keys.
func environment(temp *scratch) []string {
	keep := []string{"PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TEMP", "TMP", "DISPLAY", "XAUTHORITY",
		"WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "SYSTEMROOT", "APPDATA", "LOCALAPPDATA", "PROGRAMFILES", "USERPROFILE", "SHELL"}
	var env []string
	for _, kv := range os.Environ() {
		name, _, _ := strings.Cut(kv, "=")
		upper := strings.ToUpper(name)
		if slices.Contains(keep, upper) || strings.HasPrefix(upper, "XDG_") || strings.HasPrefix(upper, "LC_") ||
			strings.HasPrefix(upper, "GTK_") || strings.HasPrefix(upper, "QT_") || strings.HasPrefix(upper, "FONTCONFIG_") {
			env = append(env, kv)
		}
	}
	if temp != nil {
		env = append(env, "TMPDIR="+temp.dir)
	}
	return env
}

// HasDisplay reports whether a visible window can open here.
func HasDisplay() bool {
	if runtime.GOOS != "linux" {
		return true
	}
	return os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != ""
}
