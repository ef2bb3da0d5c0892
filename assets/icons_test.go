package assets

import (
	"bytes"
	"image/png"
	"testing"
)

func TestTrayHasAnIconForEachState(t *testing.T) {
	seen := map[string]string{}
	for _, state := range []string{"idle", "working", "paused", "needed"} {
		for double, width := range map[bool]int{false: 22, true: 44} {
			data := TrayIcon(state, double)
			img, err := png.Decode(bytes.NewReader(data))
			if err != nil {
				t.Fatalf("%s: %v", state, err)
			}
			if img.Bounds().Dx() != width || img.Bounds().Dy() != width {
				t.Errorf("%s: %v, want %d pixels", state, img.Bounds(), width)
			}
			if other, twice := seen[string(data)]; twice {
				t.Errorf("%s looks like %s", state, other)
			}
			seen[string(data)] = state
		}
	}
	if img, err := png.Decode(bytes.NewReader(AppIcon())); err != nil || img.Bounds().Dx() != 512 {
		t.Errorf("the app's icon: %v", err)
	}
}
