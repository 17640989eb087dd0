package berth

import (
	"fmt"
	"strconv"
	"strings"

	v1 "k8s.io/api/core/v1"
	corev1helpers "k8s.io/component-helpers/resource"
)

// GPUArgs name the keys of GPU sharing. Pods ask by annotation, or for whole cards by extended resource; nodes offer
// cards as that extended resource and say their model in a label; the cards a pod was given stand in its annotation.
// The defaults are the forms that the tools of the published production trace use.
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

// request reads what a pod asks for. The error names the annotation and what it should say.
func (g GPUArgs) request(pod *v1.Pod) (gpuRequest, error) {
	milliText, byMilli := pod.Annotations[g.MilliKey]
	countText, byCount := pod.Annotations[g.CountKey]
	r := gpuRequest{count: 1, milli: wholeCard}
	var err error
	switch {
	case byMilli || byCount:
		if byMilli {
			if r.milli, err = strconv.Atoi(milliText); err != nil || r.milli < 1 || r.milli > wholeCard {
				return gpuRequest{}, fmt.Errorf("annotation %s is %q: want 1 to 1000", g.MilliKey, milliText)
			}
		}
		if byCount {
			if r.count, err = strconv.Atoi(countText); err != nil || r.count < 1 {
				return gpuRequest{}, fmt.Errorf("annotation %s is %q: want at least 1", g.CountKey, countText)
			}
		}
	default:
		requests := corev1helpers.PodRequests(pod, corev1helpers.PodResourcesOptions{})
		cards, asked := requests[v1.ResourceName(g.CountKey)]
		if !asked || cards.IsZero() {
			return gpuRequest{}, nil
		}
		r.count = int(cards.Value())
	}
	if r.count > 1 && r.milli != wholeCard {
		return gpuRequest{}, fmt.Errorf("annotations %s %d and %s %d: a pod with several cards takes whole ones, set %s to 1000",
			g.CountKey, r.count, g.MilliKey, r.milli, g.MilliKey)
	}
	if models := pod.Annotations[g.ModelKey]; models != "" {
		r.models = strings.Split(models, "|")
	}
	return r, nil
}

// accepts says whether the pod may run on cards of a model.
func (r gpuRequest) accepts(model string) bool {
	if len(r.models) == 0 {
		return true
	}
	for _, m := range r.models {
		if m == model {
			return true
		}
	}
	return false
}

// fits says whether every one of the cards has room, and there are as many as asked.
func (r gpuRequest) fits(free []int, cards []int) bool {
	if len(cards) != r.count {
		return false
	}
	taken := map[int]bool{}
	for _, c := range cards {
		if c < 0 || c >= len(free) || taken[c] || free[c] < r.milli {
			return false
		}
		taken[c] = true
	}
	return true
}

// bestFit takes the fullest cards that have room, lowest index first among equals; nil where there are too few.
func (r gpuRequest) bestFit(free []int) []int {
	taken := make([]bool, len(free))
	var cards []int
	for len(cards) < r.count {
		best := -1
		for i, f := range free {
			if !taken[i] && f >= r.milli && (best < 0 || f < free[best]) {
				best = i
			}
		}
		if best < 0 {
			return nil
		}
		taken[best] = true
		cards = append(cards, best)
	}
	return cards
}

// parseCards reads "0" or "2-3-5"; anything else names no card.
func parseCards(text string) []int {
	if text == "" {
		return nil
	}
	var cards []int
	for _, part := range strings.Split(text, "-") {
		i, err := strconv.Atoi(part)
		if err != nil || i < 0 {
			return nil
		}
		cards = append(cards, i)
	}
	return cards
}

func formatCards(cards []int) string {
	parts := make([]string, len(cards))
	for i, c := range cards {
		parts[i] = strconv.Itoa(c)
	}
	return strings.Join(parts, "-")
}
