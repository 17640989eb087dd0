package berth

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// newsIn are "type node" of the events in the last question.
func newsIn(service *fakeService) []string {
	service.mu.Lock()
	defer service.mu.Unlock()
	var news []string
	events, _ := service.questions[len(service.questions)-1]["events"].([]any)
	for _, e := range events {
		event := e.(map[string]any)
		news = append(news, fmt.Sprint(event["type"], " ", event["node"]))
	}
	return news
}

// slowReporter delivers no batch for a minute.
func slowReporter(t *testing.T, url string) *Berth {
	raw := fmt.Sprintf(`{"url":%q,"timeout":"500ms","outcomes":{"flushInterval":"1m"}}`, url)
	plugin, err := Factory()(t.Context(), &runtime.Unknown{Raw: []byte(raw)}, newFakeHandle())
	if err != nil {
		t.Fatal(err)
	}
	return plugin.(*Berth)
}

func TestTheNextQuestionKnowsWhatWasReservedAMomentAgo(t *testing.T) {
	service := newFakeService(t, scores(37, 100))
	b, nodes, ctx := slowReporter(t, service.URL), testNodes("n0", "n1"), context.Background()
	first := framework.NewCycleState()
	b.PreScore(ctx, first, testPod("a"), nodes)
	if got := newsIn(service); got != nil {
		t.Errorf("the first question carries %v, want nothing", got)
	}
	b.Reserve(ctx, first, testPod("a"), "n1")
	b.PreScore(ctx, framework.NewCycleState(), testPod("b"), nodes)
	if got := fmt.Sprint(newsIn(service)); got != "[reserved n1]" {
		t.Errorf("the second question carries %s, want the first pod's reservation", got)
	}
	b.Unreserve(ctx, first, testPod("a"), "n1")
	b.PreScore(ctx, framework.NewCycleState(), testPod("c"), nodes)
	if got := fmt.Sprint(newsIn(service)); got != "[unreserved n1]" {
		t.Errorf("the third question carries %s, want that it was taken back and nothing that the second has told", got)
	}
}

func TestWhatAQuestionCouldNotTellTheNextOneTells(t *testing.T) {
	var well atomic.Bool
	service := newFakeService(t, func(w http.ResponseWriter, question map[string]any) {
		if !well.Load() {
			http.Error(w, "out of order", http.StatusInternalServerError)
			return
		}
		scores(37, 100)(w, question)
	})
	b, nodes, ctx := slowReporter(t, service.URL), testNodes("n0", "n1"), context.Background()
	b.Reserve(ctx, framework.NewCycleState(), testPod("a"), "n1")
	for range 2 {
		b.PreScore(ctx, framework.NewCycleState(), testPod("b"), nodes)
		if got := fmt.Sprint(newsIn(service)); got != "[reserved n1]" {
			t.Errorf("a question carries %s, want the reservation until one is answered", got)
		}
		well.Store(true)
	}
	b.PreScore(ctx, framework.NewCycleState(), testPod("c"), nodes)
	if got := newsIn(service); got != nil {
		t.Errorf("after an answer the question carries %v, want nothing", got)
	}
}

func TestNewsThatAreRefusedCostOneQuestionOnly(t *testing.T) {
	service := newFakeService(t, func(w http.ResponseWriter, question map[string]any) {
		if question["events"] != nil {
			http.Error(w, `{"detail":"events[0] is wrong"}`, http.StatusBadRequest)
			return
		}
		scores(37, 100)(w, question)
	})
	b, nodes, ctx := slowReporter(t, service.URL), testNodes("n0", "n1"), context.Background()
	b.Reserve(ctx, framework.NewCycleState(), testPod("a"), "n1")
	if status := b.PreScore(ctx, framework.NewCycleState(), testPod("b"), nodes); !status.IsSkip() {
		t.Errorf("got %v, want Skip", status)
	}
	if status := b.PreScore(ctx, framework.NewCycleState(), testPod("c"), nodes); !status.IsSuccess() {
		t.Errorf("the next question is refused as well: %v", status)
	}
}
