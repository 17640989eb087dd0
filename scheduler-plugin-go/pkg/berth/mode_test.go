package berth

import (
	"context"
	"fmt"
	"strings"
	"testing"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/component-base/metrics/testutil"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

func modeMap(version string, data ...string) *v1.ConfigMap {
	m := &v1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "berth-system", Name: "berth-mode", ResourceVersion: version}, Data: map[string]string{}}
	for i := 0; i < len(data); i += 2 {
		m.Data[data[i]] = data[i+1]
	}
	return m
}

func (h *fakeHandle) setMode(t *testing.T, m *v1.ConfigMap) {
	t.Helper()
	if _, err := h.client.CoreV1().ConfigMaps(m.Namespace).Update(t.Context(), m, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
}

func gauge(t *testing.T, labels ...string) float64 {
	t.Helper()
	value, err := testutil.GetGaugeMetricValue(modeInForce.WithLabelValues(labels...))
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func TestTheModeChangesFromOnePodToTheNextWhateverTheArgumentsSay(t *testing.T) {
	service := newFakeService(t, scores(37, 100))
	handle := newFakeHandle(modeMap("1", "mode", "off"))
	t.Setenv("POD_NAME", "scheduler-0")
	t.Setenv("POD_NAMESPACE", "berth-system")
	b := newPluginOf(t, Factory(), handle, service.URL, `,"mode":"active"`)
	nodes := testNodes("n0", "n1")
	ask := func(name string) (*fwk.Status, fwk.CycleState) {
		state := framework.NewCycleState()
		return b.PreScore(context.Background(), state, testPod(name), nodes), state
	}
	asked := func() (n int, mode any, clip any) {
		service.mu.Lock()
		defer service.mu.Unlock()
		if n = len(service.questions); n > 0 {
			mode, clip = service.questions[n-1]["mode"], service.questions[n-1]["clip"]
		}
		return n, mode, clip
	}

	if status, state := ask("a"); !status.IsSkip() || decisionOf(state).by != byOff {
		t.Errorf("switched off: status %v, decided by %s", status, decisionOf(state).by)
	}
	if n, _, _ := asked(); n != 0 {
		t.Errorf("switched off, the service was asked %d times", n)
	}
	if gauge(t, "default-scheduler", "off", "configmap") != 1 {
		t.Error("the metric does not say off")
	}

	handle.setMode(t, modeMap("2", "mode", "canary", "percent", "100", "clip", "0.005", "changed-by", "alice", "changed-at", "t2"))
	eventually(t, "the canary reaches the scheduler", func() bool { return b.mode().Kind == "canary" })
	if status, _ := ask("b"); !status.IsSuccess() {
		t.Errorf("a pod of the canary: %v", status)
	}
	if _, mode, clip := asked(); mode != "canary" || clip != 0.005 {
		t.Errorf("the service heard of mode %v and clip %v", mode, clip)
	}

	handle.setMode(t, modeMap("3", "mode", "canary", "percent", "0", "namespaces", "elsewhere"))
	eventually(t, "the smaller canary reaches the scheduler", func() bool { return b.mode().Percent == 0 })
	if status, state := ask("c"); !status.IsSkip() || decisionOf(state).by != byShadow {
		t.Errorf("outside of the canary: %v", status)
	}
	eventually(t, "the shadow is asked about", func() bool { n, mode, _ := asked(); return n == 2 && mode == "shadow" })

	handle.setMode(t, modeMap("4", "mode", "fast"))
	eventually(t, "the refusal is told", func() bool {
		value, err := testutil.GetGaugeMetricValue(modeRefused)
		return err == nil && value == 1
	})
	if b.mode().Kind != "canary" {
		t.Errorf("nonsense changed the mode to %s", b.mode())
	}

	if err := handle.client.CoreV1().ConfigMaps("berth-system").Delete(t.Context(), "berth-mode", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the arguments count again", func() bool { return b.mode() == b.static })
	if gauge(t, "default-scheduler", "active", "args") != 1 {
		t.Error("the metric does not say active by its arguments")
	}

	var told []string
	for len(handle.events.Events) > 0 {
		told = append(told, <-handle.events.Events)
	}
	all := strings.Join(told, "\n")
	for _, want := range []string{"Normal BerthMode mode is off", "mode is canary: 100 % of the owners; clip at most 0.005, by alice", `Warning BerthModeRefused`, `mode is "fast"`} {
		if !strings.Contains(all, want) {
			t.Errorf("no Event says %q:\n%s", want, all)
		}
	}
}

// The reason for a ConfigMap: with the service dead nobody could ask it to be switched off.
func TestOffWorksWithTheServiceDead(t *testing.T) {
	handle := newFakeHandle(modeMap("1", "mode", "active"))
	b := newPluginOf(t, Factory(), handle, "http://127.0.0.1:1", `,"mode":"shadow"`)
	nodes := testNodes("n0", "n1")
	eventually(t, "active reaches the scheduler", func() bool { return b.mode().Kind == "active" })
	state := framework.NewCycleState()
	if b.PreScore(context.Background(), state, testPod("a"), nodes); decisionOf(state).by != byFallback {
		t.Fatalf("the service is not dead: decided by %s", decisionOf(state).by)
	}
	handle.setMode(t, modeMap("2", "mode", "off"))
	eventually(t, "off reaches the scheduler", func() bool {
		state = framework.NewCycleState()
		b.PreScore(context.Background(), state, testPod("a"), nodes)
		return decisionOf(state).by == byOff
	})
}

func TestTwoSchedulersChangeTogetherAndHaveTheSameOwnersInTheCanary(t *testing.T) {
	one := newFakeHandle(modeMap("1", "mode", "canary", "percent", "30"))
	two := newFakeHandle()
	two.client = one.client
	schedulers := []*Berth{
		newPluginOf(t, Factory(), one, "http://127.0.0.1:1", `,"mode":"active"`),
		newPluginOf(t, Factory(), two, "http://127.0.0.1:2", `,"mode":"shadow"`),
	}
	chosen := 0
	for i := range 500 {
		owner := fmt.Sprintf("default/Deployment/web-%d", i)
		mode := schedulers[0].modeFor(testPod("a"), owner)
		if other := schedulers[1].modeFor(testPod("b"), owner); mode != other {
			t.Fatalf("%s is %s in one scheduler and %s in the other", owner, mode, other)
		}
		if mode == "active" {
			chosen++
		}
	}
	if chosen < 100 || chosen > 200 {
		t.Errorf("%d of 500 owners are in a canary of 30 %%", chosen)
	}
	one.setMode(t, modeMap("2", "mode", "off"))
	for i, b := range schedulers {
		eventually(t, fmt.Sprintf("scheduler %d is off", i), func() bool { return b.mode().Kind == "off" })
	}
}

func TestWithoutAConfigMapToWatchTheArgumentsCount(t *testing.T) {
	b := newPluginOf(t, Factory(), newFakeHandle(modeMap("1", "mode", "off")), "http://127.0.0.1:1", `,"mode":"shadow","modeConfigMap":""`)
	if b.mode() != b.static {
		t.Errorf("mode %s", b.mode())
	}
}
