// Package settings reads cluster.yaml: what the local cluster looks like and where it lives.
// It only reads and checks; nothing here starts anything.
package settings

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"sigs.k8s.io/yaml"
)

// Settings of one local cluster. Two clusters can run side by side when State and PortBase differ.
type Settings struct {
	State          string      `json:"state"`
	PortBase       int         `json:"portBase"`
	ScrapeInterval Duration    `json:"scrapeInterval"`
	StartTimeout   Duration    `json:"startTimeout"`
	UsageExporter  bool        `json:"usageExporter"`
	PodUsage       bool        `json:"podUsage"`
	UsageSeed      int64       `json:"usageSeed"`
	Zones          int         `json:"zones"`
	RacksPerZone   int         `json:"racksPerZone"`
	Nodes          []NodeGroup `json:"nodes"`
}

// NodeGroup is a number of equal fake nodes.
type NodeGroup struct {
	Name   string            `json:"name"`
	Role   string            `json:"role"` // worker or control-plane (tainted)
	Count  int               `json:"count"`
	CPU    string            `json:"cpu"`
	Memory string            `json:"memory"`
	Pods   int               `json:"pods"`
	Speed  []float64         `json:"speed,omitempty"` // work done in a second of CPU, dealt out to the nodes in turn
	Labels map[string]string `json:"labels,omitempty"`
}

// Roles of a NodeGroup.
const (
	Worker       = "worker"
	ControlPlane = "control-plane"
)

// Duration is written as "5s" in YAML.
type Duration time.Duration

// UnmarshalJSON reads "5s"; a bare number is refused because it names no unit.
func (d *Duration) UnmarshalJSON(b []byte) error {
	var s string
	err := json.Unmarshal(b, &s)
	v, malformed := time.ParseDuration(s)
	if err != nil || malformed != nil {
		return &json.UnmarshalTypeError{Value: string(b), Type: reflect.TypeFor[Duration]()} // json adds the key
	}
	*d = Duration(v)
	return nil
}

// MarshalJSON writes the form that UnmarshalJSON reads.
func (d Duration) MarshalJSON() ([]byte, error) {
	return []byte(`"` + time.Duration(d).String() + `"`), nil
}

// PortCount is how many ports from PortBase on a cluster uses.
const PortCount = 11

// Load reads and checks a settings file; what it leaves out is as in the repository's own, cluster/cluster.yaml. A relative
// State is taken from root, the repository's folder.
func Load(path, root string) (Settings, error) {
	var s Settings
	for _, file := range []string{filepath.Join(root, "cluster", "cluster.yaml"), path} {
		if err := s.read(file); err != nil {
			return Settings{}, err
		}
	}
	if err := s.Check(); err != nil {
		return Settings{}, fmt.Errorf("%s: %w", path, err)
	}
	return s.in(root), nil
}

// read takes what the file says over what is known already.
func (s *Settings) read(path string) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("cannot read the cluster's settings: %w", err)
	}
	before := s.Nodes
	s.Nodes = nil // or groups would take what they leave out from those before
	if err := yaml.UnmarshalStrict(raw, s); err != nil {
		return fmt.Errorf("%s: %w", path, explain(raw, err))
	}
	if s.Nodes == nil {
		s.Nodes = before
	}
	return nil
}

func (s Settings) in(root string) Settings {
	if !filepath.IsAbs(s.State) {
		s.State = filepath.Join(root, s.State)
	}
	return s
}

var (
	dnsName  = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)
	quantity = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?(m|[kMGT]|[KMGT]i)?$`)
)

// Check reports the first value that cannot work, with the fix.
func (s Settings) Check() error {
	switch {
	case s.State == "":
		return fmt.Errorf("state is empty: name a folder")
	case strings.ContainsFunc(s.State, unicode.IsSpace): // kwokctl starts things in half of the name, where nobody finds them again
		return fmt.Errorf("state is %q: choose a folder without a space in its name", s.State)
	case s.PortBase < 1024 || s.PortBase+PortCount > 65536:
		return fmt.Errorf("portBase is %d: choose one from 1024 to %d", s.PortBase, 65536-PortCount)
	case time.Duration(s.ScrapeInterval) < time.Second:
		return fmt.Errorf("scrapeInterval is %v: at least 1s", time.Duration(s.ScrapeInterval))
	case time.Duration(s.StartTimeout) < time.Second:
		return fmt.Errorf("startTimeout is %v: at least 1s", time.Duration(s.StartTimeout))
	case s.Zones < 1 || s.RacksPerZone < 1:
		return fmt.Errorf("zones is %d and racksPerZone %d: both at least 1", s.Zones, s.RacksPerZone)
	}
	seen := map[string]bool{}
	workers := 0
	for i, g := range s.Nodes {
		switch {
		case !dnsName.MatchString(g.Name):
			return fmt.Errorf("nodes[%d].name is %q: use lower-case letters, digits and dashes", i, g.Name)
		case seen[g.Name]:
			return fmt.Errorf("nodes[%d].name %q is used twice: names must differ", i, g.Name)
		case g.Role != Worker && g.Role != ControlPlane:
			return fmt.Errorf("nodes[%d].role is %q: %s or %s", i, g.Role, Worker, ControlPlane)
		case g.Count < 1:
			return fmt.Errorf("nodes[%d].count is %d: at least 1", i, g.Count)
		case !quantity.MatchString(g.CPU):
			return fmt.Errorf("nodes[%d].cpu is %q: a quantity such as \"64\" or \"500m\"", i, g.CPU)
		case !quantity.MatchString(g.Memory):
			return fmt.Errorf("nodes[%d].memory is %q: a quantity such as 256Gi", i, g.Memory)
		case g.Pods < 1:
			return fmt.Errorf("nodes[%d].pods is %d: at least 1", i, g.Pods)
		case slices.ContainsFunc(g.Speed, func(speed float64) bool { return !(speed > 0) }):
			return fmt.Errorf("nodes[%d].speed is %v: numbers above 0, such as [1, 0.7]", i, g.Speed)
		}
		seen[g.Name] = true
		if g.Role == Worker {
			workers += g.Count
		}
	}
	if workers == 0 {
		return fmt.Errorf("nodes has no group with role %s: pods would have nowhere to run", Worker)
	}
	return nil
}
