package cluster

import (
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"berth.dev/cluster/internal/process"
)

// Names of the components, in the order in which they start.
const (
	Etcd              = "etcd"
	APIServer         = "kube-apiserver"
	ControllerManager = "kube-controller-manager"
	Kwok              = "kwok-controller"
	Scheduler         = "kube-scheduler"
	NodeExporter      = "node_exporter"
	UsageExporter     = "usage-exporter"
	Prometheus        = "prometheus"
	Service           = "service"
)

// controlPlane is what kwokctl starts, all or none.
var controlPlane = []string{Etcd, APIServer, ControllerManager, Kwok}

// clusterName is the name that kwokctl knows.
const clusterName = "berth"

// Port offsets from settings.PortBase; cluster.yaml documents them.
const (
	servicePort = iota
	apiServerPort
	etcdPort
	etcdPeerPort
	controllerManagerPort
	schedulerPort
	kwokPort
	prometheusPort
	nodeExporterPort
	usageExporterPort
	scoresPort
)

func (c *Cluster) port(offset int) int { return c.settings.PortBase + offset }

func (c *Cluster) path(parts ...string) string {
	return filepath.Join(append([]string{c.settings.State}, parts...)...)
}

func (c *Cluster) kwokFolder(parts ...string) string {
	return c.path(append([]string{"kwok", "clusters", clusterName}, parts...)...)
}

// Kubeconfig is the administrator's.
func (c *Cluster) Kubeconfig() string { return c.path("kubeconfig") }

func (c *Cluster) tool(name string) string { return filepath.Join(c.tools, name) }

// byKwokctl is a component that kwokctl starts; it chooses the pid and log files.
func (c *Cluster) byKwokctl(name string, port int, healthPath string, secure bool) Component {
	return Component{
		Name: name, Port: port, healthPath: healthPath, secure: secure,
		Handle: process.Handle{
			PidFile: c.kwokFolder("pids", name+".pid"), LogFile: c.kwokFolder("logs", name+".log"), Mark: c.settings.State,
		},
	}
}

func (c *Cluster) own(name string, port int, healthPath, program string, args ...string) Component {
	return Component{
		Name: name, Port: port, healthPath: healthPath, program: program, args: args,
		Handle: process.Handle{
			PidFile: c.path("pids", name+".pid"), LogFile: c.path("logs", name+".log"), Mark: c.settings.State,
		},
	}
}

// components lists every process of the cluster in starting order.
func (c *Cluster) components() []Component {
	local := func(offset int) string { return "127.0.0.1:" + strconv.Itoa(c.port(offset)) }
	berth := filepath.Join(c.root, "bin", "berth")

	scheduler := c.own(Scheduler, c.port(schedulerPort), "/healthz", c.tool(schedulerBinary(c.SchedulerKind())),
		"--config="+c.path("kube-scheduler.yaml"),
		"--bind-address=127.0.0.1", "--secure-port="+strconv.Itoa(c.port(schedulerPort)),
		"--authorization-always-allow-paths=/healthz,/readyz,/livez,/metrics",
		// Without a certificate folder of ours it would write one into the working directory.
		"--cert-dir="+c.path("kube-scheduler-certificates"))
	scheduler.secure = true

	service := c.own(Service, c.port(servicePort), "/healthz", berth, "serve", "--config", c.path("service.yaml"))
	service.onDemand = true
	service.more = []int{c.port(scoresPort)}
	etcd := c.byKwokctl(Etcd, c.port(etcdPort), "/health", false)
	etcd.more = []int{c.port(etcdPeerPort)}

	all := []Component{
		etcd,
		c.byKwokctl(APIServer, c.port(apiServerPort), "/readyz", true),
		c.byKwokctl(ControllerManager, c.port(controllerManagerPort), "/healthz", true),
		c.byKwokctl(Kwok, c.port(kwokPort), "/healthz", false),
		scheduler,
		c.own(NodeExporter, c.port(nodeExporterPort), "/", c.tool(NodeExporter), "--web.listen-address="+local(nodeExporterPort)),
		c.own(UsageExporter, c.port(usageExporterPort), "/healthz", berth, "usage-exporter",
			"--kubeconfig", c.Kubeconfig(), "--port", strconv.Itoa(c.port(usageExporterPort)),
			"--seed", c.usageSeed(), "--origin", c.usageOrigin(), "--keys", c.path("usage-keys.json")),
		c.own(Prometheus, c.port(prometheusPort), "/-/ready", c.tool(Prometheus),
			"--config.file="+c.path("prometheus.yml"), "--storage.tsdb.path="+c.path("prometheus"),
			"--storage.tsdb.retention.time=2d", "--web.listen-address="+local(prometheusPort)),
		service,
	}
	if c.settings.PodUsage {
		i := slices.IndexFunc(all, func(component Component) bool { return component.Name == UsageExporter })
		all[i].args = append(all[i].args, "--pods")
	}
	if !c.settings.UsageExporter {
		all = slices.DeleteFunc(all, func(component Component) bool { return component.Name == UsageExporter })
	}
	return all
}

func (c *Cluster) component(name string) (Component, bool) {
	for _, component := range c.components() {
		if component.Name == name {
			return component, true
		}
	}
	return Component{}, false
}

func (c *Cluster) patience() time.Duration { return time.Duration(c.settings.StartTimeout) }
