package berth

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	testingclock "k8s.io/utils/clock/testing"

	"berth.dev/scheduler-plugin/pkg/outcome"
)

func TestPreferencesAreScaledAsInTheSharedExamples(t *testing.T) {
	file, err := os.ReadFile("../../../api/examples/scale.json")
	if err != nil {
		t.Fatal(err)
	}
	var examples []struct {
		Example     string
		Preferences []*float64
		Scores      []int8
	}
	if err := json.Unmarshal(file, &examples); err != nil {
		t.Fatal(err)
	}
	if len(examples) == 0 {
		t.Fatal("no examples")
	}
	for _, e := range examples {
		t.Run(e.Example, func(t *testing.T) {
			var preferences []float64
			for _, p := range e.Preferences {
				if p == nil {
					preferences = append(preferences, math.NaN())
				} else {
					preferences = append(preferences, *p)
				}
			}
			if diff := cmp.Diff(e.Scores, scale(preferences)); diff != "" {
				t.Errorf("(-want,+got):\n%s", diff)
			}
		})
	}
}

// burst is a scheduler in the middle of a burst: it has waited as long as it may, and the clock stands.
type burst struct {
	*Berth
	t       *testing.T
	service *fakeService
	clock   *testingclock.FakeClock
	nodes   []fwk.NodeInfo
	another func() *Berth // profile of the same scheduler
}

type wholeCluster struct {
	fwk.SharedLister
	fwk.NodeInfoLister
	nodes []fwk.NodeInfo
}

func (c *wholeCluster) NodeInfos() fwk.NodeInfoLister        { return c }
func (c *wholeCluster) List() ([]fwk.NodeInfo, error)        { return c.nodes, nil }
func (h *fakeHandle) SnapshotSharedLister() fwk.SharedLister { return h.snapshot }

// rank answers a question about all nodes: the further a node is down the list the better, and a pod takes three places.
// Unranked, it says nothing of any.
func rank(w http.ResponseWriter, question map[string]any, unranked bool) {
	n := len(question["nodes"].(map[string]any)["names"].([]any))
	head, _ := json.Marshal(map[string]any{"decision": question["decision"], "instance": "i1"})
	reply := binary.LittleEndian.AppendUint32(nil, uint32(len(head)))
	reply = append(reply, head...)
	for i := range n {
		preference := float64(i)
		if unranked {
			preference = math.NaN()
		}
		reply = binary.LittleEndian.AppendUint64(reply, math.Float64bits(preference))
	}
	for range n {
		reply = binary.LittleEndian.AppendUint64(reply, math.Float64bits(3))
	}
	w.Header().Set("Content-Type", "application/vnd.berth.ranking")
	_, _ = w.Write(reply)
}

func newBurst(t *testing.T, nodes int) *burst {
	t.Helper()
	var names []string
	for i := range nodes {
		names = append(names, fmt.Sprintf("n%03d", i))
	}
	b := &burst{t: t, nodes: testNodes(names...), service: newFakeService(t, scores(slices.Repeat([]int{7}, nodes)...))}
	handle := newFakeHandle()
	handle.snapshot = &wholeCluster{nodes: b.nodes}
	b.clock = testingclock.NewFakeClock(time.Now())
	profiles := factory(b.clock)
	b.another = func() *Berth { return newPluginOf(t, profiles, handle, b.service.URL, "") }
	b.Berth = b.another()
	b.waits.spend(b.clock.Now(), time.Minute)
	return b
}

// place schedules a pod and returns who decided and what the nodes were scored.
func (b *burst) place(pod, node string) (by string, scored []int64) {
	b.t.Helper()
	ctx, state := context.Background(), framework.NewCycleState()
	p := testPod(pod)
	b.PreScore(ctx, state, p, b.nodes)
	scored = scoreAll(b.t, b.Berth, state, p, b.nodes)
	b.Reserve(ctx, state, p, node)
	return decisionOf(state).by, scored
}

// answered waits until the ranking that was asked for is there.
func (b *burst) answered() {
	b.t.Helper()
	eventually(b.t, "the ranking is answered", func() bool {
		for _, of := range b.rankings {
			if of.next != nil && len(of.next.answer) == 0 {
				return false
			}
		}
		return true
	})
}

