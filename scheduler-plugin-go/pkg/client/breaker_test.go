package client

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"
)

// answering serves one status after another, the last for ever; 0 is an answer that comes too late.
func answering(t *testing.T, statuses func(call int) int) (url string, calls *atomic.Int32) {
	calls = &atomic.Int32{}
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		if status := statuses(int(calls.Add(1))); status != http.StatusOK {
			http.Error(w, "no", status)
			return
		}
		fmt.Fprint(w, good)
	}), calls
}

func TestFourFailuresInFiveOpenTheBreakerThoughNeverManyInARow(t *testing.T) {
	url, calls := answering(t, func(call int) int {
		if call%5 == 0 {
			return http.StatusOK
		}
		return http.StatusServiceUnavailable
	})
	c := newClient(t, url, func(o *Options) { o.Breaker = BreakerOptions{Window: 20, FailurePercent: 50, OpenFor: time.Minute} })
	for range 100 {
		_, _ = c.Score(t.Context(), nil, "d", 2)
	}
	if got := calls.Load(); got != 12 { // 10 failures of 20 calls are half of them
		t.Errorf("want the breaker to open after the 12th call, it let %d through", got)
	}
}

func TestAFewFailuresAmongManyAnswersKeepTheBreakerClosed(t *testing.T) {
	url, calls := answering(t, func(call int) int {
		if call%3 == 0 {
			return http.StatusServiceUnavailable
		}
		return http.StatusOK
	})
	c := newClient(t, url, func(o *Options) { o.Breaker = BreakerOptions{Window: 20, FailurePercent: 50, OpenFor: time.Minute} })
	for range 100 {
		_, _ = c.Score(t.Context(), nil, "d", 2)
	}
	if got := calls.Load(); got != 100 {
		t.Errorf("want all of 100 calls, a third of them failing, to pass; %d did", got)
	}
}

// A pod whose question is refused must not cost the other pods their scores.
func TestRefusalsOfOnePodDoNotOpenTheBreaker(t *testing.T) {
	url, calls := answering(t, func(int) int { return http.StatusBadRequest })
	c := newClient(t, url, nil)
	for range 50 {
		if _, err := c.Score(t.Context(), nil, "d", 2); !Refused(err) {
			t.Fatalf("want a refusal, got %v", err)
		}
	}
	if got := calls.Load(); got != 50 {
		t.Errorf("want 50 calls, the breaker let %d through", got)
	}
}

func TestACancelledCallSaysNothingAboutTheService(t *testing.T) {
	url, _ := answering(t, func(int) int { return http.StatusOK })
	c := newClient(t, url, nil)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for range 50 {
		_, _ = c.Score(cancelled, nil, "d", 2)
	}
	if _, err := c.Score(t.Context(), nil, "d", 2); err != nil {
		t.Errorf("cancelled calls opened the breaker: %v", err)
	}
}
