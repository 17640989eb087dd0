package settings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheShippedFileIsValidAndHasTheReferenceShape(t *testing.T) {
	s, err := Load("../../cluster.yaml", "/repo")
	if err != nil {
		t.Fatal(err)
	}
	if s.State != "/repo/cluster/.state" {
		t.Errorf("state %q is not under the repository", s.State)
	}
	if g := s.Nodes[0]; g.Count != 10 || g.CPU != "64" || g.Memory != "256Gi" || g.Pods != 110 {
		t.Errorf("workers are %+v", g)
	}
}

func TestABadValueIsRefusedWithItsNameAndTheFix(t *testing.T) {
	shipped, err := os.ReadFile("../../cluster.yaml")
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]struct{ from, to, want string }{
		"an unknown key":            {"zones: 2", "zone: 2", `unknown field "zone"`},
		"a port out of range":       {"portBase: 18080", "portBase: 65530", "portBase is 65530: choose one from 1024"},
		"a number without a unit":   {"scrapeInterval: 5s", "scrapeInterval: 5", `write it as "5s"`},
		"a scrape interval of zero": {"scrapeInterval: 5s", "scrapeInterval: 0s", "at least 1s"},
		"a misspelt role":           {"role: worker", "role: workers", `role is "workers"`},
		"no nodes in a group":       {"count: 10", "count: 0", "count is 0: at least 1"},
		"a name used twice":         {"name: control", "name: node", "used twice"},
		"a memory that is no size":  {"memory: 256Gi, pods: 110, speed", "memory: much, pods: 110, speed", `memory is "much"`},
		"a speed of zero":           {"speed: [1, 1, 0.7, 0.7]", "speed: [1, 0]", "speed is [1 0]: numbers above 0"},
		"no worker at all":          {"role: worker", "role: control-plane", "nowhere to run"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			changed := strings.Replace(string(shipped), c.from, c.to, 1)
			if changed == string(shipped) {
				t.Fatalf("%q is not in the shipped file", c.from)
			}
			path := filepath.Join(t.TempDir(), "cluster.yaml")
			if err := os.WriteFile(path, []byte(changed), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := Load(path, "/repo"); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v does not say %q", err, c.want)
			}
		})
	}
}
