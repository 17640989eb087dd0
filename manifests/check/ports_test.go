package check

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"sigs.k8s.io/yaml"
)

// The two ports stand in a configuration, two Services, a StatefulSet, a NetworkPolicy and two scheduler configurations: people and
// Prometheus meet the one, the schedulers the other, everywhere.
func TestTheSchedulersAskWhereTheServiceListensForThem(t *testing.T) {
	var service struct {
		Server struct {
			Port      int32
			Scheduler int32 `json:"scheduler-port"`
		}
	}
	read(t, "manifests/base/berth.yaml", &service)
	listens := map[string]int32{"reads": service.Server.Port, "scores": service.Server.Scheduler}
	addresses := map[string]bool{}
	for _, overlay := range []string{"second-scheduler", "replace-default"} {
		rendered := run(t, exec.Command(tool(t, "kubectl"), "kustomize", filepath.Join(repository, "manifests/overlays", overlay)))
		for _, document := range strings.Split(rendered, "\n---\n") {
			var service corev1.Service
			if err := yaml.Unmarshal([]byte(document), &service); err == nil && service.Kind == "Service" &&
				service.Spec.Selector["app.kubernetes.io/name"] == "berth-service" {
				for _, port := range service.Spec.Ports {
					if port.TargetPort.StrVal != port.Name || port.Port != listens[port.Name] {
						t.Errorf("%s: Service %s has %s at %d for %s, the service listens at %v", overlay, service.Name, port.Name, port.Port, port.TargetPort.String(), listens)
					}
					if port.Name == "scores" {
						for _, host := range []string{service.Name + "." + service.Namespace + ".svc", service.Spec.ClusterIP} {
							addresses[fmt.Sprintf("http://%s:%d", host, port.Port)] = true
						}
					}
				}
			}
			var set appsv1.StatefulSet
			if err := yaml.Unmarshal([]byte(document), &set); err == nil && set.Kind == "StatefulSet" {
				for _, port := range set.Spec.Template.Spec.Containers[0].Ports {
					if port.ContainerPort != listens[port.Name] {
						t.Errorf("%s: the container names %s at %d, the service listens at %v", overlay, port.Name, port.ContainerPort, listens)
					}
				}
			}
			var policy networkingv1.NetworkPolicy
			if err := yaml.Unmarshal([]byte(document), &policy); err == nil && policy.Kind == "NetworkPolicy" && policy.Name == "berth-scheduler" &&
				!slices.ContainsFunc(policy.Spec.Egress, func(rule networkingv1.NetworkPolicyEgressRule) bool {
					return len(rule.To) > 0 && rule.To[0].PodSelector != nil && rule.To[0].PodSelector.MatchLabels["app.kubernetes.io/name"] == "berth-service" &&
						rule.Ports[0].Port.IntVal == listens["scores"]
				}) {
				t.Errorf("%s: the scheduler may not reach port %d of the service", overlay, listens["scores"])
			}
		}
	}
	for _, file := range []string{"manifests/scheduler/scheduler-config.yaml", "manifests/overlays/replace-default/control-plane/scheduler-config.yaml"} {
		var config struct {
			Profiles []struct {
				PluginConfig []struct{ Args struct{ URL string } }
			}
		}
		read(t, file, &config)
		if url := config.Profiles[0].PluginConfig[0].Args.URL; !addresses[url] {
			t.Errorf("%s asks %s, scores are at %v", file, url, addresses)
		}
	}
}

func read(t *testing.T, file string, into any) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(repository, file))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(raw, into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}
