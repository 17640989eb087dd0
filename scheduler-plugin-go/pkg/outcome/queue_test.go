package outcome

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var errRefused = errors.New("refused")

// recorder is the service's side: it takes or refuses batches and remembers what it took.
type recorder struct {
	mu       sync.Mutex
	instance string
	down     bool
	poison   map[string]bool // uids that make a batch refused
	longest  int             // bytes; 0 is any
	batches  int
	uids     []string
}

func (r *recorder) post(_ context.Context, body []byte) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.down {
		return "", errors.New("down")
	}
	if r.longest > 0 && len(body) > r.longest {
		return "", errRefused
	}
	var message struct{ Events []Event }
	if err := json.Unmarshal(body, &message); err != nil {
		return "", err
	}
	for _, e := range message.Events {
		if r.poison[e.UID] {
			return "", errRefused
		}
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
	mu                                   sync.Mutex
	dropped, poisoned, sent, undelivered int
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
	q := NewQueue(Options{
		Scheduler: "s/1", Size: size, Batch: batch, FlushInterval: time.Millisecond, Timeout: time.Second,
		Resync: time.Hour, RepairAfter: time.Millisecond, Post: r.post,
		Refused: func(err error) bool { return errors.Is(err, errRefused) }, Hurried: func() bool { return true },
		OnDrop: func(n int, reason string) {
			if reason == DroppedRefused {
				c.count(&c.poisoned, n)
			} else {
				c.count(&c.dropped, n)
			}
		},
		OnSent: func(n int) { c.count(&c.sent, n) }, OnDepth: func(int) {}, OnFailure: func() { c.count(&c.undelivered, 1) },
	})
	q.Open()
	<-q.ListWanted() // the list of the start, which these tests do without
	return q
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

func TestWhatCouldNotBeDeliveredIsSentAgainOnceAndInOrder(t *testing.T) {
	r, c := &recorder{down: true}, &counters{}
	q := newQueue(r, c, 100, 4)
	for _, uid := range uids(10) {
		q.Add(Event{UID: uid})
	}
	go q.Run(t.Context())
	eventually(t, "a failure is counted", func() bool { return c.read(&c.undelivered) > 0 })
	r.set(func(r *recorder) { r.down = false })
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
	for _, uid := range uids(10) {
		q.Add(Event{UID: uid})
	}
	q.Flush(t.Context())
	if diff := cmp.Diff(uids(10), r.got()); diff != "" {
		t.Errorf("events (-want,+got):\n%s", diff)
	}
}

func TestTheLastTryEndsWithItsContextAndCountsWhatIsLeft(t *testing.T) {
	c := &counters{}
	q := newQueue(&recorder{}, c, 100, 4)
	q.options.Post = func(ctx context.Context, _ []byte) (string, error) {
		<-ctx.Done()
		return "", ctx.Err()
	}
	for _, uid := range uids(10) {
		q.Add(Event{UID: uid})
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	q.Flush(ctx)
	if got := c.read(&c.dropped); got != 10 {
		t.Errorf("want all 10 counted as dropped, got %d", got)
	}
}

// Seen: with 100 pods of 200 KB annotations none of 120 events arrived.
func TestARefusedEventIsDroppedAloneAndHoldsUpNobody(t *testing.T) {
	cases := map[string]struct {
		longest int
		poison  []string
	}{
		"one in the middle":             {0, []string{"u5"}},
		"first and last":                {0, []string{"u0", "u9"}},
		"all of them":                   {0, uids(10)},
		"none, but batches are too big": {300, nil},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			r, c := &recorder{longest: tc.longest, poison: map[string]bool{}}, &counters{}
			var want []string
			for _, uid := range tc.poison {
				r.poison[uid] = true
			}
			q := newQueue(r, c, 100, 8)
			for _, uid := range uids(10) {
				q.Add(Event{UID: uid})
				if !r.poison[uid] {
					want = append(want, uid)
				}
			}
			q.Flush(t.Context())
			if diff := cmp.Diff(want, r.got()); diff != "" {
				t.Errorf("events (-want,+got):\n%s", diff)
			}
			if got := c.read(&c.poisoned); got != len(tc.poison) {
				t.Errorf("want %d counted as refused, got %d", len(tc.poison), got)
			}
		})
	}
}

