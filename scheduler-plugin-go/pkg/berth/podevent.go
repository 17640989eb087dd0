package berth

import (
	"fmt"

	v1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"
)

const noteKey fwk.StateKey = "berth.dev/note"

// note is what its pod is told once it is bound.
type note string

// Clone returns the same: it never changes.
func (n note) Clone() fwk.StateData { return n }

// notePod writes down how the pod's node was scored, for podEventsPerSecond of the pods: while the cycle is still serial,
// for the table of nodes that the scores lie in changes with the next question.
func (b *Berth) notePod(state fwk.CycleState, node string) {
	d := decisionOf(state)
	if d == nil || d.rows == nil || !b.podEvents.TryAccept() {
		return
	}
	mine, better, of, best := d.score(node), 0, 0, 0
	for i, score := range d.scores {
		if score == unscored {
			continue
		}
		of++
		if int64(score) > mine {
			better++
		}
		if d.scores[best] < score {
			best = i
		}
	}
	text := fmt.Sprintf("Berth scored %s %d of 100, the best of %d nodes", node, mine, of)
	if better > 0 {
		text = fmt.Sprintf("Berth scored %s %d of 100, number %d of %d nodes; %s had %d", node, mine, better+1, of, d.rows.rows[best].name, d.scores[best])
	}
	if w := preferredOf(state); w != nil {
		text += fmt.Sprintf("; without Berth: %s (other plugins' sum %d against %d)", w.Node, w.Sum, w.Here)
	}
	state.Write(noteKey, note(bounded(text+"; decision "+d.id, noteLength)))
}

func (b *Berth) tellPod(state fwk.CycleState, pod *v1.Pod) {
	data, err := state.Read(noteKey)
	if err != nil {
		return
	}
	if n, ok := data.(note); ok {
		b.profile.EventRecorder().Eventf(pod, nil, v1.EventTypeNormal, "BerthScored", "Score", "%s", string(n))
	}
}
