package check

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// dashboardQueries are the expressions of every panel.
func dashboardQueries(t *testing.T) map[string]string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(repository, "prometheus/grafana/berth.json"))
	if err != nil {
		t.Fatal(err)
	}
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr, RefID string }
		}
	}
	if err := json.Unmarshal(raw, &dashboard); err != nil {
		t.Fatal(err)
	}
	queries := map[string]string{}
	for _, panel := range dashboard.Panels {
		for _, target := range panel.Targets {
			queries["dashboard panel "+panel.Title+" "+target.RefID] = target.Expr
		}
	}
	if len(queries) == 0 {
		t.Fatal("the dashboard has no panel with a query")
	}
	return queries
}

func TestEveryPanelAsksValidPromQLAndOnlyRecordedSeries(t *testing.T) {
	recorded := map[string]bool{}
	for _, group := range readRules(t, "recording.yaml").Groups {
		for _, rule := range group.Rules {
			recorded[rule.Record] = true
		}
	}
	type rule map[string]string
	var rules []rule
	for panel, query := range dashboardQueries(t) {
		rules = append(rules, rule{"record": "panel", "expr": query})
		if name := strings.Trim(query, " "); strings.HasPrefix(name, "berth:") && !recorded[name] {
			t.Errorf("%s asks for %s, which no rule records", panel, name)
		}
	}
	raw, err := yaml.Marshal(map[string]any{"groups": []any{map[string]any{"name": "panels", "rules": rules}}})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "panels.yaml")
	if err := os.WriteFile(file, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, exec.Command(tool(t, "promtool"), "check", "rules", "--lint=none", file)) // as rules, because promtool reads those
}
