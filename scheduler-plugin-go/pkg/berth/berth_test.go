package berth

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	goruntime "runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/events"
	"k8s.io/component-base/metrics/testutil"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"

	"berth.dev/scheduler-plugin/pkg/apis/config"
	"berth.dev/scheduler-plugin/test/questions"
)

// fakeHandle is the part of the framework's handle that the plugin uses.
type fakeHandle struct {
	fwk.Handle
	client    kubernetes.Interface
	informers informers.SharedInformerFactory
	events    *events.FakeRecorder
	runs      int // of RunScorePlugins
	snapshot  fwk.SharedLister
}

func newFakeHandle(objects ...runtime.Object) *fakeHandle {
	client := fake.NewClientset(objects...)
	return &fakeHandle{client: client, informers: informers.NewSharedInformerFactory(client, 0), events: events.NewFakeRecorder(100)}
}

// RunScorePlugins gives Berth's weighted scores and, by the others, 10 for the first node, 20 for the second, and so on.
func (h *fakeHandle) RunScorePlugins(_ context.Context, state fwk.CycleState, pod *v1.Pod, nodes []fwk.NodeInfo) ([]fwk.NodePluginScores, *fwk.Status) {
	var all []fwk.NodePluginScores
	for i, n := range nodes {
		ours, others := int64(20*100*(len(nodes)-i)), int64(10*(i+1))
		all = append(all, fwk.NodePluginScores{Name: n.Node().Name, TotalScore: ours + others,
			Scores: []fwk.PluginScore{{Name: "NodeResourcesFit", Score: others}, {Name: Name, Score: ours}}})
	}
	h.runs++
	return all, nil
}

func (h *fakeHandle) ClientSet() kubernetes.Interface { return h.client }

func (h *fakeHandle) ProfileName() string { return "default-scheduler" }

func (h *fakeHandle) EventRecorder() events.EventRecorderLogger { return h.events }

func (h *fakeHandle) SharedInformerFactory() informers.SharedInformerFactory { return h.informers }

// fakeService answers score requests as a test wants and remembers what it was sent.
type fakeService struct {
	*httptest.Server
	answer func(w http.ResponseWriter, question map[string]any)

	hold     func()      // called before outcomes are taken in
	rankless atomic.Bool // it has no rankings
	unranked atomic.Bool // those it has say nothing of any node
	ranked   atomic.Int32

	mu        sync.Mutex
	instance  string
	questions []map[string]any
	events    []map[string]any
}

func newFakeService(t *testing.T, answer func(http.ResponseWriter, map[string]any)) *fakeService {
	s := &fakeService{answer: answer, instance: "i1", hold: func() {}}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *fakeService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	message, err := questions.Read(r)
	if err != nil {
		http.Error(w, "the plugin sent no message: "+err.Error(), http.StatusBadRequest)
		return
	}
	if r.URL.Path == "/v1/rank" {
		s.ranked.Add(1)
		if s.rankless.Load() {
			http.NotFound(w, r)
			return
		}
		rank(w, message, s.unranked.Load())
		return
	}
	if r.URL.Path == "/v1/outcomes" {
		s.hold()
	}
	s.mu.Lock()
	if r.URL.Path == "/v1/outcomes" {
		for _, e := range message["events"].([]any) {
			s.events = append(s.events, e.(map[string]any))
		}
		fmt.Fprintf(w, `{"accepted":1,"instance":%q}`, s.instance)
		s.mu.Unlock()
		return
	}
	s.questions = append(s.questions, message)
	s.mu.Unlock()
	s.answer(w, message)
}

