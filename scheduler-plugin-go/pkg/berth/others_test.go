package berth

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

func TestABoundPodTellsWhereTheOthersWouldHavePutIt(t *testing.T) {
	service := newFakeService(t, scores(100, 50, 0))
	handle := newFakeHandle()
	b := newPluginOf(t, Factory(), handle, service.URL, "")
	ctx, nodes := context.Background(), testNodes("n0", "n1", "n2")
	for _, name := range []string{"a", "b"} {
		state, pod := framework.NewCycleState(), testPod(name)
		b.PreScore(ctx, state, pod, nodes)
		b.Reserve(ctx, state, pod, "n0")
		b.PostBind(ctx, state, pod, "n0")
	}
	eventually(t, "both binds are reported", func() bool { return len(service.eventTypes()) == 4 })
	service.mu.Lock()
	defer service.mu.Unlock()
	var told []any
	for _, e := range service.events {
		if e["type"] == "bound" {
			told = append(told, e["without"])
		} else if e["without"] != nil {
			t.Errorf("a %v event tells it too: the next question would carry it", e["type"])
		}
	}
	want := []any{map[string]any{"node": "n2", "sum": 30.0, "here": 10.0, "ties": 1.0}, nil} // the second comes too soon
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("without us (-want,+got):\n%s", diff)
	}
	if handle.runs != 1 {
		t.Errorf("the other plugins ran %d times more for two pods within a second", handle.runs)
	}
}

func TestWhatIsOnlyWatchedRunsNoPluginTwice(t *testing.T) {
	service := newFakeService(t, scores(100, 50))
	handle := newFakeHandle()
	b := newPluginOf(t, Factory(), handle, service.URL, `,"mode":"shadow"`)
	state := framework.NewCycleState()
	b.PreScore(context.Background(), state, testPod("a"), testNodes("n0", "n1"))
	b.Reserve(context.Background(), state, testPod("a"), "n0")
	if handle.runs != 0 {
		t.Error("in shadow the pod goes where the others put it anyway")
	}
}

func TestTheChosenNodeCountsWhereTheOthersAreIndifferent(t *testing.T) {
	scored := func(sums ...int64) (all []fwk.NodePluginScores) {
		for i, sum := range sums {
			all = append(all, fwk.NodePluginScores{Name: string(rune('a' + i)), TotalScore: sum})
		}
		return all
	}
	got := withoutUs(scored(7, 9, 9, 8), "c")
	if diff := cmp.Diff(&preferred{Node: "c", Sum: 9, Here: 9, Ties: 2}, got); diff != "" {
		t.Errorf("(-want,+got):\n%s", diff)
	}
	if got := withoutUs(scored(7, 9), "z"); got != nil {
		t.Errorf("the chosen node was not scored, and yet: %+v", got)
	}
}

func TestAskingTheOthersTakesAHundredthOfTheLoopAtMost(t *testing.T) {
	var o others
	start := time.Now()
	if !o.due(start) {
		t.Fatal("the first decision is asked about")
	}
	o.took(start, 50*time.Millisecond)
	if o.due(start.Add(5*time.Second - 1)) {
		t.Error("a run of 50 ms, and another one within 5 s")
	}
	if !o.due(start.Add(5 * time.Second)) {
		t.Error("after a hundred times what it took it is asked again")
	}
	if o.due(start.Add(5*time.Second + othersEvery/2)) {
		t.Error("twice within a second")
	}
}
