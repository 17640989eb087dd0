// Package berth is the Score plugin that asks the Berth service where a pod runs well.
//
// It promises one thing above all: it never fails a pod. No reply, a late reply and a wrong reply all mean Skip,
// and the other score plugins decide. One request per pod is sent in PreScore for all feasible nodes; Score only
// reads what came back.
//
// PreScore is serial, so microseconds count there: go test -bench . ./pkg/berth says what a question costs, and
// ../docs/performance-log.md what it used to.
package berth

import (
	"context"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"k8s.io/utils/clock"

	"berth.dev/scheduler-plugin/pkg/apis/config"
	"berth.dev/scheduler-plugin/pkg/mode"
)

// Name is the plugin's name in configuration files.
const Name = "Berth"

// Berth is the plugin of one profile. PreScore calls never overlap inside a scheduler; Score, Unreserve and PostBind may.
type Berth struct {
	*process
	args    Args
	static  *mode.Mode // what the arguments say, while no ConfigMap says otherwise
	profile fwk.Handle
	encoder requestEncoder
	rows    *rowTable
	// rankings, and what the next answer by one is worked out in.
	rankings    rankings
	candidates  []int32
	preferences []float64
	cluster     atomic.Int64 // number of its nodes

	profileChecked sync.Once
	close          func() error
}

var (
	_ fwk.PreScorePlugin = &Berth{}
	_ fwk.ScorePlugin    = &Berth{}
	_ fwk.ReservePlugin  = &Berth{}
	_ fwk.PostBindPlugin = &Berth{}
	_ fwk.SignPlugin     = &Berth{}
	_ io.Closer          = &Berth{}
)

// Factory returns what makes the plugin for every profile of one scheduler. They share one process: client, queue,
// breaker and tables; it ends when the last of them is closed.
func Factory() frameworkruntime.PluginFactory { return factory(clock.RealClock{}) }

func factory(clk clock.Clock) frameworkruntime.PluginFactory {
	var mu sync.Mutex
	var shared *process
	profiles := 0
	return func(ctx context.Context, obj runtime.Object, handle fwk.Handle) (fwk.Plugin, error) {
		args, err := ParseArgs(obj)
		if err != nil {
			return nil, err
		}
		mu.Lock()
		defer mu.Unlock()
		if shared == nil {
			if shared, err = startProcess(ctx, *args, handle, clk); err != nil {
				return nil, fmt.Errorf("plugin %s: %w", Name, err)
			}
		} else if err := args.sharesWith(&shared.args); err != nil {
			return nil, fmt.Errorf("plugin %s: %w", Name, err)
		}
		profiles++
		b := &Berth{process: shared, args: *args, static: mode.Of(&args.BerthArgs), profile: handle, rankings: rankings{}}
		shared.rankings = append(shared.rankings, b.rankings)
		shared.setStaticMode(handle.ProfileName(), b.static)
		b.close = sync.OnceValue(func() error {
			mu.Lock()
			defer mu.Unlock()
			if profiles--; profiles == 0 {
				shared.stop()
				shared = nil
			}
			return nil
		})
		klog.FromContext(ctx).Info("Berth plugin ready", "url", args.URL, "mode", b.mode().String(), "timeout", args.Timeout.Duration)
		return b, nil
	}
}

// Name returns the plugin's name.
func (b *Berth) Name() string { return Name }

// Close is called by the scheduler when it stops. The last profile's waits, for a bounded time, until what is queued
// has been sent.
func (b *Berth) Close() error { return b.close() }

// SignPod refuses to sign pods that the service decides on. With a signature the scheduler may take the next node of the
// last ranking for an alike pod (if the last node is full by then, and the ranking no older than half a second: batch.go
// of the framework) and then leaves PreScore and Score out: the service would not be asked, and nothing learned. Pods that
// are only watched, or not even that, are signed, so that shadow mode costs the scheduler nothing it had before.
func (b *Berth) SignPod(_ context.Context, pod *v1.Pod) ([]fwk.SignFragment, *fwk.Status) {
	p := b.describePod(pod)
	if b.modeFor(pod, p.owner) == config.ModeActive {
		return nil, fwk.NewStatus(fwk.Unschedulable, "Berth scores every pod on its own: a reused ranking leaves it out")
	}
	if p.gpu.count == 0 {
		return nil, nil
	}
	return []fwk.SignFragment{{Key: "berth.dev/gpu", Value: p.outcome().GPU}}, nil // what Filter looks at
}
