package berth

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// A service that restarts must learn of every pod, however many they are: a queue of ten takes a list of forty.
func TestServiceIsToldOfAllAssignedPodsAtTheStartAndByEveryNewInstance(t *testing.T) {
	var service *fakeService
	service = newFakeService(t, func(w http.ResponseWriter, q map[string]any) {
		fmt.Fprintf(w, `{"decision":%q,"scores":[1,2],"instance":%q}`, q["decision"], service.instance)
	})
	var pods []runtime.Object
	var want []string
	for i := range 40 {
		pod := testPod(fmt.Sprintf("p%02d", i))
		pod.Spec.NodeName = "n0"
		want = append(want, string(pod.UID))
		pods = append(pods, pod)
	}
	ended, waiting := testPod("ended"), testPod("waiting")
	ended.Spec.NodeName, ended.Status.Phase = "n0", v1.PodSucceeded
	handle := &fakeHandle{informers: informers.NewSharedInformerFactory(fake.NewClientset(append(pods, ended, waiting)...), 0)}
	raw := fmt.Sprintf(`{"url":%q,"timeout":"500ms","outcomes":{"flushInterval":"5ms","queueSize":10}}`, service.URL)
	plugin, err := New(t.Context(), &runtime.Unknown{Raw: []byte(raw)}, handle)
	if err != nil {
		t.Fatal(err)
	}
	handle.informers.Start(t.Context().Done())
	expect := func(when string, times int) {
		t.Helper()
		all := slices.Sorted(slices.Values(slices.Concat(slices.Repeat([][]string{want}, times)...)))
		eventually(t, when, func() bool { return len(assignedUIDs(service)) >= len(all) })
		if diff := cmp.Diff(all, assignedUIDs(service)); diff != "" {
			t.Errorf("assigned pods %s (-want,+got):\n%s", when, diff)
		}
	}
	expect("at the start", 1)
	ask := func() {
		plugin.(*Berth).PreScore(context.Background(), framework.NewCycleState(), testPod("q"), testNodes("n0", "n1"))
	}
	ask()
	expect("after an answer of the same instance", 1)
	service.mu.Lock()
	service.instance = "i2"
	service.mu.Unlock()
	ask()
	expect("after another instance answered", 2)
}

func assignedUIDs(s *fakeService) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var uids []string
	for _, e := range s.events {
		if e["type"] == "assigned" {
			uids = append(uids, e["pod"].(map[string]any)["uid"].(string))
		}
	}
	slices.Sort(uids)
	return uids
}
