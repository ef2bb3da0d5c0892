package ui

import (
	"context"
	"sync"
	"time"

	"fyne.io/fyne/v2"

	"chaperone/ui/model"
)

// clipTime is how long a value that was copied here stays in the clipboard.
const clipTime = 30 * time.Second

// clip copies values, and takes each out of the clipboard again if it is still there after clipTime.
type clip struct {
	board func() fyne.Clipboard
	after func(time.Duration) <-chan time.Time
	do    func(func(ctx context.Context) func()) // works off the window's thread; what is returned runs on it

	mu   sync.Mutex
	last model.Value
	turn int
}

// copy puts a value into the clipboard.
func (c *clip) copy(v model.Value) {
	_ = v.Use(func(text string) error { c.board().SetContent(text); return nil })
	c.mu.Lock()
	c.turn++
	c.last = v
	turn := c.turn
	c.mu.Unlock()
	over := c.after(clipTime)
	c.do(func(ctx context.Context) func() {
		select {
		case <-over:
		case <-ctx.Done():
			return nil
		}
		return func() { c.clear(turn) }
	})
}

// clear takes the value of a turn out of the clipboard, if nobody has put something else there; zero is the last one.
func (c *clip) clear(turn int) {
	c.mu.Lock()
	v := c.last
	current := !v.Empty() && (turn == 0 || turn == c.turn)
	if current {
		c.last = model.Value{}
	}
	c.mu.Unlock()
	if !current {
		return
	}
	if board := c.board(); v.Same(model.NewValue(board.Content())) {
		board.SetContent("")
	}
}