// begin places the two pods that a class is known by as one of a burst, the second on a node, and waits for the ranking.
func (b *burst) begin(node string) {
	b.t.Helper()
	for pod, to := range []string{"n000", node} {
		if by, _ := b.place(fmt.Sprint("begin", pod), to); by != byService {
			b.t.Fatalf("pod %d of a burst is decided by %s, want %s", pod, by, byService)
		}
	}
	b.answered()
}

// later lets time pass; the burst goes on.
func (b *burst) later(d time.Duration) {
	b.clock.Step(d)
	b.waits.spend(b.clock.Now(), time.Minute)
}

func TestABurstOfAlikePodsIsPlacedByARankingLessWhatItsPodsTake(t *testing.T) {
	b := newBurst(t, 100)
	b.begin("n099")
	by, scored := b.place("second", "n098")
	if by != byRanking {
		t.Fatalf("decided by %s, want %s", by, byRanking)
	}
	// The first took three places of n099: it is level with n096 now, and n098 is the best of all.
	if scored[98] != 100 || scored[99] != scored[96] || scored[0] != 0 {
		t.Errorf("n000 %d, n096 %d, n098 %d, n099 %d", scored[0], scored[96], scored[98], scored[99])
	}
	if _, scored = b.place("third", "n097"); scored[97] != 100 || scored[98] >= 100 {
		t.Errorf("after the second: n097 %d, n098 %d", scored[97], scored[98])
	}
}

func TestSlowAnswersUseUpWhatTheLoopMayWaitForABurst(t *testing.T) {
	b := newBurst(t, 100)
	b.clock.Step(time.Minute) // the burst before is long over
	answer := b.service.answer
	b.service.answer = func(w http.ResponseWriter, question map[string]any) {
		b.clock.Step(10 * time.Millisecond)
		answer(w, question)
	}
	asked := 0
	for by := byService; by == byService && asked < 100; b.answered() {
		by, _ = b.place(fmt.Sprint("pod", asked), "n000")
		asked++
	}
	if asked < 5 || asked > 10 { // 50 ms are five seconds' worth; the next pod asks for the ranking
		t.Errorf("a pod is placed by a ranking after %d questions of 10 ms", asked)
	}
}

func TestARankingHoldsForAMomentAndAPartOfTheClusterOnly(t *testing.T) {
	b := newBurst(t, 100)
	b.begin("n001")
	for i := range 10 {
		if by, _ := b.place(fmt.Sprint("pod", i), fmt.Sprintf("n%03d", 10+i)); by != byRanking {
			t.Fatalf("pod %d is decided by %s", i, by)
		}
	}
	if by, _ := b.place("more than a tenth", "n050"); by != byService {
		t.Errorf("with eleven nodes changed decided by %s", by)
	}
	b.answered()
	if by, _ := b.place("by the new one", "n051"); by != byRanking {
		t.Errorf("by a new ranking: decided by %s", by)
	}
	b.later(rankingAge)
	if by, _ := b.place("too late", "n052"); by != byService {
		t.Errorf("after %s decided by %s", rankingAge, by)
	}
}

func TestAPodThatIsTakenBackLeavesItsNodeWhereItWasInTheRankingsThatCountedIt(t *testing.T) {
	b := newBurst(t, 100)
	failing, state, priority := testPod("failing"), framework.NewCycleState(), int32(7)
	failing.Spec.Priority = &priority // of another class, which is in no burst
	b.PreScore(context.Background(), state, failing, b.nodes)
	b.Reserve(context.Background(), state, failing, "n099") // before the ranking is asked for, which so has it in its preferences
	b.later(time.Millisecond)
	b.begin("n099")
	b.Unreserve(context.Background(), state, failing, "n099")
	_, before := b.place("pod", "n050")
	if before[98] != 100 || before[99] != before[96] {
		t.Errorf("not counted, then taken back: n096 %d, n098 %d, n099 %d", before[96], before[98], before[99])
	}
	for i := range 20 { // twice as many nodes as may have got a pod
		node := fmt.Sprintf("n%03d", 70+i)
		pod, state := testPod(fmt.Sprint("failing", i)), framework.NewCycleState()
		b.PreScore(context.Background(), state, pod, b.nodes)
		b.Reserve(context.Background(), state, pod, node)
		b.Unreserve(context.Background(), state, pod, node)
		b.Unreserve(context.Background(), state, pod, node)
	}
	by, after := b.place("again", "n050")
	if diff := cmp.Diff(before[51:], after[51:]); by != byRanking || diff != "" {
		t.Errorf("after 20 that came to nothing decided by %s (-before,+after):\n%s", by, diff)
	}
}

