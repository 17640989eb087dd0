package berth

import (
	"context"
	"errors"
	"slices"

	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"

	"berth.dev/scheduler-plugin/pkg/apis/config"
	"berth.dev/scheduler-plugin/pkg/client"
	"berth.dev/scheduler-plugin/pkg/mode"
)

const stateKey fwk.StateKey = "berth.dev/decision"

// Who decided where a pod went.
const (
	byService  = "service"
	byShadow   = "shadow"
	byFallback = "fallback"
	byOff      = "off"
	byRanking  = "ranking"
	bySingle   = "single"
)

// decision is what PreScore leaves in the CycleState, and Reserve without the scores. It is written once and then only read.
type decision struct {
	id     string
	by     string
	known  bool // to the service: outcomes may name it
	rows   *rowTable
	scores []int8 // by row, unscored where the node was no candidate
	// byGeneration says the same, to Score.
	byGeneration generationScores
	cards        map[string][]int
	asked        []fwk.NodeInfo // where the other plugins are to be asked, too; else nil
}

// Clone returns the decision itself: it never changes after PreScore.
func (d *decision) Clone() fwk.StateData { return d }

// PreScore asks the service about all feasible nodes at once. Anything but a complete, timely, well-formed answer to
// this very question is a Skip: the other score plugins decide, and the pod is placed.
func (b *Berth) PreScore(ctx context.Context, state fwk.CycleState, pod *v1.Pod, nodes []fwk.NodeInfo) *fwk.Status {
	b.leads()
	b.checkProfile()
	p := b.describePod(pod)
	b.tellIgnored(pod, p.ignored)
	d := &decision{id: b.nextDecision(pod), by: byFallback}
	state.Write(stateKey, d)
	setting := b.mode()
	treated := setting.For(pod, p.owner)
	switch treated {
	case config.ModeOff:
		d.by = byOff
		return fwk.NewStatus(fwk.Skip, "Berth is switched off")
	case config.ModeShadow:
		d.by, d.known = byShadow, b.askInShadow(ctx, setting, d.id, p, pod, nodes)
		return fwk.NewStatus(fwk.Skip, "Berth only watches this pod")
	}

	b.noteScored()
	if b.ranked(d, setting, p, pod, nodes) {
		return nil
	}

	var told uint64
	began := b.clock.Now()
	b.encoder.more, told = b.news.Append(setting.AppendClip(b.encoder.more[:0]), began)
	candidates := b.columns(pod, p.gpu, nodes)
	ask, body := b.question(&b.encoder, d.id, setting.Told(treated), p, candidates)
	start := b.clock.Now()
	callCtx, cancel := context.WithTimeout(ctx, b.args.Timeout.Duration)
	defer cancel()
	reply, err := ask(callCtx, body, d.id, len(candidates.names))
	if len(nodes) >= rankedFrom {
		b.waits.spend(b.clock.Now(), b.clock.Since(began))
	}
	result := "ok"
	if err != nil {
		result = client.Reason(err)
		b.tellRefusal(err)
		b.encoder = requestEncoder{} // the question may still be under way
	}
	scoreDuration.WithLabelValues(result).Observe(b.clock.Since(start).Seconds())
	if err != nil {
		if b.logs.allow(b.clock.Now()) && !errors.Is(err, context.Canceled) {
			klog.FromContext(ctx).V(2).Info("Berth has no scores, the other plugins decide", "pod", klog.KObj(pod), "reason", result, "err", err)
		}
		return fwk.NewStatus(fwk.Skip, "no scores from Berth: "+result)
	}
	b.news.Told(told)
	b.outcomes.NoteInstance(reply.Instance)
	d.by, d.known = byService, true
	if b.others.due(b.clock.Now()) {
		d.asked = nodes
	}
	score(d, b.rows, candidates.rows, reply.Scores)
	if len(reply.GPUCards) == len(candidates.names) {
		d.cards = make(map[string][]int, len(nodes))
		for i, name := range candidates.names {
			d.cards[name] = reply.GPUCards[i]
		}
	}
	return nil
}

// score writes down what the candidates got, 0 to 100 each.
func score[S int8 | int64](d *decision, rows *rowTable, candidates []int32, scores []S) {
	d.rows, d.scores = rows, slices.Repeat([]int8{unscored}, len(rows.rows))
	for i, row := range candidates {
		d.scores[row] = int8(scores[i])
	}
	d.byGeneration = scoresByGeneration(rows, candidates, scores)
}

// asker is the client's method for one form of a question.
type asker func(ctx context.Context, body []byte, decision string, candidates int) (*client.Reply, error)

// question is in binary columns, but for the few pods that ask for cards. The bytes are valid until the encoder's next one.
func (b *Berth) question(e *requestEncoder, decision string, told config.Mode, p podView, c *columns) (asker, []byte) {
	if p.gpu.count > 0 {
		return b.client.Score, e.encode(decision, b.scheduler, told, p, e.more, c)
	}
	return b.client.ScoreColumns, e.encodeBinary(e.encode(decision, b.scheduler, told, p, e.more, nil), c)
}

// askInShadow sends the question without waiting; above shadowQuestionsPerSecond, or if too many are unanswered, this one is
// left out. Only what the cycle alone may read is read in it: 5,000 candidates take longer to write down than to look at.
func (b *Berth) askInShadow(ctx context.Context, setting *mode.Mode, decision string, p podView, pod *v1.Pod, nodes []fwk.NodeInfo) (asked bool) {
	if !b.mayAskInShadow() {
		shadowUnasked.Inc()
		return false
	}
	e := b.spare.Get().(*requestEncoder)
	var told uint64
	e.more, told = b.news.Append(setting.AppendClip(e.more[:0]), b.clock.Now())
	candidates := b.columnsInto(&e.columns, pod, p.gpu, nodes)
	go func() {
		defer func() { <-b.shadows }()
		ask, question := b.question(e, decision, config.ModeShadow, p, candidates)
		start := b.clock.Now()
		// The cycle's context ends with the cycle; a shadow call has a second of its own.
		callCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), shadowTimeout)
		defer cancel()
		reply, err := ask(callCtx, question, decision, len(candidates.names))
		took := b.clock.Since(start)
		result := "shadow_ok"
		if err != nil {
			result = "shadow_" + client.Reason(err)
			b.tellRefusal(err)
		} else {
			if took > b.args.Timeout.Duration { // no pod would have waited for it
				result = "shadow_" + client.ReasonTimeout
			}
			b.spare.Put(e) // after a failure the question may still be under way
			b.news.Told(told)
			b.outcomes.NoteInstance(reply.Instance)
		}
		scoreDuration.WithLabelValues(result).Observe(took.Seconds())
	}()
	return true
}

// mayAskInShadow takes a place among the unanswered questions. Where there is none the pod is no question that brought no answer, and
// none of those that are asked in the mean.
func (b *Berth) mayAskInShadow() bool {
	select {
	case b.shadows <- struct{}{}:
	default:
		return false
	}
	if b.watched.TryAccept() {
		return true
	}
	<-b.shadows
	return false
}

// tellRefusal sees to it that the news of other pods, should it be them that the service will not have, cost no second
// pod its scores; batches bring them all the same.
func (b *Berth) tellRefusal(err error) {
	if client.Refused(err) {
		b.news.Clear()
	}
}
