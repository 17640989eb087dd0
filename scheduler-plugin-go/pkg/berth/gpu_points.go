package berth

import (
	"context"
	"encoding/json"
	"fmt"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	fwk "k8s.io/kube-scheduler/framework"
)

// GPU sharing needs more than scores: a node has room only if its cards do, and the cards a pod is given must be
// written down. All of it is local to the scheduler; the service only prefers.
var (
	_ fwk.FilterPlugin      = &Berth{}
	_ fwk.PreBindPlugin     = &Berth{}
	_ fwk.EnqueueExtensions = &Berth{}
)

// Filter keeps a pod off nodes whose cards have no room for it. Pods without GPUs pass everywhere.
func (b *Berth) Filter(_ context.Context, _ fwk.CycleState, pod *v1.Pod, info fwk.NodeInfo) *fwk.Status {
	request, err := b.args.GPU.request(pod)
	if err != nil {
		return fwk.NewStatus(fwk.UnschedulableAndUnresolvable, err.Error())
	}
	if request.count == 0 {
		return nil
	}
	model, free := b.gpu.free(info)
	if len(free) == 0 || !request.accepts(model) {
		return fwk.NewStatus(fwk.UnschedulableAndUnresolvable, "node(s) without a GPU of the asked model")
	}
	if request.bestFit(free) == nil {
		return fwk.NewStatus(fwk.Unschedulable, fmt.Sprintf("node(s) without %d GPU(s) of %d milli free", request.count, request.milli))
	}
	return nil
}

// EventsToRegister says what may make room for a pod that Filter refused.
func (b *Berth) EventsToRegister(context.Context) ([]fwk.ClusterEventWithHint, error) {
	return []fwk.ClusterEventWithHint{
		{Event: fwk.ClusterEvent{Resource: fwk.Pod, ActionType: fwk.Delete}},
		{Event: fwk.ClusterEvent{Resource: fwk.Node, ActionType: fwk.Add | fwk.UpdateNodeAllocatable | fwk.UpdateNodeLabel}},
	}, nil
}

// reserveCards takes the cards that the service chose, if they still have room, or else the best-fitting ones.
func (b *Berth) reserveCards(state fwk.CycleState, pod *v1.Pod, node string) *fwk.Status {
	request, err := b.args.GPU.request(pod)
	if err != nil || request.count == 0 {
		return nil
	}
	info, err := b.handle.SnapshotSharedLister().NodeInfos().Get(node)
	if err != nil {
		return fwk.NewStatus(fwk.Unschedulable, "node "+node+" left the snapshot")
	}
	_, free := b.gpu.free(info)
	var cards []int
	if d := decisionOf(state); d != nil {
		cards = d.cards[node]
	}
	if !request.fits(free, cards) {
		cards = request.bestFit(free)
	}
	if cards == nil {
		return fwk.NewStatus(fwk.Unschedulable, "the cards of "+node+" were taken meanwhile")
	}
	b.gpu.reserve(string(pod.UID), cards)
	return nil
}

// PreBindPreFlight skips PreBind for pods without cards.
func (b *Berth) PreBindPreFlight(_ context.Context, _ fwk.CycleState, pod *v1.Pod, _ string) (*fwk.PreBindPreFlightResult, *fwk.Status) {
	if b.gpu.of(string(pod.UID)) == nil {
		return nil, fwk.NewStatus(fwk.Skip)
	}
	return nil, nil
}

// PreBind writes the cards into the pod's annotation. If the API server refuses, the bind must not happen: nobody
// would know which cards are taken.
func (b *Berth) PreBind(ctx context.Context, _ fwk.CycleState, pod *v1.Pod, _ string) *fwk.Status {
	cards := b.gpu.of(string(pod.UID))
	if cards == nil {
		return nil
	}
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{
		"uid":         pod.UID, // not another pod of the same name
		"annotations": map[string]string{b.args.GPU.CardsKey: formatCards(cards)},
	}})
	if err != nil {
		return fwk.AsStatus(err)
	}
	_, err = b.handle.ClientSet().CoreV1().Pods(pod.Namespace).Patch(ctx, pod.Name, types.MergePatchType, patch, metav1.PatchOptions{})
	if err != nil {
		return fwk.AsStatus(fmt.Errorf("write the cards into annotation %s: %w", b.args.GPU.CardsKey, err))
	}
	return nil
}