func (s *fakeService) eventTypes() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var kinds []string
	for _, e := range s.events {
		if kind := e["type"].(string); !strings.HasPrefix(kind, "list_") {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// scores answers every question with these scores.
func scores(values ...int) func(http.ResponseWriter, map[string]any) {
	return func(w http.ResponseWriter, question map[string]any) {
		_ = json.NewEncoder(w).Encode(map[string]any{"decision": question["decision"], "scores": values, "instance": "i1"})
	}
}

func newPlugin(t *testing.T, url, more string) *Berth {
	t.Helper()
	return newPluginOf(t, Factory(), newFakeHandle(), url, more)
}

// newPluginOf makes the plugin of one more profile, in the lead.
func newPluginOf(t *testing.T, factory frameworkruntime.PluginFactory, handle *fakeHandle, url, more string) *Berth {
	t.Helper()
	if !strings.Contains(more, `"timeout"`) {
		more += `,"timeout":"500ms"`
	}
	raw := fmt.Sprintf(`{"url":%q,"outcomes":{"flushInterval":"5ms"}%s}`, url, more)
	plugin, err := factory(t.Context(), &runtime.Unknown{Raw: []byte(raw)}, handle)
	if err != nil {
		t.Fatal(err)
	}
	b := plugin.(*Berth)
	b.leads()
	return b
}

func testPod(name string) *v1.Pod {
	yes := true
	return &v1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name: name, Namespace: "default", UID: types.UID("uid-" + name),
			Labels:          map[string]string{"pod-template-hash": "7d9c"},
			Annotations:     map[string]string{"latencySoftConstraint": "35"},
			OwnerReferences: []metav1.OwnerReference{{Kind: "ReplicaSet", Name: "nginx-7d9c", Controller: &yes}},
		},
		Spec: v1.PodSpec{Containers: []v1.Container{{Resources: v1.ResourceRequirements{Requests: v1.ResourceList{
			v1.ResourceCPU: resource.MustParse("250m"), v1.ResourceMemory: resource.MustParse("64Mi"),
		}}}}},
	}
}

func testNodes(names ...string) []fwk.NodeInfo {
	var nodes []fwk.NodeInfo
	for i, name := range names {
		info := framework.NewNodeInfo()
		info.SetNode(&v1.Node{
			ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"topology.kubernetes.io/zone": fmt.Sprintf("z%d", i)}},
			Status: v1.NodeStatus{Allocatable: v1.ResourceList{
				v1.ResourceCPU: resource.MustParse("64"), v1.ResourceMemory: resource.MustParse("256Gi"), v1.ResourcePods: resource.MustParse("110"),
			}},
		})
		nodes = append(nodes, info)
	}
	return nodes
}

func scoreAll(t *testing.T, b *Berth, state fwk.CycleState, pod *v1.Pod, nodes []fwk.NodeInfo) []int64 {
	t.Helper()
	var got []int64
	for _, n := range nodes {
		s, status := b.Score(context.Background(), state, pod, n)
		if !status.IsSuccess() {
			t.Fatalf("Score must never fail a pod, got %v", status)
		}
		got = append(got, s)
	}
	return got
}

