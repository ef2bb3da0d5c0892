package page

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"chaperone/browser"
)

// Region is a part of the page that came or went while it was watched.
type Region struct {
	Role        string `json:"role"`
	Name        string `json:"name"`
	Ref         string `json:"ref,omitempty"` // while it is there
	Appeared    *int   `json:"appearedAtMs"`
	Disappeared *int   `json:"disappearedAtMs"`
}

// Seen is what a watch saw.
type Seen struct {
	Samples  int
	Regions  []Region
	Left     int // regions that are not listed
	Warnings []string
}

var samplings atomic.Int64

// mostSampled bounds the frames that are watched, and mostRegions what is told.
const (
	mostSampled = 8
	mostRegions = 60
)

// sampled is a frame that is watched.
type sampled struct {
	frame *browser.Frame
	doc   string
	began time.Time
}

// Observe watches the page until ctx ends or the time is over. It holds no action up.
func Observe(ctx context.Context, t *browser.Tab, during, every time.Duration) (Seen, error) {
	if err := t.Err(); err != nil {
		return Seen{}, err
	}
	s := Seen{Regions: []Region{}}
	id := samplings.Add(1)
	began := time.Now()
	end := began.Add(during)
	watched := map[*browser.Frame]*sampled{}
	unread := 0
	for {
		frames := t.Frames()
		if len(frames) > mostSampled {
			unread = max(unread, len(frames)-mostSampled)
			frames = frames[:mostSampled]
		}
		for _, f := range frames {
			w := watched[f]
			doc := f.Document()
			limit, cancel := context.WithTimeout(ctx, min(2*time.Second, max(300*time.Millisecond, every)))
			if w == nil || w.doc != doc {
				if doc != "" && call(limit, f, "regionsStart", map[string]any{"id": id, "fresh": s.Samples > 0}, &given{}) == nil {
					watched[f] = &sampled{f, doc, time.Now()}
				}
			} else {
				_ = call(limit, f, "regionsRead", map[string]any{"id": id}, &given{})
			}
			cancel()
			if ctx.Err() != nil {
				break
			}
		}
		s.Samples++
		wait := min(every, time.Until(end))
		if wait <= 0 {
			break
		}
		select {
		case <-time.After(wait):
			continue
		case <-t.Closed():
			s.Warnings = append(s.Warnings, "the tab was closed meanwhile")
		case <-ctx.Done():
			leave(ctx, t, id, watched)
			return s, context.Cause(ctx)
		}
		break
	}
	gone := 0
	for _, w := range watched {
		if t.Err() != nil {
			break
		}
		if w.frame.Document() != w.doc {
			gone++
			continue
		}
		var out struct {
			given
			Known   bool     `json:"known"`
			Regions []Region `json:"regions"`
			Left    int      `json:"left"`
			More    bool     `json:"more"`
		}
		limit, cancel := context.WithTimeout(ctx, 2*time.Second)
		err := call(limit, w.frame, "regionsRead", map[string]any{"id": id, "end": true, "most": mostRegions}, &out)
		cancel()
		if err != nil || !out.Known {
			gone++
			continue
		}
		offset := int(w.began.Sub(began).Milliseconds())
		for _, r := range out.Regions {
			for _, at := range []*int{r.Appeared, r.Disappeared} {
				if at != nil {
					*at += offset
				}
			}
			s.Regions = append(s.Regions, r)
		}
		s.Left += out.Left
		if out.More {
			s.Warnings = append(s.Warnings, "the page is longer than what is watched of it")
		}
	}
	slices.SortStableFunc(s.Regions, func(a, b Region) int { return cmp.Compare(a.when(), b.when()) })
	if n := len(s.Regions) - mostRegions; n > 0 {
		s.Regions, s.Left = s.Regions[:mostRegions], s.Left+n
	}
	if unread > 0 {
		s.Warnings = append(s.Warnings, fmt.Sprintf("%d more frames were not watched", unread))
	}
	if gone > 0 {
		s.Warnings = append(s.Warnings, fmt.Sprintf("%d documents were left meanwhile; what came and went in them is not known", gone))
	}
	return s, nil
}

// leave ends a watch that nobody waits for any more.
func leave(ctx context.Context, t *browser.Tab, id int64, watched map[*browser.Frame]*sampled) {
	quick, cancel := context.WithTimeout(context.WithoutCancel(ctx), 50*time.Millisecond)
	defer cancel()
	for _, w := range watched {
		if t.Err() == nil && w.frame.Document() == w.doc {
			_ = call(quick, w.frame, "regionsRead", map[string]any{"id": id, "end": true, "most": 0}, &given{})
		}
	}
}

func (r Region) when() int {
	if r.Appeared != nil {
		return *r.Appeared
	}
	if r.Disappeared != nil {
		return *r.Disappeared
	}
	return 0
}
