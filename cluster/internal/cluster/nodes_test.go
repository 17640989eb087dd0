package cluster

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"berth.dev/cluster/internal/settings"
)

func TestBothGenerationsStandInEveryZoneAndOnlyAnAnnotationTellsThem(t *testing.T) {
	s := settings.Settings{Zones: 2, RacksPerZone: 2, Nodes: []settings.NodeGroup{
		{Name: "node", Role: settings.Worker, Count: 10, CPU: "64", Memory: "256Gi", Pods: 110, Speed: []float64{1, 1, 0.7, 0.7}},
		{Name: "control", Role: settings.ControlPlane, Count: 1, CPU: "64", Memory: "256Gi", Pods: 110},
	}}
	old := map[string]int{}
	for _, n := range nodes(s) {
		speed := n.Metadata.Annotations["usage.berth.dev/speed"]
		if speed == "0.7" {
			old[n.Metadata.Labels[zoneLabel]]++
		} else if n.Metadata.Name != "control-0" && speed != "1" {
			t.Errorf("%s has speed %q", n.Metadata.Name, speed)
		}
		for _, value := range slices.Collect(maps.Values(n.Metadata.Labels)) {
			if strings.Contains(value, "0.7") {
				t.Errorf("%s tells its speed by label %q", n.Metadata.Name, value)
			}
		}
	}
	if !maps.Equal(old, map[string]int{"zone-a": 2, "zone-b": 2}) {
		t.Errorf("old nodes by zone: %v", old)
	}
}

func TestPodsAreMeasuredWhereThatIsAskedFor(t *testing.T) {
	for _, asked := range []bool{false, true} {
		c := New(settings.Settings{State: t.TempDir(), UsageExporter: true, PodUsage: asked}, "", "", nil)
		exporter, _ := c.component(UsageExporter)
		if slices.Contains(exporter.args, "--pods") != asked {
			t.Errorf("podUsage %v: usage-exporter %v", asked, exporter.args)
		}
	}
}

func TestAUsageSeedHoldsUntilAnotherIsDrawn(t *testing.T) {
	c := New(settings.Settings{State: t.TempDir(), UsageSeed: 3, UsageExporter: true}, "", "", nil)
	seed := func() string {
		exporter, _ := c.component(UsageExporter)
		return exporter.args[slices.Index(exporter.args, "--seed")+1]
	}
	if seed() != "3" {
		t.Errorf("seed of the settings is %s", seed())
	}
	for _, drawn := range []int64{7, 8} {
		if err := c.DrawUsage(drawn); err != nil {
			t.Fatal(err)
		}
		if seed() != strconv.FormatInt(drawn, 10) {
			t.Errorf("seed is %s, drew %d", seed(), drawn)
		}
	}
}
