package cluster

import (
	"fmt"
	"strconv"

	"berth.dev/cluster/internal/settings"
)

// Labels of the fake nodes. The zone key is Kubernetes' own; for racks there is none.
const (
	zoneLabel = "topology.kubernetes.io/zone"
	rackLabel = "rack"
)

// speedNote is the annotation in which the usage exporter, and nobody else, looks up how fast a node really is.
const speedNote = "usage.berth.dev/speed"

// node is the part of a v1.Node that we write.
type node struct {
	APIVersion string   `json:"apiVersion"`
	Kind       string   `json:"kind"`
	Metadata   metadata `json:"metadata"`
	Spec       struct {
		Taints []taint `json:"taints,omitempty"`
	} `json:"spec"`
	Status struct {
		Allocatable map[string]string `json:"allocatable"`
		Capacity    map[string]string `json:"capacity"`
	} `json:"status"`
}

type metadata struct {
	Name        string            `json:"name"`
	Labels      map[string]string `json:"labels"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

type taint struct {
	Key    string `json:"key"`
	Effect string `json:"effect"`
}

// nodes expands the groups of the settings. Nodes are dealt out to the zones in turn, and within a zone to its racks:
// zones of unequal size would make topology spreading load the smaller one more.
func nodes(s settings.Settings) []node {
	var all []node
	for _, group := range s.Nodes {
		for i := range group.Count {
			zone := len(all) % s.Zones
			rack := zone*s.RacksPerZone + len(all)/s.Zones%s.RacksPerZone
			var n node
			n.APIVersion, n.Kind = "v1", "Node"
			n.Metadata.Name = fmt.Sprintf("%s-%d", group.Name, i)
			n.Metadata.Labels = map[string]string{
				"kubernetes.io/hostname":                n.Metadata.Name,
				"kubernetes.io/os":                      "linux",
				"kubernetes.io/arch":                    "amd64",
				"node-role.kubernetes.io/" + group.Role: "",
				"type":                                  "kwok",
				zoneLabel:                               "zone-" + string(rune('a'+zone)),
				rackLabel:                               "rack-" + strconv.Itoa(rack),
			}
			for key, value := range group.Labels {
				n.Metadata.Labels[key] = value
			}
			if len(group.Speed) > 0 {
				speed := strconv.FormatFloat(group.Speed[i%len(group.Speed)], 'g', -1, 64)
				n.Metadata.Annotations = map[string]string{speedNote: speed}
			}
			if group.Role == settings.ControlPlane {
				n.Spec.Taints = []taint{{Key: "node-role.kubernetes.io/control-plane", Effect: "NoSchedule"}}
			}
			n.Status.Allocatable = map[string]string{"cpu": group.CPU, "memory": group.Memory, "pods": strconv.Itoa(group.Pods)}
			n.Status.Capacity = n.Status.Allocatable
			all = append(all, n)
		}
	}
	return all
}
