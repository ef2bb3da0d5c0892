package browser

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
)

// Find returns the path of the Chromium to run: the one given, or the first that is installed. Chromium comes before Chrome,
// since branded Chrome ignores some switches that this program needs.
func Find(given string) (string, error) {
	if given != "" {
		path, err := exec.LookPath(given)
		if err != nil {
			return "", fmt.Errorf("%w at %s (BROWX_CHROMIUM): %v", ErrNoChromium, given, err)
		}
		return path, nil
	}
	for _, name := range candidates() {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("%w: install Chromium with the system's package manager, or name one in BROWX_CHROMIUM", ErrNoChromium)
}

func candidates() []string {
	switch runtime.GOOS {
	case "darwin":
		return []string{
			"/Applications/Chromium.app/Contents/MacOS/Chromium",
			"/Applications/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
			"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
			"chromium",
		}
	case "windows":
		var list []string
		for _, base := range []string{os.Getenv("ProgramFiles"), os.Getenv("ProgramFiles(x86)"), os.Getenv("LocalAppData")} {
			if base != "" {
				list = append(list, base+`\Chromium\Application\chrome.exe`, base+`\Google\Chrome\Application\chrome.exe`)
			}
		}
		return append(list, "chrome.exe")
	default:
		return []string{"chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"}
	}
}
