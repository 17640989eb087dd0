package check

import (
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

const token = "only-for-this-test-0123456789abcdef"

// The whole deployment without containers: the service laid out as in its image and reading the ConfigMap's file, the scheduler
// reading its ConfigMap's file under the rights of its ServiceAccount, a real API server, and Prometheus's ServiceAccount scraping.
func TestTheDeploymentPlacesPodsUnderItsOwnRights(t *testing.T) {
	cluster := startControlPlane(t)
	for _, folder := range []string{"manifests/overlays/second-scheduler", "prometheus"} {
		cluster.kubectl("", "apply", "--server-side", "-k", filepath.Join(repository, folder))
	}
	cluster.addNodes(3)
	schedulerURL, serviceURL := startService(t)
	kubeconfig := cluster.as("berth-system", "berth-scheduler")
	address, scheduler := startScheduler(t, kubeconfig, schedulerURL, "manifests/scheduler/scheduler-config.yaml", "active")

	pods := cluster.createNginx("nginx", "berth-scheduler")
	cluster.waitUntilBound(pods, scheduler)

	if lease := cluster.kubectl("", "-n", "berth-system", "get", "lease", "berth-scheduler", "-o", "jsonpath={.spec.holderIdentity}"); lease == "" {
		t.Error("the scheduler holds no Lease of its own")
	}
	for _, line := range strings.Split(scheduler.log.String(), "\n") {
		if strings.Contains(line, "forbidden") {
			t.Errorf("a right is missing: %s", line)
		}
	}
	client := &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	if page, err := get(client, address+"/metrics", ""); err == nil {
		t.Errorf("/metrics is open to everyone: %.80s", page)
	}
	metrics, err := get(client, address+"/metrics", cluster.token("berth-monitoring", "prometheus"))
	if err != nil {
		t.Fatalf("Prometheus's ServiceAccount may not scrape the scheduler: %v", err)
	}
	if !regexp.MustCompile(`berth_placements_total\{decided_by="service"\} ` + fmt.Sprint(len(pods))).MatchString(metrics) {
		t.Errorf("want %d pods placed by the service's scores:\n%s", len(pods), grep(metrics, "berth_"))
	}
	page, err := get(client, serviceURL+"/metrics", "")
	if err != nil {
		t.Fatal(err)
	}
	checkThatRulesWatchRealMetrics(t, metrics+page)
}

// The static pod's configuration under the identity that kubeadm gives it, in every mode: what docs/install.md tells to change is one word.
func TestTheControlPlanesConfigurationSchedulesInEveryMode(t *testing.T) {
	schedulerURL, _ := startService(t)
	cluster := startControlPlane(t)
	cluster.addNodes(3)
	for i, mode := range []string{"shadow", "canary", "active"} {
		t.Run(mode, func(t *testing.T) {
			cluster.t = t
			_, scheduler := startScheduler(t, cluster.asUser("system:kube-scheduler"), schedulerURL,
				"manifests/overlays/replace-default/control-plane/scheduler-config.yaml", mode)
			pods := cluster.createNginx(fmt.Sprintf("%s-%d", mode, i), "")
			cluster.waitUntilBound(pods, scheduler)
		})
	}
}

// startService runs berth as its image does, on two free ports, with the configuration of manifests/base and settings that go before it.
func startService(t *testing.T, settings ...string) (schedulerURL, url string) {
	t.Helper()
	folder := t.TempDir()
	tokenFile := filepath.Join(folder, "token")
	if err := os.WriteFile(tokenFile, []byte(token), 0o600); err != nil {
		t.Fatal(err)
	}
	port, schedulerPort := freePort(t), freePort(t)
	cmd := berthCommand(t, "serve", "--config", filepath.Join(repository, "manifests/base/berth.yaml"))
	cmd.Env = append(cmd.Env,
		"BERTH_STATE_FOLDER="+filepath.Join(folder, "state"),
		"BERTH_SERVER_HOST=127.0.0.1",
		fmt.Sprintf("BERTH_SERVER_PORT=%d", port),
		fmt.Sprintf("BERTH_SERVER_SCHEDULER_PORT=%d", schedulerPort),
		"BERTH_SERVER_TOKEN_FILE="+tokenFile,
		"BERTH_PROMETHEUS_URL=http://127.0.0.1:1") // nobody answers there: what the scheduler tells must do
	cmd.Env = append(cmd.Env, settings...)
	service := start(t, cmd)
	schedulerURL, url = fmt.Sprintf("http://127.0.0.1:%d", schedulerPort), fmt.Sprintf("http://127.0.0.1:%d", port)
	client := &http.Client{Timeout: time.Second}
	if !eventually(60*time.Second, func() bool { _, err := get(client, url+"/healthz", ""); return err == nil }) {
		t.Fatalf("the service does not answer:\n%s", service.log.String())
	}
	return schedulerURL, url
}

// startScheduler runs kube-scheduler with a shipped configuration in which only this machine's addresses and paths, and the mode, are put in.
func startScheduler(t *testing.T, kubeconfig, schedulerURL, config, mode string) (address string, scheduler *process) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(repository, config))
	if err != nil {
		t.Fatal(err)
	}
	var shipped map[string]any
	if err := yaml.Unmarshal(raw, &shipped); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	tokenFile := filepath.Join(folder, "token")
	shipped["clientConnection"].(map[string]any)["kubeconfig"] = kubeconfig
	profile := shipped["profiles"].([]any)[0].(map[string]any)
	args := profile["pluginConfig"].([]any)[0].(map[string]any)["args"].(map[string]any)
	args["url"], args["tokenFile"] = schedulerURL, tokenFile
	args["mode"] = mode
	args["timeout"] = "1s" // this proves wiring and rights; a busy test machine may not decide it
	raw, err = yaml.Marshal(shipped)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "scheduler-config.yaml")
	for path, content := range map[string][]byte{file: raw, tokenFile: []byte(token)} {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	port := freePort(t)
	scheduler = start(t, exec.Command(tool(t, "berth-scheduler"), "--config="+file, "--v=2", "--bind-address=127.0.0.1",
		fmt.Sprintf("--secure-port=%d", port), "--authentication-kubeconfig="+kubeconfig, "--authorization-kubeconfig="+kubeconfig))
	return fmt.Sprintf("https://127.0.0.1:%d", port), scheduler
}

