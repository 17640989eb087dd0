package berth

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/google/go-cmp/cmp"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/component-base/metrics/testutil"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// One pod with "35ms" had its question refused; five in a row stopped Berth for all pods.
func TestAnAnnotationThatMakesNoSenseIsLeftOutCountedAndNamedAtThePod(t *testing.T) {
	for _, text := range []string{"35ms", "-1", "0", "NaN", "inf", "1e999", "soon", "\x00", "35,5"} {
		t.Run(text, func(t *testing.T) {
			service := newFakeService(t, scores(37, 100))
			handle := newFakeHandle()
			b := newPluginOf(t, Factory(), handle, service.URL, "")
			before, err := testutil.GetCounterMetricValue(annotationsIgnored.WithLabelValues(softLatencyAnnotation))
			if err != nil {
				t.Fatal(err)
			}
			pod := testPod("a")
			pod.Annotations = map[string]string{softLatencyAnnotation: text, hardLatencyAnnotation: " 1e2 "}
			if status := b.PreScore(context.Background(), framework.NewCycleState(), pod, testNodes("n0", "n1")); !status.IsSuccess() {
				t.Fatal(status)
			}
			got := service.questions[0]["pod"].(map[string]any)["annotations"]
			if diff := cmp.Diff(map[string]any{hardLatencyAnnotation: "100"}, got); diff != "" {
				t.Errorf("annotations sent (-want,+got):\n%s", diff)
			}
			if after, _ := testutil.GetCounterMetricValue(annotationsIgnored.WithLabelValues(softLatencyAnnotation)); after != before+1 {
				t.Errorf("counted %v times, want once", after-before)
			}
			select {
			case e := <-handle.events.Events:
				if !strings.HasPrefix(e, v1.EventTypeWarning) || !strings.Contains(e, softLatencyAnnotation) {
					t.Errorf("the event is %q", e)
				}
			default:
				t.Error("no event at the pod")
			}
		})
	}
}

// A bound pod with hand-written annotations was enough to hold up all outcomes.
func TestWhateverAPodSaysItsEventIsSmall(t *testing.T) {
	b := newPlugin(t, "http://127.0.0.1:1", "")
	huge := strings.Repeat("\u2603", 100_000)
	yes := true
	pod := testPod("a")
	pod.Annotations = map[string]string{
		softLatencyAnnotation: huge, hardLatencyAnnotation: huge, "alibabacloud.com/gpu-count": "1",
		"alibabacloud.com/gpu-card-model": strings.Repeat(huge+"|", 5) + strings.Repeat("T4|", 100_000),
	}
	pod.OwnerReferences = []metav1.OwnerReference{{Kind: huge, Name: "a\x00b" + huge, Controller: &yes}}
	pod.Spec.Containers[0].Resources.Requests = v1.ResourceList{
		v1.ResourceCPU: resource.MustParse("9e18"), v1.ResourceMemory: resource.MustParse("1e30"),
	}
	view := b.describePod(pod)
	text, err := json.Marshal(view.outcome())
	if err != nil {
		t.Fatal(err)
	}
	if len(text) > 3000 {
		t.Errorf("an event of %d bytes", len(text))
	}
	if question := b.encoder.encode("d", "s", "active", view, nil, &columns{}); len(question) > 3000 || !json.Valid(question) {
		t.Errorf("a question of %d bytes: %.100s", len(question), question)
	}
	if !utf8.ValidString(view.owner) || strings.ContainsRune(view.owner, 0) {
		t.Errorf("the owner is %q", view.owner)
	}
	if view.cpuMilli != 1e9 || view.memoryBytes != 1<<60 {
		t.Errorf("requests are %d and %d, want both at the limit", view.cpuMilli, view.memoryBytes)
	}
}
