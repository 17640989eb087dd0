package perf

import (
	"context"
	"flag"
	"fmt"
	"os"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	fwk "k8s.io/kube-scheduler/framework"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	perf "k8s.io/kubernetes/test/integration/scheduler_perf"

	"berth.dev/scheduler-plugin/pkg/berth"
)

func TestMain(m *testing.M) {
	if err := perf.InitTests(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	if dir := flag.Lookup("data-items-dir").Value.String(); dir != "" && code == 0 {
		if err := printTable(os.Stdout, dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

func BenchmarkPerfScheduling(b *testing.B) {
	url := os.Getenv("BERTH_URL") // a real service; its own answers, and its token in BERTH_TOKEN_FILE
	if url == "" {
		service := newService()
		b.Cleanup(service.Close)
		url = service.URL
	}
	// A deadline that never strikes: a fallback would be quicker than an answer and flatter the figure.
	args := fmt.Sprintf(`{"url":%q,"tokenFile":%q,"timeout":"1s"}`, url, os.Getenv("BERTH_TOKEN_FILE"))
	perf.RunBenchmarkPerfScheduling(b, "config/performance-config.yaml", "berth", frameworkruntime.Registry{
		noopName: newNoop,
		berth.Name: func(ctx context.Context, _ runtime.Object, h fwk.Handle) (fwk.Plugin, error) {
			return berth.Factory()(ctx, &runtime.Unknown{Raw: []byte(args)}, h)
		},
	})
}
