package berth

import (
	"context"
	"fmt"

	v1 "k8s.io/api/core/v1"
	corev1helpers "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
)

// GPU sharing needs more than scores: a node has room only if its cards do, and the cards a pod is given must be
// written down. All of it is local to the scheduler; the service only prefers.
var (
	_ fwk.PreFilterPlugin   = &Berth{}
	_ fwk.FilterPlugin      = &Berth{}
	_ fwk.BindPlugin        = &Berth{}
	_ fwk.EnqueueExtensions = &Berth{}
)

const gpuKey fwk.StateKey = "berth.dev/gpu"

// Clone returns the request itself: it never changes.
func (r *gpuRequest) Clone() fwk.StateData { return r }

// PreFilter skips Filter for pods without GPUs: asked for every node, it would cost them 2.6 ms and 3.9 MB of garbage
// at 5,000 nodes (go test -bench Filter ./pkg/berth).
func (b *Berth) PreFilter(_ context.Context, state fwk.CycleState, pod *v1.Pod, nodes []fwk.NodeInfo) (*fwk.PreFilterResult, *fwk.Status) {
	b.cluster.Store(int64(len(nodes)))
	request, err := b.args.GPU.request(pod)
	if err != nil {
		return nil, fwk.NewStatus(fwk.UnschedulableAndUnresolvable, err.Error())
	}
	if request.count == 0 {
		return nil, fwk.NewStatus(fwk.Skip)
	}
	if err := b.bindsCards(); err != nil {
		return nil, fwk.NewStatus(fwk.UnschedulableAndUnresolvable, err.Error())
	}
	b.cardCache.forget(len(nodes))
	state.Write(gpuKey, &request)
	return nil, nil
}

// PreFilterExtensions is nil: Filter reads everything from the NodeInfo it is given, to which the framework adds
// nominated pods and from which preemption takes victims. NodeResourcesFit does the same.
func (b *Berth) PreFilterExtensions() fwk.PreFilterExtensions { return nil }

// Filter keeps a pod off nodes whose cards have no room for it. Called only for pods that ask for GPUs.
func (b *Berth) Filter(_ context.Context, state fwk.CycleState, pod *v1.Pod, info fwk.NodeInfo) *fwk.Status {
	data, err := state.Read(gpuKey)
	if err != nil {
		return nil // PreFilter, which runs for every pod, found nothing to ask for
	}
	request := data.(*gpuRequest)
	cards := b.cards(info, pod.UID, nil)
	if len(cards.free) < request.count || !request.accepts(cards.model) {
		return fwk.NewStatus(fwk.UnschedulableAndUnresolvable, "node(s) without so many GPUs of the asked model")
	}
	if request.bestFit(cards.free) == nil {
		return fwk.NewStatus(fwk.Unschedulable, fmt.Sprintf("node(s) without %d GPU(s) of %d milli free", request.count, request.milli))
	}
	return nil
}

// EventsToRegister says what may make room for a pod that PreFilter or Filter refused.
func (b *Berth) EventsToRegister(context.Context) ([]fwk.ClusterEventWithHint, error) {
	return []fwk.ClusterEventWithHint{
		{Event: fwk.ClusterEvent{Resource: fwk.Pod, ActionType: fwk.Delete}, QueueingHintFn: b.whenPodLeaves},
		// The annotations of the pod itself are mended, or those of a pod that has cards.
		{Event: fwk.ClusterEvent{Resource: fwk.Pod, ActionType: fwk.Update}, QueueingHintFn: b.whenPodChanges},
		{Event: fwk.ClusterEvent{Resource: fwk.Node, ActionType: fwk.Add | fwk.UpdateNodeAllocatable | fwk.UpdateNodeLabel}, QueueingHintFn: b.whenNodeChanges},
	}, nil
}

func (b *Berth) whenPodLeaves(_ klog.Logger, _ *v1.Pod, old, _ any) (fwk.QueueingHint, error) {
	left, ok := old.(*v1.Pod)
	if !ok {
		return fwk.Queue, fmt.Errorf("pod deleted: got %T", old)
	}
	if request, err := b.args.GPU.request(left); err == nil && request.count == 0 {
		return fwk.QueueSkip, nil
	}
	return fwk.Queue, nil
}

func (b *Berth) whenPodChanges(_ klog.Logger, _ *v1.Pod, old, now any) (fwk.QueueingHint, error) {
	before, ok := old.(*v1.Pod)
	after, ok2 := now.(*v1.Pod)
	if !ok || !ok2 {
		return fwk.Queue, fmt.Errorf("pod updated: got %T and %T", old, now)
	}
	for _, key := range []string{b.args.GPU.CountKey, b.args.GPU.MilliKey, b.args.GPU.ModelKey, b.args.GPU.CardsKey} {
		if before.Annotations[key] != after.Annotations[key] {
			return fwk.Queue, nil
		}
	}
	return fwk.QueueSkip, nil
}

func (b *Berth) whenNodeChanges(_ klog.Logger, pod *v1.Pod, _, now any) (fwk.QueueingHint, error) {
	node, ok := now.(*v1.Node)
	if !ok {
		return fwk.Queue, fmt.Errorf("node changed: got %T", now)
	}
	request, err := b.args.GPU.request(pod)
	cards := node.Status.Allocatable[v1.ResourceName(b.args.GPU.CountKey)]
	if err != nil || cards.Value() < int64(request.count) || !request.accepts(node.Labels[b.args.GPU.ModelKey]) {
		return fwk.QueueSkip, nil
	}
	return fwk.Queue, nil
}

// nominatedBefore are the pods whose room on the node is kept although they are not there yet.
func (b *Berth) nominatedBefore(pod *v1.Pod, node string) []*v1.Pod {
	var before []*v1.Pod
	for _, info := range b.handle.NominatedPodsForNode(node) {
		if p := info.GetPod(); p.UID != pod.UID && corev1helpers.PodPriority(p) >= corev1helpers.PodPriority(pod) {
			before = append(before, p)
		}
	}
	return before
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
	// Filter has seen room beside the nominated pods, unless preemption nominated more of them meanwhile.
	free := b.cards(info, pod.UID, b.nominatedBefore(pod, node)).free
	if request.bestFit(free) == nil {
		free = b.cards(info, pod.UID, nil).free
	}
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
	b.gpu.reserve(pod.UID, reservation{node: node, cards: cards, milli: request.milli})
	return nil
}
