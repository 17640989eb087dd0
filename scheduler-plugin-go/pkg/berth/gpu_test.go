package berth

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/component-base/metrics/testutil"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// defaultKeys are the keys of the published trace's tools.
var defaultKeys = GPUArgs{
	CountKey: "alibabacloud.com/gpu-count",
	MilliKey: "alibabacloud.com/gpu-milli",
	ModelKey: "alibabacloud.com/gpu-card-model",
	CardsKey: "alibabacloud.com/gpu-index",
}

func gpuPod(name string, annotations map[string]string) *v1.Pod {
	return &v1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default", UID: types.UID(name), Annotations: annotations}}
}

func milli(amount, cards string) map[string]string {
	a := map[string]string{"alibabacloud.com/gpu-milli": amount}
	if cards != "" {
		a["alibabacloud.com/gpu-index"] = cards
	}
	return a
}

func modelled(models string) map[string]string {
	return map[string]string{"alibabacloud.com/gpu-milli": "100", "alibabacloud.com/gpu-card-model": models}
}

// asking adds whole cards by extended resource.
func asking(pod *v1.Pod, cards string) *v1.Pod {
	pod.Spec.Containers = []v1.Container{{Resources: v1.ResourceRequirements{
		Requests: v1.ResourceList{"alibabacloud.com/gpu-count": resource.MustParse(cards)}}}}
	return pod
}

func prioritized(pod *v1.Pod, priority int32) *v1.Pod {
	pod.Spec.Priority = &priority
	return pod
}

func podInfos(t *testing.T, pods ...*v1.Pod) []fwk.PodInfo {
	t.Helper()
	var infos []fwk.PodInfo
	for _, pod := range pods {
		info, err := framework.NewPodInfo(pod)
		if err != nil {
			t.Fatal(err)
		}
		infos = append(infos, info)
	}
	return infos
}

func gpuNode(name string, cards string, pods ...*v1.Pod) fwk.NodeInfo {
	info := framework.NewNodeInfo(pods...)
	info.SetNode(&v1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"alibabacloud.com/gpu-card-model": "T4"}},
		Status: v1.NodeStatus{Allocatable: v1.ResourceList{
			v1.ResourceCPU: resource.MustParse("64"), "alibabacloud.com/gpu-count": resource.MustParse(cards),
		}},
	})
	return info
}

func TestGPURequest(t *testing.T) {
	cases := map[string]struct {
		pod       *v1.Pod
		want      gpuRequest
		wantError bool
	}{
		"no annotation asks for nothing":       {pod: gpuPod("x", nil)},
		"a part of one card":                   {pod: gpuPod("x", milli("460", "")), want: gpuRequest{count: 1, milli: 460}},
		"whole cards by extended resource":     {pod: asking(gpuPod("x", nil), "2"), want: gpuRequest{count: 2, milli: 1000}},
		"an amount that is no number is named": {pod: gpuPod("x", milli("half", "")), wantError: true},
		"more than a card is refused":          {pod: gpuPod("x", milli("1200", "")), wantError: true},
		"several cards of one of two models": {
			pod: gpuPod("x", map[string]string{"alibabacloud.com/gpu-milli": "1000", "alibabacloud.com/gpu-count": "4",
				"alibabacloud.com/gpu-card-model": "V100M16|V100M32"}),
			want: gpuRequest{count: 4, milli: 1000, models: []string{"V100M16", "V100M32"}},
		},
		"more cards than any node offers is refused":        {pod: gpuPod("x", map[string]string{"alibabacloud.com/gpu-count": "1000000"}), wantError: true},
		"more by extended resource, too":                    {pod: asking(gpuPod("x", nil), "9E"), wantError: true},
		"more models than anyone looks through are refused": {pod: gpuPod("x", modelled(strings.Repeat("T4|", 100))), wantError: true},
		"a longer name of a model than anyone has, too":     {pod: gpuPod("x", modelled(strings.Repeat("x", 1<<17))), wantError: true},
		"several shared cards are refused": {
			pod:       gpuPod("x", map[string]string{"alibabacloud.com/gpu-milli": "500", "alibabacloud.com/gpu-count": "2"}),
			wantError: true,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := defaultKeys.request(tc.pod)
			if (err != nil) != tc.wantError {
				t.Fatalf("error %v, want one: %v", err, tc.wantError)
			}
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(gpuRequest{})); diff != "" {
				t.Errorf("request (-want,+got):\n%s", diff)
			}
		})
	}
}

