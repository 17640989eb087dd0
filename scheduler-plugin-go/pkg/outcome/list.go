package outcome

import (
	"context"
	"strconv"
	"time"
)

// ListWanted says when the service should be told of all pods: at the start, by a new instance of it, after events
// were dropped, and now and then.
func (q *Queue) ListWanted() <-chan struct{} { return q.wanted }

func (q *Queue) wantList() {
	select {
	case q.wanted <- struct{}{}:
	default: // the list that is wanted already will name these pods too
	}
}

// listForNew wants a full list for an instance that is new: at once, but not for every answer of a service that is another
// one each time. The caller holds mu.
func (q *Queue) listForNew(now time.Time) {
	if q.unlisted && now.Sub(q.listed) >= q.options.RepairAfter {
		q.unlisted, q.listed = false, now
		q.wantList()
	}
}

// repair wants a full list once nothing was dropped for a while, and for a new instance once it may.
func (q *Queue) repair(now time.Time) {
	q.mu.Lock()
	q.listForNew(now)
	q.mu.Unlock()
	lost := q.lost.Load()
	if lost != 0 && now.UnixNano()-lost >= int64(q.options.RepairAfter) && q.lost.CompareAndSwap(lost, 0) {
		q.wantList()
	}
}

// List is a full list on its way into the queue. What it does not name is gone, so it must be begun before the pods
// are looked up, and ended only when all of them are in.
type List struct {
	queue *Queue
	id    string
}

// BeginList may wait for room; only ctx ends that early.
func (q *Queue) BeginList(ctx context.Context) (*List, error) {
	l := &List{queue: q, id: q.options.Scheduler + "/" + strconv.FormatUint(q.lists.Add(1), 10)}
	return l, l.Add(ctx, Event{Type: ListBegin, At: time.Now().UTC(), UID: l.id})
}

// Add waits for room rather than drop: a list is as long as the cluster is big. Whoever waits for a place in a channel gets each
// one that comes free, so that beside it Add of a pod finds none: hence the list's own half. Not for the scheduling loop.
func (l *List) Add(ctx context.Context, e Event) error {
	select {
	case l.queue.ofLists <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	e.listed = true
	select {
	case l.queue.events <- e:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// End completes the list; acknowledged is called when the service has all of it.
func (l *List) End(ctx context.Context, acknowledged func()) error {
	return l.Add(ctx, Event{Type: ListEnd, At: time.Now().UTC(), UID: l.id, acknowledged: acknowledged})
}
