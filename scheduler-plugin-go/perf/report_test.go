package perf

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
)

// published is what others measured of the same question: a scheduler with something asked or loaded from outside against
// the stock scheduler of the same machine, 500 nodes, a scorer that does nothing (kubernetes-sigs/kube-scheduler-wasm-extension,
// pull request 63, 2023).
const published = "An HTTP extender was measured at 0.11 of the stock scheduler (500 nodes, a scorer that does nothing)."

type dataItems struct {
	DataItems []struct {
		Data   map[string]float64 `json:"data"`
		Labels map[string]string  `json:"labels"`
	} `json:"dataItems"`
}

// run is one measured run of one test case.
type run struct {
	podsPerSecond, callMean, callP99 float64
	faults                           []string // results of calls that brought no scores
}

// passes are the runs by the pass they were made in, then by the test case's name. Within a pass all variants of a
// comparison ran one after the other: only their ratios stand beside other work on the machine.
type passes []map[string]run

// row is one comparison, as it stands in the JSON.
type row struct {
	Runs          int                `json:"runs"`
	PodsPerSecond map[string]float64 `json:"pods_per_second"`      // median, by variant
	Ratio         map[string]float64 `json:"ratio_to_stock"`       // median over the passes, by variant
	Worst         map[string]float64 `json:"ratio_to_stock_least"` // least over the passes, by variant
	CallMean      float64            `json:"call_ms_mean"`         // of the active variant
	CallP99       float64            `json:"call_ms_p99"`
	Faults        []string           `json:"faults,omitempty"` // of calls without scores: such pods are quicker
}

// report reads what scheduler_perf wrote in this pass and those before it, a folder a pass with one for every process, prints
// the medians and writes them to the file that BERTH_BENCH_JSON names.
func report(out io.Writer, dir string) error {
	all, err := readPasses(filepath.Dir(filepath.Dir(filepath.Clean(dir))))
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return fmt.Errorf("%s holds no measured run", dir)
	}
	rows := map[string]row{}
	var faults []string
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "case\truns\tpods/s: stock\tno-op\tshadow\tactive\tof stock: no-op\tshadow\tactive\tcall ms: mean\tp99\t")
	for _, c := range testCases() {
		name := c.comparison()
		if c.Variant != variants[0] {
			continue
		}
		r := all.compare(name)
		if r.Runs == 0 {
			continue
		}
		rows[name] = r
		p, q := r.PodsPerSecond, r.Ratio
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", name, r.Runs,
			number(p["Stock"], 0), number(p["Noop"], 0), number(p["Shadow"], 0), number(p["Active"], 0),
			number(q["Noop"], 2), number(q["Shadow"], 2), number(q["Active"], 2), number(r.CallMean, 2), number(r.CallP99, 1))
		if len(r.Faults) > 0 {
			faults = append(faults, fmt.Sprintf("%s: calls without scores, which are quicker: %v", name, r.Faults))
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, fault := range faults {
		fmt.Fprintln(out, fault)
	}
	fmt.Fprintln(out, published)
	file := os.Getenv("BERTH_BENCH_JSON")
	if file == "" {
		return nil
	}
	text, err := json.MarshalIndent(map[string]any{
		"ratio_active_5000": rows["Basic-shipped-5000"].Ratio["Active"],
		"ratio_shadow_5000": rows["Basic-shipped-5000"].Ratio["Shadow"],
		"ratio_all_5000":    rows["Basic-all-5000"].Ratio["Active"],
		"pods_per_second":   rows["Basic-shipped-5000"].PodsPerSecond["Active"],
		"cases":             rows,
	}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o644)
}

func readPasses(root string) (passes, error) {
	dirs, err := filepath.Glob(filepath.Join(root, "pass-*"))
	if err != nil {
		return nil, err
	}
	var all passes
	for _, dir := range dirs {
		files, err := filepath.Glob(filepath.Join(dir, "*", "*.json"))
		if err != nil {
			return nil, err
		}
		pass := map[string]run{}
		for _, file := range files {
			if err := readRuns(file, pass); err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
		}
		if len(pass) > 0 {
			all = append(all, pass)
		}
	}
	return all, nil
}

func readRuns(file string, into map[string]run) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var items dataItems
	if err := json.Unmarshal(text, &items); err != nil {
		return err
	}
	for _, item := range items.DataItems {
		parts := strings.Split(item.Labels["Name"], "/") // BenchmarkPerfScheduling/case/size/namespace
		if len(parts) < 3 {
			return fmt.Errorf("unexpected name %q", item.Labels["Name"])
		}
		r := into[parts[1]]
		switch result := item.Labels["result"]; {
		case item.Labels["Metric"] == "SchedulingThroughput":
			r.podsPerSecond = item.Data["Average"]
		case item.Labels["Metric"] != "berth_score_call_duration_seconds":
		case result == "ok" || result == "shadow_ok":
			r.callMean, r.callP99 = item.Data["Average"], item.Data["Perc99"]
		default:
			r.faults = append(r.faults, result)
		}
		into[parts[1]] = r
	}
	return nil
}

// compare takes the passes in which the comparison's stock scheduler ran.
func (p passes) compare(name string) row {
	rates, ratios := map[string][]float64{}, map[string][]float64{}
	var means, p99s []float64
	r := row{PodsPerSecond: map[string]float64{}, Ratio: map[string]float64{}, Worst: map[string]float64{}}
	for _, pass := range p {
		stock := pass[name+"-Stock"].podsPerSecond
		if stock == 0 {
			continue
		}
		r.Runs++
		for _, variant := range variants {
			ran, there := pass[name+"-"+variant]
			if !there {
				continue
			}
			rates[variant] = append(rates[variant], ran.podsPerSecond)
			ratios[variant] = append(ratios[variant], ran.podsPerSecond/stock)
			for _, fault := range ran.faults {
				r.Faults = append(r.Faults, variant+": "+fault)
			}
			if variant == "Active" {
				means, p99s = append(means, ran.callMean), append(p99s, ran.callP99)
			}
		}
	}
	for variant := range rates {
		r.PodsPerSecond[variant], r.Ratio[variant] = median(rates[variant]), median(ratios[variant])
		r.Worst[variant] = slices.Min(ratios[variant])
	}
	r.CallMean, r.CallP99 = median(means), median(p99s)
	return r
}

// median is 0 of nothing: JSON knows no NaN.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

func number(value float64, digits int) string {
	if value == 0 || math.IsNaN(value) {
		return "-"
	}
	return fmt.Sprintf("%.*f", digits, value)
}
