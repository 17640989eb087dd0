package check

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

func TestEveryManifestIsAcceptedByARealAPIServer(t *testing.T) {
	for _, folder := range []string{"manifests/overlays/second-scheduler", "manifests/overlays/replace-default"} {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			cluster := sharedControlPlane(t)
			out := cluster.kubectl("", "apply", "--server-side", "--validate=strict", "-k", filepath.Join(repository, folder))
			out += cluster.kubectl("", "apply", "--server-side", "--validate=strict",
				"-f", filepath.Join(repository, "manifests/nginx-deployment.yaml"))
			for _, more := range []string{"prometheus", "manifests/sweep"} {
				out += cluster.kubectl("", "apply", "--server-side", "--validate=strict", "-k", filepath.Join(repository, more))
			}
			out += cluster.kubectl("", "apply", "--server-side", "--validate=strict",
				"-f", filepath.Join(repository, "manifests/sweep/reduce.yaml"))
			for pod := range podTemplates(t, cluster) {
				out += cluster.kubectl(pod, "create", "--dry-run=server", "--validate=strict", "-f", "-")
			}
			if strings.Contains(out, "Warning") {
				t.Errorf("the API server warns:\n%s", out)
			}
		})
	}
}

// docs/install.md names Prometheus first, docs/kind.md last.
func TestMonitoringMayComeBeforeBerth(t *testing.T) {
	cluster := startControlPlane(t) // one that nobody applied Berth to yet
	cluster.kubectl("", "apply", "-k", filepath.Join(repository, "prometheus"))
	cluster.kubectl("", "apply", "-k", filepath.Join(repository, "manifests/overlays/second-scheduler"))
	for _, namespace := range []string{"berth-system", "berth-monitoring", "kube-system"} {
		if !eventually(10*time.Second, func() bool { return cluster.may("berth-monitoring:prometheus", "watch", "pods", "-n", namespace) }) {
			t.Errorf("Prometheus may not find the pods of %s", namespace)
		}
	}
	if cluster.may("berth-monitoring:prometheus", "list", "pods", "-n", "default") {
		t.Error("Prometheus may list every namespace's pods")
	}
}

// docs/install.md, step 1 to step 2 and back: the service, its volume and what it learned stay as they are.
func TestBetweenTheOverlaysNothingOfTheServiceChanges(t *testing.T) {
	cluster := startControlPlane(t) // client-side applies, whose fields the other tests' server-side ones may not take
	service := func() string {
		return cluster.kubectl("", "-n", "berth-system", "get", "namespace/berth-system", "service/berth-service", "statefulset/berth-service",
			"-o", `jsonpath={range .items[*]}{.kind} {.metadata.uid} {.metadata.generation} {.metadata.deletionTimestamp}{"\n"}{end}`)
	}
	cluster.kubectl("", "apply", "-k", filepath.Join(repository, "manifests/overlays/second-scheduler"))
	before := service()
	for _, step := range [][]string{
		{"apply", "-k", "overlays/replace-default"},
		{"delete", "--wait=false", "-k", "scheduler"},
		{"apply", "-k", "overlays/second-scheduler"},
	} {
		last := len(step) - 1
		cluster.kubectl("", append(step[:last], filepath.Join(repository, "manifests", step[last]))...)
		if after := service(); after != before {
			t.Fatalf("kubectl %v changed the service from\n%sto\n%s", step, before, after)
		}
	}
}

func TestTheStaticPodIsAcceptedByARealAPIServer(t *testing.T) {
	pod := staticPod(t)
	raw, err := yaml.Marshal(pod)
	if err != nil {
		t.Fatal(err)
	}
	cluster := sharedControlPlane(t)
	if out := cluster.kubectl(string(raw), "create", "--dry-run=server", "--validate=strict", "-f", "-"); strings.Contains(out, "Warning") {
		t.Errorf("the API server warns:\n%s", out)
	}
}

