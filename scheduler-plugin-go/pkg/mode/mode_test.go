package mode

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"berth.dev/scheduler-plugin/pkg/apis/config"
)

func pod(namespace string, priority int32, labels map[string]string) *v1.Pod {
	return &v1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Labels: labels}, Spec: v1.PodSpec{Priority: &priority}}
}

func must(t *testing.T, data map[string]string) *Mode {
	t.Helper()
	m, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestAGrowingCanaryOnlyAddsOwners(t *testing.T) {
	const owners = 5000
	chosen := make([]bool, owners)
	for percent := 0; percent <= 100; percent++ {
		m := must(t, map[string]string{"mode": "canary", "percent": fmt.Sprint(percent)})
		in := 0
		for i := range chosen {
			active := m.For(pod("web", 0, nil), fmt.Sprintf("web/Deployment/shop-%d", i)) == config.ModeActive
			if chosen[i] && !active {
				t.Fatalf("owner %d was in the canary and left it when the share grew to %d %%", i, percent)
			}
			if chosen[i] = active; active {
				in++
			}
		}
		if least, most := owners*(percent-3)/100, owners*(percent+3)/100; in < least || in > most {
			t.Errorf("a canary of %d %% has %d of %d owners", percent, in, owners)
		}
	}
}

func TestWhoIsInTheCanary(t *testing.T) {
	all := map[string]string{"mode": "canary", "percent": "100"}
	with := func(key, value string) map[string]string {
		data := map[string]string{key: value}
		for k, v := range all {
			data[k] = v
		}
		return data
	}
	cases := map[string]struct {
		data map[string]string
		pod  *v1.Pod
		want config.Mode
	}{
		"every owner at 100 %":                       {all, pod("web", 0, nil), config.ModeActive},
		"nobody at 0 %":                              {map[string]string{"mode": "canary", "percent": "0"}, pod("web", 0, nil), config.ModeShadow},
		"a namespace is in as a whole":               {map[string]string{"mode": "canary", "namespaces": "web, staging"}, pod("staging", 0, nil), config.ModeActive},
		"and others are not":                         {map[string]string{"mode": "canary", "namespaces": "web, staging"}, pod("default", 0, nil), config.ModeShadow},
		"a label that the selector wants":            {with("selector", "tier in (batch)"), pod("web", 0, map[string]string{"tier": "batch"}), config.ModeActive},
		"a pod without it":                           {with("selector", "tier in (batch)"), pod("web", 0, nil), config.ModeShadow},
		"a priority up to the limit":                 {with("max-priority", "1000"), pod("web", 1000, nil), config.ModeActive},
		"a pod that is too important to be tried on": {with("max-priority", "1000"), pod("web", 1001, nil), config.ModeShadow},
		"active is everybody":                        {map[string]string{"mode": "active"}, pod("web", 2e9, nil), config.ModeActive},
		"shadow is nobody":                           {map[string]string{"mode": "shadow"}, pod("web", 0, nil), config.ModeShadow},
		"off is off":                                 {map[string]string{"mode": "off", "changed-by": "alice", "changed-at": "x", "log": "y"}, pod("web", 0, nil), config.ModeOff},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := must(t, tc.data).For(tc.pod, "web/Deployment/shop"); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}

func TestTheServiceIsToldOfTheCanary(t *testing.T) {
	canary := must(t, map[string]string{"mode": "canary", "percent": "50", "clip": "0.005"})
	if told := canary.Told(config.ModeActive); told != config.ModeCanary {
		t.Errorf("a pod of the canary is told as %s", told)
	}
	if told := canary.Told(config.ModeShadow); told != config.ModeShadow {
		t.Errorf("another pod is told as %s", told)
	}
	if fields := string(canary.AppendClip(nil)); fields != `,"clip":0.005` {
		t.Errorf("clip is told as %s", fields)
	}
}

// What `berth mode` writes and what the scheduler reads must be the same; the command's tests read this file too.
func TestTheSharedExamplesOfModes(t *testing.T) {
	file, err := os.ReadFile("../../../api/examples/modes.json")
	if err != nil {
		t.Fatal(err)
	}
	var examples []struct {
		Data    map[string]string
		Says    string
		Refused []string
	}
	if err := json.Unmarshal(file, &examples); err != nil {
		t.Fatal(err)
	}
	for _, e := range examples {
		m, err := Parse(e.Data)
		if err == nil && (m.String() != e.Says || len(e.Refused) > 0) {
			t.Errorf("%v says %q, want %q, refused for %q", e.Data, m, e.Says, e.Refused)
		}
		if err != nil && len(e.Refused) == 0 {
			t.Errorf("%v is refused: %v", e.Data, err)
		}
		for _, want := range e.Refused {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v: got %v, want %q in it", e.Data, err, want)
			}
		}
	}
}

func TestASelectorWithoutEndIsRefused(t *testing.T) {
	_, err := Parse(map[string]string{"mode": "canary", "percent": "5", "selector": strings.Repeat("a", 2000)})
	if err == nil || !strings.Contains(err.Error(), "2000 bytes") {
		t.Errorf("got %v", err)
	}
}
