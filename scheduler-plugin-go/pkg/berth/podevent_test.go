package berth

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/util/flowcontrol"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	testingclock "k8s.io/utils/clock/testing"
)

// placed binds a pod to each of the nodes, all in one instant, and returns the Events there are.
func placed(t *testing.T, args string, on ...string) (said []string) {
	t.Helper()
	service := newFakeService(t, scores(100, 50, 0))
	handle := newFakeHandle()
	b := newPluginOf(t, Factory(), handle, service.URL, args)
	if n := b.args.PodEventsPerSecond; n > 0 {
		b.podEvents = flowcontrol.NewTokenBucketPassiveRateLimiterWithClock(float32(n), int(n), testingclock.NewFakePassiveClock(time.Now()))
	}
	for _, node := range on {
		state, pod := framework.NewCycleState(), testPod("a")
		b.PreScore(context.Background(), state, pod, testNodes("n0", "n1", "n2"))
		b.Reserve(context.Background(), state, pod, node)
		b.PostBind(context.Background(), state, pod, node)
	}
	for len(handle.events.Events) > 0 {
		said = append(said, <-handle.events.Events)
	}
	return said
}

func TestABoundPodIsToldHowItsNodeWasScoredIfThatIsAskedFor(t *testing.T) {
	if said := placed(t, "", "n0"); said != nil {
		t.Errorf("nobody asked for it, and yet: %q", said)
	}
	want := []string{
		"Normal BerthScored Berth scored n0 100 of 100, the best of 3 nodes; without Berth: n2 (other plugins' sum 30 against 10); decision uid-a/1",
		"Normal BerthScored Berth scored n1 50 of 100, number 2 of 3 nodes; n0 had 100; decision uid-a/2",
	}
	if diff := cmp.Diff(want, placed(t, `,"podEventsPerSecond":2`, "n0", "n1")); diff != "" {
		t.Errorf("(-want,+got):\n%s", diff)
	}
	if said := placed(t, `,"podEventsPerSecond":10,"mode":"shadow"`, "n0"); said != nil {
		t.Errorf("Berth placed none of them, and yet: %q", said)
	}
}

func TestOfABurstNoMorePodsAreToldThanOneSecondAllows(t *testing.T) {
	if said := placed(t, `,"podEventsPerSecond":2`, slices.Repeat([]string{"n0"}, 20)...); len(said) != 2 {
		t.Errorf("%d Events of 20 pods at once", len(said))
	}
}
