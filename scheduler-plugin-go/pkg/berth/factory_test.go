package berth

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	componentconfig "k8s.io/component-base/config/v1alpha1"
	"k8s.io/component-base/configz"
	configv1 "k8s.io/kube-scheduler/config/v1"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

func unknown(raw string) *runtime.Unknown { return &runtime.Unknown{Raw: []byte(raw)} }

func TestCloseOfTheLastProfileSendsWhatIsQueued(t *testing.T) {
	service := newFakeService(t, scores(1, 2))
	factory, handle := Factory(), newFakeHandle()
	slow := `,"outcomes":{"flushInterval":"1m"}`
	args := unknown(fmt.Sprintf(`{"url":%q%s}`, service.URL, slow))
	var profiles []*Berth
	for range 2 {
		plugin, err := factory(t.Context(), args, handle)
		if err != nil {
			t.Fatal(err)
		}
		profiles = append(profiles, plugin.(*Berth))
	}
	profiles[0].Reserve(context.Background(), framework.NewCycleState(), testPod("a"), "n1")
	for range 2 { // closing twice is closing once
		if err := profiles[0].Close(); err != nil {
			t.Fatal(err)
		}
	}
	if got := service.eventTypes(); len(got) != 0 {
		t.Errorf("the first of two profiles to close ended the sender of both: %v", got)
	}
	if err := profiles[1].Close(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"reserved"}, service.eventTypes()); diff != "" {
		t.Errorf("events after Close (-want,+got):\n%s", diff)
	}
}

func TestCloseIsBoundedInTimeThoughTheServiceHangs(t *testing.T) {
	release := make(chan struct{})
	service := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	t.Cleanup(service.Close)
	t.Cleanup(func() { close(release) })
	b := newPlugin(t, service.URL, "")
	b.Reserve(context.Background(), framework.NewCycleState(), testPod("a"), "n1")
	start := time.Now()
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took > 2*lastFlush {
		t.Errorf("Close took %s, want at most about %s", took, lastFlush)
	}
}

// kube-scheduler builds its plugins and starts its informers before it leads: a standby sees every pod.
func TestAStandbyReportsNothingUntilItSchedules(t *testing.T) {
	published, err := configz.New("componentconfig")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { configz.Delete("componentconfig") })
	yes := true
	err = published.Set(&configv1.KubeSchedulerConfiguration{
		TypeMeta:       metav1.TypeMeta{APIVersion: "kubescheduler.config.k8s.io/v1", Kind: "KubeSchedulerConfiguration"},
		LeaderElection: componentconfig.LeaderElectionConfiguration{LeaderElect: &yes},
	})
	if err != nil {
		t.Fatal(err)
	}
	service := newFakeService(t, scores(1, 2))
	running := testPod("a")
	running.Spec.NodeName = "n0"
	handle := newFakeHandle(running)
	plugin, err := Factory()(t.Context(), unknown(fmt.Sprintf(`{"url":%q,"outcomes":{"flushInterval":"1ms"}}`, service.URL)), handle)
	if err != nil {
		t.Fatal(err)
	}
	b := plugin.(*Berth)
	handle.informers.Start(t.Context().Done())
	eventually(t, "the informer shows the pod", func() bool { return b.pods.on("uid-a") != "" })
	other := testPod("b")
	other.Spec.NodeName = "n1"
	b.podSeen(other)
	time.Sleep(500 * time.Millisecond) // the plugin looks every 100 ms whether the informer has synced
	if got := service.eventTypes(); len(got) != 0 {
		t.Fatalf("a standby reported %v", got)
	}
	b.PreScore(context.Background(), framework.NewCycleState(), testPod("c"), testNodes("n0", "n1"))
	eventually(t, "the full list arrives", func() bool { return len(assignedUIDs(service)) == 1 })
	if diff := cmp.Diff([]string{"uid-a"}, assignedUIDs(service)); diff != "" { // b is in no informer
		t.Errorf("list of the new leader (-want,+got):\n%s", diff)
	}
}
