package perf

import (
	"context"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	fwk "k8s.io/kube-scheduler/framework"
)

const noopName = "Noop"

// noop has Berth's extension points and does nothing: what it costs is the framework's own share.
type noop struct{}

var (
	_ fwk.PreFilterPlugin = noop{}
	_ fwk.FilterPlugin    = noop{}
	_ fwk.PreScorePlugin  = noop{}
	_ fwk.ScorePlugin     = noop{}
	_ fwk.ReservePlugin   = noop{}
	_ fwk.BindPlugin      = noop{}
	_ fwk.PostBindPlugin  = noop{}
	_ fwk.SignPlugin      = noop{}
)

func newNoop(context.Context, runtime.Object, fwk.Handle) (fwk.Plugin, error) { return noop{}, nil }

func (noop) Name() string { return noopName }

func (noop) PreFilter(context.Context, fwk.CycleState, *v1.Pod, []fwk.NodeInfo) (*fwk.PreFilterResult, *fwk.Status) {
	return nil, fwk.NewStatus(fwk.Skip)
}

func (noop) PreFilterExtensions() fwk.PreFilterExtensions { return nil }

func (noop) Filter(context.Context, fwk.CycleState, *v1.Pod, fwk.NodeInfo) *fwk.Status { return nil }

func (noop) PreScore(context.Context, fwk.CycleState, *v1.Pod, []fwk.NodeInfo) *fwk.Status {
	return nil
}

func (noop) Score(context.Context, fwk.CycleState, *v1.Pod, fwk.NodeInfo) (int64, *fwk.Status) {
	return 0, nil
}

func (noop) ScoreExtensions() fwk.ScoreExtensions { return nil }

func (noop) Reserve(context.Context, fwk.CycleState, *v1.Pod, string) *fwk.Status { return nil }

func (noop) Unreserve(context.Context, fwk.CycleState, *v1.Pod, string) {}

func (noop) PostBind(context.Context, fwk.CycleState, *v1.Pod, string) {}

func (noop) Bind(context.Context, fwk.CycleState, *v1.Pod, string) *fwk.Status {
	return fwk.NewStatus(fwk.Skip)
}

func (noop) SignPod(context.Context, *v1.Pod) ([]fwk.SignFragment, *fwk.Status) { return nil, nil }
