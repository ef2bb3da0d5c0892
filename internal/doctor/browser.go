package doctor

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"chaperone/assets"
	"chaperone/browser"
	"chaperone/internal/settings"
	"chaperone/internal/workspace"
)

func checkBrowser(ctx context.Context, cfg Config, dir *workspace.Dir, set *settings.Store) []Finding {
	what, given, noSandbox := assets.Say("doctor.browser"), cfg.Getenv("BROWX_CHROMIUM"), false
	if set != nil {
		given, noSandbox = set.Text("chromium"), set.Bool("noSandbox")
	}
	path, err := browser.Find(given)
	if err != nil {
		return []Finding{fault(what, err.Error(), assets.Say("doctor.browser.mend"))}
	}
	list := []Finding{good(what, strings.TrimSpace(path+"  "+versionOf(ctx, path)))}
	if strings.HasPrefix(path, "/snap/") {
		list = append(list, note(what, assets.Say("doctor.browser.snap"), assets.Say("doctor.browser.snap.mend")))
	}
	if noSandbox {
		list = append(list, note(assets.Say("doctor.sandbox"), assets.Say("doctor.sandbox.off"), assets.Say("doctor.sandbox.off.mend")))
	}
	if dir == nil {
		return list
	}
	what = assets.Say("doctor.start")
	begin := time.Now()
	err = cfg.Try(ctx, browser.Config{
		Chromium: given, Profiles: dir.Path("profiles"), Temp: dir.Path("run", "private"), Downloads: dir.Path("downloads"), NoSandbox: noSandbox,
	})
	if err == nil {
		return append(list, good(what, assets.Say("doctor.start.good", time.Since(begin).Seconds())))
	}
	return append(list, fault(what, err.Error(), mendStart(err.Error(), noSandbox)))
}

// mendStart knows why Chromium usually does not start.
func mendStart(says string, noSandbox bool) string {
	switch {
	case noSandbox:
		return assets.Say("doctor.start.mend")
	case os.Geteuid() == 0:
		return assets.Say("doctor.start.root")
	case strings.Contains(says, "sandbox"):
		return assets.Say("doctor.start.sandbox")
	default:
		return assets.Say("doctor.start.mend")
	}
}

// versionOf is what the browser calls itself.
func versionOf(ctx context.Context, path string) string {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "--version")
	cmd.Dir = filepath.Dir(path)
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}
