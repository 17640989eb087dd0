package berth

import (
	"cmp"
	"slices"
	"sync"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	fwk "k8s.io/kube-scheduler/framework"
)

// reservation is what this scheduler gave a pod.
type reservation struct {
	node  string
	cards []int
	milli int
}

// cardTable holds the cards this scheduler reserved, of all its profiles: they place pods on the same nodes. An entry
// stays until the pod is gone, and is believed before the pod's annotation, which its author may write. Safe for
// concurrent use.
type cardTable struct {
	mu       sync.RWMutex
	reserved map[types.UID]reservation
}

func newCardTable() *cardTable { return &cardTable{reserved: map[types.UID]reservation{}} }

func (t *cardTable) reserve(pod types.UID, r reservation) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reserved[pod] = r
}

func (t *cardTable) of(pod types.UID) (reservation, bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	r, ok := t.reserved[pod]
	return r, ok
}

func (t *cardTable) release(pod types.UID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.reserved, pod)
}

// nodeCards are the cards of one node as a pod that asks for some finds them.
type nodeCards struct {
	model string
	free  []int // milli-GPU by card, 0 to 1000; empty for a CPU-only node
	// overdrawn cards hold pods that ask for more than a card has; unoffered ones are beyond maxCards.
	overdrawn, unoffered int
	holders              []types.UID // pods on the node that count
}

// cards are those of a node as the pod asking finds them; they may be shared, nobody may change them.
func (b *Berth) cards(info fwk.NodeInfo, asking types.UID, nominated []*v1.Pod) nodeCards {
	count := info.GetAllocatable().GetScalarResources()[v1.ResourceName(b.args.GPU.CountKey)]
	if count <= 0 {
		return nodeCards{}
	}
	if len(nominated) == 0 {
		cards := b.cardCache.of(info, func() nodeCards { return b.workOutCards(info, count, "", nil) })
		if !slices.Contains(cards.holders, asking) {
			return cards
		}
	}
	return b.workOutCards(info, count, asking, nominated)
}

// workOutCards says what is left for the pod asking once every other pod on the node, and those nominated to it, has
// its cards: by reservation, else by annotation. A pod that asks for cards and has none that are possible is on its
// way (nominated) or was bound by others: it counts where it would fit best.
func (b *Berth) workOutCards(info fwk.NodeInfo, count int64, asking types.UID, nominated []*v1.Pod) nodeCards {
	node := info.Node()
	c := nodeCards{model: node.Labels[b.args.GPU.ModelKey], free: make([]int, min(count, maxCards)), unoffered: int(max(0, count-maxCards))}
	for i := range c.free {
		c.free[i] = wholeCard
	}
	var unseated []gpuRequest
	for _, p := range info.GetPods() {
		pod := p.GetPod()
		if pod.UID == asking {
			continue
		}
		if r, ok := b.gpu.of(pod.UID); ok && r.node == node.Name {
			c.take(r.cards, r.milli)
			c.holders = append(c.holders, pod.UID)
			continue
		}
		request, err := b.args.GPU.requestOnNode(p)
		if err == nil && request.count == 0 {
			continue
		}
		c.holders = append(c.holders, pod.UID)
		cards := parseCards(pod.Annotations[b.args.GPU.CardsKey])
		switch {
		case err != nil: // unreadable, but it may sit there: the cards it names are full
			c.take(cards, wholeCard)
		case request.namedBy(cards, len(c.free)):
			c.take(cards, request.milli)
		default:
			unseated = append(unseated, request)
		}
	}
	for _, pod := range nominated {
		if request, err := b.args.GPU.request(pod); err == nil && request.count > 0 {
			unseated = append(unseated, request)
		}
	}
	// The largest first, so that the answer does not depend on the order of the pods.
	slices.SortFunc(unseated, func(a, b gpuRequest) int { return cmp.Or(b.count-a.count, b.milli-a.milli) })
	for _, request := range unseated {
		cards := request.bestFit(c.free)
		if cards == nil {
			cards = request.emptiest(c.free) // the rest of its room is still being made
		}
		c.take(cards, request.milli)
	}
	for i, free := range c.free {
		if free < 0 {
			c.free[i] = 0
			c.overdrawn++
		}
	}
	return c
}

func (c *nodeCards) take(cards []int, milli int) {
	for i, card := range cards {
		if card < len(c.free) && !slices.Contains(cards[:i], card) {
			c.free[card] -= milli
		}
	}
}
