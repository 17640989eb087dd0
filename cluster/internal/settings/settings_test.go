package settings

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

const repository = "../../.."

func load(t *testing.T, text string) (Settings, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "mine.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return Load(path, repository)
}

func TestTheShippedFileIsValidAndHasTheReferenceShape(t *testing.T) {
	s, err := Load("../../cluster.yaml", repository)
	if err != nil {
		t.Fatal(err)
	}
	if s.State != filepath.Join(repository, "cluster", ".state") {
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
		"a state with a space":      {"state: cluster/.state", "state: my cluster", `state is "my cluster": choose a folder without a space in its name`},
		"an unknown key":            {"zones: 2", "zone: 2", `line 31: there is no key "zone", the nearest is "zones"`},
		"an unknown key of a group": {"memory: 256Gi, pods: 110, speed", "memory: 256Gi, podss: 110, speed", `line 34: there is no key "podss", the nearest is "pods"`},
		"a key twice":               {"zones: 2", "zones: 2\nzones: 3", `line 32: key "zones" already set`},
		"a text for a number":       {"zones: 2", "zones: many", "zones: want a whole number, not string"},
		"a text for a switch":       {"podUsage: false", "podUsage: sometimes", "podUsage: want true or false, not string"},
		"a port out of range":       {"portBase: 18080", "portBase: 65530", "portBase is 65530: choose one from 1024"},
		"a number without a unit":   {"scrapeInterval: 5s", "scrapeInterval: 5", `scrapeInterval: want a duration such as "5s", not 5`},
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
			if _, err := load(t, changed); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "mine.yaml") ||
				strings.Contains(err.Error(), "JSON") {
				t.Errorf("error %v does not say %q of mine.yaml", err, c.want)
			}
		})
	}
}

func TestAFileThatIsNoSettingsIsSaidToBe(t *testing.T) {
	_, err := load(t, "a,b\n")
	if err == nil || !strings.HasSuffix(err.Error(), "mine.yaml: want keys with values, not string") {
		t.Errorf("got %v", err)
	}
}

func TestWhatAFileLeavesOutIsAsShipped(t *testing.T) {
	shipped, err := Load("../../cluster.yaml", repository)
	if err != nil {
		t.Fatal(err)
	}
	empty, err := load(t, "# nothing\n")
	if err != nil || !reflect.DeepEqual(empty, shipped) {
		t.Errorf("an empty file is %+v, %v, want %+v", empty, err, shipped)
	}
	other, err := load(t, "zones: 3\nnodes: [{name: big, role: worker, count: 1, cpu: 64, memory: 1Ti, pods: 110}]\n")
	if err != nil {
		t.Fatal(err)
	}
	want := shipped
	want.Zones, want.Nodes = 3, []NodeGroup{{Name: "big", Role: Worker, Count: 1, CPU: "64", Memory: "1Ti", Pods: 110}}
	if !reflect.DeepEqual(other, want) {
		t.Errorf("read %+v, want %+v", other, want)
	}
}
