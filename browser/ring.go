package browser

// ringSize is how many entries the logs of a tab hold.
const ringSize = 500

// ring keeps the last entries of a log.
type ring[T any] struct {
	size  int
	items []T
	total int
}

func newRing[T any](size int) ring[T] { return ring[T]{size: size} }

// add appends an entry and returns the one that fell out, if any did.
func (r *ring[T]) add(v T) (out T, fell bool) {
	r.total++
	if len(r.items) == r.size {
		out, fell = r.items[0], true
		copy(r.items, r.items[1:])
		r.items = r.items[:r.size-1]
	}
	r.items = append(r.items, v)
	return out, fell
}

// last returns a copy of the newest n entries, oldest first; n <= 0 means all.
func (r *ring[T]) last(n int) []T {
	items := r.items
	if n > 0 && n < len(items) {
		items = items[len(items)-n:]
	}
	return append([]T(nil), items...)
}
