package berth

import (
	"sync"
	"time"
)

// rateLimited lets one log line through per interval: a dead service must not fill the log.
type rateLimited struct {
	every time.Duration
	mu    sync.Mutex
	last  time.Time
}

func (r *rateLimited) allow(now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if now.Sub(r.last) < r.every {
		return false
	}
	r.last = now
	return true
}
