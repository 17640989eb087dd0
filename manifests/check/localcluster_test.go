package check

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"testing"

	"sigs.k8s.io/yaml"
)

// What the demo shows must be what is installed: the same plugins with the same weights over the same nodes.
func TestTheLocalClusterDecidesAsTheShippedScheduler(t *testing.T) {
	read := func(file string) map[string]any {
		raw, err := os.ReadFile(filepath.Join(repository, file))
		if err != nil {
			t.Fatal(err)
		}
		raw = regexp.MustCompile(`"?\{\{.*\}\}"?`).ReplaceAll(raw, []byte("template"))
		var config map[string]any
		if err := yaml.Unmarshal(raw, &config); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		profile := config["profiles"].([]any)[0].(map[string]any)
		return map[string]any{"plugins": profile["plugins"], "percentageOfNodesToScore": config["percentageOfNodesToScore"]}
	}
	local := read("cluster/internal/cluster/config/kube-scheduler-berth.yaml")
	for _, file := range []string{
		"manifests/overlays/replace-default/control-plane/scheduler-config.yaml",
		"manifests/scheduler/scheduler-config.yaml",
		"scheduler-plugin-go/config/scheduler.yaml",
	} {
		if shipped := read(file); !reflect.DeepEqual(local, shipped) {
			t.Errorf("the local cluster decides by %v, %s by %v", local, file, shipped)
		}
	}
}
