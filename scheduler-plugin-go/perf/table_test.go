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

// reference are pods/s measured when the project began: the same workload at 500 nodes on 2 idle cores, one run each.
var reference = map[string]string{"Default/500Nodes": "212", "Noop/500Nodes": "217", "Berth/500Nodes": "146"}

type dataItems struct {
	DataItems []struct {
		Data   map[string]float64 `json:"data"`
		Labels map[string]string  `json:"labels"`
	} `json:"dataItems"`
}

// cell is one case at one size; a value per run.
type cell struct {
	podsPerSecond, callMean, callP99 []float64
}

// printTable reads what scheduler_perf wrote and prints median (least - most) over the runs beside the reference.
func printTable(out io.Writer, dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return err
	}
	cells := map[string]*cell{}
	var names []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		var run dataItems
		if err := json.Unmarshal(text, &run); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		for _, item := range run.DataItems {
			// BenchmarkPerfScheduling/case/size/namespace
			parts := strings.Split(item.Labels["Name"], "/")
			if len(parts) < 3 {
				return fmt.Errorf("%s: unexpected name %q", file, item.Labels["Name"])
			}
			name := parts[1] + "/" + parts[2]
			if cells[name] == nil {
				cells[name] = &cell{}
				names = append(names, name)
			}
			cells[name].add(item.Labels, item.Data)
		}
	}
	if len(names) == 0 {
		return fmt.Errorf("%s holds no measured run", dir)
	}
	slices.Sort(names)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "case\truns\tpods/s: median (least - most)\treference\tcall ms: mean\tp99\t")
	for _, name := range names {
		c := cells[name]
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t%s\t\n", name, len(c.podsPerSecond), spread(c.podsPerSecond, "%.0f"),
			orDash(reference[name]), spread(c.callMean, "%.2f"), spread(c.callP99, "%.1f"))
	}
	return w.Flush()
}

func (c *cell) add(labels map[string]string, data map[string]float64) {
	switch {
	case labels["Metric"] == "SchedulingThroughput":
		c.podsPerSecond = append(c.podsPerSecond, data["Average"])
	case labels["Metric"] == "berth_score_call_duration_seconds" && labels["result"] == "ok":
		c.callMean = append(c.callMean, data["Average"])
		c.callP99 = append(c.callP99, data["Perc99"])
	}
}

func spread(values []float64, format string) string {
	if len(values) == 0 {
		return "-"
	}
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	median := (sorted[(n-1)/2] + sorted[n/2]) / 2
	if math.IsNaN(median) {
		return "-"
	}
	if n == 1 {
		return fmt.Sprintf(format, median)
	}
	return fmt.Sprintf(format+" ("+format+" - "+format+")", median, sorted[0], sorted[n-1])
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
