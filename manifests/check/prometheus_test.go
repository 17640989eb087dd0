package check

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

func TestPrometheusAcceptsBothScrapeConfigurations(t *testing.T) {
	for config, rules := range map[string]string{"scrape-kubernetes.yaml": ".", "scrape-compose.yaml": "rules"} {
		// As inside the container, where the ConfigMap or the compose file puts the rules in a folder of its own choice.
		folder := t.TempDir()
		if err := os.CopyFS(filepath.Join(folder, rules), os.DirFS(filepath.Join(repository, "prometheus/rules"))); err != nil {
			t.Fatal(err)
		}
		raw, err := os.ReadFile(filepath.Join(repository, "prometheus", config))
		if err != nil {
			t.Fatal(err)
		}
		// Exists only in a pod; promtool wants to see it.
		token := filepath.Join(folder, "token")
		raw = []byte(strings.ReplaceAll(string(raw), "/var/run/secrets/kubernetes.io/serviceaccount/token", token))
		for path, content := range map[string][]byte{filepath.Join(folder, config): raw, token: nil} {
			if err := os.WriteFile(path, content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		run(t, exec.Command(tool(t, "promtool"), "check", "config", "--lint=all", "--lint-fatal", filepath.Join(folder, config)))
	}
}

type relabel struct {
	SourceLabels []string `json:"source_labels"`
	Regex        string   `json:"regex"`
	Action       string   `json:"action"`
}

type scrapeJob struct {
	JobName              string    `json:"job_name"`
	RelabelConfigs       []relabel `json:"relabel_configs"`
	MetricRelabelConfigs []relabel `json:"metric_relabel_configs"`
}

func readScrapeJobs(t *testing.T) []scrapeJob {
	t.Helper()
	var config struct {
		ScrapeConfigs []scrapeJob `json:"scrape_configs"`
	}
	raw, err := os.ReadFile(filepath.Join(repository, "prometheus/scrape-kubernetes.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(raw, &config); err != nil {
		t.Fatal(err)
	}
	return config.ScrapeConfigs
}

// A stock scheduler listens to its own node alone: scraped, it would be a target that is down for ever.
func TestOnlyBerthsOwnSchedulersAreScraped(t *testing.T) {
	jobs := readScrapeJobs(t)
	kept := func(pod map[string]string) bool {
		for _, job := range jobs {
			if job.JobName != "berth-scheduler" {
				continue
			}
			for _, relabel := range job.RelabelConfigs {
				var values []string
				for _, label := range relabel.SourceLabels {
					values = append(values, pod[strings.TrimPrefix(label, "__meta_kubernetes_pod_label_")])
				}
				if relabel.Action == "keep" && !regexp.MustCompile("^(?:"+relabel.Regex+")$").MatchString(strings.Join(values, ";")) {
					return false
				}
			}
			return true
		}
		t.Fatal("no job berth-scheduler")
		return false
	}
	staticPod := func(labels map[string]string) map[string]string {
		labels["component"], labels["tier"] = "kube-scheduler", "control-plane"
		return labels
	}
	for name, c := range map[string]struct {
		pod  map[string]string
		want bool
	}{
		"second scheduler":                       {map[string]string{"app_kubernetes_io_name": "berth-scheduler"}, true},
		"Berth in the stock scheduler's place":   {staticPod(map[string]string{"app_kubernetes_io_name": "berth-scheduler"}), true},
		"stock scheduler beside the second one":  {staticPod(map[string]string{}), false},
		"another pod of the control plane's own": {map[string]string{"component": "etcd"}, false},
	} {
		if kept(c.pod) != c.want {
			t.Errorf("%s: scraped %t, want %t", name, !c.want, c.want)
		}
	}
}

// The kubelet has thousands of series for every pod's dozen, and its labels are written by whoever names a container.
func TestOfKubeletsTwoFiguresAContainerAreKept(t *testing.T) {
	keep, dropped := "", ""
	for _, job := range readScrapeJobs(t) {
		if job.JobName != "cadvisor" {
			continue
		}
		for _, relabel := range job.MetricRelabelConfigs {
			switch relabel.Action {
			case "keep":
				keep = relabel.Regex
			case "labeldrop":
				dropped = relabel.Regex
			}
		}
	}
	if keep == "" || dropped == "" {
		t.Fatalf("keeps %q, drops labels %q", keep, dropped)
	}
	for series, want := range map[string]bool{
		"container_cpu_usage_seconds_total;web":  true,
		"container_memory_working_set_bytes;web": true,
		"container_cpu_usage_seconds_total;":     false, // a pod's group, or the node's
		"container_memory_rss;web":               false,
		"container_fs_reads_total;web":           false,
	} {
		if got := regexp.MustCompile("^(?:" + keep + ")$").MatchString(series); got != want {
			t.Errorf("%s: kept %t, want %t", series, got, want)
		}
	}
	// Without it a container that was started anew would be the same series twice.
	if regexp.MustCompile("^(?:" + dropped + ")$").MatchString("id") {
		t.Error("the label id is dropped")
	}
}

func TestPrometheusMayReadFiguresOfKubeletsAndNothingElseOfThem(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join(repository, "prometheus/rbac.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	granted := map[string]string{}
	for _, document := range strings.Split(string(raw), "\n---\n") {
		var role struct {
			Kind  string
			Rules []struct {
				Resources, Verbs []string
			}
		}
		if err := yaml.Unmarshal([]byte(document), &role); err != nil {
			t.Fatal(err)
		}
		for _, rule := range role.Rules {
			for _, resource := range rule.Resources {
				granted[resource] = strings.Join(rule.Verbs, " ")
			}
		}
	}
	want := map[string]string{"pods": "get list watch", "nodes": "get list watch", "nodes/metrics": "get"}
	if !maps.Equal(granted, want) {
		t.Errorf("rights %v, want %v", granted, want)
	}
}

func TestRulesFireWhenTheyShould(t *testing.T) {
	run(t, exec.Command(tool(t, "promtool"), "test", "rules", filepath.Join(repository, "prometheus/tests/rules.yaml")))
}

// rules are the two rule files as data.
type rules struct {
	Groups []struct {
		Rules []struct {
			Record, Alert, Expr string
			Annotations         map[string]string
		}
	}
}

func readRules(t *testing.T, name string) rules {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(repository, "prometheus/rules", name))
	if err != nil {
		t.Fatal(err)
	}
	var parsed rules
	if err := yaml.Unmarshal(raw, &parsed); err != nil {
		t.Fatal(err)
	}
	return parsed
}

func TestEveryAlertIsTestedAndHasItsSectionInTheRunbook(t *testing.T) {
	tests, err := os.ReadFile(filepath.Join(repository, "prometheus/tests/rules.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	runbook, err := os.ReadFile(filepath.Join(repository, "docs/operations.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, group := range readRules(t, "alerts.yaml").Groups {
		for _, rule := range group.Rules {
			if !strings.Contains(string(tests), "alertname: "+rule.Alert+"\n") {
				t.Errorf("%s: no test in prometheus/tests/rules.yaml", rule.Alert)
			}
			if !strings.Contains(string(runbook), "\n### "+rule.Alert+"\n") {
				t.Errorf("%s: docs/operations.md has no section of that name", rule.Alert)
			}
			if want := "docs/operations.md#" + strings.ToLower(rule.Alert); rule.Annotations["runbook_url"] != want {
				t.Errorf("%s: runbook_url %q, want %q", rule.Alert, rule.Annotations["runbook_url"], want)
			}
		}
	}
}