// podTemplates yields, as a JSON pod, the template of every workload in the cluster: only a pod meets the namespace's pod security,
// its quota and its priority class.
func podTemplates(t *testing.T, cluster controlPlane) func(func(string) bool) {
	t.Helper()
	var list struct {
		Items []struct {
			Metadata metav1.ObjectMeta
			Spec     struct {
				Template             corev1.PodTemplateSpec
				VolumeClaimTemplates []corev1.PersistentVolumeClaim
			}
		}
	}
	out := cluster.kubectl("", "get", "deployments,statefulsets,daemonsets,jobs", "--all-namespaces", "-o", "json")
	if err := json.Unmarshal([]byte(out), &list); err != nil {
		t.Fatal(err)
	}
	if len(list.Items) < 2 {
		t.Fatalf("want the service and nginx at least, got %d workloads", len(list.Items))
	}
	return func(yield func(string) bool) {
		for _, workload := range list.Items {
			pod := corev1.Pod{
				TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
				ObjectMeta: workload.Spec.Template.ObjectMeta,
				Spec:       workload.Spec.Template.Spec,
			}
			pod.Name, pod.Namespace = workload.Metadata.Name, workload.Metadata.Namespace
			for _, claim := range workload.Spec.VolumeClaimTemplates { // the controller's part, which does not run here
				source := corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: claim.Name}}
				pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: claim.Name, VolumeSource: source})
			}
			raw, err := json.Marshal(pod)
			if err != nil {
				t.Fatal(err)
			}
			if !yield(string(raw)) {
				return
			}
		}
	}
}

// The ConfigMap is the only way to the mode: who may not write it may not change the mode.
func TestWhoMayReadAndWriteTheMode(t *testing.T) {
	cluster := sharedControlPlane(t)
	cluster.kubectl("", "apply", "--server-side", "-k", filepath.Join(repository, "manifests/overlays/second-scheduler"))
	cluster.kubectl("", "-n", "berth-system", "create", "rolebinding", "mode-editors", "--role=berth:mode-editor", "--user=alice")
	// As the informer asks: a list of the one name, and a watch of it.
	one := "--field-selector=metadata.name=berth-mode"
	readers := map[string]string{
		"the second scheduler": cluster.as("berth-system", "berth-scheduler"),
		"the static pod":       cluster.asUser("system:kube-scheduler"),
	}
	for who, kubeconfig := range readers {
		if !eventually(10*time.Second, func() bool { return cluster.tries(kubeconfig, "-n", "berth-system", "get", "configmaps", one) }) {
			t.Errorf("%s may not list the mode", who)
		}
		if cluster.tries(kubeconfig, "-n", "berth-system", "get", "configmaps") {
			t.Errorf("%s may list every ConfigMap of the namespace", who)
		}
		if cluster.tries(kubeconfig, "-n", "berth-system", "create", "configmap", "berth-mode", "--from-literal=mode=active") {
			t.Errorf("%s may change the mode", who)
		}
	}
	alice := cluster.asUser("alice")
	for _, write := range [][]string{
		{"create", "configmap", "berth-mode", "--from-literal=mode=shadow"},
		{"patch", "configmap", "berth-mode", "--type=merge", `--patch={"data":{"mode":"off"}}`},
	} {
		if !eventually(10*time.Second, func() bool { return cluster.tries(alice, append([]string{"-n", "berth-system"}, write...)...) }) {
			t.Errorf("alice may not %v", write)
		}
	}
	if cluster.tries(alice, "-n", "berth-system", "get", "secret", "berth-token") {
		t.Error("alice may read the token")
	}
	// What an operator chose outlives the manifests.
	cluster.kubectl("", "apply", "--server-side", "-k", filepath.Join(repository, "manifests/overlays/second-scheduler"))
	if mode := cluster.kubectl("", "-n", "berth-system", "get", "configmap", "berth-mode", "-o", "jsonpath={.data.mode}"); mode != "off" {
		t.Errorf("applying the manifests again made the mode %q", mode)
	}
}

func TestTheSchedulersRightsAreTheStockSchedulersAndNoMore(t *testing.T) {
	cluster := sharedControlPlane(t)
	cluster.kubectl("", "apply", "--server-side", "-k", filepath.Join(repository, "manifests/overlays/second-scheduler"))
	const scheduler, service = "berth-system:berth-scheduler", "berth-system:berth-service"
	granted := []string{
		"create pods --subresource binding",
		"watch nodes",
		"update leases/berth-scheduler -n berth-system",
		"get configmaps/extension-apiserver-authentication -n kube-system",
	}
	for _, right := range granted {
		// The authorizer learns of new bindings by a watch, a moment after they were made.
		if !eventually(10*time.Second, func() bool { return cluster.may(scheduler, strings.Fields(right)...) }) {
			t.Errorf("the scheduler may not %s", right)
		}
	}
	refused := []string{
		"get secrets -n berth-system",
		"get secrets -n kube-system",
		"create pods",
		"create pods --subresource exec",
		"update nodes",
		"update leases/other -n berth-system",
		"get configmaps -n kube-system",
	}
	for _, right := range refused {
		if cluster.may(scheduler, strings.Fields(right)...) {
			t.Errorf("the scheduler may %s, which it never needs", right)
		}
	}
	if cluster.may(service, "list", "pods") || cluster.may(service, "get", "nodes") {
		t.Error("the service may read the API server, but it never has to")
	}
}
