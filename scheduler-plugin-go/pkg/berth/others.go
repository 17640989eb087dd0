package berth

import (
	"context"
	"sync"
	"time"

	v1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"berth.dev/scheduler-plugin/pkg/outcome"
)

// The framework shows a plugin no scores but its own: they meet in RunScorePlugins, whose result goes to the scheduler
// alone (framework/runtime/framework.go of the pinned release), and CycleState holds none of them. What it does let a
// plugin do is to run the score plugins again (Handle.RunScorePlugins): in the same cycle, on the same snapshot and with
// what their PreScore left behind they say the same. That costs the cycle what scoring costs, so it is done for a decision
// in a while, in Reserve, where the node is known.

const (
	othersEvery = time.Second
	// othersShare bounds what of the scheduling loop's time it takes: after a run that took long the next one waits.
	othersShare = 100

	othersKey fwk.StateKey = "berth.dev/others"
)

// others says when to ask the other plugins again. Safe for concurrent use.
type others struct {
	mu   sync.Mutex
	next time.Time
}

func (o *others) due(now time.Time) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if now.Before(o.next) {
		return false
	}
	o.next = now.Add(othersEvery)
	return true
}

func (o *others) took(now time.Time, lasted time.Duration) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.next = now.Add(max(othersEvery, othersShare*lasted))
}

// preferred is what the other plugins would have done, for PostBind.
type preferred outcome.Without

// Clone returns the same: it never changes.
func (p *preferred) Clone() fwk.StateData { return p }

// askOthers notes where the pod would have gone by the other score plugins alone.
func (b *Berth) askOthers(ctx context.Context, state fwk.CycleState, pod *v1.Pod, chosen string) {
	d := decisionOf(state)
	if d == nil || d.asked == nil {
		return
	}
	start := b.clock.Now()
	all, status := b.profile.RunScorePlugins(ctx, state, pod, d.asked)
	b.others.took(b.clock.Now(), b.clock.Since(start))
	if status.IsSuccess() {
		if w := withoutUs(all, chosen); w != nil {
			state.Write(othersKey, w)
		}
	}
}

// withoutUs takes our own scores off. Of several best nodes the scheduler draws one: the chosen one counts if it is among
// them.
func withoutUs(all []fwk.NodePluginScores, chosen string) *preferred {
	w := &preferred{}
	here := false
	for i, node := range all {
		sum := node.TotalScore
		for _, plugin := range node.Scores {
			if plugin.Name == Name {
				sum -= plugin.Score
			}
		}
		if node.Name == chosen {
			w.Here, here = sum, true
		}
		switch {
		case i == 0 || sum > w.Sum:
			w.Node, w.Sum, w.Ties = node.Name, sum, 1
		case sum == w.Sum:
			w.Ties++
			if node.Name == chosen {
				w.Node = chosen
			}
		}
	}
	if !here {
		return nil
	}
	return w
}

func preferredOf(state fwk.CycleState) *outcome.Without {
	data, err := state.Read(othersKey)
	if err != nil {
		return nil
	}
	p, ok := data.(*preferred)
	if !ok {
		return nil
	}
	return (*outcome.Without)(p)
}
