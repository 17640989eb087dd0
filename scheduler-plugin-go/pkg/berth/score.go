package berth

import (
	"context"

	v1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"
)

// neutralScore is what a node gets that the service said nothing about: neither good nor bad.
const neutralScore = (fwk.MaxNodeScore + fwk.MinNodeScore) / 2

// Score reads the node's slot of the decision that PreScore left. Without one it is neutral, never an error: an
// error would fail the pod.
func (b *Berth) Score(_ context.Context, state fwk.CycleState, _ *v1.Pod, node fwk.NodeInfo) (int64, *fwk.Status) {
	d := decisionOf(state)
	if d == nil || node.Node() == nil {
		return neutralScore, nil
	}
	if score, known := d.byGeneration.of(node.GetGeneration()); known {
		return int64(score), nil
	}
	return d.score(node.Node().Name), nil
}

// unscored is the score of a node that was no candidate.
const unscored = -1

func (d *decision) score(node string) int64 {
	if d.rows == nil {
		return neutralScore
	}
	if i, ok := d.rows.index[node]; ok && int(i) < len(d.scores) && d.scores[i] != unscored {
		return int64(d.scores[i])
	}
	return neutralScore
}

// ScoreExtensions is nil: the service already answers 0..100.
func (b *Berth) ScoreExtensions() fwk.ScoreExtensions { return nil }

// decisionOf returns nil where PreScore did not run: with a single feasible node the framework leaves it out.
func decisionOf(state fwk.CycleState) *decision {
	data, err := state.Read(stateKey)
	if err != nil {
		return nil
	}
	d, ok := data.(*decision)
	if !ok {
		return nil
	}
	return d
}
