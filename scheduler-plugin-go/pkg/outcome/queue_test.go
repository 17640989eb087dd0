package outcome

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// recorder is the service's side: it takes or refuses batches and remembers what it took.
type recorder struct {
	mu       sync.Mutex
	instance string
	refuse   bool
	batches  int
	uids     []string
}

func (r *recorder) post(_ context.Context, body []byte) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.refuse {
		return "", errors.New("refused")
	}
	var message struct{ Events []Event }
	if err := json.Unmarshal(body, &message); err != nil {
		return "", err
	}
	r.batches++
	for _, e := range message.Events {
		r.uids = append(r.uids, e.UID)
	}
	return r.instance, nil
}

func (r *recorder) set(change func(*recorder)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(r)
}

func (r *recorder) got() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string(nil), r.uids...)
}

// counters are what the queue tells its metrics.
type counters struct {
	mu                     sync.Mutex
	dropped, sent, refused int
}

func (c *counters) count(n *int, by int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	*n += by
}

func (c *counters) read(n *int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return *n
}

func newQueue(r *recorder, c *counters, size, batch int) *Queue {
	return NewQueue(Options{
		Scheduler: "s/1", Size: size, Batch: batch, FlushInterval: time.Millisecond, Timeout: time.Second, Post: r.post,
		OnDrop: func(n int) { c.count(&c.dropped, n) }, OnSent: func(n int) { c.count(&c.sent, n) },
		OnDepth: func(int) {}, OnFailure: func() { c.count(&c.refused, 1) },
	})
}

func uids(n int) []string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprint("u", i))
	}
	return all
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatalf("waited 10 s in vain: %s", what)
}

func TestAFullQueueDropsAndCountsAndNeverBlocks(t *testing.T) {
	c := &counters{}
	q := newQueue(&recorder{}, c, 3, 10) // nobody sends
	for _, uid := range uids(5) {
		q.Add(Event{UID: uid})
	}
	if got := c.read(&c.dropped); got != 2 {
		t.Errorf("want 2 of 5 dropped by a queue of 3, got %d", got)
	}
}

func TestWhatTheServiceRefusedIsSentAgainOnceAndInOrder(t *testing.T) {
	r, c := &recorder{refuse: true}, &counters{}
	q := newQueue(r, c, 100, 4)
	for _, uid := range uids(10) {
		q.Add(Event{UID: uid})
	}
	go q.Run(t.Context())
	eventually(t, "a refusal is counted", func() bool { return c.read(&c.refused) > 0 })
	r.set(func(r *recorder) { r.refuse = false })
	eventually(t, "everything arrives", func() bool { return c.read(&c.sent) == 10 })
	if diff := cmp.Diff(uids(10), r.got()); diff != "" {
		t.Errorf("events (-want,+got):\n%s", diff)
	}
	if r.batches != 3 {
		t.Errorf("want 10 events in 3 batches of at most 4, got %d", r.batches)
	}
}

func TestWhatWaitsAtTheEndIsStillSent(t *testing.T) {
	r, c := &recorder{}, &counters{}
	q := newQueue(r, c, 100, 4)
	q.options.FlushInterval = time.Hour
	for _, uid := range uids(10) {
		q.Add(Event{UID: uid})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	q.Run(ctx)
	if diff := cmp.Diff(uids(10), r.got()); diff != "" {
		t.Errorf("events (-want,+got):\n%s", diff)
	}
}

func TestTheFullListIsNeverDroppedHoweverLongItIs(t *testing.T) {
	r, c := &recorder{}, &counters{}
	q := newQueue(r, c, 10, 7)
	go q.Run(t.Context())
	var events []Event
	for _, uid := range uids(1000) {
		events = append(events, Event{UID: uid})
	}
	added := q.AddAll(t.Context(), events, func(e Event) bool { return e.UID != "u500" })
	eventually(t, "the list arrives", func() bool { return c.read(&c.sent) == 999 })
	if len(added) != 999 || c.read(&c.dropped) != 0 {
		t.Errorf("want 999 of 1000 added (one was no longer wanted) and none dropped, got %d and %d", len(added), c.read(&c.dropped))
	}
}

func TestANewInstanceIsAnnouncedOnceAndTheFirstIsNot(t *testing.T) {
	r, c := &recorder{instance: "i1"}, &counters{}
	q := newQueue(r, c, 100, 10)
	announced := make(chan struct{}, 10)
	q.OnNewInstance(func() { announced <- struct{}{} })
	go q.Run(t.Context())
	send := func(uid string) {
		sent := c.read(&c.sent)
		q.Add(Event{UID: uid})
		eventually(t, uid+" arrives", func() bool { return c.read(&c.sent) == sent+1 })
	}
	send("a")
	send("b")
	r.set(func(r *recorder) { r.instance = "i2" })
	send("c")
	q.NoteInstance("i1") // a late reply to a question from before the restart
	send("d")
	eventually(t, "the new instance is announced", func() bool { return len(announced) > 0 })
	q.NoteInstance("i1")
	send("e")
	if got := len(announced); got != 1 {
		t.Errorf("want one announcement for i1 -> i2, got %d", got)
	}
}

func TestEventsReadAndWriteAsInTheSharedExample(t *testing.T) {
	example, err := os.ReadFile("../../../api/examples/outcomes-request.json")
	if err != nil {
		t.Fatal(err)
	}
	var message struct {
		Scheduler string  `json:"scheduler"`
		Events    []Event `json:"events"`
	}
	if err := json.Unmarshal(example, &message); err != nil {
		t.Fatal(err)
	}
	ours, err := json.Marshal(message)
	if err != nil {
		t.Fatal(err)
	}
	var want, got any
	if err := errors.Join(json.Unmarshal(example, &want), json.Unmarshal(ours, &got)); err != nil {
		t.Fatal(err)
	}
	opts := cmp.FilterValues(func(a, b string) bool { return len(a) > 20 && len(b) > 20 && a[:19] == b[:19] },
		cmp.Comparer(func(a, b string) bool { // 00.120Z and 00.12Z are one time
			x, errX := time.Parse(time.RFC3339Nano, a)
			y, errY := time.Parse(time.RFC3339Nano, b)
			return a == b || errX == nil && errY == nil && x.Equal(y)
		}))
	if diff := cmp.Diff(want, got, opts); diff != "" {
		t.Errorf("message (-example,+ours):\n%s", diff)
	}
}
