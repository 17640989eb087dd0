package client

import (
	"context"
	"errors"
	"time"

	"github.com/sony/gobreaker/v2"
)

// BreakerOptions tune the circuit breaker.
type BreakerOptions struct {
	// Window is how many of the last calls are looked at.
	Window int
	// FailurePercent of the window that must have failed for the breaker to open.
	FailurePercent int
	// OpenFor is how long it stays open before one call is tried.
	OpenFor time.Duration
}

// newBreaker opens on a share of failures, not on failures in a row: one good answer in five must not keep a service
// in use that costs four pods the deadline.
func newBreaker(o BreakerOptions, onState func(string)) *gobreaker.CircuitBreaker[*Reply] {
	// gobreaker calls all of these under its own lock.
	last := &window{failed: make([]bool, o.Window), limit: max(1, (o.Window*o.FailurePercent+99)/100)}
	return gobreaker.NewCircuitBreaker[*Reply](gobreaker.Settings{
		Name:        "berth",
		MaxRequests: 1,
		Timeout:     o.OpenFor,
		IsExcluded:  func(err error) bool { return errors.Is(err, context.Canceled) },
		IsSuccessful: func(err error) bool {
			ok := err == nil || Refused(err) // a refusal belongs to that one pod
			last.note(!ok)
			return ok
		},
		ReadyToTrip: func(gobreaker.Counts) bool { return last.failures >= last.limit },
		OnStateChange: func(_ string, _, to gobreaker.State) {
			last.clear()
			onState(to.String())
		},
	})
}

// window remembers how the last calls went. Not safe for concurrent use.
type window struct {
	failed          []bool
	next            int
	failures, limit int
}

func (w *window) note(failed bool) {
	if w.failed[w.next] {
		w.failures--
	}
	if failed {
		w.failures++
	}
	w.failed[w.next] = failed
	w.next = (w.next + 1) % len(w.failed)
}

func (w *window) clear() {
	clear(w.failed)
	w.failures = 0
}
