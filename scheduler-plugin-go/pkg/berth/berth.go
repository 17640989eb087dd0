// Package berth is the Score plugin that asks the Berth service where a pod runs well.
//
// It promises one thing above all: it never fails a pod. No reply, a late reply and a wrong reply all mean Skip,
// and the other score plugins decide. One request per pod is sent in PreScore for all feasible nodes; Score only
// reads what came back.
//
// PreScore is serial, so microseconds count there. Building and parsing one question takes (go test -bench .
// ./pkg/berth): see docs/performance-scheduler.md for the figures.
package berth

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/rand"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/utils/clock"

	"berth.dev/scheduler-plugin/pkg/client"
	"berth.dev/scheduler-plugin/pkg/outcome"
)

// Name is the plugin's name in configuration files.
const Name = "Berth"

// Berth is the plugin. PreScore calls never overlap inside one profile; Score, Unreserve and PostBind may.
type Berth struct {
	args      Args
	scheduler string
	client    *client.Client
	outcomes  *outcome.Queue
	pending   *pendingTable
	pods      *reportedPods
	clock     clock.Clock
	logs      rateLimited
	shadows   chan struct{}
	encoder   requestEncoder
	handle    fwk.Handle
	gpu       *gpuCards

	attemptMu sync.Mutex
	attempt   uint64
}

var (
	_ fwk.PreScorePlugin = &Berth{}
	_ fwk.ScorePlugin    = &Berth{}
	_ fwk.ReservePlugin  = &Berth{}
	_ fwk.PostBindPlugin = &Berth{}
	_ fwk.SignPlugin     = &Berth{}
)

// shadowsInFlight bounds the unanswered questions of shadow mode.
const shadowsInFlight = 4

// New builds the plugin for a profile; its goroutines end with ctx.
func New(ctx context.Context, obj runtime.Object, handle fwk.Handle) (fwk.Plugin, error) {
	args, err := ParseArgs(obj)
	if err != nil {
		return nil, err
	}
	registerMetrics()
	logger := klog.FromContext(ctx)
	c, err := client.New(client.Options{
		URL:           args.URL,
		TokenFile:     args.TokenFile,
		MaxReplyBytes: args.MaxReplyBytes,
		Failures:      args.Breaker.Failures,
		OpenFor:       args.Breaker.OpenFor.Duration,
		OnState: func(state string) {
			setBreakerState(state)
			switch state { // one line on failing and one on recovery; half-open is on the way to either
			case "open":
				logger.Info("Berth's service keeps failing: the other plugins decide until it answers", "url", args.URL, "tryAgainIn", args.Breaker.OpenFor.Duration)
			case "closed":
				logger.Info("Berth's service answers again", "url", args.URL)
			}
		},
	})
	if err != nil {
		return nil, fmt.Errorf("plugin %s: %w", Name, err)
	}
	host, err := os.Hostname()
	if err != nil {
		host = "unknown-host"
	}
	b := &Berth{
		args:      *args,
		scheduler: host + "/" + rand.String(6),
		client:    c,
		pending:   newPendingTable(args.PendingWindow.Duration),
		pods:      newReportedPods(),
		clock:     clock.RealClock{},
		logs:      rateLimited{every: 10 * time.Second},
		shadows:   make(chan struct{}, shadowsInFlight),
		handle:    handle,
		gpu:       newGPUCards(args.GPU),
	}
	b.outcomes = outcome.NewQueue(outcome.Options{
		Scheduler:     b.scheduler,
		Size:          args.Outcomes.QueueSize,
		Batch:         args.Outcomes.BatchSize,
		FlushInterval: args.Outcomes.FlushInterval.Duration,
		Timeout:       args.Outcomes.Timeout.Duration,
		Post:          c.PostOutcomes,
		OnDrop:        func(n int) { outcomesDropped.Add(float64(n)) },
		OnDepth:       func(n int) { outcomeQueueDepth.Set(float64(n)) },
		OnSent:        func(n int) { outcomesSent.Add(float64(n)) },
		OnFailure:     func() { outcomeFailures.Inc() },
	})
	if err := b.watchPods(ctx); err != nil {
		return nil, fmt.Errorf("plugin %s: %w", Name, err)
	}
	go func() {
		b.outcomes.Run(ctx)
		c.CloseIdle()
	}()
	logger.Info("Berth plugin ready", "url", args.URL, "mode", args.Mode, "timeout", args.Timeout.Duration)
	return b, nil
}

// Name returns the plugin's name.
func (b *Berth) Name() string { return Name }

// SignPod refuses to sign any pod. A signature lets the scheduler reuse one ranking for a run of identical pods:
// exactly the herding that Berth exists to prevent.
func (b *Berth) SignPod(context.Context, *v1.Pod) ([]fwk.SignFragment, *fwk.Status) {
	return nil, fwk.NewStatus(fwk.Unschedulable, "Berth scores every pod on its own: a reused ranking would send a burst to one node")
}