// A Filter that runs looks at every node: 2.6 ms and 3.9 MB at 5,000 of them, for pods that ask for no card.
func TestFilterIsLeftOutForPodsThatAskForNoGPU(t *testing.T) {
	plugin := &Berth{process: &process{gpu: newCardTable(), handle: &gpuHandle{}}, args: Args{GPU: defaultKeys}, profile: &gpuHandle{}}
	if _, status := plugin.PreFilter(context.Background(), framework.NewCycleState(), testPod("p"), nil); !status.IsSkip() {
		t.Errorf("want Skip, got %v", status)
	}
}

func TestBestFitTakesTheFullestCardsWithRoom(t *testing.T) {
	cases := map[string]struct {
		request gpuRequest
		free    []int
		want    []int
	}{
		"the card with least to spare":        {gpuRequest{count: 1, milli: 300}, []int{1000, 400, 350, 200}, []int{2}},
		"the first among equals":              {gpuRequest{count: 1, milli: 1000}, []int{500, 1000, 1000}, []int{1}},
		"several whole cards":                 {gpuRequest{count: 2, milli: 1000}, []int{1000, 900, 1000}, []int{0, 2}},
		"none where there are too few":        {gpuRequest{count: 3, milli: 1000}, []int{1000, 900, 1000}, nil},
		"room on two cards is no room on one": {gpuRequest{count: 1, milli: 600}, []int{500, 500}, nil},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, tc.request.bestFit(tc.free)); diff != "" {
				t.Errorf("cards (-want,+got):\n%s", diff)
			}
		})
	}
}

// filter asks as the framework does: PreFilter, and Filter unless PreFilter said to skip it.
func filter(b *Berth, pod *v1.Pod, node fwk.NodeInfo) *fwk.Status {
	ctx, state := context.Background(), framework.NewCycleState()
	if _, status := b.PreFilter(ctx, state, pod, nil); status.IsSkip() {
		return nil
	} else if !status.IsSuccess() {
		return status
	}
	return b.Filter(ctx, state, pod, node)
}

func TestFilterKeepsPodsOffNodesWithoutRoomOnTheirCards(t *testing.T) {
	b := newPlugin(t, "http://127.0.0.1:1", "")
	b.handle = &gpuHandle{}
	full := gpuNode("full", "2", gpuPod("a", milli("700", "0")), gpuPod("b", milli("600", "1")))
	nominated := gpuNode("nominated", "2", gpuPod("a", milli("700", "0")), gpuPod("coming", milli("1000", "")))
	awaited := gpuNode("awaited", "2", gpuPod("leaving", milli("1000", "1")), asking(gpuPod("coming", nil), "2"))
	cases := map[string]struct {
		pod  *v1.Pod
		node fwk.NodeInfo
		want fwk.Code
	}{
		"a pod without GPUs passes":        {gpuPod("p", nil), full, fwk.Success},
		"what fits on one card passes":     {gpuPod("p", milli("400", "")), full, fwk.Success},
		"what fits on no single card does": {gpuPod("p", milli("500", "")), full, fwk.Unschedulable},
		"more cards than there are":        {gpuPod("p", map[string]string{"alibabacloud.com/gpu-count": "3"}), full, fwk.UnschedulableAndUnresolvable},
		"another model never fits": {gpuPod("p", map[string]string{"alibabacloud.com/gpu-milli": "100",
			"alibabacloud.com/gpu-card-model": "A10"}), full, fwk.UnschedulableAndUnresolvable},
		"a node without cards never fits": {gpuPod("p", milli("100", "")), testNodes("cpu")[0], fwk.UnschedulableAndUnresolvable},
		"nonsense is refused by name":     {gpuPod("p", milli("lots", "")), full, fwk.UnschedulableAndUnresolvable},

		"a pod that is nominated keeps its card":             {gpuPod("p", milli("400", "")), nominated, fwk.Unschedulable},
		"what it leaves is free":                             {gpuPod("p", milli("300", "")), nominated, fwk.Success},
		"one that waits for a card to be left, too":          {gpuPod("p", milli("100", "")), awaited, fwk.Unschedulable},
		"one whose cards the other is, asks for its own":     {gpuPod("coming", milli("1000", "")), nominated, fwk.Success},
		"a node with 1e18 cards offers as many as are known": {gpuPod("p", milli("1000", "")), gpuNode("huge", "1E"), fwk.Success},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := filter(b, tc.pod, tc.node); got.Code() != tc.want {
				t.Errorf("want %v, got %v", tc.want, got)
			}
		})
	}
}

