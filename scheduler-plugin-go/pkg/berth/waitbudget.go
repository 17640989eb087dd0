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

// spend takes a wait off, after the fact: the budget may fall short by as much as it can hold.
func (w waitBudget) spend(now time.Time, wait time.Duration) {
	w.limiter.ReserveN(now, min(w.limiter.Burst(), int(wait.Microseconds())))
}
