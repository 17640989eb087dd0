package berth

import (
	"container/list"
	"sync"
	"time"
)

// pendingTable holds what this scheduler reserved more recently than any usage sample can show, per node. Every call
// lets old reservations go, so it holds no more than one window's. Safe for concurrent use.
type pendingTable struct {
	window time.Duration

	mu     sync.Mutex
	byTime *list.List // of *pendingPod, oldest first
	pods   map[string]*list.Element
	nodes  map[string]pendingSum
}

type pendingPod struct {
	uid, node             string
	cpuMilli, memoryBytes int64
	until                 time.Time
}

type pendingSum struct {
	cpuMilli, memoryBytes int64
	pods                  int
}

func newPendingTable(window time.Duration) *pendingTable {
	return &pendingTable{window: window, byTime: list.New(), pods: map[string]*list.Element{}, nodes: map[string]pendingSum{}}
}

func (t *pendingTable) add(uid, node string, cpuMilli, memoryBytes int64, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.expire(now)
	if t.pods[uid] != nil {
		return
	}
	t.pods[uid] = t.byTime.PushBack(&pendingPod{uid, node, cpuMilli, memoryBytes, now.Add(t.window)})
	t.change(node, cpuMilli, memoryBytes, 1)
}

// remove forgets a reservation that was taken back; an unknown uid is ignored.
func (t *pendingTable) remove(uid string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e := t.pods[uid]; e != nil {
		t.drop(e)
	}
}

// sums returns what is pending on each of the nodes, in their order.
func (t *pendingTable) sums(nodes []string, now time.Time, out []pendingSum) []pendingSum {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.expire(now)
	for _, n := range nodes {
		out = append(out, t.nodes[n])
	}
	return out
}

func (t *pendingTable) expire(now time.Time) {
	for e := t.byTime.Front(); e != nil && !e.Value.(*pendingPod).until.After(now); e = t.byTime.Front() {
		t.drop(e)
	}
}

func (t *pendingTable) drop(e *list.Element) {
	p := t.byTime.Remove(e).(*pendingPod)
	delete(t.pods, p.uid)
	t.change(p.node, -p.cpuMilli, -p.memoryBytes, -1)
}

func (t *pendingTable) change(node string, cpuMilli, memoryBytes int64, pods int) {
	s := t.nodes[node]
	s.cpuMilli += cpuMilli
	s.memoryBytes += memoryBytes
	s.pods += pods
	if s.pods == 0 {
		delete(t.nodes, node)
	} else {
		t.nodes[node] = s
	}
}