// Go ends a process that reads a map while it is written; make race sees it before.
func TestPodsAreTakenBackBesideASchedulingLoopThatMeetsNewNodes(t *testing.T) {
	b := newBurst(t, 100)
	b.begin("n099")
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 20_000 {
			pod, state := testPod(fmt.Sprint("bound", i)), framework.NewCycleState()
			b.pods.reserve(string(pod.UID), outcome.Event{Node: "n001"}, b.clock.Now())
			b.Unreserve(context.Background(), state, pod, "n001")
		}
	}()
	for i := range 20_000 {
		joined := testNodes(fmt.Sprintf("joined%03d", i))
		b.columns(testPod("next"), gpuRequest{}, joined)
	}
	<-done
}

func TestPodsOfManyClassesAreAskedAboutOneByOne(t *testing.T) {
	b := newBurst(t, 100)
	for i := range 40 {
		pod, state, priority := testPod(fmt.Sprint("pod", i)), framework.NewCycleState(), int32(i)
		pod.Spec.Priority = &priority
		b.PreScore(context.Background(), state, pod, b.nodes)
		if by := decisionOf(state).by; by != byService {
			t.Errorf("pod %d is decided by %s", i, by)
		}
	}
	if asked := b.service.ranked.Load(); asked != 0 {
		t.Errorf("asked for %d rankings for pods that have no like", asked)
	}
}

func TestOnlyPodsOfOneClassShareARanking(t *testing.T) {
	b := newBurst(t, 100)
	b.begin("n001")
	other := testPod("other")
	priority := int32(7)
	other.Spec.Priority = &priority
	state := framework.NewCycleState()
	b.PreScore(context.Background(), state, other, b.nodes)
	if by := decisionOf(state).by; by != byService {
		t.Errorf("a pod of another priority is decided by %s", by)
	}
}

func TestFewCandidatesAreAlwaysAskedAbout(t *testing.T) {
	b := newBurst(t, rankedFrom-1)
	for i := range 5 {
		if by, _ := b.place(fmt.Sprint("pod", i), "n001"); by != byService {
			t.Errorf("pod %d is decided by %s", i, by)
		}
	}
}

func TestAServiceWithoutRankingsIsAskedAboutEveryPodAndLeftAlone(t *testing.T) {
	b := newBurst(t, 100)
	b.service.rankless.Store(true)
	for i := range 5 {
		if by, _ := b.place(fmt.Sprint("pod", i), "n001"); by != byService {
			t.Errorf("pod %d is decided by %s", i, by)
		}
		b.answered()
	}
	if asked := b.service.ranked.Load(); asked != 1 {
		t.Errorf("asked for %d rankings within %s", asked, rankingRetry)
	}
}

// A policy that makes no forecast has no ranking, and says so of every node.
func TestARankingThatSaysNothingOfAnyNodeIsNone(t *testing.T) {
	b := newBurst(t, 100)
	b.service.unranked.Store(true)
	for i := range 5 {
		by, scored := b.place(fmt.Sprint("pod", i), "n001")
		if by != byService || scored[0] != 7 {
			t.Errorf("pod %d is decided by %s, n000 has %d", i, by, scored[0])
		}
		b.answered()
	}
	if asked := b.service.ranked.Load(); asked != 1 {
		t.Errorf("asked for %d rankings within %s", asked, rankingRetry)
	}
}

