package berth

import (
	"context"

	v1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"berth.dev/scheduler-plugin/pkg/outcome"
)

// Reserve notes the chosen node while the cycle is still serial, so that the next pod's question already counts it.
func (b *Berth) Reserve(ctx context.Context, state fwk.CycleState, pod *v1.Pod, node string) *fwk.Status {
	if status := b.reserveCards(state, pod, node); !status.IsSuccess() {
		return status
	}
	b.leads()
	b.checkProfile()
	p := b.describePod(pod)
	now := b.clock.Now()
	b.pending.add(p.uid, node, p.cpuMilli, p.memoryBytes, now)
	for _, ofProfile := range b.process.rankings {
		ofProfile.reserved(node, p.cpuMilli)
	}
	e := b.outcome(outcome.Reserved, state, p, node)
	b.pods.reserve(p.uid, e, now) // before it is queued, so that a full list in between names it
	b.outcomes.Add(b.news.Note(e))
	b.askOthers(ctx, state, pod, node)
	b.notePod(state, node)
	if d := decisionOf(state); d != nil { // the pod may wait for minutes now, and nobody asks for its scores again
		state.Write(stateKey, &decision{id: d.id, by: d.by, known: d.known})
	}
	return nil
}

// Unreserve takes a reservation back; the framework may call it twice, or without a Reserve.
func (b *Berth) Unreserve(_ context.Context, state fwk.CycleState, pod *v1.Pod, node string) {
	b.pending.remove(string(pod.UID))
	b.gpu.release(pod.UID)
	if reserved, ok := b.pods.takeBack(string(pod.UID)); ok {
		p := b.describePod(pod)
		b.takenBack.add(takenBackPod{node, p.cpuMilli, reserved})
		b.outcomes.Add(b.news.Note(b.outcome(outcome.Unreserved, state, p, node)))
	}
}

// PostBind reports that the pod is bound for sure, and counts who decided.
func (b *Berth) PostBind(_ context.Context, state fwk.CycleState, pod *v1.Pod, node string) {
	by := bySingle
	if d := decisionOf(state); d != nil {
		by = d.by
	}
	placements.WithLabelValues(by).Inc()
	e := b.outcome(outcome.Bound, state, b.describePod(pod), node)
	e.Without = preferredOf(state)
	b.outcomes.Add(e)
	b.tellPod(state, pod)
}

func (b *Berth) outcome(kind outcome.Kind, state fwk.CycleState, p podView, node string) outcome.Event {
	e := outcome.Event{Type: kind, At: b.clock.Now().UTC(), Node: node, Pod: p.outcome()}
	if d := decisionOf(state); d != nil && d.known {
		e.Decision = d.id
	}
	return e
}
