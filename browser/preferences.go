package browser

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// preferences are those of a new profile. Chromium must not offer to keep passwords: its bubble covers the page, and what an
// agent signs in with is not the browser's to store.
const preferences = `{"credentials_enable_service":false,"credentials_enable_autosignin":false,` +
	`"profile":{"password_manager_enabled":false,"password_manager_leak_detection":false},` +
	`"autofill":{"profile_enabled":false,"credit_card_enabled":false},"browser":{"has_seen_welcome_page":true}}`

// writePreferences gives a new profile its preferences. One that is there already keeps its own.
func writePreferences(dir string) error {
	file := filepath.Join(dir, "Default", "Preferences")
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(preferences), 0o600)
}
