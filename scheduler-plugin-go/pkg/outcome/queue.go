package outcome

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Why events were dropped; the values of the metric's reason label.
const (
	// DroppedFull events found no room in the queue.
	DroppedFull = "queue_full"
	// DroppedRefused events are those that the service takes from nobody.
	DroppedRefused = "refused"
	// DroppedStopped events were still waiting when the scheduler stopped.
	DroppedStopped = "stopped"
)

// Options of a Queue.
type Options struct {
	Scheduler     string
	Size, Batch   int
	FlushInterval time.Duration
	// Timeout of one delivery.
	Timeout time.Duration
	// Resync is how often a full list is wanted though nothing is known to be lost.
	Resync time.Duration
	// RepairAfter the last dropped event a full list is wanted. Longer than the service leaves pods alone that it heard
	// of just before a list, so that one list repairs all but reservations, which have a limit of their own there.
	// New instances of the service are told no more often.
	RepairAfter time.Duration
	// Post delivers a batch and returns the instance of the service that took it.
	Post func(ctx context.Context, body []byte) (instance string, err error)
	// Refused says whether sending the same again is useless.
	Refused func(error) bool
	// Hurried says whether somebody waits for scores, which are the better the sooner the service hears of each pod.
	Hurried func() bool

	OnDrop          func(n int, reason string)
	OnDepth, OnSent func(n int)
	OnFailure       func()
}

// Queue is safe for concurrent use; Add never blocks.
type Queue struct {
	options Options
	events  chan Event
	// ofLists has a place for every event of a full list that is among them: half of all, the others are for what happens meanwhile.
	ofLists chan struct{}
	open    atomic.Bool
	lists   atomic.Uint64
	// wanted holds one wish for a full list: the list that answers it repairs whatever was lost before.
	wanted chan struct{}
	// lost is when an event was last dropped, in Unix nanoseconds; 0 when all losses are repaired.
	lost atomic.Int64

	// Of the sender alone.
	batch         []Event
	refusalLogged time.Time

	mu       sync.Mutex
	answered []string  // instances of the service, the newest last
	unlisted bool      // one that is new waits for its full list
	listed   time.Time // when one was last wanted for a new instance
}

// instancesKept are more than restarts within the time that a reply may be late; a wrong service may have any number.
const instancesKept = 16

// NewQueue makes a queue that takes nothing until Open; Run sends.
func NewQueue(o Options) *Queue {
	return &Queue{options: o, events: make(chan Event, o.Size), ofLists: make(chan struct{}, max(1, o.Size/2)), wanted: make(chan struct{}, 1)}
}

// Open begins to take events, and wants a full list of what happened before. Only the scheduler that leads opens its
// queue: of several, each would report the same pods.
func (q *Queue) Open() {
	if !q.open.Swap(true) {
		q.wantList()
	}
}

// Add queues an event, or drops and counts it where the queue is full.
func (q *Queue) Add(e Event) {
	if !q.open.Load() {
		return
	}
	select {
	case q.events <- e:
		q.options.OnDepth(len(q.events))
	default:
		q.lost.Store(time.Now().UnixNano())
		q.options.OnDrop(1, DroppedFull)
	}
}

// NoteInstance notes which instance of the service answered; one that never did before is told of all pods. The first
// of all is not new: the full list of the start is on its way to it. Nor is one that answered before: that is a late
// reply of the one before the restart, which must not be taken for another restart.
func (q *Queue) NoteInstance(instance string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if instance == "" || slices.Contains(q.answered, instance) {
		return
	}
	q.unlisted = len(q.answered) > 0
	q.answered = append(q.answered, instance)
	if len(q.answered) > instancesKept {
		q.answered = slices.Delete(q.answered, 0, 1)
	}
	q.listForNew(time.Now())
}
