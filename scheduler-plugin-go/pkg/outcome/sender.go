package outcome

import (
	"context"
	"time"

	"k8s.io/klog/v2"

	"berth.dev/scheduler-plugin/pkg/appendjson"
)

const (
	// slowest is how long the sender waits between two tries when the service keeps failing.
	slowest = 5 * time.Second
	// leisure is how many flush intervals a batch waits for more while nobody waits for scores: each batch is a request and a
	// commit, and shadow mode should cost a burst next to nothing.
	leisure = 4
)

// Run sends until ctx ends. A batch that could not be delivered is kept and tried again; meanwhile the queue fills, and
// when it is full it drops. Flush sends what is left.
func (q *Queue) Run(ctx context.Context) {
	ticker, resync := time.NewTicker(q.options.FlushInterval), time.NewTicker(q.options.Resync)
	defer ticker.Stop()
	defer resync.Stop()
	wait, let := q.options.FlushInterval, 0
	for {
		select {
		case <-ctx.Done():
			return
		case <-resync.C:
			if q.open.Load() {
				q.wantList()
			}
			continue
		case now := <-ticker.C:
			q.repair(now)
		}
		if let++; let < leisure && len(q.events) < q.options.Batch && !q.options.Hurried() {
			continue
		}
		let = 0
		if err := q.drain(ctx); err != nil {
			q.options.OnFailure()
			klog.FromContext(ctx).V(2).Info("Berth outcomes not delivered, will try again", "events", len(q.batch), "err", err)
			wait, let = min(2*wait, slowest), leisure // what failed is tried at the next tick
			ticker.Reset(wait)
		} else if wait != q.options.FlushInterval {
			wait = q.options.FlushInterval
			ticker.Reset(wait)
		}
		q.options.OnDepth(len(q.events) + len(q.batch))
	}
}

// Flush gives what waits one try after Run has ended: these pods are bound, and a new scheduler would report them as
// assigned only, without the decision. What ctx leaves no time for is dropped; the next full list makes up for it.
func (q *Queue) Flush(ctx context.Context) {
	if err := q.drain(ctx); err != nil {
		q.options.OnDrop(len(q.batch)+len(q.events), DroppedStopped)
	}
}

// drain sends batches until nothing waits.
func (q *Queue) drain(ctx context.Context) error {
	for more := true; more; {
		if more = q.fill(); len(q.batch) == 0 {
			return nil
		}
		rest, err := q.deliver(ctx, q.batch)
		q.batch = q.batch[:copy(q.batch, rest)]
		if err != nil {
			return err
		}
	}
	return nil
}

// fill takes what waits, up to a batch; more says that the batch is full.
func (q *Queue) fill() (more bool) {
	for len(q.batch) < q.options.Batch {
		select {
		case e := <-q.events:
			if e.listed {
				<-q.ofLists
			}
			q.batch = append(q.batch, e)
		default:
			return false
		}
	}
	return true
}

// deliver sends a batch. What the service refuses is halved until the event that it will not have stands alone; that
// one is dropped, for it would be refused for ever and hold up all others. It returns what is still to be sent.
func (q *Queue) deliver(ctx context.Context, batch []Event) (rest []Event, err error) {
	err = q.send(ctx, batch)
	if err == nil {
		return nil, nil
	}
	if !q.options.Refused(err) {
		return batch, err
	}
	if len(batch) == 1 {
		q.refused(ctx, batch[0], err)
		return nil, nil
	}
	half := len(batch) / 2
	if rest, err := q.deliver(ctx, batch[:half]); err != nil {
		return batch[half-len(rest):], err
	}
	return q.deliver(ctx, batch[half:])
}

// refused names the event in the log, at most once in ten seconds.
func (q *Queue) refused(ctx context.Context, e Event, err error) {
	q.options.OnDrop(1, DroppedRefused)
	if now := time.Now(); now.Sub(q.refusalLogged) >= 10*time.Second {
		q.refusalLogged = now
		uid := e.UID
		if e.Pod != nil {
			uid = e.Pod.UID
		}
		klog.FromContext(ctx).Error(err, "Berth's service refuses an outcome event, it is dropped", "type", e.Type, "uid", uid)
	}
}

func (q *Queue) send(ctx context.Context, batch []Event) error {
	callCtx, cancel := context.WithTimeout(ctx, q.options.Timeout)
	defer cancel()
	instance, err := q.options.Post(callCtx, q.encode(batch))
	if err != nil {
		return err
	}
	q.options.OnSent(len(batch))
	for _, e := range batch {
		if e.acknowledged != nil {
			e.acknowledged()
		}
	}
	q.NoteInstance(instance)
	return nil
}

// eventBytes is what an event of a pod of usual names takes.
const eventBytes = 400

func (q *Queue) encode(batch []Event) []byte {
	b := appendjson.Field(make([]byte, 0, eventBytes*(len(batch)+1)), `{"scheduler":`, q.options.Scheduler)
	b = time.Now().UTC().AppendFormat(append(b, `,"sentAt":"`...), time.RFC3339Nano)
	b = append(b, `","events":[`...)
	folded := foldReservations(batch)
	for i := range batch {
		if !folded[i] {
			b = append(batch[i].appendTo(b), ',')
		}
	}
	if b[len(b)-1] == ',' {
		b = b[:len(b)-1]
	}
	return append(b, "]}"...)
}

// foldReservations marks the reservations that a later event of the batch says again: the bind of the same pod to the same
// node. Of pods that the service was asked about both are sent, for they are told apart in what is kept of a decision.
func foldReservations(batch []Event) []bool {
	folded := make([]bool, len(batch))
	next := make(map[string]*Event, len(batch)/2) // of the pod, after the one that is looked at
	for i := len(batch) - 1; i >= 0; i-- {
		e := &batch[i]
		if e.Pod == nil {
			continue
		}
		later := next[e.Pod.UID]
		folded[i] = e.Type == Reserved && e.Decision == "" && later != nil && later.Type == Bound && later.Node == e.Node
		next[e.Pod.UID] = e
	}
	return folded
}
