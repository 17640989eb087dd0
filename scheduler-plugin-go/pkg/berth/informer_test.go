package berth

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/scheduler/framework"

	"berth.dev/scheduler-plugin/pkg/outcome"
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
	handle := newFakeHandle(append(pods, ended, waiting)...)
	raw := fmt.Sprintf(`{"url":%q,"timeout":"500ms","outcomes":{"flushInterval":"5ms","queueSize":10}}`, service.URL)
	plugin, err := Factory()(t.Context(), unknown(raw), handle)
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

// A full list says who is gone, so it must name everybody: also whom this scheduler is just about to bind.
func TestAFullListNamesReservationsThatTheInformerDoesNotShow(t *testing.T) {
	service := newFakeService(t, scores(1, 2))
	bound := testPod("bound")
	bound.Spec.NodeName = "n0"
	handle := newFakeHandle(bound)
	b := newPluginOf(t, Factory(), handle, service.URL, "")
	b.Reserve(context.Background(), framework.NewCycleState(), testPod("reserved"), "n1")
	b.Reserve(context.Background(), framework.NewCycleState(), testPod("taken back"), "n1")
	b.Unreserve(context.Background(), framework.NewCycleState(), testPod("taken back"), "n1")
	b.Reserve(context.Background(), framework.NewCycleState(), bound, "n0") // the informer will show it
	handle.informers.Start(t.Context().Done())
	eventually(t, "the list is complete", func() bool { return lastList(service) != nil })
	want := []string{"uid-bound", "uid-reserved"}
	if diff := cmp.Diff(want, lastList(service)); diff != "" {
		t.Errorf("list (-want,+got):\n%s", diff)
	}
}

// The service takes no further word of a pod that is told as gone, and this one is tried again.
func TestAReservationTakenBackWhileAListWaitsIsNotToldAsTheEndOfItsPod(t *testing.T) {
	held, release := make(chan struct{}, 100), make(chan struct{})
	service := newFakeService(t, scores(1, 2))
	service.hold = func() {
		held <- struct{}{}
		<-release
	}
	handle := newFakeHandle()
	raw := fmt.Sprintf(`{"url":%q,"timeout":"500ms","outcomes":{"flushInterval":"5ms","queueSize":10}}`, service.URL)
	plugin, err := Factory()(t.Context(), unknown(raw), handle)
	if err != nil {
		t.Fatal(err)
	}
	b := plugin.(*Berth)
	b.leads()
	state := framework.NewCycleState()
	pods := []*v1.Pod{testPod("retried")}
	b.Reserve(context.Background(), state, pods[0], "n1")
	<-held             // the sender waits for the service with it in hand
	for i := range 9 { // others come meanwhile
		pods = append(pods, testPod(fmt.Sprint("other-", i)))
		b.Reserve(context.Background(), state, pods[i+1], "n0")
	}
	done := make(chan error, 1)
	go func() { // its begin takes the last place, and the first pod that it names waits
		done <- b.reportAll(context.Background(), handle.informers.Core().V1().Pods().Lister())
	}()
	time.Sleep(100 * time.Millisecond)
	for i, pod := range pods {
		b.Unreserve(context.Background(), state, pod, []string{"n1", "n0"}[min(i, 1)])
	}
	close(release)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	eventually(t, "the list is complete", func() bool { return lastList(service) != nil })
	if kinds := service.eventTypes(); slices.Contains(kinds, "gone") {
		t.Errorf("a pod that was taken back is told as ended, for good: %v", kinds)
	}
	if kinds := service.eventTypes(); !slices.Contains(kinds, "unreserved") {
		t.Errorf("what the list named is not taken back: %v", kinds)
	}
}

// Seen: the service took such a pod for one of its first node, until the next list half an hour later.
func TestAPodThatIsTriedElsewhereWhileAListWaitsIsLastNamedWhereItIs(t *testing.T) {
	held, release := make(chan struct{}, 100), make(chan struct{})
	service := newFakeService(t, scores(1, 2))
	service.hold = func() {
		held <- struct{}{}
		<-release
	}
	handle := newFakeHandle()
	raw := fmt.Sprintf(`{"url":%q,"timeout":"500ms","outcomes":{"flushInterval":"5ms","queueSize":10}}`, service.URL)
	plugin, err := Factory()(t.Context(), unknown(raw), handle)
	if err != nil {
		t.Fatal(err)
	}
	b := plugin.(*Berth)
	b.leads()
	state, pod := framework.NewCycleState(), testPod("retried")
	b.Reserve(t.Context(), state, pod, "n1")
	<-held // the sender waits for the service with it in hand
	other, err := b.outcomes.BeginList(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for range 3 { // beside another list that waits
		if err := other.Add(t.Context(), outcome.Event{Type: outcome.ListBegin, At: time.Now(), UID: "other"}); err != nil {
			t.Fatal(err)
		}
	}
	done := make(chan error, 1)
	go func() { // its begin takes the last place of lists, and the pod that it names waits
		done <- b.reportAll(context.Background(), handle.informers.Core().V1().Pods().Lister())
	}()
	time.Sleep(100 * time.Millisecond)
	b.Unreserve(t.Context(), state, pod, "n1")
	b.Reserve(t.Context(), state, pod, "n2")
	b.PostBind(t.Context(), state, pod, "n2")
	close(release)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	eventually(t, "the list is complete", func() bool { return lastList(service) != nil })
	service.mu.Lock()
	defer service.mu.Unlock()
	at := ""
	for _, e := range service.events {
		if node, named := e["node"].(string); named {
			at = node
		}
	}
	if at != "n2" {
		t.Errorf("the pod is last named on %s, want n2: %v", at, service.events)
	}
}

// The answer to a bind may be lost: then the framework takes a pod back that the informer has shown on its node already.
func TestAPodThatRunsAlthoughItsBindFailedStaysInFullLists(t *testing.T) {
	service := newFakeService(t, scores(1, 2))
	pod := testPod("bound")
	pod.Spec.NodeName = "n0"
	handle := newFakeHandle(pod)
	b := newPluginOf(t, Factory(), handle, service.URL, "")
	handle.informers.Start(t.Context().Done())
	eventually(t, "the list of the start is complete", func() bool { return lastList(service) != nil })
	service.mu.Lock()
	service.events = nil
	service.mu.Unlock()
	state := framework.NewCycleState()
	b.Reserve(context.Background(), state, pod, "n0")
	b.podSeen(pod)
	b.Unreserve(context.Background(), state, pod, "n0")
	if err := b.reportAll(context.Background(), handle.informers.Core().V1().Pods().Lister()); err != nil {
		t.Fatal(err)
	}
	eventually(t, "another list is complete", func() bool { return lastList(service) != nil })
	if diff := cmp.Diff([]string{"uid-bound"}, lastList(service)); diff != "" {
		t.Errorf("list (-want,+got):\n%s", diff)
	}
	if kinds := service.eventTypes(); slices.Contains(kinds, "unreserved") {
		t.Errorf("a pod that runs is taken back: %v", kinds)
	}
}

// lastList returns the pods that the last complete list names; nil where there is none.
func lastList(s *fakeService) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var named, complete []string
	for _, e := range s.events {
		switch e["type"] {
		case "list_begin":
			named = []string{}
		case "list_end":
			complete = slices.Compact(slices.Sorted(slices.Values(named)))
		case "assigned":
			named = append(named, e["pod"].(map[string]any)["uid"].(string))
		}
	}
	return complete
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
