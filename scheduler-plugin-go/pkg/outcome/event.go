// Package outcome tells the service what became of the pods: a bounded queue that drops and counts rather than block
// the scheduler, one sender that tries again until a batch is acknowledged, and full lists that repair what was lost.
package outcome

import "time"

// Kind of an event; see api/README.md.
type Kind string

// The kinds of events.
const (
	Reserved   Kind = "reserved"
	Unreserved Kind = "unreserved"
	Bound      Kind = "bound"
	Gone       Kind = "gone"
	Assigned   Kind = "assigned"
	ListBegin  Kind = "list_begin"
	ListEnd    Kind = "list_end"
)

// Event is one thing that happened to one pod, or an end of a full list. Delivery is at least once; the service takes
// each as idempotent.
type Event struct {
	Type     Kind      `json:"type"`
	At       time.Time `json:"at"`
	Decision string    `json:"decision,omitempty"`
	Node     string    `json:"node,omitempty"`
	// UID of the pod, where Pod is left out; of a list, its id.
	UID string `json:"uid,omitempty"`
	Pod *Pod   `json:"pod,omitempty"`
	// Without us, of some bound pods.
	Without *Without `json:"without,omitempty"`

	acknowledged func()
}

// Without is where a pod would have gone by the other score plugins alone.
type Without struct {
	// Node with the greatest weighted sum of their scores; the pod's own where it is among several.
	Node string `json:"node"`
	// Sum there, and Here, where the pod went.
	Sum  int64 `json:"sum"`
	Here int64 `json:"here"`
	// Ties are the nodes with that sum.
	Ties int `json:"ties"`
}

// Pod is the pod of an event.
type Pod struct {
	UID         string `json:"uid"`
	Name        string `json:"name"`
	Namespace   string `json:"namespace"`
	Owner       string `json:"owner"`
	Priority    int32  `json:"priority"`
	CPUMilli    int64  `json:"cpuMilli"`
	MemoryBytes int64  `json:"memoryBytes"`
	GPU         *GPU   `json:"gpu,omitempty"`
}

// GPU is a pod's request for cards.
type GPU struct {
	Count  int      `json:"count"`
	Milli  int      `json:"milli"`
	Models []string `json:"models,omitempty"`
}
