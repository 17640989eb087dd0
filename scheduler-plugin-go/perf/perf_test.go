package perf

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	fwk "k8s.io/kube-scheduler/framework"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	perf "k8s.io/kubernetes/test/integration/scheduler_perf"

	"berth.dev/scheduler-plugin/pkg/apis/config/v1alpha1"
	"berth.dev/scheduler-plugin/pkg/berth"
)

func TestMain(m *testing.M) {
	if err := perf.InitTests(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	if dir := flag.Lookup("data-items-dir").Value.String(); dir != "" && code == 0 && os.Getenv("BERTH_BENCH_VARIANT") == "" {
		if err := report(os.Stdout, dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

func BenchmarkPerfScheduling(b *testing.B) {
	cases, err := writeConfig(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	perf.RunBenchmarkPerfScheduling(b, cases, "berth", frameworkruntime.Registry{
		noopName:   newNoop,
		berth.Name: newBerth,
	})
}

// newBerth asks a service that was started for this scheduler.
func newBerth(ctx context.Context, obj runtime.Object, h fwk.Handle) (fwk.Plugin, error) {
	var args v1alpha1.BerthArgs
	if err := frameworkruntime.DecodeInto(obj, &args); err != nil {
		return nil, err
	}
	url, tokenFile, err := startService(ctx)
	if err != nil {
		return nil, err
	}
	// A deadline that never strikes: a fallback would be quicker than an answer and flatter the figure.
	text, err := json.Marshal(map[string]any{"mode": args.Mode, "url": url, "tokenFile": tokenFile, "timeout": "1s"})
	if err != nil {
		return nil, err
	}
	return berth.Factory()(ctx, &runtime.Unknown{Raw: text}, h)
}