func TestWhatOthersWroteOfTheirCards(t *testing.T) {
	b := newPlugin(t, "http://127.0.0.1:1", "")
	b.gpu.reserve("reserved", reservation{node: "n", cards: []int{1}, milli: 600})
	cases := map[string]struct {
		pods      []*v1.Pod
		want      []int
		overdrawn int
	}{
		"cards hold no less than nothing":                               {[]*v1.Pod{gpuPod("a", milli("1000", "0")), gpuPod("b", milli("1000", "0"))}, []int{0, 1000}, 1},
		"the same card thrice is no answer, so it counts where it fits": {[]*v1.Pod{gpuPod("a", milli("1000", "0-0-0"))}, []int{0, 1000}, 0},
		"one card for two neither": {[]*v1.Pod{gpuPod("a", map[string]string{"alibabacloud.com/gpu-count": "2",
			"alibabacloud.com/gpu-index": "0-0"})}, []int{0, 0}, 0},
		"a card that is not there neither":               {[]*v1.Pod{gpuPod("a", milli("300", "99999999999999999999")), gpuPod("b", milli("300", "7"))}, []int{400, 1000}, 0},
		"what this scheduler gave is believed first":     {[]*v1.Pod{gpuPod("reserved", milli("100", "0"))}, []int{1000, 400}, 0},
		"cards of a pod that asks for none":              {[]*v1.Pod{gpuPod("a", map[string]string{"alibabacloud.com/gpu-index": "0-1"})}, []int{1000, 1000}, 0},
		"an unreadable request fills the cards it names": {[]*v1.Pod{gpuPod("a", milli("lots", "1"))}, []int{1000, 0}, 0},
		"once, however often it names one":               {[]*v1.Pod{gpuPod("a", milli("lots", "1-1"))}, []int{1000, 0}, 0},
		"the largest takes its place first":              {[]*v1.Pod{gpuPod("a", milli("400", "")), gpuPod("b", milli("500", "")), gpuPod("c", milli("600", ""))}, []int{0, 500}, 0},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := b.cards(gpuNode("n", "2", tc.pods...), "p", nil)
			if diff := cmp.Diff(tc.want, got.free); diff != "" || got.overdrawn != tc.overdrawn {
				t.Errorf("free (-want,+got), %d overdrawn:\n%s", got.overdrawn, diff)
			}
		})
	}
}

func TestQuestionsAreWithinWhatTheServiceTakes(t *testing.T) {
	b := newPlugin(t, "http://127.0.0.1:1", "")
	b.handle = &gpuHandle{}
	huge := testPod("huge") // bound past the scheduler, and another one: their sum is below zero
	huge.Spec.Containers[0].Resources.Requests[v1.ResourceCPU] = resource.MustParse("9P")
	huge.Spec.Containers[0].Resources.Requests[v1.ResourceMemory] = resource.MustParse("7E")
	node := gpuNode("n", "2", gpuPod("a", milli("1000", "0")), gpuPod("b", milli("1000", "0")), huge, huge)
	before, _ := testutil.GetCounterMetricValue(gpuOverdrawn)
	plain := b.columns(testPod("p"), gpuRequest{}, []fwk.NodeInfo{node})
	if plain.hasGPUs {
		t.Error("the question of a pod without GPUs carries cards")
	}
	if plain.cpuRequested[0] != 64000 || plain.memoryRequested[0] != 0 {
		t.Errorf("requested %d and %d, want what the node has: 64000 and 0", plain.cpuRequested[0], plain.memoryRequested[0])
	}
	asked := b.columns(gpuPod("p", milli("100", "")), gpuRequest{count: 1, milli: 100}, []fwk.NodeInfo{node})
	if diff := cmp.Diff([][]int{{0, 1000}}, asked.gpuFree); diff != "" {
		t.Errorf("free (-want,+got):\n%s", diff)
	}
	if after, _ := testutil.GetCounterMetricValue(gpuOverdrawn); after != before+1 {
		t.Errorf("%v overdrawn cards were counted, want 1", after-before)
	}
}

