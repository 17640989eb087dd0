package cluster

import (
	"bytes"
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"
	"time"

	"sigs.k8s.io/yaml"
)

//go:embed config
var templates embed.FS

// Kinds of scheduler.
const (
	Stock = "stock" // kube-scheduler as Kubernetes ships it
	Berth = "berth" // kube-scheduler with our plugin
)

// CheckKind refuses what is neither Stock nor Berth.
func CheckKind(kind string) error {
	if kind != Stock && kind != Berth {
		return fmt.Errorf("there is no scheduler %q: choose %s or %s", kind, Stock, Berth)
	}
	return nil
}

func schedulerBinary(kind string) string {
	if kind == Berth {
		return "berth-scheduler"
	}
	return "kube-scheduler"
}

// SchedulerKind is the scheduler that runs or would run: stock until another was chosen.
func (c *Cluster) SchedulerKind() string {
	raw, err := os.ReadFile(c.path("scheduler"))
	if err != nil {
		return Stock
	}
	return strings.TrimSpace(string(raw))
}

// schedulerChoice is which scheduler runs, and its configuration, nil for the shipped one.
type schedulerChoice struct {
	kind   string
	config []byte
}

func (c *Cluster) readChoice(kind, config string) (schedulerChoice, error) {
	if config == "" {
		return schedulerChoice{kind: kind}, nil
	}
	raw, err := os.ReadFile(config)
	if err != nil {
		return schedulerChoice{}, fmt.Errorf("cannot read the scheduler's configuration: %w", err)
	}
	var needed struct{ ClientConnection struct{ Kubeconfig string } }
	if err := yaml.Unmarshal(raw, &needed); err != nil || needed.ClientConnection.Kubeconfig == "" {
		// Without one a scheduler takes itself for a pod and asks for KUBERNETES_MASTER.
		return schedulerChoice{}, fmt.Errorf("%s does not name the cluster: set clientConnection.kubeconfig to %s", config, c.Kubeconfig())
	}
	return schedulerChoice{kind, raw}, nil
}

// chosen is what runs, or ran last.
func (c *Cluster) chosen() schedulerChoice {
	custom, err := os.ReadFile(c.path("kube-scheduler-custom.yaml"))
	if err != nil {
		custom = nil
	}
	return schedulerChoice{c.SchedulerKind(), custom}
}

// choose notes the kind and puts its configuration in place.
func (c *Cluster) choose(s schedulerChoice) error {
	if err := os.WriteFile(c.path("scheduler"), []byte(s.kind+"\n"), 0o644); err != nil {
		return err
	}
	if s.config == nil {
		return os.RemoveAll(c.path("kube-scheduler-custom.yaml"))
	}
	return os.WriteFile(c.path("kube-scheduler-custom.yaml"), s.config, 0o644)
}

// writeConfig writes the configuration file of a component, if it has one, before it starts.
func (c *Cluster) writeConfig(component string) error {
	file := map[string]string{Scheduler: "kube-scheduler.yaml", Prometheus: "prometheus.yml", Service: "service.yaml"}[component]
	if file == "" {
		return nil
	}
	source := file
	if component == Scheduler {
		source = "kube-scheduler-" + c.SchedulerKind() + ".yaml"
		if custom, err := os.ReadFile(c.path("kube-scheduler-custom.yaml")); err == nil {
			return os.WriteFile(c.path(file), custom, 0o644)
		}
	}
	text, err := c.render(source)
	if err != nil {
		return err
	}
	return os.WriteFile(c.path(file), text, 0o644)
}

// render fills one of the templates in config/.
func (c *Cluster) render(name string) ([]byte, error) {
	functions := template.FuncMap{
		"port":  func(offset int) int { return c.port(offset) },
		"tool":  c.tool,
		"state": func(part string) string { return c.path(part) },
		"root":  func() string { return c.root },
		"pki":   func(part string) string { return c.kwokFolder("pki", part) },
	}
	parsed, err := template.New(name).Funcs(functions).ParseFS(templates, "config/"+name)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = parsed.Execute(&out, map[string]any{
		"Service": servicePort, "Scores": scoresPort, "APIServer": apiServerPort, "Etcd": etcdPort, "EtcdPeer": etcdPeerPort,
		"ControllerManager": controllerManagerPort, "Scheduler": schedulerPort, "Kwok": kwokPort,
		"Prometheus": prometheusPort, "NodeExporter": nodeExporterPort, "UsageExporter": usageExporterPort,
		"WithUsage": c.settings.UsageExporter, "Kubeconfig": c.Kubeconfig(), "ScrapeInterval": time.Duration(c.settings.ScrapeInterval).String(),
		"RateWindow": fmt.Sprintf("%ds", int(4*time.Duration(c.settings.ScrapeInterval).Seconds())),
	})
	return out.Bytes(), err
}

// checkTools names the binaries that are not built yet.
func (c *Cluster) checkTools() error {
	needed := []string{"etcd", "kube-apiserver", "kube-controller-manager", "kubectl", "kwok", "kwokctl",
		"prometheus", "node_exporter", schedulerBinary(c.SchedulerKind())}
	for _, name := range needed {
		if err := c.needTool(name); err != nil {
			return err
		}
	}
	if jar := filepath.Join(c.root, "workbench", "target", "berth-workbench.jar"); c.settings.UsageExporter {
		if _, err := os.Stat(jar); err != nil {
			return fmt.Errorf("%s is not built: run `make build` first, or set usageExporter to false", jar)
		}
	}
	return nil
}

func (c *Cluster) needTool(name string) error {
	if _, err := os.Stat(c.tool(name)); err != nil {
		how := "make tools"
		if name == schedulerBinary(Berth) {
			how = "make scheduler"
		}
		return fmt.Errorf("%s is not built: run `%s` first", c.tool(name), how)
	}
	return nil
}