func TestWhatFollowsAFailureInTheMidstOfARefusedBatchIsKept(t *testing.T) {
	r, c := &recorder{poison: map[string]bool{"u1": true}}, &counters{}
	q := newQueue(r, c, 100, 8)
	for _, uid := range uids(8) {
		q.Add(Event{UID: uid})
	}
	calls := 0
	q.options.Post = func(ctx context.Context, body []byte) (string, error) {
		if calls++; calls == 4 { // the batch, its first half, u0 and u1, then u0: the service goes down
			return "", errors.New("down")
		}
		return r.post(ctx, body)
	}
	if err := q.drain(t.Context()); err == nil {
		t.Fatal("want the failure")
	}
	q.Flush(t.Context())
	if diff := cmp.Diff([]string{"u0", "u2", "u3", "u4", "u5", "u6", "u7"}, r.got()); diff != "" {
		t.Errorf("events (-want,+got):\n%s", diff)
	}
}

func TestAClosedQueueTakesNothing(t *testing.T) {
	r, c := &recorder{}, &counters{}
	q := newQueue(r, c, 100, 8)
	q.open.Store(false)
	q.Add(Event{UID: "u"})
	q.Flush(t.Context())
	if len(r.got()) != 0 || c.read(&c.dropped) != 0 {
		t.Error("a scheduler that does not lead must report nothing, and count nothing as lost")
	}
	q.Open()
	select {
	case <-q.ListWanted():
	default:
		t.Error("whoever begins to lead must send the full list")
	}
}

