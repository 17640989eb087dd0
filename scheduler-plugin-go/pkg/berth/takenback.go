package berth

import (
	"sync"
	"time"
)

// takenBackKept bounds the reservations that came to nothing between two pods.
const takenBackKept = 1000

// takenBack are the reservations that came to nothing since the scheduling loop looked last. Unreserve runs beside the loop,
// whose rankings, and the rows they name, are nobody else's. Safe for concurrent use.
type takenBack struct {
	mu   sync.Mutex
	pods []takenBackPod
}

type takenBackPod struct {
	node     string
	cpuMilli int64
	reserved time.Time
}

// add leaves out what is more than the loop will come to; such a pod stays counted as long as the ranking holds.
func (t *takenBack) add(p takenBackPod) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.pods) < takenBackKept {
		t.pods = append(t.pods, p)
	}
}

func (t *takenBack) all() []takenBackPod {
	t.mu.Lock()
	defer t.mu.Unlock()
	pods := t.pods
	t.pods = nil
	return pods
}
