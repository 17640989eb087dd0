package berth

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	fwk "k8s.io/kube-scheduler/framework"
)

func TestPodsThatTheServiceDecidesOnAreNotSigned(t *testing.T) {
	for _, more := range []string{"", `,"mode":"canary","canary":{"percent":100}`} {
		b := newPlugin(t, "http://127.0.0.1:1", more)
		if fragments, status := b.SignPod(context.Background(), testPod("a")); status.Code() != fwk.Unschedulable || fragments != nil {
			t.Errorf("args %q: want a refusal, got %v %v", more, fragments, status)
		}
	}
}

// A plugin that signs nothing turns opportunistic batching off: shadow mode would cost the scheduler throughput.
func TestPodsThatAreOnlyWatchedAreSigned(t *testing.T) {
	for _, more := range []string{`,"mode":"shadow"`, `,"mode":"canary","canary":{"namespaces":["web"]}`} {
		b := newPlugin(t, "http://127.0.0.1:1", more)
		if _, status := b.SignPod(context.Background(), testPod("a")); !status.IsSuccess() {
			t.Errorf("args %q: want a signature, got %v", more, status)
		}
	}
}

func TestPodsThatAskForDifferentCardsAreSignedDifferently(t *testing.T) {
	b := newPlugin(t, "http://127.0.0.1:1", `,"mode":"shadow"`)
	sign := func(milli string) []fwk.SignFragment {
		pod := testPod("a")
		if milli != "" {
			pod.Annotations["alibabacloud.com/gpu-milli"] = milli
		}
		fragments, status := b.SignPod(context.Background(), pod)
		if !status.IsSuccess() {
			t.Fatal(status)
		}
		return fragments
	}
	if cmp.Equal(sign("500"), sign("250")) || cmp.Equal(sign("500"), sign("")) {
		t.Error("a ranking for one request of cards would be reused for another")
	}
	if !cmp.Equal(sign("500"), sign("500")) {
		t.Error("alike pods have different signatures")
	}
}
