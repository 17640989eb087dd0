package berth

import (
	"sync"
	"time"
)

// pendingTable holds what this scheduler reserved more recently than any usage sample can show, per node. Safe for
// concurrent use.
type pendingTable struct {
	window time.Duration

	mu    sync.Mutex
	queue []pendingPod // by time
	pods  map[string]bool
	nodes map[string]pendingSum
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
	return &pendingTable{window: window, pods: map[string]bool{}, nodes: map[string]pendingSum{}}
}

func (t *pendingTable) add(uid, node string, cpuMilli, memoryBytes int64, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.pods[uid] {
		return
	}
	t.pods[uid] = true
	t.queue = append(t.queue, pendingPod{uid, node, cpuMilli, memoryBytes, now.Add(t.window)})
	t.change(node, cpuMilli, memoryBytes, 1)
}

// remove forgets a reservation that was taken back; an unknown uid is ignored.
func (t *pendingTable) remove(uid string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.pods[uid] {
		return
	}
	for i, p := range t.queue {
		if p.uid == uid {
			t.drop(p)
			t.queue = append(t.queue[:i], t.queue[i+1:]...)
			return
		}
	}
}

// sums lets old reservations go and returns what is pending on each of the nodes, in their order.
func (t *pendingTable) sums(nodes []string, now time.Time, out []pendingSum) []pendingSum {
	t.mu.Lock()
	defer t.mu.Unlock()
	expired := 0
	for expired < len(t.queue) && !t.queue[expired].until.After(now) {
		t.drop(t.queue[expired])
		expired++
	}
	t.queue = t.queue[expired:]
	for _, n := range nodes {
		out = append(out, t.nodes[n])
	}
	return out
}

func (t *pendingTable) drop(p pendingPod) {
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
