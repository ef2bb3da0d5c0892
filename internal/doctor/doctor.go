package doctor

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"chaperone/assets"
	"chaperone/browser"
	"chaperone/internal/settings"
	"chaperone/internal/workspace"
)

// Grade says how bad a finding is.
type Grade string

// The grades. What is only less comfortable is a Note; a Fault keeps Chaperone from working.
const (
	Good  Grade = "ok"
	Note  Grade = "note"
	Fault Grade = "FAULT"
)

// Finding is what one look brought.
type Finding struct {
	What  string
	Grade Grade
	Says  string // what is there, or what is wrong
	Mend  string // empty where there is nothing to mend, or Says tells it
}

// Config is where to look. Getenv, Running and Try must be set.
type Config struct {
	Getenv func(string) string
	Window bool // this build has a window
	// Running returns the process that serves the workspace, or 0.
	Running func(*workspace.Dir) (pid int)
	// Try starts a browser without a window and closes it again.
	Try func(context.Context, browser.Config) error
}

// limit is how long all looks together may take.
const limit = 30 * time.Second

// Check looks at everything and returns what it found in the order in which it matters.
func Check(ctx context.Context, cfg Config) []Finding {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	dir, list := checkWorkspace(cfg)
	set, config := checkSettings(cfg, dir)
	list = append(list, config...)
	looks := []func() []Finding{
		func() []Finding { return checkBrowser(ctx, cfg, dir, set) },
		func() []Finding { return checkDisplay(cfg) },
		func() []Finding { return checkBus(ctx, cfg) },
		func() []Finding { return checkPorts(cfg, dir, set) },
	}
	found := make([][]Finding, len(looks))
	var wg sync.WaitGroup
	for i, look := range looks {
		wg.Go(func() { found[i] = look() })
	}
	wg.Wait()
	for _, f := range found {
		list = append(list, f...)
	}
	return list
}

// Write prints findings for a person, and reports whether there is no fault.
func Write(w io.Writer, list []Finding) (well bool) {
	well = true
	width := 0
	for _, f := range list {
		width = max(width, len(f.What))
	}
	for _, f := range list {
		well = well && f.Grade != Fault
		fmt.Fprintf(w, "%-5s  %-*s  %s\n", f.Grade, width, f.What, oneLine(f.Says))
		if f.Mend != "" {
			fmt.Fprintf(w, "%-5s  %-*s  → %s\n", "", width, "", oneLine(f.Mend))
		}
	}
	end := "doctor.well"
	if !well {
		end = "doctor.faults"
	}
	fmt.Fprintf(w, "\n%s\n", assets.Say(end))
	return well
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func good(what, says string) Finding        { return Finding{what, Good, says, ""} }
func note(what, says, mend string) Finding  { return Finding{what, Note, says, mend} }
func fault(what, says, mend string) Finding { return Finding{what, Fault, says, mend} }

func checkWorkspace(cfg Config) (*workspace.Dir, []Finding) {
	what := assets.Say("doctor.workspace")
	path, err := workspace.Locate(cfg.Getenv)
	var dir *workspace.Dir
	if err == nil {
		dir, err = workspace.Open(path)
	}
	if err != nil {
		return nil, []Finding{fault(what, err.Error(), "")}
	}
	app := good(assets.Say("doctor.running"), assets.Say("doctor.running.no"))
	if pid := cfg.Running(dir); pid != 0 {
		app.Says = assets.Say("doctor.running.yes", pid)
	}
	return dir, []Finding{good(what, dir.Root), app}
}

func checkSettings(cfg Config, dir *workspace.Dir) (*settings.Store, []Finding) {
	what, root := assets.Say("doctor.settings"), ""
	if dir != nil {
		root = dir.Root
	}
	set, err := settings.Open(root, cfg.Getenv)
	if err != nil {
		return nil, []Finding{fault(what, err.Error(), "")}
	}
	var list []Finding
	for _, notice := range set.Notices() {
		list = append(list, note(what, notice, ""))
	}
	if len(list) == 0 {
		list = append(list, good(what, assets.Say("doctor.settings.good")))
	}
	return set, list
}
