package berth

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"k8s.io/klog/v2"
	"k8s.io/klog/v2/ktesting"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// Seen on kind: every call failed, the other plugins placed everything, and neither the log nor an Event said so.
func TestAFailingServiceIsALineInTheLogAndAnEventOnTheSchedulersPod(t *testing.T) {
	t.Setenv("POD_NAME", "kube-scheduler-n0")
	t.Setenv("POD_NAMESPACE", "kube-system")
	service := newFakeService(t, func(w http.ResponseWriter, _ map[string]any) { http.Error(w, "wrong token", http.StatusUnauthorized) })
	handle := newFakeHandle()
	logger := ktesting.NewLogger(t, ktesting.NewConfig(ktesting.BufferLogs(true), ktesting.Verbosity(0)))
	plugin, err := Factory()(klog.NewContext(t.Context(), logger), unknown(`{"url":"`+service.URL+`"}`), handle)
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		plugin.(*Berth).PreScore(t.Context(), framework.NewCycleState(), testPod("a"), testNodes("n0", "n1"))
	}

	select {
	case event := <-handle.events.Events:
		if !strings.HasPrefix(event, "Warning BerthServiceFailing") || !strings.Contains(event, service.URL) || !strings.Contains(event, "wrong token") {
			t.Errorf("the Event says %q, want the address and the answer", event)
		}
	case <-time.After(10 * time.Second):
		t.Error("no Event on the scheduler's pod")
	}
	lines := logger.GetSink().(ktesting.Underlier).GetBuffer().String()
	if strings.Count(lines, "does not answer as it should") != 1 {
		t.Errorf("want one line about the failing service, got:\n%s", lines)
	}
}
