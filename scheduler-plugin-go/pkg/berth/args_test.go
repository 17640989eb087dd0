package berth

import (
	"strings"
	"testing"

	"k8s.io/kubernetes/pkg/scheduler/framework"
)

func TestProfilesShareOneProcess(t *testing.T) {
	factory, handle := Factory(), newFakeHandle()
	one := newPluginOf(t, factory, handle, "http://127.0.0.1:1", `,"mode":"shadow"`)
	two := newPluginOf(t, factory, handle, "http://127.0.0.1:1", `,"mode":"canary","timeout":"5ms","canary":{"percent":10},"zoneLabel":"z"`)
	if one.process != two.process {
		t.Error("two profiles have two queues, breakers and tables")
	}
	if one.args.Mode == two.args.Mode {
		t.Error("profiles must be able to differ in mode")
	}
}

func TestAPodIsToldByTheSchedulerThatItNames(t *testing.T) {
	factory, of := Factory(), []*fakeHandle{newFakeHandle(), newFakeHandle()}
	newPluginOf(t, factory, of[0], "http://127.0.0.1:1", "")
	second := newPluginOf(t, factory, of[1], "http://127.0.0.1:1", "")
	pod := testPod("a")
	pod.Annotations[softLatencyAnnotation] = "soon"
	second.PreScore(t.Context(), framework.NewCycleState(), pod, testNodes("n0", "n1"))
	if first, second := len(of[0].events.Events), len(of[1].events.Events); first != 0 || second != 1 {
		t.Errorf("the first profile says %d things of a pod of the second, which says %d", first, second)
	}
}

func TestProfilesThatCannotShareAreRefused(t *testing.T) {
	for _, more := range []string{`{"url":"http://127.0.0.1:2"}`, `{"url":"http://127.0.0.1:1","pendingWindow":"5s"}`} {
		factory, handle := Factory(), newFakeHandle()
		if _, err := factory(t.Context(), unknown(`{"url":"http://127.0.0.1:1"}`), handle); err != nil {
			t.Fatal(err)
		}
		if _, err := factory(t.Context(), unknown(more), handle); err == nil || !strings.Contains(err.Error(), "profile") {
			t.Errorf("%s beside another: want an error that says what profiles may differ in, got %v", more, err)
		}
	}
}

// Seen on kind: the token file was there and unreadable, and the scheduler started in silence.
func TestATokenFileThatCannotBeReadStopsTheScheduler(t *testing.T) {
	folder := t.TempDir()
	_, err := Factory()(t.Context(), unknown(`{"url":"http://127.0.0.1:1","tokenFile":"`+folder+`"}`), newFakeHandle())
	if err == nil || !strings.Contains(err.Error(), folder) {
		t.Errorf("want an error that names the file, got %v", err)
	}
}

func TestACAFileThatCannotBeUsedStopsTheScheduler(t *testing.T) {
	folder := t.TempDir()
	_, err := Factory()(t.Context(), unknown(`{"url":"https://127.0.0.1:1","caFile":"`+folder+`"}`), newFakeHandle())
	if err == nil || !strings.Contains(err.Error(), "caFile: ") || !strings.Contains(err.Error(), folder) {
		t.Errorf("want an error that names the file, got %v", err)
	}
}
