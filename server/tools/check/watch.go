package check

import (
	"context"
	"fmt"
	"time"

	"chaperone/browser"
	"chaperone/browser/page"
	"chaperone/server/tool"
	"chaperone/server/tools/acted"
)

type watchArgs struct {
	tool.InSession
	DurationMs int `json:"durationMs" jsonschema:"how long" min:"50" max:"120000"`
	SampleMs   int `json:"sampleMs,omitempty" jsonschema:"between two looks, default 200; what changes the page is seen at once" min:"50" max:"10000"`
}

// Limits of what is written out; the rest is counted.
const (
	mostLines    = 50
	mostRequests = 50
	mostMessages = 20
)

type watched struct {
	OK         bool            `json:"ok"`
	DurationMs int64           `json:"durationMs"`
	Samples    int             `json:"samples"`
	Regions    []page.Region   `json:"regions"`
	Console    watchedConsole  `json:"console"`
	Network    watchedNetwork  `json:"network"`
	WSFrames   []acted.WSFrame `json:"wsFrames"`
	Warnings   []string        `json:"warnings,omitempty"`
}

type watchedConsole struct {
	Recent     []line `json:"recent"`
	PageErrors []line `json:"pageErrors"`
}

type watchedNetwork struct {
	Summary  acted.Summary   `json:"summary"`
	Requests []acted.Request `json:"requests"`
}

// line is one of a console.
type line struct {
	TS   int64  `json:"ts"`
	Type string `json:"type"`
	Text string `json:"text"`
}

func watch(d Deps) tool.Tool {
	return tool.New(tool.Info{
		Name: "watch", Title: "Watch the page",
		Does: "Watches the page for a while without touching it: which parts appeared and disappeared, and when, and what went through console, network and sockets. " +
			"Actions of other calls go on meanwhile." + untrusted,
		Needs: tool.Read, Effect: tool.Reads, Pages: true, Site: true, Limit: tool.Unlimited,
	}, func(ctx context.Context, a watchArgs) (tool.Result, error) {
		t, err := d.Open.Tab(a.Session)
		if err != nil {
			return tool.Result{}, err
		}
		if a.SampleMs == 0 {
			a.SampleMs = 200
		}
		began := time.Now()
		// A page that does not answer holds a look up, but not the end.
		limited, cancel := context.WithTimeoutCause(ctx, time.Duration(a.DurationMs)*time.Millisecond+10*time.Second, fmt.Errorf("the page did not answer while it was watched"))
		defer cancel()
		seen, err := page.Observe(limited, t, time.Duration(a.DurationMs)*time.Millisecond, time.Duration(a.SampleMs)*time.Millisecond)
		if err != nil {
			return tool.Result{}, err
		}
		w := &watched{OK: true, DurationMs: time.Since(began).Milliseconds(), Samples: seen.Samples, Regions: seen.Regions, Warnings: seen.Warnings, WSFrames: []acted.WSFrame{}}
		for i := range w.Regions {
			w.Regions[i].Name = d.short(w.Regions[i].Name, mostWords)
		}
		if seen.Left > 0 {
			w.warn(seen.Left, "parts that came or went")
		}
		w.console(t, began)
		w.network(t, began, d.OffList)
		return tool.Result{Value: w}, nil
	})
}

func (w *watched) warn(n int, what string) {
	w.Warnings = append(w.Warnings, fmt.Sprintf("%d more %s are left out", n, what))
}

func (w *watched) console(t *browser.Tab, since time.Time) {
	recent, failed := t.Console(0)
	keep := func(list []browser.ConsoleMessage, what string) []line {
		out := []line{}
		for _, m := range list {
			if !m.Time.Before(since) {
				out = append(out, line{m.Time.UnixMilli(), m.Type, m.Text})
			}
		}
		if n := len(out) - mostLines; n > 0 {
			w.warn(n, what)
			out = out[n:]
		}
		return out
	}
	w.Console = watchedConsole{keep(recent, "lines of the console"), keep(failed, "page errors")}
}

func (w *watched) network(t *browser.Tab, since time.Time, off func(string) bool) {
	w.Network = watchedNetwork{Summary: acted.Summary{ByType: map[string]int{}}, Requests: []acted.Request{}}
	for _, q := range t.Requests(0) {
		if q.Started.Before(since) {
			continue
		}
		w.Network.Summary.Count(q, off)
		w.Network.Requests = append(w.Network.Requests, acted.RequestOf(q))
	}
	if n := len(w.Network.Requests) - mostRequests; n > 0 {
		w.warn(n, "requests")
		w.Network.Requests = w.Network.Requests[n:]
	}
	frames, _ := t.Sockets(0)
	for _, f := range frames {
		if !f.Time.Before(since) {
			w.WSFrames = append(w.WSFrames, acted.FrameOf(f))
		}
	}
	if n := len(w.WSFrames) - mostMessages; n > 0 {
		w.warn(n, "messages")
		w.WSFrames = w.WSFrames[n:]
	}
}
