package berth

import (
	"context"
	"errors"
	"hash/fnv"

	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"

	"berth.dev/scheduler-plugin/pkg/apis/config"
	"berth.dev/scheduler-plugin/pkg/client"
)

const stateKey fwk.StateKey = "berth.dev/decision"

// Who decided where a pod went.
const (
	byService  = "service"
	byShadow   = "shadow"
	byFallback = "fallback"
	bySingle   = "single"
)

// decision is what PreScore leaves in the CycleState. It is written once and then only read.
type decision struct {
	id     string
	by     string
	known  bool // to the service: outcomes may name it
	scores map[string]int64
	cards  map[string][]int
}

// Clone returns the decision itself: it never changes after PreScore.
func (d *decision) Clone() fwk.StateData { return d }

// PreScore asks the service about all feasible nodes at once. Anything but a complete, timely, well-formed answer to
// this very question is a Skip: the other score plugins decide, and the pod is placed.
func (b *Berth) PreScore(ctx context.Context, state fwk.CycleState, pod *v1.Pod, nodes []fwk.NodeInfo) *fwk.Status {
	b.leads()
	p := b.describePod(pod)
	b.tellIgnored(pod, p.ignored)
	d := &decision{id: b.nextDecision(pod), by: byFallback}
	state.Write(stateKey, d)
	mode := b.modeFor(pod, p.owner)
	b.encoder.news = b.news.Append(b.encoder.news[:0], b.clock.Now())
	body := b.encoder.encode(d.id, b.scheduler, mode, p, b.encoder.news, b.columns(pod, p.gpu, nodes))
	if mode == config.ModeShadow {
		d.by, d.known = byShadow, b.askInShadow(ctx, body, d.id, len(nodes))
		return fwk.NewStatus(fwk.Skip, "Berth only watches this pod")
	}

	start := b.clock.Now()
	callCtx, cancel := context.WithTimeout(ctx, b.args.Timeout.Duration)
	defer cancel()
	reply, err := b.client.Score(callCtx, body, d.id, len(nodes))
	result := "ok"
	if err != nil {
		result = client.Reason(err)
		b.tellRefusal(err)
	}
	scoreDuration.WithLabelValues(result).Observe(b.clock.Since(start).Seconds())
	if err != nil {
		if b.logs.allow(b.clock.Now()) && !errors.Is(err, context.Canceled) {
			klog.FromContext(ctx).V(2).Info("Berth has no scores, the other plugins decide", "pod", klog.KObj(pod), "reason", result, "err", err)
		}
		return fwk.NewStatus(fwk.Skip, "no scores from Berth: "+result)
	}
	b.outcomes.NoteInstance(reply.Instance)
	d.by, d.known = byService, true
	d.scores = make(map[string]int64, len(nodes))
	for i, n := range nodes {
		d.scores[n.Node().Name] = reply.Scores[i]
	}
	if len(reply.GPUCards) == len(nodes) {
		d.cards = make(map[string][]int, len(nodes))
		for i, n := range nodes {
			d.cards[n.Node().Name] = reply.GPUCards[i]
		}
	}
	return nil
}

// askInShadow sends the question without waiting; if too many are unanswered this one is left out.
func (b *Berth) askInShadow(ctx context.Context, body []byte, decision string, candidates int) (asked bool) {
	select {
	case b.shadows <- struct{}{}:
	default:
		scoreDuration.WithLabelValues("shadow_busy").Observe(0)
		return false
	}
	question := append([]byte(nil), body...) // the encoder's buffer is used again for the next pod
	go func() {
		defer func() { <-b.shadows }()
		start := b.clock.Now()
		// The cycle's context ends with the cycle; a shadow call has a second of its own.
		callCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), shadowTimeout)
		defer cancel()
		reply, err := b.client.Score(callCtx, question, decision, candidates)
		result := "shadow_ok"
		if err != nil {
			result = "shadow_" + client.Reason(err)
			b.tellRefusal(err)
		} else {
			b.outcomes.NoteInstance(reply.Instance)
		}
		scoreDuration.WithLabelValues(result).Observe(b.clock.Since(start).Seconds())
	}()
	return true
}

// tellRefusal sees to it that the news of other pods, should it be them that the service will not have, cost no second
// pod its scores; batches bring them all the same.
func (b *Berth) tellRefusal(err error) {
	if client.Refused(err) {
		b.news.Clear()
	}
}

// modeFor is sticky by owner: the replicas of one Deployment are all in the canary, or none is.
func (b *Berth) modeFor(pod *v1.Pod, owner string) config.Mode {
	if b.args.Mode != config.ModeCanary {
		return b.args.Mode
	}
	for _, namespace := range b.args.Canary.Namespaces {
		if namespace == pod.Namespace {
			return config.ModeActive
		}
	}
	h := fnv.New32a()
	h.Write([]byte(owner))
	if int32(h.Sum32()%100) < b.args.Canary.Percent {
		return config.ModeActive
	}
	return config.ModeShadow
}
