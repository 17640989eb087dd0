package berth

import (
	"sync"

	v1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"
)

// gpuCards works out what is free on each card of a node: from the pods' annotations, and from what this scheduler
// reserved and no annotation shows yet. Safe for concurrent use.
type gpuCards struct {
	args GPUArgs

	mu sync.RWMutex
	// reserved is kept by pod uid until the pod is gone: our informer may show the annotation before the scheduler's
	// own cache does, and forgetting in between would give the cards away twice.
	reserved map[string][]int
}

func newGPUCards(args GPUArgs) *gpuCards { return &gpuCards{args: args, reserved: map[string][]int{}} }

// free returns the node's card model and the free milli-GPU of every card; no cards for a CPU-only node.
func (g *gpuCards) free(info fwk.NodeInfo) (string, []int) {
	count := info.GetAllocatable().GetScalarResources()[v1.ResourceName(g.args.CountKey)]
	if count <= 0 {
		return "", nil
	}
	free := make([]int, count)
	for i := range free {
		free[i] = wholeCard
	}
	g.mu.RLock()
	defer g.mu.RUnlock()
	for _, p := range info.GetPods() {
		pod := p.GetPod()
		cards := parseCards(pod.Annotations[g.args.CardsKey])
		if cards == nil {
			cards = g.reserved[string(pod.UID)]
		}
		if cards == nil {
			continue
		}
		request, err := g.args.request(pod)
		if err != nil {
			request.milli = wholeCard // unreadable, but it sits there: take its cards as full
		}
		for _, c := range cards {
			if c < len(free) {
				free[c] -= request.milli
			}
		}
	}
	return info.Node().Labels[g.args.ModelKey], free
}

func (g *gpuCards) reserve(uid string, cards []int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.reserved[uid] = cards
}

func (g *gpuCards) of(uid string) []int {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return g.reserved[uid]
}

func (g *gpuCards) release(uid string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.reserved, uid)
}
