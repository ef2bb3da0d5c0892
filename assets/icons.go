package assets

import "embed"

//go:generate go run icons/draw.go
//go:embed icons/*.png
var iconFiles embed.FS

// AppIcon returns the app's icon, a PNG of 512 pixels.
func AppIcon() []byte { return icon("app") }

// TrayIcon returns the tray icon of a state, a PNG, since trays take no SVG: 22 pixels wide, or 44 for screens of
// double density. The states are idle, working, paused and needed; any other looks idle.
func TrayIcon(state string, double bool) []byte {
	name := "tray-" + state
	if double {
		name += "@2x"
	}
	if png := icon(name); png != nil {
		return png
	}
	return TrayIcon("idle", double)
}

func icon(name string) []byte {
	data, err := iconFiles.ReadFile("icons/" + name + ".png")
	if err != nil {
		return nil
	}
	return data
}
