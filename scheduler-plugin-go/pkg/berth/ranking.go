package berth

import (
	"context"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	v1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"

	"berth.dev/scheduler-plugin/pkg/apis/config"
	"berth.dev/scheduler-plugin/pkg/mode"
)

// In a burst of alike pods the service ranks all nodes for them at once, and the pods are placed by that ranking: every pod
// of its own would cost the serial loop a call, and a machine that shares its cores with the service several milliseconds of
// them. A ranking is what the service says of each node, less what the service says a pod takes from it; it holds for a moment
// and a part of the cluster only, and as many pods as waitPercent allows are asked about all the same, for the service to learn.
const (
	// rankedFrom so many candidates a ranking is worth its price: with fewer a question costs little, and few pods change much.
	rankedFrom = 100
	// rankingAge is how long a ranking holds, rankingFresh after which time a new one is asked for: measurements come every 15 s,
	// and what pods of this scheduler take meanwhile is taken off.
	rankingAge, rankingFresh = 2 * time.Second, time.Second
	// rankingShare of its nodes may have got a pod since it was asked for: the more have, the less the mean is what it was.
	rankingShare = 0.1
	// rankingRetry is how long a service that has no ranking is left alone.
	rankingRetry   = 5 * time.Second
	rankingTimeout = time.Second
	// rankingsKept bounds the memory, at 5,000 nodes some 200 kB each; rankingsPerSecond what a burst of many classes costs.
	rankingsKept, rankingsPerSecond = 32, 8
	// leastMilli is what the service takes a pod for that asks for less.
	leastMilli = 100
	// leastPods is less than any pod counts for: what is left below it is rounding.
	leastPods = 1e-9
)

// podClass is all that a score depends on of a pod without cards.
type podClass struct {
	owner                    string
	priority                 int32
	cpuMilli, memoryBytes    int64
	softLatency, hardLatency string
}

func classOf(p podView) podClass {
	return podClass{p.owner, p.priority, p.cpuMilli, p.memoryBytes, p.softLatency, p.hardLatency}
}

func (c podClass) namespace() string {
	namespace, _, _ := strings.Cut(c.owner, "/")
	return namespace
}

// ranking is what the service said of all nodes for one class of pods. Only the scheduling loop touches it, but for answer.
type ranking struct {
	asked       time.Time
	setting     *mode.Mode
	rows        *rowTable
	nodes       []int32   // rows, in the order of the question
	since       []float64 // pods that have come to it, by row
	touched     int       // rows with any
	answer      chan rankingAnswer
	preferences []float64 // by row, NaN where nothing is known; nil without a usable answer
	drops       []float64
	least       float64 // of the preferences
}

type rankingAnswer struct{ preferences, drops []float64 }

// rankings are those of the classes that a burst is of. Not safe for concurrent use; the scheduling loop is serial.
type rankings map[podClass]*classRankings

// classRankings are the one that pods are placed by and the one that takes its place when it is answered.
type classRankings struct {
	current, next *ranking  // current has preferences
	seen          time.Time // a pod of the class in a burst
	failed        time.Time // the last one without an answer that can be used was asked for
}

// of are those of a class; where there is no room for another one it takes the one that can best be spared.
func (rs rankings) of(class podClass) *classRankings {
	of := rs[class]
	if of == nil {
		if len(rs) >= rankingsKept {
			delete(rs, rs.spared())
		}
		of = &classRankings{}
		rs[class] = of
	}
	return of
}

// spared is the class seen longest ago of the namespace that has most of them: an annotation that differs from pod to pod makes
// each a class, and is to cost its own namespace the rankings, not the others.
func (rs rankings) spared() (spared podClass) {
	classes := map[string]int{}
	for class := range rs {
		classes[class.namespace()]++
	}
	most := slices.Max(slices.Collect(maps.Values(classes)))
	var seen time.Time
	for class, of := range rs {
		if classes[class.namespace()] == most && (seen.IsZero() || of.seen.Before(seen)) {
			spared, seen = class, of.seen
		}
	}
	return spared
}

// holds says that pods may be placed by the ranking.
func (r *ranking) holds(setting *mode.Mode, rows *rowTable, now time.Time) bool {
	return r != nil && r.setting == setting && r.rows == rows &&
		now.Sub(r.asked) < rankingAge && float64(r.touched) <= rankingShare*float64(len(r.nodes))
}

// due says that it is time for another one than the current.
func (of *classRankings) due(setting *mode.Mode, rows *rowTable, now time.Time) bool {
	return now.Sub(of.failed) >= rankingRetry &&
		(!of.current.holds(setting, rows, now) || now.Sub(of.current.asked) >= rankingFresh)
}

// take lets the next one take the current one's place if it is answered; without a usable answer that one stays as long as it holds.
func (of *classRankings) take() {
	if of.next == nil || !of.next.take() {
		return
	}
	if of.next.preferences == nil {
		of.failed = of.next.asked
	} else {
		of.current = of.next
	}
	of.next = nil
}

