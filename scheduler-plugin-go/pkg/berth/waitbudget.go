package berth

import (
	"time"

	"golang.org/x/time/rate"
)

// waitBudget is the part of the scheduling loop's time that it may spend on questions, whatever one costs: where answers come
// at once many pods are asked about, where the cluster is large or the service slow few. Safe for concurrent use.
type waitBudget struct{ limiter *rate.Limiter } // in microseconds

func newWaitBudget(percent int) waitBudget {
	perSecond := percent * int(time.Second.Microseconds()) / 100
	return waitBudget{rate.NewLimiter(rate.Limit(perSecond), burstSeconds*perSecond)}
}

// spent says that nothing of it is left.
func (w waitBudget) spent(now time.Time) bool { return w.limiter.TokensAt(now) <= 0 }

// spend takes a wait off, after the fact: what falls short is never more than five seconds' worth, however many asked although
// nothing was left, so that the service is soon asked again.
func (w waitBudget) spend(now time.Time, wait time.Duration) {
	most := w.limiter.Burst() + min(0, int(w.limiter.TokensAt(now)))
	w.limiter.ReserveN(now, max(0, min(most, int(wait.Microseconds()))))
}
