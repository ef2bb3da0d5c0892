package workspace

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Endpoint is where the serving process can be reached; it is written to run/endpoint.
type Endpoint struct {
	PID     int    `json:"pid"`
	Version string `json:"version"`
	Socket  string `json:"socket"`         // path of the Unix socket, or name of the pipe on Windows
	HTTP    string `json:"http,omitempty"` // URL of the MCP endpoint, empty when HTTP is off
	Window  bool   `json:"window"`         // false for chaperone serve
}

// longestSocket is what fits into a socket address on every system we build for (104 bytes on macOS, 108 on Linux, one of them
// for the ending zero).
const longestSocket = 103

// shortFolder is how the folder of a socket begins whose own path in run/ would be too long.
const shortFolder = "chaperone-"

// NewSocket returns the path at which the holder of the lock listens. What an ended process left there is removed.
func (d *Dir) NewSocket() (string, error) {
	if runtime.GOOS == "windows" {
		sum := sha256.Sum256([]byte(strings.ToLower(d.Root)))
		return `\\.\pipe\chaperone-` + hex.EncodeToString(sum[:8]), nil
	}
	if old, err := d.Endpoint(); err == nil {
		d.removeSocket(old.Socket)
	}
	path := d.run("socket")
	if len(path) > longestSocket {
		dir, err := os.MkdirTemp("", shortFolder)
		if err != nil {
			return "", fmt.Errorf("the path %s is too long for a socket, and no shorter one can be made: %w", path, err)
		}
		if path = filepath.Join(dir, "socket"); len(path) > longestSocket {
			_ = os.Remove(dir)
			return "", fmt.Errorf("the path %s is too long for a socket, and so is %s: set TMPDIR or BROWX_WORKSPACE to a shorter one", d.run("socket"), path)
		}
		return path, nil
	}
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		return "", d.unusable("cannot be written to", err)
	}
	return path, nil
}

// removeSocket removes a socket of ours, with its folder if it has one of its own. The path may come from a file, so it is
// believed only where it looks as we make it.
func (d *Dir) removeSocket(path string) {
	if path == d.run("socket") {
		_ = os.Remove(path)
		return
	}
	dir := filepath.Dir(path)
	if filepath.Base(path) == "socket" && strings.HasPrefix(filepath.Base(dir), shortFolder) && mine(dir) {
		_ = os.Remove(path)
		_ = os.Remove(dir)
	}
}

// SetEndpoint says where this process can be reached.
func (d *Dir) SetEndpoint(e Endpoint) error {
	data, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return d.write("endpoint", append(data, '\n'))
}

// Endpoint returns where the serving process said it can be reached. It may have ended since: only a connection tells.
func (d *Dir) Endpoint() (Endpoint, error) {
	var e Endpoint
	data, err := os.ReadFile(d.run("endpoint"))
	if err != nil {
		return e, err
	}
	if err := json.Unmarshal(data, &e); err != nil {
		return e, fmt.Errorf("%s is damaged: %w", d.run("endpoint"), err)
	}
	return e, nil
}

// Leave removes what the serving process put into run/. The token stays, because clients have it in their configuration.
func (d *Dir) Leave() {
	if e, err := d.Endpoint(); err == nil {
		d.removeSocket(e.Socket)
	}
	_ = os.Remove(d.run("endpoint"))
}
