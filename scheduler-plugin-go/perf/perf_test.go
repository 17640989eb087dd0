package perf

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"syscall"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	fwk "k8s.io/kube-scheduler/framework"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	perf "k8s.io/kubernetes/test/integration/scheduler_perf"

	"berth.dev/scheduler-plugin/pkg/apis/config/v1alpha1"
	"berth.dev/scheduler-plugin/pkg/berth"
)

var (
	passCount  = flag.Int("passes", 0, "measure every comparison so often, its variants one after the other, and report")
	casesTaken = flag.String("cases", ".*", "regular expression over CASE-SETTING-NODES-VARIANT: which to measure")
	outFolder  = flag.String("out", "", "folder for what is measured")
	jsonFile   = flag.String("json", "", "file for the report")
	profiled   = flag.Bool("profile", false, "write a CPU profile of each scheduler's process beside its log")
)

func TestMain(m *testing.M) {
	if err := perf.InitTests(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if *passCount == 0 {
		os.Exit(m.Run())
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := measure(ctx, os.Stdout); err != nil {
		if ctx.Err() != nil {
			err = fmt.Errorf("interrupted; what was measured is in %s", *outFolder)
		}
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// measure makes all passes, each begun with another variant, and reports after each.
func measure(ctx context.Context, out io.Writer) error {
	taken, err := regexp.Compile("^(" + *casesTaken + ")$")
	if err != nil {
		return fmt.Errorf("-cases: %w", err)
	}
	comparisons := comparisons(taken)
	if len(comparisons) == 0 {
		return fmt.Errorf("-cases %s: no test case matches, for instance %s does", *casesTaken, testCases()[0].Name())
	}
	for pass := range *passCount {
		dir := filepath.Join(*outFolder, fmt.Sprintf("pass-%d", pass+1))
		for _, cases := range comparisons {
			first := pass % len(cases)
			turned := slices.Concat(cases[first:], cases[:first])
			for _, c := range turned {
				if err := runAlone(ctx, out, c, filepath.Join(dir, c.Name())); err != nil {
					return err
				}
			}
		}
		fmt.Fprintf(out, "pass %d of %d, medians so far:\n", pass+1, *passCount)
		if err := report(out, *outFolder, *jsonFile); err != nil {
			return err
		}
	}
	return nil
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
