package outcome

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"k8s.io/klog/v2"
)

// Options of a Queue.
type Options struct {
	Scheduler     string
	Size, Batch   int
	FlushInterval time.Duration
	// Timeout of one delivery.
	Timeout time.Duration
	// Post delivers a batch and returns the instance of the service that took it.
	Post func(ctx context.Context, body []byte) (instance string, err error)

	OnDrop, OnDepth, OnSent func(n int)
	OnFailure               func()
}

// Queue is safe for concurrent use; Add never blocks.
type Queue struct {
	options Options
	events  chan Event

	mu          sync.Mutex
	answered    map[string]bool // instances of the service that answered so far
	newInstance func()
	announce    chan struct{}
}

// NewQueue makes a queue; Run sends.
func NewQueue(o Options) *Queue {
	return &Queue{
		options:     o,
		events:      make(chan Event, o.Size),
		answered:    map[string]bool{},
		newInstance: func() {},
		announce:    make(chan struct{}, 1),
	}
}

// OnNewInstance sets what happens when the service turns out to be another instance than before.
func (q *Queue) OnNewInstance(f func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.newInstance = f
}

// Add queues an event, or drops and counts it where the queue is full.
func (q *Queue) Add(e Event) {
	select {
	case q.events <- e:
		q.options.OnDepth(len(q.events))
	default:
		q.options.OnDrop(1)
	}
}

// AddAll queues a list however long it is, waiting for room; only ctx ends that early. Not for the scheduling loop.
// Events that are not (or no longer) wanted when their turn comes are left out; it returns the others.
func (q *Queue) AddAll(ctx context.Context, events []Event, wanted func(Event) bool) (added []Event) {
	for _, e := range events {
		if !wanted(e) {
			continue
		}
		select {
		case q.events <- e:
			added = append(added, e)
		case <-ctx.Done():
			return added
		}
	}
	return added
}

// NoteInstance notes which instance of the service answered; one that never did before is told of all pods. The first
// of all is not new: the full list of the start is on its way to it. Nor is one that answered before: that is a late
// reply of the one before the restart, which must not be taken for another restart.
func (q *Queue) NoteInstance(instance string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if instance == "" || q.answered[instance] {
		return
	}
	first := len(q.answered) == 0
	q.answered[instance] = true
	if first {
		return
	}
	select {
	case q.announce <- struct{}{}:
	default: // one announcement is under way and will name this instance's pods too
	}
}

// Run sends until ctx ends, and then once more what still waits. A batch that fails is kept and tried again; meanwhile
// the queue fills, and when it is full it drops.
func (q *Queue) Run(ctx context.Context) {
	ticker := time.NewTicker(q.options.FlushInterval)
	defer ticker.Stop()
	var batch []Event
	wait := q.options.FlushInterval
	for {
		select {
		case <-ctx.Done():
			q.sendRest(batch)
			return
		case <-q.announce:
			q.mu.Lock()
			f := q.newInstance
			q.mu.Unlock()
			go f() // it adds to the queue that this loop empties
			continue
		case <-ticker.C:
		}
		for more := true; more; {
			batch, more = q.fill(batch)
			if len(batch) == 0 {
				break
			}
			if err := q.send(ctx, batch); err != nil {
				q.options.OnFailure()
				klog.FromContext(ctx).V(2).Info("Berth outcomes not delivered, will try again", "events", len(batch), "err", err)
				wait = min(2*wait, 5*time.Second)
				ticker.Reset(wait)
				break
			}
			if wait != q.options.FlushInterval {
				wait = q.options.FlushInterval
				ticker.Reset(wait)
			}
			q.options.OnSent(len(batch))
			batch = batch[:0]
		}
		q.options.OnDepth(len(q.events) + len(batch))
	}
}

// sendRest gives what waits one try each batch after the scheduler was told to stop: these pods are bound, and a new
// scheduler would report them as assigned only, without the decision.
func (q *Queue) sendRest(batch []Event) {
	ctx, cancel := context.WithTimeout(context.Background(), q.options.Timeout)
	defer cancel()
	for more := true; more; {
		batch, more = q.fill(batch)
		if len(batch) == 0 {
			return
		}
		if err := q.send(ctx, batch); err != nil {
			q.options.OnDrop(len(batch) + len(q.events))
			return
		}
		q.options.OnSent(len(batch))
		batch = batch[:0]
	}
}

// fill takes what waits, up to a batch; more says that the batch is full.
func (q *Queue) fill(batch []Event) (filled []Event, more bool) {
	for len(batch) < q.options.Batch {
		select {
		case e := <-q.events:
			batch = append(batch, e)
		default:
			return batch, false
		}
	}
	return batch, true
}

func (q *Queue) send(ctx context.Context, batch []Event) error {
	body, err := json.Marshal(struct {
		Scheduler string  `json:"scheduler"`
		Events    []Event `json:"events"`
	}{q.options.Scheduler, batch})
	if err != nil {
		return err
	}
	callCtx, cancel := context.WithTimeout(ctx, q.options.Timeout)
	defer cancel()
	instance, err := q.options.Post(callCtx, body)
	if err != nil {
		return err
	}
	q.NoteInstance(instance)
	return nil
}