func TestScoresOfTheServiceReachTheFramework(t *testing.T) {
	service := newFakeService(t, scores(37, 100))
	b := newPlugin(t, service.URL, "")
	state, pod, nodes := framework.NewCycleState(), testPod("a"), testNodes("n0", "n1")
	if status := b.PreScore(context.Background(), state, pod, nodes); !status.IsSuccess() {
		t.Fatal(status)
	}
	if diff := cmp.Diff([]int64{37, 100}, scoreAll(t, b, state, pod, nodes)); diff != "" {
		t.Errorf("scores (-want,+got):\n%s", diff)
	}
	if len(service.questions) != 1 {
		t.Fatalf("want one question for all nodes, got %d", len(service.questions))
	}
	got := service.questions[0]["pod"].(map[string]any)
	want := map[string]any{
		"uid": "uid-a", "name": "a", "namespace": "default", "owner": "default/Deployment/nginx", "priority": 0.0,
		"cpuMilli": 250.0, "memoryBytes": 67108864.0, "annotations": map[string]any{"latencySoftConstraint": "35"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("pod in the question (-want,+got):\n%s", diff)
	}
}

// Whatever the service does, PreScore says Skip and no pod fails.
func TestEveryFaultOfTheServiceIsASkip(t *testing.T) {
	faults := map[string]struct {
		answer func(http.ResponseWriter, map[string]any)
		result string
	}{
		"expired_is_not_unschedulable": {func(http.ResponseWriter, map[string]any) { time.Sleep(80 * time.Millisecond) }, "timeout"},
		"an error status":              {func(w http.ResponseWriter, _ map[string]any) { http.Error(w, "no", 500) }, "status"},
		"garbage_reply_does_not_exit":  {func(w http.ResponseWriter, _ map[string]any) { fmt.Fprint(w, "\x00garbage{") }, "bad_reply"},
		"an empty reply":               {func(http.ResponseWriter, map[string]any) {}, "bad_reply"},
		"too few scores":               {scores(1), "bad_reply"},
		"too many scores":              {scores(1, 2, 3), "bad_reply"},
		"a score of 101":               {scores(1, 101), "bad_reply"},
		"a negative score":             {scores(-1, 5), "bad_reply"},
		"suggestion_belongs_to_this_pod": {func(w http.ResponseWriter, _ map[string]any) {
			fmt.Fprint(w, `{"decision":"another/1","scores":[1,2]}`)
		}, "bad_reply"},
		"a huge body": {func(w http.ResponseWriter, q map[string]any) {
			fmt.Fprint(w, `{"pad":"`+strings.Repeat("x", 1<<16)+`"}`)
		}, "bad_reply"},
		"a connection that breaks": {func(w http.ResponseWriter, _ map[string]any) {
			connection, _, _ := w.(http.Hijacker).Hijack()
			connection.Close()
		}, "connection"},
	}
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			service := newFakeService(t, fault.answer)
			timeout := "1s" // nothing else may be late on a busy machine
			if fault.result == "timeout" {
				timeout = "40ms"
			}
			b := newPlugin(t, service.URL, `,"timeout":"`+timeout+`","maxReplyBytes":4096`)
			before := calls(t, fault.result)
			state, pod, nodes := framework.NewCycleState(), testPod("a"), testNodes("n0", "n1")
			if status := b.PreScore(context.Background(), state, pod, nodes); !status.IsSkip() {
				t.Fatalf("want Skip, got %v", status)
			}
			if diff := cmp.Diff([]int64{50, 50}, scoreAll(t, b, state, pod, nodes)); diff != "" {
				t.Errorf("scores after a Skip (-want,+got):\n%s", diff)
			}
			if got := calls(t, fault.result); got != before+1 {
				t.Errorf("result %q was counted %v times, want %v", fault.result, got, before+1)
			}
		})
	}
}

