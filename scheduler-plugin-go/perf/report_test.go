package perf

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
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
	podsPerSecond     float64
	cpuSeconds        float64 // of all processes, for all pods, preparations included
	callMean, callP99 float64
	faults            []string // results of calls that brought no scores
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
	// 95 % interval of the mean ratio (geometric) over the passes, by variant
	Interval map[string][2]float64 `json:"ratio_to_stock_interval"`
	// CPU of all processes for all pods, over that of the stock scheduler's: median, by variant
	CPU      map[string]float64 `json:"cpu_to_stock"`
	CallMean float64            `json:"call_ms_mean"` // of the active variant
	CallP99  float64            `json:"call_ms_p99"`
	Faults   []string           `json:"faults,omitempty"` // of calls without scores: such pods are quicker
}

// report reads what scheduler_perf wrote in all passes so far, prints the medians and writes them to a file.
func report(out io.Writer, dir, file string) error {
	all, err := readPasses(dir)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return fmt.Errorf("%s holds no measured run", dir)
	}
	rows := map[string]row{}
	var faults []string
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "case\tpasses\tpods/s: stock\tno-op\tshadow\tactive\tof stock: no-op\tshadow\tactive\tCPU: no-op\tshadow\tactive\tcall ms: mean\tp99\t")
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
		p := r.PodsPerSecond
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", name, r.Runs,
			number(p["Stock"], 0), number(p["Noop"], 0), number(p["Shadow"], 0), number(p["Active"], 0),
			r.ratio("Noop"), r.ratio("Shadow"), r.ratio("Active"),
			number(r.CPU["Noop"], 2), number(r.CPU["Shadow"], 2), number(r.CPU["Active"], 2), number(r.CallMean, 2), number(r.CallP99, 1))
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
	fmt.Fprintln(out, "Of stock: the median of the passes' ratios, in brackets the 95 % interval of their mean. CPU: of all processes, over the stock scheduler's.")
	fmt.Fprintln(out, published)
	if file == "" {
		return nil
	}
	summary := map[string]any{"cases": rows}
	for name, figure := range map[string]float64{
		"ratio_active_5000": rows["Basic-shipped-5000"].Ratio["Active"],
		"ratio_shadow_5000": rows["Basic-shipped-5000"].Ratio["Shadow"],
		"ratio_all_5000":    rows["Basic-all-5000"].Ratio["Active"],
		"pods_per_second":   rows["Basic-shipped-5000"].PodsPerSecond["Active"],
	} {
		if figure > 0 { // what was not measured is left out
			summary[name] = figure
		}
	}
	text, err := json.MarshalIndent(summary, "", "  ")
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
		pass := map[string]run{}
		for _, c := range testCases() {
			r, err := readRun(filepath.Join(dir, c.Name()))
			if err != nil {
				return nil, err
			}
			if r.podsPerSecond > 0 {
				pass[c.Name()] = r
			}
		}
		if len(pass) > 0 {
			all = append(all, pass)
		}
	}
	return all, nil
}

// readRun reads what one run of scheduler_perf wrote into its folder: nothing where it has not run.
func readRun(dir string) (run, error) {
	var r run
	text, err := os.ReadFile(filepath.Join(dir, cpuFile))
	if errors.Is(err, os.ErrNotExist) {
		return r, nil
	}
	if err != nil {
		return r, err
	}
	if r.cpuSeconds, err = strconv.ParseFloat(string(text), 64); err != nil {
		return r, err
	}
	items, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return r, err
	}
	for _, file := range items {
		if err := r.readItems(file); err != nil {
			return r, fmt.Errorf("%s: %w", file, err)
		}
	}
	return r, nil
}

func (r *run) readItems(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var items dataItems
	if err := json.Unmarshal(text, &items); err != nil {
		return err
	}
	for _, item := range items.DataItems {
		switch result := item.Labels["result"]; {
		case item.Labels["Metric"] == "SchedulingThroughput":
			r.podsPerSecond = item.Data["Average"]
		case item.Labels["Metric"] != "berth_score_call_duration_seconds":
		case result == "ok" || result == "shadow_ok":
			r.callMean, r.callP99 = item.Data["Average"], item.Data["Perc99"]
		default:
			r.faults = append(r.faults, result)
		}
	}
	return nil
}

// compare takes the passes in which the comparison's stock scheduler ran.
func (p passes) compare(name string) row {
	rates, ratios, cpu := map[string][]float64{}, map[string][]float64{}, map[string][]float64{}
	var means, p99s []float64
	r := row{
		PodsPerSecond: map[string]float64{}, Ratio: map[string]float64{}, Worst: map[string]float64{},
		Interval: map[string][2]float64{}, CPU: map[string]float64{},
	}
	for _, pass := range p {
		stock, ran := pass[name+"-Stock"]
		if !ran {
			continue
		}
		r.Runs++
		for _, variant := range variants {
			ran, there := pass[name+"-"+variant]
			if !there {
				continue
			}
			rates[variant] = append(rates[variant], ran.podsPerSecond)
			ratios[variant] = append(ratios[variant], ran.podsPerSecond/stock.podsPerSecond)
			cpu[variant] = append(cpu[variant], ran.cpuSeconds/stock.cpuSeconds)
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
		r.Worst[variant], r.CPU[variant] = slices.Min(ratios[variant]), median(cpu[variant])
		if len(ratios[variant]) > 1 {
			r.Interval[variant] = interval(ratios[variant])
		}
	}
	r.CallMean, r.CallP99 = median(means), median(p99s)
	return r
}

// studentT has the 97.5 % points of Student's t by degrees of freedom, from 1.
var studentT = []float64{12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23}

// interval is the 95 % interval of the geometric mean of two ratios or more.
func interval(ratios []float64) [2]float64 {
	n := float64(len(ratios))
	var mean, squares float64
	for _, x := range ratios {
		mean += math.Log(x) / n
	}
	for _, x := range ratios {
		squares += (math.Log(x) - mean) * (math.Log(x) - mean)
	}
	half := studentT[min(len(ratios)-2, len(studentT)-1)] * math.Sqrt(squares/(n-1)/n)
	return [2]float64{math.Exp(mean - half), math.Exp(mean + half)}
}

// ratio is a variant's ratio to the stock scheduler with its interval, where there is one.
func (r row) ratio(variant string) string {
	text := number(r.Ratio[variant], 2)
	if around, there := r.Interval[variant]; there && variant != variants[0] {
		text += fmt.Sprintf(" (%.2f-%.2f)", around[0], around[1])
	}
	return text
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
