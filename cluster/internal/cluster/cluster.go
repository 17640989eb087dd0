// Package cluster runs a real Kubernetes control plane with fake nodes on this machine, without containers or root.
//
// kwokctl's binary runtime makes keys and starts etcd, kube-apiserver, kube-controller-manager and KWOK; everything
// around them (scheduler, Prometheus, exporters, the berth service) is started here. Every process listens on
// loopback, writes below one state folder, and is stopped only if it carries this cluster's mark.
package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"berth.dev/cluster/internal/process"
	"berth.dev/cluster/internal/settings"
)

// Cluster is one local cluster, running or not. Not safe for concurrent use; Lock keeps other processes out.
type Cluster struct {
	settings settings.Settings
	root     string // the repository
	tools    string // folder of the built binaries
	say      io.Writer
	http     *http.Client
}

// New describes a cluster; nothing is touched yet.
func New(s settings.Settings, root, tools string, say io.Writer) *Cluster {
	return &Cluster{settings: s, root: root, tools: tools, say: say, http: loopbackClient(nil)}
}

// marker tells a state folder from any other: `down --delete` removes all that is in it.
const marker = ".berth-cluster"

// Lock keeps a second command on the same state folder out until unlock is called. It makes the folder, and refuses one that
// holds anything but a cluster.
func (c *Cluster) Lock() (unlock func(), err error) {
	if err := c.claim(); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(c.path("lock"), os.O_CREATE|os.O_RDWR|syscall.O_CLOEXEC, 0o644)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("another berth-cluster command is at work on %s: wait until it ends", c.settings.State)
	}
	return func() { _ = f.Close() }, nil
}

func (c *Cluster) claim() error {
	if err := os.MkdirAll(c.settings.State, 0o755); err != nil {
		return err
	}
	entries, err := os.ReadDir(c.settings.State)
	if err != nil {
		return err
	}
	if _, err := os.Stat(c.path(marker)); err == nil {
		return nil
	}
	if len(entries) > 0 {
		return fmt.Errorf("%s holds other things than a cluster (it has no file %s): name a new or empty folder with --state or in cluster/cluster.yaml",
			c.settings.State, marker)
	}
	return os.WriteFile(c.path(marker), []byte("berth-cluster down --delete removes this folder and all in it\n"), 0o644)
}

// Up starts what does not run, in order, and waits for each to be healthy. Calling it on a running cluster is fine.
func (c *Cluster) Up(ctx context.Context) error {
	settings, err := c.checkSettings()
	if err != nil {
		return err
	}
	if err := c.checkTools(); err != nil {
		return err
	}
	var missing []Component
	for _, component := range c.components() {
		state, pid := component.State()
		if state == process.Running {
			c.sayf("  %-24s runs already (pid %d)", component.Name, pid)
			continue
		}
		if err := c.checkFree(component); err != nil {
			return err
		}
		if component.onDemand && state == process.Stopped {
			continue
		}
		if err := component.Forget(); err != nil {
			return err
		}
		component.beforeStart()
		missing = append(missing, component)
	}
	// Not before: a cluster that found its ports taken is none yet, and may have others.
	if err := os.WriteFile(c.path("settings.json"), settings, 0o644); err != nil {
		return err
	}
	first := slices.IndexFunc(missing, func(m Component) bool { return m.program != "" })
	if first < 0 {
		first = len(missing)
	}
	if first > 0 {
		if err := c.startControlPlane(ctx); err != nil {
			return err
		}
	}
	for _, component := range missing[:first] {
		if err := c.waitHealthy(ctx, component); err != nil {
			return err
		}
	}
	// Also when the control plane runs already: an earlier start may have been interrupted right here.
	if err := c.prepareControlPlane(ctx); err != nil {
		return err
	}
	for _, component := range missing[first:] {
		if err := c.startOwn(component); err != nil {
			return err
		}
		if err := c.waitHealthy(ctx, component); err != nil {
			return err
		}
	}
	if service, _ := c.component(Service); c.SchedulerKind() == Berth && c.stateOf(service) != process.Running {
		c.sayf("  the scheduler is Berth's and no service runs: `berth-cluster start service` starts it")
	}
	return nil
}

