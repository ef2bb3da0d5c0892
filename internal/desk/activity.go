package desk

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"chaperone/assets"
	"chaperone/server/journal"
	"chaperone/ui/model"
)

// Calls implements ui.Activity.
func (d *Desk) Calls() []model.Call {
	entries := d.cfg.Journal.Entries(0)
	list := make([]model.Call, 0, len(entries))
	for _, e := range slices.Backward(entries) {
		list = append(list, callOf(e))
	}
	return list
}

func callOf(e journal.Entry) model.Call {
	c := model.Call{
		ID: strconv.FormatUint(e.ID, 10), At: e.At, Agent: model.Agent{ID: e.ClientID, Name: e.Client, Program: e.Program, PID: e.PID},
		Browser: e.Session, Tool: e.Tool, Target: e.Target, Tokens: e.Tokens, Took: time.Duration(e.Millis) * time.Millisecond,
	}
	switch e.Outcome {
	case journal.Running:
		c.Running = true
	case journal.OK:
		c.Outcome = assets.Say("desk.outcome.ok")
	case journal.Pending:
		c.Outcome = assets.Say("desk.outcome.pending")
	default:
		c.Failed = true
		c.Outcome = e.Error
		if c.Outcome == "" {
			c.Outcome = assets.Say("desk.outcome." + string(e.Outcome))
		}
	}
	return c
}

// Call implements ui.Activity.
func (d *Desk) Call(id string) (model.CallDetail, error) {
	n, err := strconv.ParseUint(id, 10, 64)
	if err != nil {
		return model.CallDetail{}, fmt.Errorf("%q is no call", id)
	}
	e, ok := d.cfg.Journal.Entry(n)
	if !ok {
		return model.CallDetail{}, fmt.Errorf("call %s is no longer kept", id)
	}
	detail := model.CallDetail{Arguments: string(e.Arguments), Result: e.Result}
	if len(e.Pictures) > 0 {
		detail.Picture = e.Pictures[0].Data
	}
	return detail, nil
}

// Export implements ui.Activity.
func (d *Desk) Export(f model.Filter) (string, error) {
	if err := os.MkdirAll(d.cfg.Exports, 0o700); err != nil {
		return "", err
	}
	name := filepath.Join(d.cfg.Exports, "activity-"+time.Now().Format("2006-01-02-150405")+".jsonl")
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for _, e := range d.cfg.Journal.Entries(0) {
		c := callOf(e)
		if f.Agent != "" && c.Agent.Name != f.Agent || f.Browser != "" && c.Browser != f.Browser || f.Failures && !c.Failed {
			continue
		}
		if err := enc.Encode(e); err != nil {
			return "", fmt.Errorf("the export of call %d: %w", e.ID, err)
		}
	}
	return name, os.WriteFile(name, []byte(b.String()), 0o600)
}