// The service prefers among what Filter and Reserve will allow: cards kept for others are no part of it.
func TestTheQuestionKeepsTheCardsOfNominatedPods(t *testing.T) {
	b := newPlugin(t, "http://127.0.0.1:1", "")
	b.handle = &gpuHandle{nominated: podInfos(t, gpuPod("coming", milli("600", "")), prioritized(gpuPod("less", milli("1000", "")), -1))}
	asked := b.columns(gpuPod("p", milli("100", "")), gpuRequest{count: 1, milli: 100}, []fwk.NodeInfo{gpuNode("n", "2")})
	if diff := cmp.Diff([][]int{{400, 1000}}, asked.gpuFree); diff != "" {
		t.Errorf("free beside a pod of the same and one of lower priority (-want,+got):\n%s", diff)
	}
}

func TestCardsBeyondThoseThatAreKnownAreNotOfferedAndCounted(t *testing.T) {
	b := newPlugin(t, "http://127.0.0.1:1", "")
	b.handle = &gpuHandle{}
	before, _ := testutil.GetCounterMetricValue(gpuUnoffered)
	asked := b.columns(gpuPod("p", milli("100", "")), gpuRequest{count: 1, milli: 100}, []fwk.NodeInfo{gpuNode("n", "40")})
	if got := len(asked.gpuFree[0]); got != maxCards {
		t.Errorf("%d cards are offered, want %d", got, maxCards)
	}
	if after, _ := testutil.GetCounterMetricValue(gpuUnoffered); after != before+8 {
		t.Errorf("%v were counted, want 8", after-before)
	}
}

func TestWhatIsKeptOfANodesCardsFollowsEveryChangeOnIt(t *testing.T) {
	b := newPlugin(t, "http://127.0.0.1:1", "")
	node := gpuNode("n", "2", gpuPod("a", milli("700", "0")))
	expect := func(when string, info fwk.NodeInfo, asking types.UID, want ...int) {
		t.Helper()
		for range 2 { // the second time from what is kept
			if diff := cmp.Diff(want, b.cards(info, asking, nil).free); diff != "" {
				t.Errorf("free %s (-want,+got):\n%s", when, diff)
			}
		}
	}
	expect("at first", node, "p", 300, 1000)
	expect("for the pod that is there itself", node, "a", 1000, 1000)
	expect("for another again", node, "p", 300, 1000)
	dryRun := node.Snapshot()
	dryRun.AddPodInfo(podInfos(t, gpuPod("nominated", milli("1000", "1")))[0])
	expect("in a copy with a nominated pod", dryRun, "p", 300, 0)
	expect("without it", node, "p", 300, 1000)
	node.AddPodInfo(podInfos(t, gpuPod("b", milli("600", "1")))[0])
	expect("with one more pod", node, "p", 300, 400)
	if err := node.RemovePod(klog.Background(), gpuPod("a", nil)); err != nil {
		t.Fatal(err)
	}
	expect("with one less", node, "p", 1000, 400)
	relabelled := node.Node().DeepCopy()
	relabelled.Status.Allocatable[v1.ResourceName(defaultKeys.CountKey)] = resource.MustParse("1")
	node.(interface{ SetNode(*v1.Node) }).SetNode(relabelled)
	expect("with one card less", node, "p", 400)
}

