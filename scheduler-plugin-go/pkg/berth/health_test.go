package berth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	"k8s.io/klog/v2/ktesting"
	"k8s.io/kubernetes/pkg/scheduler/framework"

	"berth.dev/scheduler-plugin/pkg/client"
)

// Seen on kind: every call failed, the other plugins placed everything, and neither the log nor an Event said so.
func TestAFailingServiceIsALineInTheLogAndAnEventOnTheSchedulersPod(t *testing.T) {
	t.Setenv("POD_NAME", "kube-scheduler-0")
	t.Setenv("POD_NAMESPACE", "kube-system")
	logger := ktesting.NewLogger(t, ktesting.NewConfig(ktesting.BufferLogs(true), ktesting.Verbosity(0)))
	failing := newFakeService(t, func(w http.ResponseWriter, _ map[string]any) { http.Error(w, "wrong token", http.StatusUnauthorized) })
	handle := newFakeHandle()
	plugin, err := Factory()(klog.NewContext(t.Context(), logger), unknown(fmt.Sprintf(`{"url":%q,"timeout":"500ms"}`, failing.URL)), handle)
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		plugin.(*Berth).PreScore(context.Background(), framework.NewCycleState(), testPod("a"), testNodes("n0", "n1"))
	}
	address := failing.Listener.Addr().String()
	wantEvent(t, handle, v1.EventTypeWarning, "BerthServiceFailing", address, "401", "wrong token")
	log := logger.GetSink().(ktesting.Underlier).GetBuffer()
	if text := log.String(); strings.Count(text, "does not answer as it should") != 1 || !strings.Contains(text, address) || !strings.Contains(text, "wrong token") || !strings.Contains(text, `reason="status"`) {
		t.Errorf("want one line of it in the log:\n%s", text)
	}
	plugin.(*Berth).tellHealth(logger, client.Health{Address: address})
	wantEvent(t, handle, v1.EventTypeNormal, "BerthServiceAnswers", address)
	if text := log.String(); !strings.Contains(text, "answers again") {
		t.Errorf("nor of its end:\n%s", text)
	}
}

func TestAnEventIsShorterThanTheApiTakes(t *testing.T) {
	t.Setenv("POD_NAME", "kube-scheduler-0")
	t.Setenv("POD_NAMESPACE", "kube-system")
	handle := newFakeHandle()
	b := newPluginOf(t, Factory(), handle, "http://127.0.0.1:1", "")
	b.tellHealth(ktesting.NewLogger(t, ktesting.NewConfig()), client.Health{Failing: true, Err: errors.New(strings.Repeat("\u2603", 1000))})
	if event := <-handle.events.Events; len(event) > 1024 {
		t.Errorf("%d bytes: %s", len(event), event)
	}
}

func wantEvent(t *testing.T, handle *fakeHandle, parts ...string) {
	t.Helper()
	select {
	case event := <-handle.events.Events:
		for _, part := range parts {
			if !strings.Contains(event, part) {
				t.Errorf("the event does not say %q: %s", part, event)
			}
		}
	default:
		t.Errorf("no event %v", parts)
	}
}
