package page

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"chaperone/browser"

	"github.com/chromedp/cdproto/animation"
	"github.com/chromedp/cdproto/cdp"
)

// stopped is how many pictures are being taken for which the animations of a session stand still.
var stopped = struct {
	sync.Mutex
	by map[cdp.Session]int
}{by: map[cdp.Session]int{}}

// holdStill has the animations of all frames stand still until release is called, which has to be: what moves while a picture is
// taken and is back before anybody looks would not be covered.
func holdStill(ctx context.Context, t *browser.Tab) (release func(), err error) {
	var held []cdp.Session
	release = func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		for _, s := range held {
			stopped.Lock()
			stopped.by[s]--
			last := stopped.by[s] == 0
			if last {
				delete(stopped.by, s)
			}
			stopped.Unlock()
			if last {
				// A session that has gone has no animations.
				_, _ = cdp.Call(ctx, s, animation.SetPlaybackRate, animation.SetPlaybackRateParams{PlaybackRate: 1})
				_, _ = cdp.Call(ctx, s, animation.Disable, cdp.Empty{})
			}
		}
	}
	for _, f := range t.Frames() {
		s := f.Session()
		if f.Parent() != nil && !f.OutOfProcess() {
			continue
		}
		stopped.Lock()
		stopped.by[s]++
		stopped.Unlock()
		held = append(held, s)
		_, err := cdp.Call(ctx, s, animation.Enable, cdp.Empty{})
		if err == nil {
			_, err = cdp.Call(ctx, s, animation.SetPlaybackRate, animation.SetPlaybackRateParams{})
		}
		if err != nil && !(errors.Is(err, browser.ErrTargetGone) && f.Parent() != nil) {
			release()
			return nil, err
		}
	}
	// What the compositor moves by itself stops with the next frame that the page draws.
	for _, f := range t.Frames() {
		if f.Parent() != nil && !f.OutOfProcess() {
			continue
		}
		if err := f.Call(ctx, "framesDrawn", struct{}{}, nil); err != nil && f.Parent() == nil {
			release()
			return nil, err
		}
	}
	return release, nil
}

// isStill reports whether the animations of all frames stand still.
func isStill(ctx context.Context, t *browser.Tab) bool {
	for _, f := range t.Frames() {
		if f.Parent() != nil && !f.OutOfProcess() {
			continue
		}
		rate, err := cdp.Call(ctx, f.Session(), animation.GetPlaybackRate, cdp.Empty{})
		if err != nil || rate.PlaybackRate != 0 {
			return false
		}
	}
	return true
}

var placeWatches atomic.Int64

// watchPlaces watches in all frames whether what the last look around found moves until the returned function is called, which
// reports it.
func watchPlaces(ctx context.Context, t *browser.Tab) (moved func() (bool, error), err error) {
	n := placeWatches.Add(1)
	frames := t.Frames()
	call := func(start bool) (found bool, err error) {
		for _, f := range frames {
			var r struct{ Moved bool }
			err := f.Call(ctx, "placesHeld", map[string]any{"watch": n, "start": start}, &r)
			if err != nil && f.Parent() == nil {
				return false, err
			}
			found = found || r.Moved
		}
		return found, nil
	}
	if _, err := call(true); err != nil {
		return nil, err
	}
	return func() (bool, error) { return call(false) }, nil
}
