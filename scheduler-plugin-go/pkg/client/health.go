package client

import "sync"

// Health is a turn for the worse or for the better.
type Health struct {
	Failing bool
	// Address is where the last connection went: of a host name, what it resolved to.
	Address string
	// Err is the last error; nil when calls work again.
	Err error
}

// inARow calls must agree before a turn is told: a single late answer is no news, and a service that answers one call
// in five has not recovered.
const inARow = 3

// health turns the fate of single calls into one word when they begin to fail and one when they work again. Safe for
// concurrent use.
type health struct {
	tell func(Health)

	mu      sync.Mutex
	failing bool
	open    bool // the breaker is not closed: batches that arrive do not say that scores come
	against int  // calls in a row that speak against the present state
	failure Health
}

func (h *health) note(address string, err error) {
	failed := err != nil && !Refused(err) // one that refuses is there
	news := Health{Address: address}
	h.mu.Lock()
	if failed {
		news.Failing, news.Err = true, err
		h.failure = news
	}
	turned := false
	if failed == h.failing || !failed && h.open {
		h.against = 0
	} else if h.against++; h.against >= inARow {
		h.failing, h.against, turned = failed, 0, true
	}
	h.mu.Unlock()
	if turned {
		h.tell(news)
	}
}

// stopped says that the breaker has opened: failures that are many, though never in a row, are a turn too.
func (h *health) stopped() {
	h.mu.Lock()
	turned := !h.failing
	h.failing, h.open, h.against = true, true, 0
	failure := h.failure
	h.mu.Unlock()
	if turned {
		h.tell(failure)
	}
}

// resumed says that the breaker has closed.
func (h *health) resumed() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.open = false
}