// Start starts one component that needs the control plane, or finds it running.
func (c *Cluster) Start(ctx context.Context, name string) error {
	component, err := c.ownComponent(name)
	if err != nil {
		return err
	}
	if state, pid := component.State(); state == process.Running {
		c.sayf("  %-24s runs already (pid %d)", name, pid)
		return nil
	}
	if err := c.checkFree(component); err != nil {
		return err
	}
	component.beforeStart()
	if err := c.startOwn(component); err != nil {
		return err
	}
	return c.waitHealthy(ctx, component)
}

// Stop stops one component; `up` does not start an on-demand component again after this.
func (c *Cluster) Stop(name string) error {
	component, err := c.ownComponent(name)
	if err != nil {
		return err
	}
	return c.stop(component)
}

// stop says what it found.
func (c *Cluster) stop(component Component) error {
	found := map[process.State]string{process.Running: "stopped", process.Killed: "was not running any more", process.Stopped: "did not run"}[c.stateOf(component)]
	if err := component.Stop(grace); err != nil {
		return fmt.Errorf("%s: %w", component.Name, err)
	}
	c.sayf("  %-24s %s", component.Name, found)
	return nil
}

// grace is how long a component may take to end in order before it is killed.
const grace = 8 * time.Second

// Down stops what runs, last started first, and with remove deletes the state folder.
func (c *Cluster) Down(remove bool) error {
	components := c.components()
	slices.Reverse(components)
	var failures []error
	for _, component := range components {
		if c.stateOf(component) != process.Stopped {
			failures = append(failures, c.stop(component))
		}
	}
	if err := errors.Join(failures...); err != nil {
		return err
	}
	if remove {
		return os.RemoveAll(c.settings.State)
	}
	return nil
}

// RestartScheduler swaps the scheduler of a running cluster; config replaces the shipped configuration when not empty. Where
// the new one does not start, the one that ran before does again.
func (c *Cluster) RestartScheduler(ctx context.Context, kind, config string) error {
	if err := CheckKind(kind); err != nil {
		return err
	}
	if server, _ := c.component(APIServer); c.stateOf(server) != process.Running {
		return fmt.Errorf("the cluster does not run: start it first with `make up`")
	}
	if err := c.needTool(schedulerBinary(kind)); err != nil {
		return err
	}
	next, err := c.readChoice(kind, config)
	if err != nil {
		return err
	}
	before := c.chosen()
	scheduler, _ := c.component(Scheduler)
	ran := c.stateOf(scheduler) == process.Running
	failed := c.takeScheduler(next)
	if failed == nil {
		failed = c.Start(ctx, Scheduler)
	}
	if failed == nil || ctx.Err() != nil {
		return failed
	}
	if err := c.takeScheduler(before); err != nil {
		return errors.Join(failed, err)
	}
	if !ran {
		return fmt.Errorf("%w\nno scheduler runs, as before", failed)
	}
	c.sayf("  %-24s does not start as asked for, the one before (%s) again:", Scheduler, before.kind)
	if err := c.Start(ctx, Scheduler); err != nil {
		return errors.Join(failed, fmt.Errorf("the scheduler before does not start again either: %w", err))
	}
	return fmt.Errorf("%w\nthe scheduler before (%s) runs again", failed, before.kind)
}

// takeScheduler stops the scheduler and chooses what starts next.
func (c *Cluster) takeScheduler(s schedulerChoice) error {
	scheduler, _ := c.component(Scheduler)
	if err := scheduler.Stop(grace); err != nil {
		return fmt.Errorf("%s: %w", Scheduler, err)
	}
	return c.choose(s)
}

// CheckComponent refuses a name that Start and Stop do not take.
func (c *Cluster) CheckComponent(name string) error {
	_, err := c.ownComponent(name)
	return err
}

