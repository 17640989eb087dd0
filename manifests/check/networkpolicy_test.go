package check

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	networkingv1 "k8s.io/api/networking/v1"
	"sigs.k8s.io/yaml"
)

// A label is anybody's to put on a pod: whoever is let in from another namespace is let in from a named one.
func TestNoNetworkPolicyTrustsALabelInEveryNamespace(t *testing.T) {
	rendered := run(t, exec.Command(tool(t, "kubectl"), "kustomize", filepath.Join(repository, "manifests/overlays/second-scheduler")))
	policies := 0
	for _, document := range strings.Split(rendered, "\n---\n") {
		var policy networkingv1.NetworkPolicy
		if err := yaml.Unmarshal([]byte(document), &policy); err != nil || policy.Kind != "NetworkPolicy" {
			continue // the other kinds are another test's
		}
		policies++
		var peers []networkingv1.NetworkPolicyPeer
		for _, rule := range policy.Spec.Ingress {
			peers = append(peers, rule.From...)
		}
		for _, rule := range policy.Spec.Egress {
			peers = append(peers, rule.To...)
		}
		for _, peer := range peers {
			if peer.NamespaceSelector != nil && peer.NamespaceSelector.MatchLabels["kubernetes.io/metadata.name"] == "" {
				t.Errorf("%s: pods %v of every namespace", policy.Name, peer.PodSelector)
			}
		}
	}
	if policies != 2 {
		t.Errorf("want the policies of service and scheduler, found %d", policies)
	}
}