func TestNodesThatLeftAreNotKept(t *testing.T) {
	b := newPlugin(t, "http://127.0.0.1:1", "")
	b.profile = &gpuHandle{}
	for i := range 1000 {
		node := gpuNode("n"+strconv.Itoa(i), "2")
		state := framework.NewCycleState()
		pod := gpuPod("p", milli("100", ""))
		if _, status := b.PreFilter(context.Background(), state, pod, []fwk.NodeInfo{node}); !status.IsSuccess() {
			t.Fatal(status)
		}
		b.Filter(context.Background(), state, pod, node)
	}
	kept := 0
	b.cardCache.nodes.Range(func(any, any) bool { kept++; return true })
	if kept > 3 || kept != int(b.cardCache.size.Load()) {
		t.Errorf("%d nodes are kept, %d counted, of a cluster of one", kept, b.cardCache.size.Load())
	}
}

func TestCardsOfAPodThatEndedAreFree(t *testing.T) {
	for name, end := range map[string]func(*Berth, *v1.Pod){
		"deleted": func(b *Berth, pod *v1.Pod) { b.podDeleted(pod) },
		"succeeded": func(b *Berth, pod *v1.Pod) {
			pod.Status.Phase = v1.PodSucceeded
			b.podSeen(pod)
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newPlugin(t, "http://127.0.0.1:1", "")
			b.gpu.reserve("p", reservation{node: "n", cards: []int{0}, milli: 1000})
			pod := gpuPod("p", milli("1000", "0"))
			pod.Spec.NodeName = "n"
			end(b, pod)
			if r, ok := b.gpu.of("p"); ok {
				t.Errorf("its cards are still taken: %+v", r)
			}
		})
	}
}

func TestProfilesOfOneSchedulerShareTheirCards(t *testing.T) {
	factory, handle := Factory(), newFakeHandle()
	one, other := newPluginOf(t, factory, handle, "http://127.0.0.1:1", ""), newPluginOf(t, factory, handle, "http://127.0.0.1:1", "")
	one.gpu.reserve("p", reservation{node: "n", cards: []int{1}, milli: 600})
	assumed := gpuPod("p", milli("600", "0")) // the annotation is its author's
	if diff := cmp.Diff([]int{1000, 400}, other.cards(gpuNode("n", "2", assumed), "asking", nil).free); diff != "" {
		t.Errorf("free for the other profile (-want,+got):\n%s", diff)
	}
}

func TestWhatRequeuesAPodWithoutRoom(t *testing.T) {
	b := newPlugin(t, "http://127.0.0.1:1", "")
	waiting := gpuPod("w", milli("500", ""))
	node := func(info fwk.NodeInfo) *v1.Node { return info.Node() }
	cases := map[string]struct {
		hint     fwk.QueueingHintFn
		old, now any
		want     fwk.QueueingHint
	}{
		"a pod with cards left":           {b.whenPodLeaves, gpuPod("a", milli("100", "1")), nil, fwk.Queue},
		"a pod without cards left":        {b.whenPodLeaves, testPod("a"), nil, fwk.QueueSkip},
		"its annotation was mended":       {b.whenPodChanges, gpuPod("w", milli("half", "")), waiting, fwk.Queue},
		"another pod's cards changed":     {b.whenPodChanges, gpuPod("a", milli("100", "0")), gpuPod("a", milli("100", "1")), fwk.Queue},
		"something else of it changed":    {b.whenPodChanges, testPod("a"), gpuPod("a", nil), fwk.QueueSkip},
		"a node with cards came":          {b.whenNodeChanges, nil, node(gpuNode("n", "1")), fwk.Queue},
		"a node without cards came":       {b.whenNodeChanges, nil, node(testNodes("n")[0]), fwk.QueueSkip},
		"what is no pod must not stay so": {b.whenPodLeaves, "?", nil, fwk.Queue},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got, _ := tc.hint(klog.Background(), waiting, tc.old, tc.now); got != tc.want {
				t.Errorf("want %v, got %v", tc.want, got)
			}
		})
	}
}

// snapshot serves one node to Reserve.
type snapshot struct {
	fwk.SharedLister
	fwk.NodeInfoLister
	node fwk.NodeInfo
}