func TestTheFullListIsNeverDroppedHoweverLongItIs(t *testing.T) {
	r, c := &recorder{}, &counters{}
	q := newQueue(r, c, 10, 7)
	go q.Run(t.Context())
	list, err := q.BeginList(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	r.set(func(r *recorder) { r.down = true })
	var acknowledged atomic.Bool
	go func() {
		for _, uid := range uids(1000) {
			_ = list.Add(t.Context(), Event{UID: uid})
		}
		_ = list.End(t.Context(), func() { acknowledged.Store(true) })
	}()
	eventually(t, "a failure", func() bool { return c.read(&c.undelivered) > 0 })
	if acknowledged.Load() {
		t.Error("the list was taken for acknowledged before it arrived")
	}
	r.set(func(r *recorder) { r.down = false })
	eventually(t, "the list is acknowledged", acknowledged.Load)
	want := append(append([]string{"s/1/1"}, uids(1000)...), "s/1/1")
	if diff := cmp.Diff(want, r.got()); diff != "" {
		t.Errorf("list (-want,+got):\n%s", diff)
	}
	if got := c.read(&c.dropped); got != 0 {
		t.Errorf("%d dropped", got)
	}
}

// Seen: with more pods than the queue has places nearly all that happened while a list was sent was dropped, and 15 s later the
// next list was sent for it, for ever.
func TestAFullListLongerThanTheQueueLeavesRoomForWhatHappensMeanwhile(t *testing.T) {
	r, c := &recorder{}, &counters{}
	q := newQueue(r, c, 100, 7)
	list, err := q.BeginList(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	for list.Add(ctx, Event{UID: "listed"}) == nil {
	}
	for _, uid := range uids(50) {
		q.Add(Event{UID: uid})
	}
	if got := c.read(&c.dropped); got != 0 {
		t.Errorf("%d of 50 events dropped beside a list that waits for room", got)
	}
}

func TestAListThatIsOnlyQueuedIsNotAcknowledged(t *testing.T) {
	r, c := &recorder{}, &counters{}
	r.set(func(r *recorder) { r.down = true })
	q := newQueue(r, c, 10, 7)
	go q.Run(t.Context())
	list, err := q.BeginList(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var acknowledged atomic.Bool
	if err := list.End(t.Context(), func() { acknowledged.Store(true) }); err != nil {
		t.Fatal(err)
	}
	eventually(t, "a failure", func() bool { return c.read(&c.undelivered) > 0 })
	if acknowledged.Load() {
		t.Error("acknowledged before the service had it")
	}
	r.set(func(r *recorder) { r.down = false })
	eventually(t, "the list is acknowledged", acknowledged.Load)
}

func TestAListIsWantedAfterADropAndNowAndThen(t *testing.T) {
	r, c := &recorder{}, &counters{}
	q := newQueue(r, c, 1, 8)
	q.Add(Event{UID: "a"})
	q.Add(Event{UID: "b"})
	if c.read(&c.dropped) != 1 {
		t.Fatal("want a drop")
	}
	go q.Run(t.Context())
	select {
	case <-q.ListWanted():
	case <-time.After(10 * time.Second):
		t.Error("no list is wanted after a drop")
	}
	calm := newQueue(r, c, 1, 8)
	calm.options.Resync = time.Millisecond
	go calm.Run(t.Context())
	select {
	case <-calm.ListWanted():
	case <-time.After(10 * time.Second):
		t.Error("no list is wanted though it is time")
	}
}

func TestANewInstanceIsAnnouncedOnceAndTheFirstIsNot(t *testing.T) {
	r, c := &recorder{instance: "i1"}, &counters{}
	q := newQueue(r, c, 100, 10)
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
	eventually(t, "a list is wanted for the new instance", func() bool { return len(q.wanted) == 1 })
	<-q.ListWanted()
	q.NoteInstance("i1")
	send("e")
	if len(q.wanted) != 0 {
		t.Error("want one list for i1 -> i2, another is wanted")
	}
}

func TestAnotherNewInstanceSoonAfterIsToldOnceRepairAfterIsOver(t *testing.T) {
	q := newQueue(&recorder{}, &counters{}, 100, 10)
	q.options.RepairAfter = 300 * time.Millisecond
	began := time.Now()
	q.NoteInstance("i1")
	q.NoteInstance("i2")
	if len(q.wanted) != 1 {
		t.Fatal("a service that restarted is not told at once")
	}
	<-q.ListWanted()
	q.NoteInstance("i3")
	if len(q.wanted) != 0 {
		t.Fatal("a second list is wanted at once")
	}
	go q.Run(t.Context())
	select {
	case <-q.ListWanted():
		if got := time.Since(began); got < q.options.RepairAfter {
			t.Errorf("the second list is wanted after %v", got)
		}
	case <-time.After(10 * time.Second):
		t.Error("i3 is never told")
	}
}

// Seen: a wrong service, another instance each time, got one full list after the other.
func TestAServiceThatIsAnotherEachTimeGetsOneListAndFillsNoMemory(t *testing.T) {
	q := newQueue(&recorder{}, &counters{}, 100, 10)
	q.options.RepairAfter = time.Hour
	lists := 0
	for i := range 1000 {
		q.NoteInstance(fmt.Sprint("i", i))
		q.repair(time.Now())
		for len(q.wanted) > 0 {
			<-q.ListWanted()
			lists++
		}
	}
	if lists != 1 {
		t.Errorf("%d lists are wanted within RepairAfter", lists)
	}
	if len(q.answered) > instancesKept {
		t.Errorf("%d instances are remembered", len(q.answered))
	}
}

func TestEventsReadAndWriteAsInTheSharedExample(t *testing.T) {
	example, err := os.ReadFile("../../../api/examples/outcomes-request.json")
	if err != nil {
		t.Fatal(err)
	}
	var message struct {
		Scheduler string    `json:"scheduler"`
		SentAt    time.Time `json:"sentAt"`
		Events    []Event   `json:"events"`
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

func TestAFoldedReservationIsAcknowledgedAndTheBatchIsStillJSON(t *testing.T) {
	r, c := &recorder{}, &counters{}
	q := newQueue(r, c, 100, 10)
	told := false
	q.Add(Event{Type: Bound, UID: "first", Node: "n", Pod: &Pod{UID: "first"}})
	q.Add(Event{Type: Reserved, UID: "a", Node: "n", Pod: &Pod{UID: "a"}, acknowledged: func() { told = true }})
	q.Add(Event{Type: Bound, UID: "a", Node: "n", Pod: &Pod{UID: "a"}})
	q.Flush(t.Context())
	if diff := cmp.Diff([]string{"first", "a"}, r.got()); diff != "" {
		t.Errorf("events (-want,+got):\n%s", diff)
	}
	if !told {
		t.Error("the reservation was not acknowledged with the bind that stands for it")
	}
}

// Each batch is a request and a commit: while pods are only watched, a burst pays for few of them.
func TestBatchesWaitForMoreWhileNobodyWaitsForScores(t *testing.T) {
	var hurried atomic.Bool
	r, c := &recorder{}, &counters{}
	q := newQueue(r, c, 100, 10)
	q.options.FlushInterval = 200 * time.Millisecond
	q.options.Hurried = hurried.Load
	sent := func(events int) time.Duration {
		began := time.Now()
		before := c.read(&c.sent)
		for range events {
			q.Add(Event{UID: "u"})
		}
		eventually(t, "they are sent", func() bool { return c.read(&c.sent) == before+events })
		return time.Since(began)
	}
	go q.Run(t.Context())
	sent(1) // from here on the sender has just sent
	if got := sent(1); got < (leisure-1)*q.options.FlushInterval {
		t.Errorf("an event nobody waits for was sent after %v, want %d intervals", got, leisure)
	}
	if got := sent(10); got > (leisure-1)*q.options.FlushInterval {
		t.Errorf("a full batch was sent after %v, want an interval", got)
	}
	hurried.Store(true)
	if got := sent(1); got > (leisure-1)*q.options.FlushInterval {
		t.Errorf("an event that scores rest on was sent after %v, want an interval", got)
	}
}
