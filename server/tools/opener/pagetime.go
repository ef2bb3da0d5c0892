package opener

import (
	"context"
	"fmt"
	"time"
)

// PageTime gives a navigation its time once the browser is there: what the browser took to start is not the page's. own is what
// the call asked for, 0 for what the settings say.
func (o *Opener) PageTime(ctx context.Context, session string, own int) (context.Context, context.CancelFunc) {
	limit := time.Duration(o.Settings.Int(session, "navigationTimeoutMs")) * time.Millisecond
	if own > 0 || limit <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, limit, &lateError{limit})
}

// lateError says that a page did not come in the time that the settings give it.
type lateError struct{ after time.Duration }

func (e *lateError) Error() string {
	return fmt.Sprintf("it was not done within %d ms", e.after.Milliseconds())
}

// Advice says what to do about it.
func (e *lateError) Advice() (hint, source string) {
	return "Look at the page, then try again, with a greater timeoutMs if it is slow.", "server"
}
