package outcome

import (
	"sync"
	"time"
)

// What a score request carries at most. A batch is acknowledged within half a second; what waits for longer is lost, or the
// service is away.
const (
	maxNews    = 64
	newsMaxAge = 10 * time.Second
)

// News are the newest reservations that the service has not acknowledged yet. They go with every score request, so that
// the pods of a burst know of each other though batches are still on their way; a request that is answered has told them,
// and the next one carries what came since. Safe for concurrent use.
type News struct {
	mu      sync.Mutex
	serial  uint64
	entries []newsEntry // oldest first
}

type newsEntry struct {
	serial uint64
	event  Event
}

// Note takes an event in until it is acknowledged; the event must go to the Queue next.
func (n *News) Note(e Event) Event {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.serial++
	serial := n.serial
	if len(n.entries) == maxNews {
		n.entries = n.entries[:copy(n.entries, n.entries[1:])]
	}
	n.entries = append(n.entries, newsEntry{serial, e})
	e.acknowledged = func() { n.forget(serial) }
	return e
}

// Told forgets what a question carried, by the serial that Append returned with it: the question has been answered.
func (n *News) Told(last uint64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	told := 0
	for told < len(n.entries) && n.entries[told].serial <= last {
		told++
	}
	n.entries = n.entries[:copy(n.entries, n.entries[told:])]
}

func (n *News) forget(serial uint64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for i, e := range n.entries {
		if e.serial == serial {
			n.entries = append(n.entries[:i], n.entries[i+1:]...)
			return
		}
	}
}

// Clear forgets all: after a refused request, whose next one must not be refused for the same.
func (n *News) Clear() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.entries = n.entries[:0]
}

// Append writes the fields of a score request that hold the news; nothing when there is none. It also returns the serial of
// the newest, for Told.
func (n *News) Append(b []byte, now time.Time) ([]byte, uint64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for len(n.entries) > 0 && now.Sub(n.entries[0].event.At) > newsMaxAge {
		n.entries = n.entries[:copy(n.entries, n.entries[1:])]
	}
	if len(n.entries) == 0 {
		return b, n.serial
	}
	b = append(now.UTC().AppendFormat(append(b, `,"sentAt":"`...), time.RFC3339Nano), `","events":[`...)
	for i := range n.entries {
		if i > 0 {
			b = append(b, ',')
		}
		b = n.entries[i].event.appendTo(b)
	}
	return append(b, ']'), n.serial
}
