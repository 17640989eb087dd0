package check

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/kind/pkg/apis/config/defaults"
	"sigs.k8s.io/kind/pkg/cluster"
	kindcmd "sigs.k8s.io/kind/pkg/cmd"
	"sigs.k8s.io/yaml"
)

// createWithKind runs `kind create cluster` up to the point where kubeadm would start inside the node, and returns the folder that
// holds what kind wrote into its nodes.
func createWithKind(t *testing.T, config string) (dir string, nodes []container, err error) {
	t.Helper()
	dir = t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(dir, "docker")); err != nil {
		t.Fatal(err)
	}
	t.Setenv(fakeDockerDir, dir)
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	t.Chdir(repository) // as the README says: relative mounts start at the root of the checkout
	provider := cluster.NewProvider(cluster.ProviderWithDocker(), cluster.ProviderWithLogger(kindcmd.NewLogger()))
	err = provider.Create("",
		cluster.CreateWithRawConfig([]byte(config)),
		cluster.CreateWithStopBeforeSettingUpKubernetes(true),
		cluster.CreateWithKubeconfigPath(filepath.Join(dir, "kubeconfig")))
	if err != nil {
		return dir, nil, err
	}
	nodes, err = containers(dir)
	return dir, nodes, err
}

func kindConfig(t *testing.T) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(repository, "kind-config.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestKindMakesOneControlPlaneAndThreeWorkers(t *testing.T) {
	_, nodes, err := createWithKind(t, kindConfig(t))
	if err != nil {
		t.Fatal(err)
	}
	roles := map[string]int{}
	for _, node := range nodes {
		roles[node.label("io.x-k8s.kind.role")]++
		if node.image() != defaults.Image {
			t.Errorf("%s runs %s, but the node image of this kind is %s", node.Name, node.image(), defaults.Image)
		}
	}
	if roles["control-plane"] != 1 || roles["worker"] != 3 {
		t.Errorf("want 1 control plane and 3 workers, kind made %v", roles)
	}
}

func TestKindRefusesAMisspelledField(t *testing.T) {
	_, _, err := createWithKind(t, strings.Replace(kindConfig(t), "extraMounts", "extraMount", 1))
	if err == nil || !strings.Contains(err.Error(), "extraMount") {
		t.Errorf("want kind to name the unknown field extraMount, got %v", err)
	}
}

// kubeadmConfig is the file kind wrote for a node, with the node's mounts mapped back to where they come from on this machine.
func kubeadmConfig(t *testing.T, dir string, node container) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, node.Name+"_kind_kubeadm.conf"))
	if err != nil {
		t.Fatal(err)
	}
	config := string(raw)
	for _, volume := range node.flag("volume") {
		if from, to, ok := strings.Cut(volume, ":/etc/berth"); ok {
			if _, err := os.Stat(from); err != nil {
				t.Errorf("mounted into %s but not in the checkout: %v", node.Name, err)
			}
			if to != ":ro" {
				t.Errorf("%s may write %s: the mount is not read-only", node.Name, from)
			}
			config = strings.ReplaceAll(config, "/etc/berth/patches", from+"/patches")
		}
	}
	path := filepath.Join(dir, node.Name+".yaml")
	if err := os.WriteFile(path, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestKubeadmAcceptsWhatKindWritesForEveryNode(t *testing.T) {
	dir, nodes, err := createWithKind(t, kindConfig(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, node := range nodes {
		run(t, exec.Command(tool(t, "kubeadm"), "config", "validate", "--config", kubeadmConfig(t, dir, node)))
	}
}

// staticPod is the scheduler's pod as kubeadm renders it inside kind's control plane.
func staticPod(t *testing.T) corev1.Pod {
	t.Helper()
	dir, nodes, err := createWithKind(t, kindConfig(t))
	if err != nil {
		t.Fatal(err)
	}
	rendered := t.TempDir()
	for _, node := range nodes {
		if node.label("io.x-k8s.kind.role") != "control-plane" {
			continue
		}
		render := exec.Command(tool(t, "kubeadm"), "init", "phase", "control-plane", "scheduler", "--dry-run",
			"--config", kubeadmConfig(t, dir, node))
		render.Env = append(os.Environ(), "KUBEADM_INIT_DRYRUN_DIR="+rendered)
		run(t, render)
	}
	manifests, err := filepath.Glob(filepath.Join(rendered, "*", "kube-scheduler.yaml"))
	if err != nil || len(manifests) != 1 {
		manifests = []string{filepath.Join(rendered, "kube-scheduler.yaml")}
	}
	raw, err := os.ReadFile(manifests[0])
	if err != nil {
		t.Fatal(err)
	}
	var pod corev1.Pod
	if err := yaml.UnmarshalStrict(raw, &pod); err != nil {
		t.Fatal(err)
	}
	return pod
}

func TestKubeadmRendersOurSchedulerAsTheControlPlanesOwn(t *testing.T) {
	pod := staticPod(t)
	scheduler := pod.Spec.Containers[0]
	if want := "localhost/berth-scheduler:0.1.0"; scheduler.Image != want {
		t.Errorf("image %s, want %s: the kubeadm patch was not applied", scheduler.Image, want)
	}
	var config, address string
	for _, arg := range scheduler.Command {
		if value, ok := strings.CutPrefix(arg, "--config="); ok {
			config = value
		}
		if value, ok := strings.CutPrefix(arg, "--bind-address="); ok {
			address = value // the last one counts
		}
	}
	if address != "0.0.0.0" {
		t.Errorf("Prometheus cannot scrape a scheduler that listens on %s", address)
	}
	if got := pod.Labels["app.kubernetes.io/name"]; got != "berth-scheduler" {
		t.Errorf("Prometheus takes this pod for a stock scheduler: label app.kubernetes.io/name is %q", got)
	}
	// The token is its maker's, mode 0600, and root without capabilities may not read what is not root's own.
	if added := scheduler.SecurityContext.Capabilities.Add; !slices.Equal(added, []corev1.Capability{"DAC_READ_SEARCH"}) {
		t.Errorf("capabilities %v, want DAC_READ_SEARCH alone", added)
	}
	inside, ok := strings.CutPrefix(config, "/etc/berth/")
	if !ok {
		t.Fatalf("the scheduler does not read a configuration from /etc/berth: %v", scheduler.Command)
	}
	file := filepath.Join(repository, "manifests/overlays/replace-default/control-plane", inside)
	if _, err := os.Stat(file); err != nil {
		t.Errorf("--config=%s: %v", config, err)
	}
	var mounted bool
	for _, m := range scheduler.VolumeMounts {
		mounted = mounted || (m.MountPath == "/etc/berth" && m.ReadOnly)
	}
	if !mounted {
		t.Errorf("/etc/berth is not mounted read-only: %v", scheduler.VolumeMounts)
	}
}
