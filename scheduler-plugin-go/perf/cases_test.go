package perf

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"text/template"
)

// testCase is one workload under one scheduler.
type testCase struct {
	Case    string
	Nodes   int
	Shipped bool // adaptive percentage of nodes and batching, as Kubernetes ships them; else every node is a candidate
	Variant string
	// SchedulerConfig is a file.
	SchedulerConfig  string
	WarmUp, Measured int
}

var (
	workloads = []string{"Basic", "Churn", "Spreading", "Affinity", "AntiAffinity"}
	variants  = []string{"Stock", "Noop", "Shadow", "Active"}
)

// Name has no slash: scheduler_perf would take what is behind it for another level.
func (c testCase) Name() string { return fmt.Sprintf("%s-%s", c.comparison(), c.Variant) }

// comparison names what all variants are compared in.
func (c testCase) comparison() string {
	setting := "all"
	if c.Shipped {
		setting = "shipped"
	}
	return fmt.Sprintf("%s-%s-%d", c.Case, setting, c.Nodes)
}

func (c testCase) AsksService() bool { return c.Variant == "Shadow" || c.Variant == "Active" }

func (c testCase) Plugin() string {
	switch c.Variant {
	case "Stock":
		return ""
	case "Noop":
		return noopName
	}
	return "Berth"
}

func (c testCase) Mode() string {
	if c.Variant == "Shadow" {
		return "shadow"
	}
	return "active"
}

// testCases has the variants of one comparison beside each other.
func testCases() []testCase {
	var all []testCase
	for _, size := range []struct{ nodes, warmUp, measured int }{{100, 500, 2000}, {500, 500, 2000}, {5000, 15000, 8000}} {
		for _, workload := range workloads {
			for _, shipped := range []bool{true, false} {
				for _, variant := range variants {
					warmUp, measured := size.warmUp, size.measured
					if !shipped && size.nodes == 5000 { // a quarter as many a second: as long a pass
						warmUp, measured = warmUp/4, measured*3/8
					}
					if workload == "AntiAffinity" { // one pod a node
						measured = min(measured, size.nodes*4/5)
					}
					all = append(all, testCase{
						Case: workload, Nodes: size.nodes, Shipped: shipped, Variant: variant, WarmUp: warmUp, Measured: measured,
					})
				}
			}
		}
	}
	return all
}

// comparisons are the test cases whose names match, those of one comparison together.
func comparisons(taken *regexp.Regexp) [][]testCase {
	var all [][]testCase
	for _, c := range testCases() {
		last := len(all) - 1
		switch {
		case !taken.MatchString(c.Name()):
		case last >= 0 && all[last][0].comparison() == c.comparison():
			all[last] = append(all[last], c)
		default:
			all = append(all, []testCase{c})
		}
	}
	return all
}

// writeConfig writes the files that scheduler_perf reads and returns the one that lists the cases.
func writeConfig(dir string) (string, error) {
	templates, err := template.ParseFiles("config/cases.yaml.tmpl", "config/scheduler.yaml.tmpl")
	if err != nil {
		return "", err
	}
	cases := testCases()
	for i, c := range cases {
		cases[i].SchedulerConfig = filepath.Join(dir, c.Name()+".yaml")
		if err := write(templates.Lookup("scheduler.yaml.tmpl"), cases[i].SchedulerConfig, c); err != nil {
			return "", err
		}
	}
	file := filepath.Join(dir, "cases.yaml")
	return file, write(templates.Lookup("cases.yaml.tmpl"), file, cases)
}

func write(t *template.Template, file string, data any) error {
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	if err := t.Execute(out, data); err != nil {
		_ = out.Close()
		return err
	}
	return out.Close()
}
