package berth

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"k8s.io/component-base/metrics/legacyregistry"
)

func TestEveryMetricIsInTheReadme(t *testing.T) {
	registerMetrics()
	scoreDuration.WithLabelValues("ok")
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	families, err := legacyregistry.DefaultGatherer.Gather()
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, f := range families {
		if strings.HasPrefix(f.GetName(), "berth_") {
			found++
			if !regexp.MustCompile("`" + f.GetName() + "[`{]").Match(readme) {
				t.Errorf("README.md does not mention %s", f.GetName())
			}
		}
	}
	if found < 5 {
		t.Errorf("only %d of Berth's metrics are registered", found)
	}
}