func (c controlPlane) addNodes(count int) {
	c.t.Helper()
	for i := range count {
		c.kubectl(fmt.Sprintf(`{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-%d"}, "status": {
			"allocatable": {"cpu": "64", "memory": "256Gi", "pods": "110"}, "capacity": {"cpu": "64", "memory": "256Gi", "pods": "110"}}}`, i),
			"create", "-f", "-")
	}
}

// createNginx makes the pods that the Deployment's controller would make, and returns their names.
func (c controlPlane) createNginx(prefix, scheduler string) []string {
	c.t.Helper()
	raw, err := os.ReadFile(filepath.Join(repository, "manifests/nginx-deployment.yaml"))
	if err != nil {
		c.t.Fatal(err)
	}
	var deployment struct {
		Spec struct {
			Replicas int
			Template corev1.PodTemplateSpec
		}
	}
	if err := yaml.Unmarshal(raw, &deployment); err != nil {
		c.t.Fatal(err)
	}
	var names []string
	for i := range deployment.Spec.Replicas {
		pod := corev1.Pod{
			TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
			ObjectMeta: deployment.Spec.Template.ObjectMeta,
			Spec:       deployment.Spec.Template.Spec,
		}
		pod.Name, pod.Namespace, pod.Spec.SchedulerName = fmt.Sprintf("%s-%d", prefix, i), "default", scheduler
		manifest, err := json.Marshal(pod)
		if err != nil {
			c.t.Fatal(err)
		}
		c.kubectl(string(manifest), "create", "-f", "-")
		names = append(names, pod.Name)
	}
	return names
}

func (c controlPlane) waitUntilBound(pods []string, scheduler *process) {
	c.t.Helper()
	var bound string
	if !eventually(60*time.Second, func() bool {
		bound = c.kubectl("", append([]string{"get", "-o", "jsonpath={.items[*].spec.nodeName}", "pods"}, pods...)...)
		return len(strings.Fields(bound)) == len(pods)
	}) {
		c.t.Fatalf("%d of %d pods bound; the scheduler said:\n%s", len(strings.Fields(bound)), len(pods), scheduler.log.String())
	}
}

func grep(text, part string) string {
	lines := slices.DeleteFunc(strings.Split(text, "\n"), func(line string) bool { return !strings.Contains(line, part) })
	return strings.Join(lines, "\n")
}

var berthMetric = regexp.MustCompile(`\bberth_[a-z0-9_]+`)

// checkThatRulesWatchRealMetrics finds rules and dashboard panels on series that nobody exports: they would stay silent for ever.
func checkThatRulesWatchRealMetrics(t *testing.T, pages string) {
	t.Helper()
	exported := map[string]bool{}
	for _, name := range berthMetric.FindAllString(pages, -1) {
		exported[name] = true
	}
	watched := map[string][]string{}
	for _, file := range []string{"recording.yaml", "alerts.yaml"} {
		for _, group := range readRules(t, file).Groups {
			for _, rule := range group.Rules {
				for _, name := range berthMetric.FindAllString(rule.Expr, -1) {
					watched[name] = append(watched[name], rule.Record+rule.Alert)
				}
			}
		}
	}
	for panel, query := range dashboardQueries(t) {
		for _, name := range berthMetric.FindAllString(query, -1) {
			watched[name] = append(watched[name], panel)
		}
	}
	if len(watched) == 0 {
		t.Fatal("no rule watches any metric of Berth: the check is broken")
	}
	for name, by := range watched {
		if !exported[name] {
			t.Errorf("%s is watched by %v but exported by neither the service nor the scheduler", name, by)
		}
	}
}
