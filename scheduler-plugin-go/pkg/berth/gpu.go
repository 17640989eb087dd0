package berth

import (
	"strconv"
	"strings"

	v1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"
)

// GPUArgs name the keys of GPU sharing. Pods ask by annotation; nodes offer cards as an extended resource and say
// their model in a label; the cards a pod was given stand in its annotation. The defaults are the forms that the
// tools of the published production trace use.
type GPUArgs struct {
	CountKey string `json:"countKey"`
	MilliKey string `json:"milliKey"`
	ModelKey string `json:"modelKey"`
	CardsKey string `json:"cardsKey"`
}

// DefaultGPUArgs are the keys of the published trace's tools.
func DefaultGPUArgs() GPUArgs {
	return GPUArgs{
		CountKey: "alibabacloud.com/gpu-count",
		MilliKey: "alibabacloud.com/gpu-milli",
		ModelKey: "alibabacloud.com/gpu-card-model",
		CardsKey: "alibabacloud.com/gpu-index",
	}
}

const wholeCard = 1000

// gpuRequest is what a pod asks for: count cards with milli of each, of one of the models (none: any).
type gpuRequest struct {
	count, milli int
	models       []string
}

// request reads what a pod asks for; an annotation that is no sensible number asks for nothing.
func (g GPUArgs) request(pod *v1.Pod) gpuRequest {
	milli, err := strconv.Atoi(pod.Annotations[g.MilliKey])
	if err != nil || milli <= 0 || milli > wholeCard {
		return gpuRequest{}
	}
	count := 1
	if text, ok := pod.Annotations[g.CountKey]; ok {
		if count, err = strconv.Atoi(text); err != nil || count <= 0 || (count > 1 && milli != wholeCard) {
			return gpuRequest{}
		}
	}
	r := gpuRequest{count: count, milli: milli}
	if models := pod.Annotations[g.ModelKey]; models != "" {
		r.models = strings.Split(models, "|")
	}
	return r
}

// gpuCards works out what is free on each card of a node.
type gpuCards struct {
	args GPUArgs
}

func newGPUCards(args GPUArgs) *gpuCards { return &gpuCards{args: args} }

// free returns the node's card model and the free milli-GPU of every card; no cards for a CPU-only node.
func (g *gpuCards) free(info fwk.NodeInfo) (string, []int) {
	cards := info.GetAllocatable().GetScalarResources()[v1.ResourceName(g.args.CountKey)]
	if cards <= 0 {
		return "", nil
	}
	free := make([]int, cards)
	for i := range free {
		free[i] = wholeCard
	}
	for _, p := range info.GetPods() {
		pod := p.GetPod()
		milli := g.args.request(pod).milli
		for _, i := range cardIndexes(pod.Annotations[g.args.CardsKey]) {
			if i < len(free) {
				free[i] -= milli
			}
		}
	}
	return info.Node().Labels[g.args.ModelKey], free
}

// cardIndexes reads "0" or "2-3-5"; anything else names no card.
func cardIndexes(text string) []int {
	if text == "" {
		return nil
	}
	var indexes []int
	for _, part := range strings.Split(text, "-") {
		i, err := strconv.Atoi(part)
		if err != nil || i < 0 {
			return nil
		}
		indexes = append(indexes, i)
	}
	return indexes
}