func (s snapshot) NodeInfos() fwk.NodeInfoLister    { return s }
func (s snapshot) Get(string) (fwk.NodeInfo, error) { return s.node, nil }

type gpuHandle struct {
	fakeHandle
	snapshot  snapshot
	client    kubernetes.Interface
	nominated []fwk.PodInfo
	binders   []string
}

func (h *gpuHandle) SnapshotSharedLister() fwk.SharedLister    { return h.snapshot }
func (h *gpuHandle) ClientSet() kubernetes.Interface           { return h.client }
func (h *gpuHandle) NominatedPodsForNode(string) []fwk.PodInfo { return h.nominated }
func (h *gpuHandle) APICacher() fwk.APICacher                  { return nil }
func (h *gpuHandle) ListPlugins() *config.Plugins {
	plugins := &config.Plugins{}
	if h.binders == nil {
		h.binders = []string{Name, "DefaultBinder"}
	}
	for _, name := range h.binders {
		plugins.Bind.Enabled = append(plugins.Bind.Enabled, config.Plugin{Name: name})
	}
	return plugins
}

// A hint for an event that is not registered is never asked.
func TestTheSchedulerIsAskedToTellOfMendedAnnotations(t *testing.T) {
	events, err := (&Berth{process: &process{}}).EventsToRegister(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(events, func(e fwk.ClusterEventWithHint) bool {
		return e.Event.Resource == fwk.Pod && e.Event.ActionType&fwk.Update != 0
	}) {
		t.Errorf("Pod/Update is not registered: %v", events)
	}
}

func TestAProfileInWhichOthersBindFirstIsRefusedWithItsMend(t *testing.T) {
	b := newPlugin(t, "http://127.0.0.1:1", "")
	for _, binders := range [][]string{{"DefaultBinder", Name}, {"DefaultBinder"}} {
		b.profile = &gpuHandle{binders: binders}
		if got := filter(b, gpuPod("p", milli("100", "")), gpuNode("n", "1")); got.Code() != fwk.UnschedulableAndUnresolvable ||
			!strings.Contains(got.Message(), "bind: {enabled: [{name: Berth}]}") {
			t.Errorf("binders %v: got %v", binders, got)
		}
		if got := filter(b, testPod("p"), gpuNode("n", "1")); !got.IsSuccess() {
			t.Errorf("binders %v: a pod without GPUs is refused: %v", binders, got)
		}
	}
}

func TestCardsOfTheServiceAreTakenIfTheyHaveRoomAndBoundWithThePod(t *testing.T) {
	for name, tc := range map[string]struct {
		suggested []int
		nominated *v1.Pod
		want      string
	}{
		"the suggested card":                        {suggested: []int{2}, want: "2"},
		"best fit where the suggestion is full":     {suggested: []int{0}, want: "1"},
		"best fit where the suggestion is nonsense": {suggested: []int{7}, want: "1"},
		"best fit where none was made":              {want: "1"},
		"not what is kept for a nominated pod":      {suggested: []int{2}, nominated: gpuPod("coming", milli("1000", "")), want: "1"},
		"but for one of lower priority nothing is":  {suggested: []int{2}, nominated: prioritized(gpuPod("coming", milli("1000", "")), -1), want: "2"},
		"what is there where no room is beside it":  {nominated: asking(gpuPod("coming", nil), "3"), want: "1"},
	} {
		t.Run(name, func(t *testing.T) {
			service := newFakeService(t, func(w http.ResponseWriter, q map[string]any) {
				_ = json.NewEncoder(w).Encode(map[string]any{"decision": q["decision"], "scores": []int{50}, "gpuCards": [][]int{tc.suggested}})
			})
			b := newPlugin(t, service.URL, "")
			pod := gpuPod("p", milli("400", ""))
			node := gpuNode("n0", "3", gpuPod("a", milli("900", "0")), gpuPod("b", milli("500", "1")))
			client := fake.NewClientset(pod)
			handle := &gpuHandle{fakeHandle: *newFakeHandle(), snapshot: snapshot{node: node}, client: client}
			if tc.nominated != nil {
				handle.nominated = podInfos(t, tc.nominated)
			}
			b.handle = handle
			ctx, state := context.Background(), framework.NewCycleState()
			b.PreScore(ctx, state, pod, []fwk.NodeInfo{node})
			if status := b.Reserve(ctx, state, pod, "n0"); !status.IsSuccess() {
				t.Fatal(status)
			}
			if status := b.Bind(ctx, state, pod, "n0"); !status.IsSuccess() {
				t.Fatal(status)
			}
			if status := b.Bind(ctx, state, testPod("other"), "n0"); !status.IsSkip() {
				t.Errorf("a pod without cards is not left to the next binder: %v", status)
			}
			if cards := boundWith(client).Annotations["alibabacloud.com/gpu-index"]; cards != tc.want {
				t.Errorf("cards %q were written down, want %q", cards, tc.want)
			}
			b.Unreserve(ctx, state, pod, "n0")
			if _, ok := b.gpu.of("p"); ok {
				t.Error("the cards were not given back")
			}
		})
	}
}

// boundWith is the last Binding that was sent.
func boundWith(client *fake.Clientset) *v1.Binding {
	for _, action := range slices.Backward(client.Actions()) {
		if create, ok := action.(clienttesting.CreateAction); ok && action.GetSubresource() == "binding" {
			return create.GetObject().(*v1.Binding)
		}
	}
	return &v1.Binding{}
}

func TestABindWhoseAnswerWasLostIsNoFailure(t *testing.T) {
	for name, tc := range map[string]struct {
		bound string // to which node, with which card, whatever the API server answered
		card  string
		want  bool
	}{
		"bound as asked":     {"n0", "0", true},
		"not bound":          {"", "0", false},
		"bound elsewhere":    {"n1", "0", false},
		"bound without ours": {"n0", "1", false},
	} {
		t.Run(name, func(t *testing.T) {
			b := newPlugin(t, "http://127.0.0.1:1", "")
			pod := gpuPod("p", milli("400", tc.card))
			pod.Spec.NodeName = tc.bound
			client := fake.NewClientset(pod)
			client.PrependReactor("create", "pods", func(clienttesting.Action) (bool, kruntime.Object, error) {
				return true, nil, errors.New("connection reset by peer")
			})
			b.handle = &gpuHandle{client: client}
			b.gpu.reserve("p", reservation{node: "n0", cards: []int{0}, milli: 400})
			if got := b.Bind(context.Background(), framework.NewCycleState(), pod, "n0"); got.IsSuccess() != tc.want {
				t.Errorf("want success %v, got %v", tc.want, got)
			}
		})
	}
}

// BenchmarkFilter is what Filter costs a pod over all nodes, each with 30 pods on it. "asked for every node" is what a
// pod without GPUs paid before PreFilter skipped it.
func BenchmarkFilter(b *testing.B) {
	var others []*v1.Pod
	for i := range 30 {
		others = append(others, testPod(strconv.Itoa(i)))
	}
	var nodes []fwk.NodeInfo
	for i := range 5000 {
		nodes = append(nodes, gpuNode("n"+strconv.Itoa(i), "8", others...))
	}
	plugin := &Berth{process: &process{gpu: newCardTable(), handle: &gpuHandle{}}, args: Args{GPU: defaultKeys}, profile: &gpuHandle{}}
	b.Run("plain, asked for every node", func(b *testing.B) {
		pod := testPod("p")
		b.ReportAllocs()
		for b.Loop() {
			for range nodes {
				if _, err := plugin.args.GPU.request(pod); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("gpu, nothing kept", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for _, node := range nodes {
				plugin.workOutCards(node, 8, "p", nil)
			}
		}
	})
	for name, pod := range map[string]*v1.Pod{"plain": testPod("p"), "gpu": gpuPod("p", milli("500", ""))} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				ctx, state := context.Background(), framework.NewCycleState()
				if _, status := plugin.PreFilter(ctx, state, pod, nodes); status.IsSkip() {
					continue
				}
				for _, node := range nodes {
					plugin.Filter(ctx, state, pod, node)
				}
			}
		})
	}
}
