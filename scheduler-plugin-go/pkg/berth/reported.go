package berth

import (
	"sync"
	"time"

	"berth.dev/scheduler-plugin/pkg/outcome"
)

// reportedPods are the pods that the service was told of, so that each is reported once, and those of them that the
// informer does not show on their node yet. Safe for concurrent use.
type reportedPods struct {
	mu       sync.Mutex
	node     map[string]string
	reserved map[string]reservedPod
}

type reservedPod struct {
	event outcome.Event
	at    time.Time // of the plugin's clock, which steps of the machine's do not move
}

func newReportedPods() *reportedPods {
	return &reportedPods{node: map[string]string{}, reserved: map[string]reservedPod{}}
}

// reserve notes a pod that this scheduler is about to bind.
func (r *reportedPods) reserve(uid string, e outcome.Event, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.node[uid] = e.Node
	r.reserved[uid] = reservedPod{e, now}
}

// assigned notes a pod that the informer shows on a node; it returns whether it was not known there.
func (r *reportedPods) assigned(uid, node string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.reserved, uid)
	if r.node[uid] == node {
		return false
	}
	r.node[uid] = node
	return true
}

// inFlight returns the reservations that no list of the informer names, as part of a full list.
func (r *reportedPods) inFlight() []outcome.Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	events := make([]outcome.Event, 0, len(r.reserved))
	for _, p := range r.reserved {
		e := p.event
		e.Type, e.Decision = outcome.Assigned, ""
		events = append(events, e)
	}
	return events
}

// on returns the node that the pod is known on, empty where it is not known.
func (r *reportedPods) on(uid string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.node[uid]
}

// remove returns the node that the pod is known on, empty where it is not known.
func (r *reportedPods) remove(uid string) (node string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	node = r.node[uid]
	delete(r.node, uid)
	delete(r.reserved, uid)
	return node
}

// takeBack removes a reservation and returns when it was made. A pod that the informer has shown on a node is none any more: it
// runs there, though the answer to its bind was lost or another scheduler bound it, and nothing would report it again.
func (r *reportedPods) takeBack(uid string) (reserved time.Time, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p, ok := r.reserved[uid]
	if ok {
		delete(r.node, uid)
		delete(r.reserved, uid)
	}
	return p.at, ok
}
