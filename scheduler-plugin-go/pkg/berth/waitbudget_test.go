package berth

import (
	"testing"
	"time"
)

func TestTheLoopMayWaitForAPartOfItsTimeAndAFewSecondsWorthAtOnce(t *testing.T) {
	now := time.Now()
	w := newWaitBudget(3)
	for waited := time.Duration(0); waited < 5*30*time.Millisecond; waited += 10 * time.Millisecond {
		if w.spent(now) {
			t.Fatalf("spent after %s", waited)
		}
		w.spend(now, 10*time.Millisecond)
	}
	asked := 0
	for range 10_000 { // pods, ten milliseconds apart, an answer takes as long
		if now = now.Add(10 * time.Millisecond); !w.spent(now) {
			asked++
			w.spend(now, 10*time.Millisecond)
		}
	}
	if asked < 299 || asked > 301 {
		t.Errorf("%d questions of 10 ms in 100 s, want 3 %% of them: 300", asked)
	}
}

func TestAnAnswerThatTookForeverDelaysTheNextQuestionByABoundedTime(t *testing.T) {
	now := time.Now()
	w := newWaitBudget(3)
	w.spend(now, 5*30*time.Millisecond)
	w.spend(now, time.Hour)
	if later := now.Add(burstSeconds * time.Second); !w.spent(later) || w.spent(later.Add(time.Second)) {
		t.Error("the debt is not five seconds' worth")
	}
}

// While there is no ranking the service is asked though the budget is spent.
func TestManyAnswersBeyondTheBudgetDelayTheNextQuestionNoLongerThanOne(t *testing.T) {
	now := time.Now()
	w := newWaitBudget(3)
	for range 1000 {
		w.spend(now, 10*time.Millisecond)
	}
	if later := now.Add(burstSeconds * time.Second); w.spent(later.Add(time.Second)) || !w.spent(later.Add(-time.Second)) {
		t.Error("the debt is not five seconds' worth")
	}
}