// take takes in the answer if it is there, and says whether there is one.
func (r *ranking) take() bool {
	select {
	case a := <-r.answer:
		if a.preferences == nil {
			return true
		}
		r.preferences, r.drops = make([]float64, len(r.rows.rows)), make([]float64, len(r.rows.rows))
		for i := range r.preferences {
			r.preferences[i] = math.NaN()
		}
		r.least = math.Inf(1)
		for i, row := range r.nodes {
			r.preferences[row], r.drops[row] = a.preferences[i], a.drops[i]
			if finite(a.preferences[i]) {
				r.least = min(r.least, a.preferences[i])
			}
		}
		if math.IsInf(r.least, 1) {
			r.preferences = nil // by a policy that makes no forecast: it is to be asked about each pod
		}
		return true
	default:
		return false
	}
}

// preference of a row after the pods that have come to it since: with however many a node is behind the last of the others by
// one pod, for what is far below all of them makes these look alike.
func (r *ranking) preference(row int32) float64 {
	if int(row) >= len(r.since) {
		return math.NaN() // a node that joined since it was asked for
	}
	if r.since[row] == 0 {
		return r.preferences[row]
	}
	return max(r.preferences[row]-r.since[row]*r.drops[row], r.least-r.drops[row])
}

// reserved counts a pod on a node in every ranking of a profile: as many alike pods as it asks for times their CPU.
func (rs rankings) reserved(node string, cpuMilli int64) {
	rs.each(node, cpuMilli, func(r *ranking, row int32, pods float64) {
		if r.since[row] == 0 {
			r.touched++
		}
		r.since[row] += pods
	})
}

// unreserved takes a pod back out of those that counted it: a pod that fails after its reservation again and again would keep
// its node from a burst.
func (rs rankings) unreserved(p takenBackPod) {
	rs.each(p.node, p.cpuMilli, func(r *ranking, row int32, pods float64) {
		if r.since[row] == 0 || r.asked.After(p.reserved) {
			return
		}
		r.since[row] -= pods
		if r.since[row] < leastPods {
			r.since[row] = 0
			r.touched--
		}
	})
}

// each visits the node's row in every ranking, with how many pods of the ranking's class this one counts for.
func (rs rankings) each(node string, cpuMilli int64, visit func(r *ranking, row int32, pods float64)) {
	for class, of := range rs {
		pods := float64(max(leastMilli, cpuMilli)) / float64(max(leastMilli, class.cpuMilli))
		for _, r := range []*ranking{of.current, of.next} {
			if r == nil || r.rows == nil {
				continue
			}
			if row, known := r.rows.index[node]; known && int(row) < len(r.since) {
				visit(r, row, pods)
			}
		}
	}
}

// ranked decides by a ranking of all nodes where one holds, and asks for a new one when it is time. False where the service is
// to be asked about this pod: while there is no burst, about the first two pods of its class, until the ranking is there, and
// where the classes are too many.
func (b *Berth) ranked(d *decision, setting *mode.Mode, p podView, pod *v1.Pod, nodes []fwk.NodeInfo) bool {
	for _, taken := range b.takenBack.all() {
		for _, ofProfile := range b.process.rankings {
			ofProfile.unreserved(taken)
		}
	}
	if p.gpu.count > 0 || len(nodes) < rankedFrom || !b.waits.spent(b.clock.Now()) {
		return false
	}
	now := b.clock.Now()
	of := b.rankings.of(classOf(p))
	rows := b.table(len(nodes))
	of.take()
	again := now.Sub(of.seen) < rankingAge
	of.seen = now
	if again && of.next == nil && of.due(setting, rows, now) && b.rankable.TryAccept() {
		of.next = b.askForRanking(setting, p, pod, now)
	}
	if !of.current.holds(setting, rows, now) {
		return false
	}
	b.candidates = rows.candidates(nodes, &b.args, b.candidates[:0])
	b.preferences = sized(b.preferences, len(b.candidates))
	for i, row := range b.candidates {
		b.preferences[i] = of.current.preference(row)
	}
	d.by = byRanking
	score(d, rows, b.candidates, scale(b.preferences))
	return true
}

// askForRanking sends the question without waiting; what only the cycle may read is read in it.
func (b *Berth) askForRanking(setting *mode.Mode, p podView, pod *v1.Pod, now time.Time) *ranking {
	r := &ranking{asked: now, setting: setting, answer: make(chan rankingAnswer, 1)}
	all, err := b.profile.SnapshotSharedLister().NodeInfos().List()
	if err != nil {
		r.answer <- rankingAnswer{}
		return r
	}
	e := b.spare.Get().(*requestEncoder)
	columns := b.columnsInto(&e.columns, pod, p.gpu, all)
	r.rows, r.nodes, r.since = b.rows, slices.Clone(columns.rows), make([]float64, len(b.rows.rows))
	var told uint64
	e.more, told = b.news.Append(setting.AppendClip(e.more[:0]), now)
	id := b.nextDecision(pod)
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), rankingTimeout)
		defer cancel()
		question := e.encodeBinary(e.encode(id, b.scheduler, config.ModeActive, p, e.more, nil), columns)
		reply, err := b.client.Rank(ctx, question, id, len(columns.names))
		if err != nil {
			rankingsFailed.Inc()
			b.tellRefusal(err)
			r.answer <- rankingAnswer{}
			return
		}
		b.spare.Put(e) // after a failure the question may still be under way
		rankingsTaken.Inc()
		b.news.Told(told)
		b.outcomes.NoteInstance(reply.Instance)
		r.answer <- rankingAnswer{reply.Preferences, reply.Drops}
	}()
	return r
}
