package berth

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	v1 "k8s.io/api/core/v1"
	corev1helpers "k8s.io/component-helpers/resource"
	fwk "k8s.io/kube-scheduler/framework"
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

const (
	wholeCard = 1000
	// maxCards of a node: those beyond are not offered, and no pod may ask for more. The service knows as many, and an
	// allocatable of 1e18 must not become a table of that length.
	maxCards = 32
	// maxModelsBytes is the longest annotation that names models: it is looked through for every node.
	maxModelsBytes = 1024
)

// gpuRequest is what a pod asks for: count cards with milli of each, of one of the models (none: any).
type gpuRequest struct {
	count, milli int
	models       []string
}

// request reads what a pod asks for. The error names the annotation or resource and what it should say.
func (g GPUArgs) request(pod *v1.Pod) (gpuRequest, error) {
	r, asked, err := g.annotated(pod)
	if err != nil || asked {
		return r, err
	}
	requests := corev1helpers.PodRequests(pod, corev1helpers.PodResourcesOptions{})
	cards := requests[v1.ResourceName(g.CountKey)]
	return g.whole(pod, cards.Value())
}

// requestOnNode is request for a pod of a node, whose resources the scheduler has added up already: no allocation.
func (g GPUArgs) requestOnNode(info fwk.PodInfo) (gpuRequest, error) {
	r, asked, err := g.annotated(info.GetPod())
	if err != nil || asked {
		return r, err
	}
	return g.whole(info.GetPod(), info.CalculateResource().Resource.GetScalarResources()[v1.ResourceName(g.CountKey)])
}

// annotated reads a request by annotation; asked is false where there is none.
func (g GPUArgs) annotated(pod *v1.Pod) (r gpuRequest, asked bool, err error) {
	milliText, byMilli := pod.Annotations[g.MilliKey]
	countText, byCount := pod.Annotations[g.CountKey]
	if !byMilli && !byCount {
		return gpuRequest{}, false, nil
	}
	r = gpuRequest{count: 1, milli: wholeCard}
	if byMilli {
		if r.milli, err = strconv.Atoi(milliText); err != nil || r.milli < 1 || r.milli > wholeCard {
			return gpuRequest{}, true, fmt.Errorf("annotation %s is %.64q: want 1 to 1000", g.MilliKey, milliText)
		}
	}
	if byCount {
		if r.count, err = strconv.Atoi(countText); err != nil || r.count < 1 || r.count > maxCards {
			return gpuRequest{}, true, fmt.Errorf("annotation %s is %.64q: want 1 to %d", g.CountKey, countText, maxCards)
		}
	}
	if r.count > 1 && r.milli != wholeCard {
		return gpuRequest{}, true, fmt.Errorf("annotations %s %d and %s %d: a pod with several cards takes whole ones, set %s to 1000",
			g.CountKey, r.count, g.MilliKey, r.milli, g.MilliKey)
	}
	if r.models, err = g.models(pod); err != nil {
		return gpuRequest{}, true, err
	}
	return r, true, nil
}

// whole is a request for whole cards by extended resource.
func (g GPUArgs) whole(pod *v1.Pod, cards int64) (gpuRequest, error) {
	if cards <= 0 {
		return gpuRequest{}, nil
	}
	if cards > maxCards {
		return gpuRequest{}, fmt.Errorf("%s is %d: no node offers more than %d cards", g.CountKey, cards, maxCards)
	}
	models, err := g.models(pod)
	if err != nil {
		return gpuRequest{}, err
	}
	return gpuRequest{count: int(cards), milli: wholeCard, models: models}, nil
}

func (g GPUArgs) models(pod *v1.Pod) ([]string, error) {
	text := pod.Annotations[g.ModelKey]
	if text == "" {
		return nil, nil
	}
	if len(text) > maxModelsBytes || strings.Count(text, "|") >= maxModels {
		return nil, fmt.Errorf("annotation %s is %.64q...: want at most %d models and %d bytes", g.ModelKey, text, maxModels, maxModelsBytes)
	}
	return strings.Split(text, "|"), nil
}

// accepts says whether the pod may run on cards of a model.
func (r gpuRequest) accepts(model string) bool {
	return len(r.models) == 0 || slices.Contains(r.models, model)
}

// namedBy says whether the cards are a possible answer to the request on a node with so many: as many as asked, each
// there and named once. Room is another question.
func (r gpuRequest) namedBy(cards []int, there int) bool {
	for i, c := range cards {
		if c < 0 || c >= there || slices.Contains(cards[:i], c) {
			return false
		}
	}
	return len(cards) == r.count
}

// fits says whether the cards are what was asked for and every one has room.
func (r gpuRequest) fits(free []int, cards []int) bool {
	return r.namedBy(cards, len(free)) && !slices.ContainsFunc(cards, func(c int) bool { return free[c] < r.milli })
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

// emptiest takes the cards with the most room, whether or not it is enough; all of them where there are too few.
func (r gpuRequest) emptiest(free []int) []int {
	cards := make([]int, len(free))
	for i := range cards {
		cards[i] = i
	}
	slices.SortStableFunc(cards, func(a, b int) int { return free[b] - free[a] })
	return cards[:min(r.count, len(cards))]
}

// parseCards reads "0" or "2-3-5"; anything else names no card.
func parseCards(text string) []int {
	if text == "" || len(text) > 4*maxCards {
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