func TestARankingThatHoldsOutlivesOneThatFails(t *testing.T) {
	b := newBurst(t, 100)
	b.begin("n001")
	b.service.rankless.Store(true)
	b.later(rankingFresh)
	for i := range 3 {
		if by, _ := b.place(fmt.Sprint("pod", i), "n002"); by != byRanking {
			t.Errorf("pod %d is decided by %s", i, by)
		}
		b.answered()
	}
	if asked := b.service.ranked.Load(); asked != 2 {
		t.Errorf("asked for %d rankings, want the first and the one that failed", asked)
	}
}

func TestPodsOfManyClassesTakeNoRunningBurstItsRanking(t *testing.T) {
	b := newBurst(t, 100)
	b.begin("n001")
	for i := range 2 * rankingsKept {
		b.later(time.Millisecond)
		pod, priority := testPod(fmt.Sprint("odd", i)), int32(i+1)
		pod.Spec.Priority = &priority
		b.PreScore(context.Background(), framework.NewCycleState(), pod, b.nodes)
		b.later(time.Millisecond)
		if by, _ := b.place(fmt.Sprint("pod", i), "n002"); by != byRanking {
			t.Fatalf("after %d other classes a pod of the burst is decided by %s", i+1, by)
		}
	}
	if len(b.rankings) > rankingsKept {
		t.Errorf("%d classes are kept, want at most %d", len(b.rankings), rankingsKept)
	}
}

func TestANamespaceOfManyClassesTakesNoOtherItsRankings(t *testing.T) {
	b := newBurst(t, 100)
	b.begin("n001")
	for i := range 2 * rankingsKept {
		pod, priority := testPod(fmt.Sprint("odd", i)), int32(i)
		pod.Namespace, pod.Spec.Priority = "other", &priority
		b.PreScore(context.Background(), framework.NewCycleState(), pod, b.nodes)
		b.later(time.Millisecond)
	}
	if by, _ := b.place("pod", "n002"); by != byRanking {
		t.Errorf("after %d classes of another namespace a pod of the burst is decided by %s", 2*rankingsKept, by)
	}
}

func TestOneLargePodDoesNotMakeAllOtherNodesLookAlike(t *testing.T) {
	b := newBurst(t, 100)
	b.begin("n000")
	b.rankings.reserved("n050", 1_000_000)
	_, scored := b.place("pod", "n001")
	if scored[50] != 0 || scored[99] != 100 || scored[75]-scored[25] < 40 {
		t.Errorf("n025 %d, n050 %d, n075 %d, n099 %d", scored[25], scored[50], scored[75], scored[99])
	}
}

func TestAPodCountsForAsManyAlikePodsAsTheServiceTakesItFor(t *testing.T) {
	for _, c := range []struct {
		pod, class int64
		want       float64
	}{{4000, 0, 40}, {0, 4000, 1. / 40}, {0, 10, 1}, {500, 250, 2}} {
		r := &ranking{rows: &rowTable{index: map[string]int32{"n": 0}}, since: []float64{0}}
		rs := rankings{podClass{cpuMilli: c.class}: {current: r}}
		rs.reserved("n", c.pod)
		if r.since[0] != c.want {
			t.Errorf("a pod of %d m counts for %g of %d m, want %g", c.pod, r.since[0], c.class, c.want)
		}
	}
}

// TestAPodOfAnotherProfileTakesItsNodeFromABurst: the scheduling loop is one for all profiles, and so are the nodes.
func TestAPodOfAnotherProfileTakesItsNodeFromABurst(t *testing.T) {
	b := newBurst(t, 100)
	other := *b
	other.Berth = b.another()
	b.begin("n000")
	if _, scored := b.place("one", "n000"); scored[99] != 100 {
		t.Fatalf("the best node has %d before anything came to it", scored[99])
	}
	other.place("theirs", "n099")
	if by, scored := b.place("two", "n098"); by != byRanking || scored[99] == 100 {
		t.Errorf("decided by %s, and n099 has %d after another profile's pod came to it", by, scored[99])
	}
	other.Unreserve(t.Context(), framework.NewCycleState(), testPod("theirs"), "n099")
	if by, scored := b.place("three", "n097"); by != byRanking || scored[99] != 100 {
		t.Errorf("decided by %s, and n099 has %d after that pod was taken back", by, scored[99])
	}
}
