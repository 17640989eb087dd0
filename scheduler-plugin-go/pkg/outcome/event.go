// Package outcome tells the service what became of the pods: a bounded queue that drops and counts rather than block
// the scheduler, one sender that tries again until a batch is acknowledged, and full lists that repair what was lost.
package outcome

import (
	"strconv"
	"time"

	"berth.dev/scheduler-plugin/pkg/appendjson"
)

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
	listed       bool // of a full list
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

// appendTo writes the event as its tags say, without reflection: every pod has two of them.
func (e *Event) appendTo(b []byte) []byte {
	b = appendjson.Field(b, `{"type":`, string(e.Type))
	b = append(e.At.AppendFormat(append(b, `,"at":"`...), time.RFC3339Nano), '"')
	b = appendPresent(b, `,"decision":`, e.Decision)
	b = appendPresent(b, `,"node":`, e.Node)
	b = appendPresent(b, `,"uid":`, e.UID)
	if e.Pod != nil {
		b = e.Pod.appendTo(append(b, `,"pod":`...))
	}
	if w := e.Without; w != nil {
		b = appendjson.Field(b, `,"without":{"node":`, w.Node)
		b = strconv.AppendInt(append(b, `,"sum":`...), w.Sum, 10)
		b = strconv.AppendInt(append(b, `,"here":`...), w.Here, 10)
		b = append(strconv.AppendInt(append(b, `,"ties":`...), int64(w.Ties), 10), '}')
	}
	return append(b, '}')
}

func (p *Pod) appendTo(b []byte) []byte {
	b = appendjson.Field(b, `{"uid":`, p.UID)
	b = appendjson.Field(b, `,"name":`, p.Name)
	b = appendjson.Field(b, `,"namespace":`, p.Namespace)
	b = appendjson.Field(b, `,"owner":`, p.Owner)
	b = strconv.AppendInt(append(b, `,"priority":`...), int64(p.Priority), 10)
	b = strconv.AppendInt(append(b, `,"cpuMilli":`...), p.CPUMilli, 10)
	b = strconv.AppendInt(append(b, `,"memoryBytes":`...), p.MemoryBytes, 10)
	if g := p.GPU; g != nil {
		b = strconv.AppendInt(append(b, `,"gpu":{"count":`...), int64(g.Count), 10)
		b = strconv.AppendInt(append(b, `,"milli":`...), int64(g.Milli), 10)
		for i, model := range g.Models {
			key := ","
			if i == 0 {
				key = `,"models":[`
			}
			b = appendjson.Field(b, key, model)
		}
		if len(g.Models) > 0 {
			b = append(b, ']')
		}
		b = append(b, '}')
	}
	return append(b, '}')
}

func appendPresent(b []byte, key, value string) []byte {
	if value == "" {
		return b
	}
	return appendjson.Field(b, key, value)
}
