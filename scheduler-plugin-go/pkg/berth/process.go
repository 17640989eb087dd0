package berth

import (
	"context"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/rand"
	"k8s.io/client-go/util/flowcontrol"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/utils/clock"

	"berth.dev/scheduler-plugin/pkg/client"
	"berth.dev/scheduler-plugin/pkg/mode"
	"berth.dev/scheduler-plugin/pkg/outcome"
)

const (
	// shadowsInFlight bounds the unanswered questions of shadow mode, shadowTimeout how long each is waited for.
	shadowsInFlight = 4
	shadowTimeout   = time.Second
	// burstSeconds is how many seconds' worth of waiting for answers may come at once, watchedSeconds of questions about pods
	// that are only watched: nobody waits for these.
	burstSeconds, watchedSeconds = 5, 30
	// repairAfter the last dropped event the full list is sent; the service leaves alone what it heard of in the 10 s
	// before a list, and for ten minutes what is only reserved.
	repairAfter = 15 * time.Second
	// lastFlush bounds the end of a scheduler. Far less than the time between a leader's giving up and the next one's
	// taking over (5 s with the default lease), so that no old report follows the new leader's full list.
	lastFlush = 2 * time.Second
	// waitsFor after a pod that was to be scored more are expected.
	waitsFor = 10 * time.Second
)

// process is what the profiles of one scheduler share. Safe for concurrent use.
type process struct {
	args      Args // of the first profile; only what all have in common is read here
	scheduler string
	client    *client.Client
	outcomes  *outcome.Queue
	pending   *pendingTable
	news      outcome.News
	pods      *reportedPods
	gpu       *cardTable
	cardCache cardCache
	clock     clock.Clock
	logs      rateLimited
	shadows   chan struct{}
	waits     waitBudget                     // for answers about pods of a burst
	rankable  flowcontrol.PassiveRateLimiter // rankings
	rankings  []rankings                     // of every profile: whoever places a pod, its node has it; the scheduling loop's alone
	takenBack takenBack
	watched   flowcontrol.PassiveRateLimiter // pods of shadow mode that the service is asked about
	spare     sync.Pool                      // of *requestEncoder: questions of shadow mode are written beside the scheduling loop
	others    others
	podEvents flowcontrol.PassiveRateLimiter
	live      *mode.Watch
	modes     modeGauge
	handle    fwk.Handle
	decisions atomic.Uint64
	scoredAt  atomic.Int64 // when a pod was last to be scored, not only watched; Unix nanoseconds

	cancel context.CancelFunc
	done   chan struct{} // closed when the sender has ended
}

// startProcess starts the watch and the sender; they end with ctx or stop.
func startProcess(ctx context.Context, args Args, handle fwk.Handle, clk clock.Clock) (*process, error) {
	registerMetrics()
	host, err := os.Hostname()
	if err != nil {
		host = "unknown-host"
	}
	p := &process{
		args:      args,
		scheduler: host + "/" + rand.String(6),
		pending:   newPendingTable(args.PendingWindow.Duration),
		pods:      newReportedPods(),
		gpu:       newCardTable(),
		clock:     clk,
		logs:      rateLimited{every: 10 * time.Second},
		shadows:   make(chan struct{}, shadowsInFlight),
		waits:     newWaitBudget(int(args.WaitPercent)),
		rankable:  flowcontrol.NewTokenBucketPassiveRateLimiter(rankingsPerSecond, rankingsPerSecond),
		watched:   flowcontrol.NewTokenBucketPassiveRateLimiter(float32(args.ShadowQuestionsPerSecond), watchedSeconds*int(args.ShadowQuestionsPerSecond)),
		spare:     sync.Pool{New: func() any { return &requestEncoder{} }},
		podEvents: flowcontrol.NewTokenBucketPassiveRateLimiter(float32(args.PodEventsPerSecond), int(args.PodEventsPerSecond)),
		handle:    handle,
		done:      make(chan struct{}),
	}
	logger := klog.FromContext(ctx)
	p.client, err = client.New(client.Options{
		URL:           args.URL,
		TokenFile:     args.TokenFile,
		CAFile:        args.CAFile,
		MaxReplyBytes: args.MaxReplyBytes,
		Breaker: client.BreakerOptions{
			Window:         int(args.Breaker.Window),
			FailurePercent: int(args.Breaker.FailurePercent),
			OpenFor:        args.Breaker.OpenFor.Duration,
		},
		OnState:  setBreakerState,
		OnHealth: func(h client.Health) { p.tellHealth(logger, h) },
	})
	if err != nil {
		return nil, err
	}
	p.outcomes = outcome.NewQueue(outcome.Options{
		Scheduler:     p.scheduler,
		Size:          int(args.Outcomes.QueueSize),
		Batch:         int(args.Outcomes.BatchSize),
		FlushInterval: args.Outcomes.FlushInterval.Duration,
		Timeout:       args.Outcomes.Timeout.Duration,
		Resync:        args.Outcomes.ResyncInterval.Duration,
		RepairAfter:   repairAfter,
		Post:          p.client.PostOutcomes,
		Refused:       client.Refused,
		Hurried:       p.waited,
		OnDrop:        func(n int, reason string) { outcomesDropped.WithLabelValues(reason).Add(float64(n)) },
		OnDepth:       func(n int) { outcomeQueueDepth.Set(float64(n)) },
		OnSent:        func(n int) { outcomesSent.Add(float64(n)) },
		OnFailure:     func() { outcomeFailures.Inc() },
	})
	ctx, p.cancel = context.WithCancel(ctx)
	if err := p.watchPods(ctx); err != nil {
		p.cancel()
		return nil, err
	}
	p.watchMode(ctx)
	go func() {
		defer close(p.done)
		p.outcomes.Run(ctx)
	}()
	return p, nil
}

// stop sends what is queued. Under leader election the process may be ended before that is done: the next leader's
// full list makes up for it.
func (p *process) stop() {
	p.cancel()
	<-p.done // a delivery under way ends with its context
	ctx, cancel := context.WithTimeout(context.Background(), lastFlush)
	defer cancel()
	p.outcomes.Flush(ctx)
	p.client.CloseIdle()
}

// noteScored says that scores count just now; waited, whether they did lately.
func (p *process) noteScored() { p.scoredAt.Store(p.clock.Now().UnixNano()) }

func (p *process) waited() bool {
	return p.clock.Now().UnixNano()-p.scoredAt.Load() < int64(waitsFor)
}

func (p *process) nextDecision(pod *v1.Pod) string {
	return string(pod.UID) + "/" + strconv.FormatUint(p.decisions.Add(1), 10)
}