func calls(t *testing.T, result string) uint64 {
	t.Helper()
	n, err := testutil.GetHistogramMetricCount(scoreDuration.WithLabelValues(result))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Named after the seed whose plugin was enabled for Score only and failed every pod.
func Test_score_without_prescore_is_neutral(t *testing.T) {
	b := newPlugin(t, "http://127.0.0.1:1", "")
	got := scoreAll(t, b, framework.NewCycleState(), testPod("a"), testNodes("n0"))
	if diff := cmp.Diff([]int64{50}, got); diff != "" {
		t.Errorf("(-want,+got):\n%s", diff)
	}
}

func TestBreakerStopsCallsToADeadService(t *testing.T) {
	service := newFakeService(t, func(w http.ResponseWriter, _ map[string]any) { http.Error(w, "no", 503) })
	b := newPlugin(t, service.URL, `,"breaker":{"window":6,"openFor":"1m"}`)
	for range 10 {
		b.PreScore(context.Background(), framework.NewCycleState(), testPod("a"), testNodes("n0", "n1"))
	}
	if len(service.questions) != 3 {
		t.Errorf("want 3 calls before the breaker opens, got %d", len(service.questions))
	}
}

func TestShadowAsksButNeverWaits(t *testing.T) {
	release := make(chan struct{})
	service := newFakeService(t, func(http.ResponseWriter, map[string]any) { <-release })
	b := newPlugin(t, service.URL, `,"mode":"shadow"`)
	// All tests count in the same metrics: none may end while its call is still to be counted.
	defer eventually(t, "the answer is counted", func() bool { return len(b.shadows) == 0 })
	defer close(release)
	start := time.Now()
	status := b.PreScore(context.Background(), framework.NewCycleState(), testPod("a"), testNodes("n0", "n1"))
	if !status.IsSkip() || time.Since(start) > 300*time.Millisecond {
		t.Fatalf("want Skip at once, got %v after %s", status, time.Since(start))
	}
	eventually(t, "the question arrives", func() bool {
		service.mu.Lock()
		defer service.mu.Unlock()
		return len(service.questions) == 1 && service.questions[0]["mode"] == "shadow"
	})
}

// Being watched must cost a burst nothing: half a minute's worth of questions, then shadowQuestionsPerSecond.
func TestABurstInShadowIsAskedAboutInPart(t *testing.T) {
	service := newFakeService(t, scores(1, 2))
	b := newPlugin(t, service.URL, `,"mode":"shadow","shadowQuestionsPerSecond":1`)
	before, _ := testutil.GetCounterMetricValue(shadowUnasked)
	for range 80 {
		b.PreScore(context.Background(), framework.NewCycleState(), testPod("a"), testNodes("n0", "n1"))
		eventually(t, "the answer is counted", func() bool { return len(b.shadows) == 0 })
	}
	after, _ := testutil.GetCounterMetricValue(shadowUnasked)
	service.mu.Lock()
	defer service.mu.Unlock()
	if asked := len(service.questions); asked < 30 || asked > 45 || asked+int(after-before) != 80 {
		t.Errorf("want thirty pods asked about and one more a second, the others counted: got %d asked about, %v counted of 80", asked, after-before)
	}
}

// Whether the service is in time is what one watches for before pods wait for it.
func TestAnAnswerInShadowThatComesTooLateForAPodIsLate(t *testing.T) {
	b := newPlugin(t, newFakeService(t, func(w http.ResponseWriter, question map[string]any) {
		time.Sleep(30 * time.Millisecond)
		scores(1, 2)(w, question)
	}).URL, `,"mode":"shadow","timeout":"20ms"`)
	inTime, late := calls(t, "shadow_ok"), calls(t, "shadow_timeout")
	b.PreScore(t.Context(), framework.NewCycleState(), testPod("a"), testNodes("n0", "n1"))
	eventually(t, "the answer is counted", func() bool { return len(b.shadows) == 0 })
	if ok, timeout := calls(t, "shadow_ok")-inTime, calls(t, "shadow_timeout")-late; ok != 0 || timeout != 1 {
		t.Errorf("%d answers are in time and %d late, want one that is late", ok, timeout)
	}
}

// Seen: in shadow, with the service well, most pods of a burst were counted as questions without an answer, and BerthStepsAside fired.
func TestPodsThatABurstInShadowLeavesOutAreNoQuestionsWithoutAnAnswer(t *testing.T) {
	release := make(chan struct{})
	b := newPlugin(t, newFakeService(t, func(w http.ResponseWriter, question map[string]any) {
		<-release
		scores(1, 2)(w, question)
	}).URL, `,"mode":"shadow"`)
	results := []string{"shadow_ok", "shadow_busy"}
	counted := func() (n uint64) {
		for _, result := range results {
			n += calls(t, result)
		}
		return n
	}
	before := counted()
	unasked, _ := testutil.GetCounterMetricValue(shadowUnasked)
	for range 20 {
		b.PreScore(t.Context(), framework.NewCycleState(), testPod("a"), testNodes("n0", "n1"))
	}
	close(release)
	eventually(t, "the answers are counted", func() bool { return len(b.shadows) == 0 })
	after, _ := testutil.GetCounterMetricValue(shadowUnasked)
	if asked, left := counted()-before, after-unasked; asked != shadowsInFlight || left != 20-shadowsInFlight {
		t.Errorf("of 20 pods %d count as questions and %v as left out, want %d and %d", asked, left, shadowsInFlight, 20-shadowsInFlight)
	}
}

func TestShadowCountsAWrongAnswerAsWrong(t *testing.T) {
	b := newPlugin(t, newFakeService(t, scores(1, 2, 3)).URL, `,"mode":"shadow"`)
	before := calls(t, "shadow_bad_reply")
	b.PreScore(context.Background(), framework.NewCycleState(), testPod("a"), testNodes("n0", "n1"))
	eventually(t, "the answer is judged", func() bool { return calls(t, "shadow_bad_reply") == before+1 })
}

func TestCanaryIsStickyByOwner(t *testing.T) {
	b := newPlugin(t, "http://127.0.0.1:1", `,"mode":"canary","canary":{"percent":30,"namespaces":["web"]}`)
	active := 0
	for i := range 1000 {
		owner := fmt.Sprintf("default/Deployment/d%d", i)
		mode := b.modeFor(testPod("a"), owner)
		if mode != b.modeFor(testPod("b"), owner) {
			t.Fatalf("replicas of %s are treated differently", owner)
		}
		if mode == config.ModeActive {
			active++
		}
	}
	if active < 240 || active > 360 {
		t.Errorf("want about 300 of 1000 owners in a canary of 30 %%, got %d", active)
	}
	web := testPod("a")
	web.Namespace = "web"
	if b.modeFor(web, "web/Deployment/x") != config.ModeActive {
		t.Error("a pod of a canary namespace must be active")
	}
}

func TestReservationsCountAsPendingUntilTheWindowIsOver(t *testing.T) {
	service := newFakeService(t, scores(1, 2))
	b := newPlugin(t, service.URL, `,"pendingWindow":"200ms"`)
	ctx, nodes := context.Background(), testNodes("n0", "n1")
	pending := func() []any {
		b.PreScore(ctx, framework.NewCycleState(), testPod("q"), nodes)
		return service.questions[len(service.questions)-1]["nodes"].(map[string]any)["pendingCpuMilli"].([]any)
	}
	b.Reserve(ctx, framework.NewCycleState(), testPod("a"), "n1")
	b.Reserve(ctx, framework.NewCycleState(), testPod("b"), "n1")
	if diff := cmp.Diff([]any{0.0, 500.0}, pending()); diff != "" {
		t.Errorf("after two reservations (-want,+got):\n%s", diff)
	}
	b.Unreserve(ctx, framework.NewCycleState(), testPod("a"), "n1")
	b.Unreserve(ctx, framework.NewCycleState(), testPod("a"), "n1") // the framework may call it twice
	if diff := cmp.Diff([]any{0.0, 250.0}, pending()); diff != "" {
		t.Errorf("after one was taken back (-want,+got):\n%s", diff)
	}
	time.Sleep(250 * time.Millisecond)
	if diff := cmp.Diff([]any{0.0, 0.0}, pending()); diff != "" {
		t.Errorf("after the window (-want,+got):\n%s", diff)
	}
}

func TestOutcomesAreReportedInOrder(t *testing.T) {
	service := newFakeService(t, scores(1, 2))
	b := newPlugin(t, service.URL, "")
	ctx, state, pod := context.Background(), framework.NewCycleState(), testPod("a")
	b.PreScore(ctx, state, pod, testNodes("n0", "n1"))
	b.Reserve(ctx, state, pod, "n1")
	b.PostBind(ctx, state, pod, "n1")
	pod.Spec.NodeName = "n1"
	b.podSeen(pod) // the informer echoes what we bound ourselves: no second report
	done := pod.DeepCopy()
	done.Status.Phase = v1.PodSucceeded
	b.podSeen(done)
	want := []string{"reserved", "bound", "gone"}
	eventually(t, "three events arrive", func() bool { return len(service.eventTypes()) >= 3 })
	if diff := cmp.Diff(want, service.eventTypes()); diff != "" {
		t.Errorf("events (-want,+got):\n%s", diff)
	}
}

// What the other plugins chose, and the service would have: without the id nobody could compare them.
func TestOutcomesOfAShadowNameTheDecisionThatWasAsked(t *testing.T) {
	service := newFakeService(t, scores(1, 2))
	b := newPlugin(t, service.URL, `,"mode":"shadow"`)
	state, pod := framework.NewCycleState(), testPod("a")
	b.PreScore(t.Context(), state, pod, testNodes("n0", "n1"))
	b.PostBind(t.Context(), state, pod, "n1")
	eventually(t, "the bind is reported", func() bool { return len(service.eventTypes()) == 1 })
	eventually(t, "the answer is counted", func() bool { return len(b.shadows) == 0 })
	service.mu.Lock()
	defer service.mu.Unlock()
	bound := service.events[len(service.events)-1]
	if want := service.questions[0]["decision"]; bound["type"] != "bound" || bound["decision"] != want {
		t.Errorf("want the decision %v in the event, got %v", want, bound)
	}
}

// A volume, or a Permit plugin, may keep thousands of pods waiting for minutes; of 5,000 nodes the scores take 130 kB.
func TestAPodThatWaitsToBeBoundKeepsItsDecisionAndNoScores(t *testing.T) {
	const pods, most = 40, 20_000 // bytes a pod
	names, values := make([]string, 5000), make([]int, 5000)
	for i := range names {
		names[i], values[i] = fmt.Sprintf("n%04d", i), i%101
	}
	service := newFakeService(t, scores(values...))
	b := newPlugin(t, service.URL, `,"waitPercent":100`)
	nodes := testNodes(names...)
	states := make([]fwk.CycleState, pods)
	heap := func() uint64 {
		service.mu.Lock()
		service.questions = nil
		service.mu.Unlock()
		goruntime.GC()
		var m goruntime.MemStats
		goruntime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	var before uint64
	for i := range states {
		if i == 1 { // what is needed once is there
			before = heap()
		}
		states[i] = framework.NewCycleState()
		pod := testPod(fmt.Sprint("waits", i))
		if status := b.PreScore(t.Context(), states[i], pod, nodes); !status.IsSuccess() {
			t.Fatal(status)
		}
		b.Reserve(t.Context(), states[i], pod, "n0000")
	}
	after := heap()
	if grew := int64(after) - int64(before); grew > pods*most {
		t.Errorf("a pod that waits keeps %d bytes, want at most %d", grew/pods, most)
	}
	if d := decisionOf(states[1]); d == nil || d.by != byService || !d.known || d.id == "" {
		t.Errorf("its bind is to be laid at the door of %+v", d)
	}
	goruntime.KeepAlive(states)
}

// Named after the scheduler plugin whose handler would panic on what the informer hands over after a watch gap.
func Test_tombstone_delete(t *testing.T) {
	service := newFakeService(t, scores(1))
	b := newPlugin(t, service.URL, "")
	pod := testPod("a")
	pod.Spec.NodeName = "n0"
	b.podSeen(pod)
	b.podDeleted(cache.DeletedFinalStateUnknown{Key: "default/a", Obj: pod})
	b.podDeleted("neither a pod nor a tombstone")
	eventually(t, "the end is reported", func() bool {
		return cmp.Equal([]string{"assigned", "gone"}, service.eventTypes())
	})
}

// A pod that is bound and deleted within one gap of the watch is handed over as it was before its bind.
func TestATombstoneOfBeforeTheBindEndsThePod(t *testing.T) {
	service := newFakeService(t, scores(1))
	b := newPlugin(t, service.URL, "")
	pod := testPod("a")
	b.Reserve(context.Background(), framework.NewCycleState(), pod, "n0")
	b.podDeleted(pod) // waits to be bound still, for all the informer says: Unreserve will tell
	if len(b.pods.inFlight()) != 1 {
		t.Error("a pod without a node ends a reservation")
	}
	b.podDeleted(cache.DeletedFinalStateUnknown{Key: "default/a", Obj: pod})
	if left := b.pods.inFlight(); len(left) != 0 {
		t.Errorf("still in every full list: %v", left)
	}
	eventually(t, "the end is reported", func() bool {
		return cmp.Equal([]string{"reserved", "gone"}, service.eventTypes())
	})
	service.mu.Lock()
	defer service.mu.Unlock()
	if gone := service.events[1]; gone["node"] != "n0" {
		t.Errorf("the end names no node: %v", gone)
	}
}

func TestWhoDecidedIsCounted(t *testing.T) {
	count := func(by string) float64 {
		n, err := testutil.GetCounterMetricValue(placements.WithLabelValues(by))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	service := newFakeService(t, scores(1, 2))
	b := newPlugin(t, service.URL, "")
	dead := newPlugin(t, "http://127.0.0.1:1", "")
	shadow := newPlugin(t, service.URL, `,"mode":"shadow"`)
	ctx, pod, nodes := context.Background(), testPod("a"), testNodes("n0", "n1")
	for by, cycle := range map[string]func(fwk.CycleState){
		byService:  func(s fwk.CycleState) { b.PreScore(ctx, s, pod, nodes) },
		byFallback: func(s fwk.CycleState) { dead.PreScore(ctx, s, pod, nodes) },
		bySingle:   func(fwk.CycleState) {}, // the framework leaves PreScore out
		byShadow:   func(s fwk.CycleState) { shadow.PreScore(ctx, s, pod, nodes) },
	} {
		before := count(by)
		state := framework.NewCycleState()
		cycle(state)
		b.PostBind(ctx, state, pod, "n0")
		if got := count(by) - before; got != 1 {
			t.Errorf("decided_by=%s grew by %v, want 1", by, got)
		}
	}
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatalf("waited 5 s in vain: %s", what)
}