func (c *Cluster) ownComponent(name string) (Component, error) {
	component, found := c.component(name)
	if !found || component.program == "" {
		var names []string
		for _, other := range c.components() {
			if other.program != "" {
				names = append(names, other.Name)
			}
		}
		return Component{}, fmt.Errorf("%q cannot be started or stopped alone: choose one of %s", name, strings.Join(names, ", "))
	}
	return component, nil
}

func (c *Cluster) startOwn(component Component) error {
	if err := c.writeConfig(component.Name); err != nil {
		return fmt.Errorf("%s: %w", component.Name, err)
	}
	if err := component.Forget(); err != nil {
		return fmt.Errorf("%s: %w", component.Name, err)
	}
	if err := component.Start(component.program, component.args, component.env...); err != nil {
		return fmt.Errorf("%s cannot start: %w", component.Name, err)
	}
	return nil
}

func (c *Cluster) waitHealthy(ctx context.Context, component Component) error {
	client := c.http
	if component.Name == APIServer {
		certified, err := c.adminClient()
		if err != nil {
			return err
		}
		client = certified
	}
	begun := time.Now()
	if err := component.waitHealthy(ctx, client, c.patience()); err != nil {
		return err
	}
	if waited := time.Since(begun); waited > 50*time.Millisecond {
		c.sayf("  %-24s healthy after %.1f s", component.Name, waited.Seconds())
	} else {
		c.sayf("  %-24s healthy", component.Name)
	}
	return nil
}

func (c *Cluster) checkFree(component Component) error {
	for _, port := range append([]int{component.Port}, component.more...) {
		if err := checkPort(port); err != nil {
			return fmt.Errorf("%s cannot start: %w; stop that, or set another portBase (now %d) in cluster/cluster.yaml or by --port-base",
				component.Name, err, c.settings.PortBase)
		}
	}
	return nil
}

// checkSettings refuses settings that the existing data was not made with, and returns them as they are to be remembered.
func (c *Cluster) checkSettings() ([]byte, error) {
	now, err := json.MarshalIndent(c.settings, "", "  ")
	if err != nil {
		return nil, err
	}
	before, err := os.ReadFile(c.path("settings.json"))
	if err == nil && !bytes.Equal(now, before) {
		return nil, fmt.Errorf("the settings differ from those this cluster was made with (%s): remove it first with `berth-cluster down --delete`",
			c.path("settings.json"))
	}
	if _, err := os.Stat(c.path("usage-origin")); err != nil {
		if err := c.NewDay(); err != nil {
			return nil, err
		}
	}
	return now, nil
}

// NewDay makes the usage model's clock read zero now, from the usage exporter's next start on. Two runs of the same
// workload on an empty cluster that each begin with a new day see the same usage.
func (c *Cluster) NewDay() error {
	return os.WriteFile(c.path("usage-origin"), []byte(strconv.FormatInt(time.Now().Unix(), 10)), 0o644)
}

// DrawUsage takes another seed of what owners use than the settings have, from the usage exporter's next start on.
func (c *Cluster) DrawUsage(seed int64) error {
	return os.WriteFile(c.path("usage-seed"), []byte(strconv.FormatInt(seed, 10)), 0o644)
}

func (c *Cluster) usageOrigin() string { return c.noted("usage-origin", "0") }

func (c *Cluster) usageSeed() string {
	return c.noted("usage-seed", strconv.FormatInt(c.settings.UsageSeed, 10))
}

// noted is what a file of the state folder says, or otherwise when there is none.
func (c *Cluster) noted(file, otherwise string) string {
	raw, err := os.ReadFile(c.path(file))
	if err != nil {
		return otherwise
	}
	return string(raw)
}

func (c *Cluster) stateOf(component Component) process.State {
	state, _ := component.State()
	return state
}

func (c *Cluster) sayf(format string, args ...any) { _, _ = fmt.Fprintf(c.say, format+"\n", args...) }
