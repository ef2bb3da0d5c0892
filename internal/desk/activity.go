package desk

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"chaperone/assets"
	"chaperone/server"
	"chaperone/server/journal"
	"chaperone/ui/model"
)

// Calls implements ui.Activity.
func (d *Desk) Calls() []model.Call {
	entries := d.cfg.Journal.Entries(0)
	list := make([]model.Call, 0, len(entries))
	for _, e := range slices.Backward(entries) {
		c := callOf(e)
		if !c.Running {
			d.tellMore(&c, e)
		}
		list = append(list, c)
	}
	return list
}

// glance is what a person wants to know of a call that only its result says.
type glance struct{ target, origin string }

// glancesKept bounds the memory for glances: twice the journal.
const glancesKept = 2 * journal.Size

var refForm = regexp.MustCompile(`^e[0-9]+$`)

// tellMore adds to a call where it happened, and the name of the element that a ref stood for. A result is read once.
func (d *Desk) tellMore(c *model.Call, e journal.Entry) {
	d.mu.Lock()
	g, known := d.glances[e.ID]
	d.mu.Unlock()
	if !known {
		g = glanceAt(e.Result)
		d.mu.Lock()
		if len(d.glances) >= glancesKept {
			clear(d.glances)
		}
		d.glances[e.ID] = g
		d.mu.Unlock()
	}
	c.Origin = g.origin
	if g.target != "" && (c.Target == "" || refForm.MatchString(c.Target)) {
		c.Target = g.target
	}
}

func glanceAt(result string) glance {
	if address, ok := strings.CutPrefix(result, "url: "); ok { // a snapshot
		address, _, _ = strings.Cut(address, "\n")
		return glance{origin: originOf(address)}
	}
	var r struct {
		URL        string `json:"url"`
		Navigation struct {
			To string `json:"to"`
		} `json:"navigation"`
		Element struct {
			Role string `json:"role"`
			Name string `json:"name"`
		} `json:"element"`
	}
	if json.Unmarshal([]byte(result), &r) != nil {
		return glance{}
	}
	g := glance{origin: originOf(r.Navigation.To)}
	if g.origin == "" {
		g.origin = originOf(r.URL)
	}
	if r.Element.Name != "" {
		g.target = "“" + r.Element.Name + "”"
	}
	return g
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
		c.Pending, c.Outcome = true, assets.Say("desk.outcome.pending")
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
	for _, alias := range slices.Sorted(maps.Keys(e.Hidden)) {
		detail.Hidden = append(detail.Hidden, model.HiddenValue{Alias: alias, Times: e.Hidden[alias]})
	}
	detail.Typed = typedBy(e, d.cfg.Uses())
	return detail, nil
}

// typedBy picks the uses of secrets that belong to a call: those of its client and session, while it ran.
func typedBy(e journal.Entry, uses []server.Use) (list []model.TypedSecret) {
	end := e.At.Add(time.Duration(e.Millis+1) * time.Millisecond)
	for _, u := range uses {
		if u.Session != e.Session || u.Client != e.Client || u.At.Before(e.At) || e.Outcome != journal.Running && u.At.After(end) {
			continue
		}
		if t := (model.TypedSecret{Alias: u.Alias, Site: u.Site}); !slices.Contains(list, t) {
			list = append(list, t)
		}
	}
	return list
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
