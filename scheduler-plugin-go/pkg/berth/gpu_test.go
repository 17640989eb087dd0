package berth

import (
	"context"
	"net/http"
	"testing"

	"encoding/json"

	"github.com/google/go-cmp/cmp"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

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
	whole := gpuPod("x", nil)
	whole.Spec.Containers = []v1.Container{{Resources: v1.ResourceRequirements{
		Requests: v1.ResourceList{"alibabacloud.com/gpu-count": resource.MustParse("2")}}}}
	cases := map[string]struct {
		pod       *v1.Pod
		want      gpuRequest
		wantError bool
	}{
		"no annotation asks for nothing":       {pod: gpuPod("x", nil)},
		"a part of one card":                   {pod: gpuPod("x", milli("460", "")), want: gpuRequest{count: 1, milli: 460}},
		"whole cards by extended resource":     {pod: whole, want: gpuRequest{count: 2, milli: 1000}},
		"an amount that is no number is named": {pod: gpuPod("x", milli("half", "")), wantError: true},
		"more than a card is refused":          {pod: gpuPod("x", milli("1200", "")), wantError: true},
		"several cards of one of two models": {
			pod: gpuPod("x", map[string]string{"alibabacloud.com/gpu-milli": "1000", "alibabacloud.com/gpu-count": "4",
				"alibabacloud.com/gpu-card-model": "V100M16|V100M32"}),
			want: gpuRequest{count: 4, milli: 1000, models: []string{"V100M16", "V100M32"}},
		},
		"several shared cards are refused": {
			pod:       gpuPod("x", map[string]string{"alibabacloud.com/gpu-milli": "500", "alibabacloud.com/gpu-count": "2"}),
			wantError: true,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := DefaultGPUArgs().request(tc.pod)
			if (err != nil) != tc.wantError {
				t.Fatalf("error %v, want one: %v", err, tc.wantError)
			}
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(gpuRequest{})); diff != "" {
				t.Errorf("request (-want,+got):\n%s", diff)
			}
		})
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

func TestFilterKeepsPodsOffNodesWithoutRoomOnTheirCards(t *testing.T) {
	b := newPlugin(t, "http://127.0.0.1:1", "")
	full := gpuNode("full", "2", gpuPod("a", milli("700", "0")), gpuPod("b", milli("600", "1")))
	cases := map[string]struct {
		pod  *v1.Pod
		node fwk.NodeInfo
		want fwk.Code
	}{
		"a pod without GPUs passes":        {gpuPod("p", nil), full, fwk.Success},
		"what fits on one card passes":     {gpuPod("p", milli("400", "")), full, fwk.Success},
		"what fits on no single card does": {gpuPod("p", milli("500", "")), full, fwk.Unschedulable},
		"another model never fits": {gpuPod("p", map[string]string{"alibabacloud.com/gpu-milli": "100",
			"alibabacloud.com/gpu-card-model": "A10"}), full, fwk.UnschedulableAndUnresolvable},
		"a node without cards never fits": {gpuPod("p", milli("100", "")), testNodes("cpu")[0], fwk.UnschedulableAndUnresolvable},
		"nonsense is refused by name":     {gpuPod("p", milli("lots", "")), full, fwk.UnschedulableAndUnresolvable},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := b.Filter(context.Background(), nil, tc.pod, tc.node); got.Code() != tc.want {
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

func (s snapshot) NodeInfos() fwk.NodeInfoLister            { return s }
func (s snapshot) Get(string) (fwk.NodeInfo, error)         { return s.node, nil }
func (h *gpuHandle) SnapshotSharedLister() fwk.SharedLister { return h.snapshot }
func (h *gpuHandle) ClientSet() kubernetes.Interface        { return h.client }

type gpuHandle struct {
	fakeHandle
	snapshot snapshot
	client   kubernetes.Interface
}

func TestCardsOfTheServiceAreTakenIfTheyHaveRoomAndWrittenDown(t *testing.T) {
	for name, tc := range map[string]struct {
		suggested []int
		want      string
	}{
		"the suggested card":                        {[]int{2}, "2"},
		"best fit where the suggestion is full":     {[]int{0}, "1"},
		"best fit where the suggestion is nonsense": {[]int{7}, "1"},
		"best fit where none was made":              {nil, "1"},
	} {
		t.Run(name, func(t *testing.T) {
			service := newFakeService(t, func(w http.ResponseWriter, q map[string]any) {
				_ = json.NewEncoder(w).Encode(map[string]any{"decision": q["decision"], "scores": []int{50}, "gpuCards": [][]int{tc.suggested}})
			})
			b := newPlugin(t, service.URL, "")
			pod := gpuPod("p", milli("400", ""))
			node := gpuNode("n0", "3", gpuPod("a", milli("900", "0")), gpuPod("b", milli("500", "1")))
			handle := &gpuHandle{fakeHandle{informers: informers.NewSharedInformerFactory(fake.NewClientset(), 0)}, snapshot{node: node}, fake.NewClientset(pod)}
			b.handle = handle
			ctx, state := context.Background(), framework.NewCycleState()
			b.PreScore(ctx, state, pod, []fwk.NodeInfo{node})
			if status := b.Reserve(ctx, state, pod, "n0"); !status.IsSuccess() {
				t.Fatal(status)
			}
			if _, status := b.PreBindPreFlight(ctx, state, pod, "n0"); !status.IsSuccess() {
				t.Fatal(status)
			}
			if status := b.PreBind(ctx, state, pod, "n0"); !status.IsSuccess() {
				t.Fatal(status)
			}
			got, err := handle.client.CoreV1().Pods("default").Get(ctx, "p", metav1.GetOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if cards := got.Annotations["alibabacloud.com/gpu-index"]; cards != tc.want {
				t.Errorf("cards %q were written down, want %q", cards, tc.want)
			}
			b.Unreserve(ctx, state, pod, "n0")
			if b.gpu.of("p") != nil {
				t.Error("the cards were not given back")
			}
		})
	}
}
