package cluster

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"berth.dev/cluster/internal/process"
	"berth.dev/cluster/internal/settings"
)

// small is a cluster of three nodes on free ports in a folder of its own, with the real programs.
func small(t *testing.T) (*Cluster, *bytes.Buffer) {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a real control plane; not in -short")
	}
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	s := settings.Settings{
		State: t.TempDir(), PortBase: freePorts(t), Zones: 2, RacksPerZone: 2, UsageExporter: false,
		ScrapeInterval: settings.Duration(time.Second), StartTimeout: settings.Duration(90 * time.Second),
		Nodes: []settings.NodeGroup{
			{Name: "node", Role: settings.Worker, Count: 2, CPU: "4", Memory: "8Gi", Pods: 110},
			{Name: "control", Role: settings.ControlPlane, Count: 1, CPU: "4", Memory: "8Gi", Pods: 110},
		},
	}
	var said bytes.Buffer
	c := New(s, root, filepath.Join(root, ".build", "bin"), &said)
	t.Cleanup(func() {
		if err := c.Down(false); err != nil {
			t.Errorf("stopping at the end: %v", err)
		}
	})
	return c, &said
}

func freePorts(t *testing.T) int {
	t.Helper()
search:
	for base := 23500; base < 24000-settings.PortCount; base += settings.PortCount {
		for port := base; port < base+settings.PortCount; port++ {
			if checkPort(port) != nil {
				continue search
			}
		}
		return base
	}
	t.Fatal("no free ports")
	return 0
}

func up(t *testing.T, c *Cluster) {
	t.Helper()
	if err := c.Up(context.Background()); err != nil {
		t.Fatal(err)
	}
}

func pidOf(t *testing.T, c *Cluster, name string) int {
	t.Helper()
	component, _ := c.component(name)
	state, pid := component.State()
	if state != process.Running {
		t.Fatalf("%s is %s", name, state)
	}
	return pid
}

func kubectl(t *testing.T, c *Cluster, args ...string) string {
	t.Helper()
	out, err := exec.Command(c.tool("kubectl"), append([]string{"--kubeconfig", c.Kubeconfig()}, args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("kubectl %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// One cluster lives through the whole story: starting takes most of the time.
func TestAClusterStartsTwiceIsMendedSwapsItsSchedulerAndStopsWithNothingLeft(t *testing.T) {
	c, said := small(t)
	up(t, c)

	t.Run("its nodes have distinct host names, zones and racks, and the control node is tainted", func(t *testing.T) {
		got := kubectl(t, c, "get", "nodes", "-o", `jsonpath={range .items[*]}{.metadata.name} {.metadata.labels.kubernetes\.io/hostname} {.metadata.labels.topology\.kubernetes\.io/zone} {.metadata.labels.rack} {.status.allocatable.cpu} {.spec.taints[0].effect}{"\n"}{end}`)
		want := "control-0 control-0 zone-a rack-1 4 NoSchedule\nnode-0 node-0 zone-a rack-0 4 \nnode-1 node-1 zone-b rack-2 4 \n"
		if got != want {
			t.Errorf("nodes are\n%swant\n%s", got, want)
		}
	})

	t.Run("every listener is on loopback", func(t *testing.T) {
		for offset := range settings.PortCount {
			for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
				raw, _ := os.ReadFile(table)
				for _, line := range strings.Split(string(raw), "\n") {
					fields := strings.Fields(line)
					if len(fields) > 3 && fields[3] == "0A" && strings.HasSuffix(fields[1], fmt.Sprintf(":%04X", c.port(offset))) &&
						!strings.HasPrefix(fields[1], "0100007F:") {
						t.Errorf("port %d listens on %s", c.port(offset), fields[1])
					}
				}
			}
		}
	})

	t.Run("a second start leaves every process alone", func(t *testing.T) {
		before := pidOf(t, c, APIServer)
		said.Reset()
		up(t, c)
		if after := pidOf(t, c, APIServer); after != before {
			t.Errorf("kube-apiserver was pid %d, is %d", before, after)
		}
		if !strings.Contains(said.String(), "runs already (pid "+strconv.Itoa(before)) {
			t.Errorf("it does not say so: %s", said)
		}
	})

	t.Run("killed components are named by status and started again by up", func(t *testing.T) {
		kept := pidOf(t, c, Etcd)
		for _, name := range []string{APIServer, Prometheus} {
			if err := syscall.Kill(pidOf(t, c, name), syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
		}
		waitFor(t, "the killed to be seen", func() bool {
			states := map[string]string{}
			for _, line := range c.Status(context.Background()).Components {
				states[line.Name] = line.State
			}
			return states[APIServer] == string(process.Killed) && states[Prometheus] == string(process.Killed) && states[Etcd] == Healthy
		})
		up(t, c)
		if status := c.Status(context.Background()); !status.Running() {
			t.Errorf("after up: %+v", status)
		}
		if pidOf(t, c, Etcd) != kept {
			t.Error("etcd was restarted although it was well")
		}
	})

	t.Run("a pid file that points at somebody else's process is not believed", func(t *testing.T) {
		exporter, _ := c.component(NodeExporter)
		if err := exporter.Stop(grace); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(exporter.PidFile, []byte(strconv.Itoa(os.Getpid())), 0o600); err != nil {
			t.Fatal(err)
		}
		up(t, c) // and this test is still alive
		if pid := pidOf(t, c, NodeExporter); pid == os.Getpid() {
			t.Error("node_exporter was not started")
		}
	})

	t.Run("the scheduler can be replaced while the rest runs on", func(t *testing.T) {
		server, scheduler := pidOf(t, c, APIServer), pidOf(t, c, Scheduler)
		if err := c.RestartScheduler(context.Background(), Stock, ""); err != nil {
			t.Fatal(err)
		}
		if pidOf(t, c, Scheduler) == scheduler || pidOf(t, c, APIServer) != server {
			t.Error("not exactly the scheduler was replaced")
		}
		wrong := filepath.Join(t.TempDir(), "wrong.yaml")
		if err := os.WriteFile(wrong, []byte("kind: Nonsense\nclientConnection: {kubeconfig: "+c.Kubeconfig()+"}\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		running := c.SchedulerKind()
		said.Reset()
		if err := c.RestartScheduler(context.Background(), Stock, wrong); err == nil || !strings.Contains(err.Error(), "runs again") {
			t.Errorf("a configuration that is none: %v", err)
		}
		if !strings.Contains(said.String(), "the one before (stock) again") {
			t.Errorf("it does not say which scheduler is healthy: %s", said)
		}
		if kind := c.SchedulerKind(); kind != running {
			t.Errorf("%s is chosen after that, %s ran", kind, running)
		}
		pidOf(t, c, Scheduler)
		if err := c.RestartScheduler(context.Background(), "mine", ""); err == nil || !strings.Contains(err.Error(), "choose stock or berth") {
			t.Errorf("error is %v", err)
		}
	})

	t.Run("other settings on the same data are refused", func(t *testing.T) {
		changed := c.settings
		changed.Nodes = changed.Nodes[:1]
		other := New(changed, c.root, c.tools, said)
		if err := other.Up(context.Background()); err == nil || !strings.Contains(err.Error(), "down --delete") {
			t.Errorf("error is %v", err)
		}
	})

	t.Run("pods are bound, and survive a stop and a start", func(t *testing.T) {
		kubectl(t, c, "create", "deployment", "web", "--image=nginx", "--replicas=3")
		running := func() bool {
			return strings.Count(kubectl(t, c, "get", "pods", "-o", "jsonpath={.items[*].status.phase}"), "Running") == 3
		}
		waitFor(t, "three pods to run", running)
		if err := c.Down(false); err != nil {
			t.Fatal(err)
		}
		up(t, c)
		waitFor(t, "three pods to run again", running)
	})

	t.Run("a stop leaves no process and no taken port", func(t *testing.T) {
		if err := c.Down(false); err != nil {
			t.Fatal(err)
		}
		for _, component := range c.components() {
			if state, _ := component.State(); state != process.Stopped {
				t.Errorf("%s is %s", component.Name, state)
			}
			if err := checkPort(component.Port); err != nil {
				t.Error(err)
			}
		}
		if err := c.Down(false); err != nil {
			t.Errorf("stopping what is stopped: %v", err)
		}
	})
}

func TestATakenPortIsNamedWithItsHolderAndTheKeyToChange(t *testing.T) {
	for name, offset := range map[string]int{"etcd": etcdPeerPort, "prometheus": prometheusPort, "service": scoresPort} {
		t.Run(name, func(t *testing.T) {
			c, said := small(t)
			l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", c.port(offset)))
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = l.Close() }()
			err = c.Up(context.Background())
			if err == nil {
				t.Fatal("started on a taken port")
			}
			for _, want := range []string{name + " cannot start", fmt.Sprint("port ", c.port(offset)), fmt.Sprint("process ", os.Getpid()), "portBase"} {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q does not say %q", err, want)
				}
			}
			if state, _ := c.components()[0].State(); state != process.Stopped {
				t.Error("a part of the cluster was started before the port was checked")
			}
			other := c.settings
			other.PortBase++
			if _, err := New(other, c.root, c.tools, said).checkSettings(); err != nil {
				t.Errorf("who follows the advice is told: %v", err)
			}
		})
	}
}

func TestAComponentThatEndsAtOnceIsNamedWithItsLog(t *testing.T) {
	c, _ := small(t)
	broken := c.own("broken", c.port(servicePort), "/", "/bin/sh", "-c", "echo cannot find my keys; exit 3")
	if err := broken.Start(broken.program, broken.args); err != nil {
		t.Fatal(err)
	}
	err := broken.waitHealthy(context.Background(), http.DefaultClient, 10*time.Second)
	if err == nil || !strings.Contains(err.Error(), "broken ended while starting") || !strings.Contains(err.Error(), "cannot find my keys") ||
		!strings.Contains(err.Error(), broken.LogFile) {
		t.Errorf("error is %v", err)
	}
}

func TestTwoCommandsOnOneClusterDoNotMix(t *testing.T) {
	c, said := small(t)
	unlock, err := c.Lock()
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	if _, err := New(c.settings, c.root, c.tools, said).Lock(); err == nil || !strings.Contains(err.Error(), "another berth-cluster command") {
		t.Errorf("error is %v", err)
	}
}

func TestAFolderThatHoldsOtherThingsThanAClusterIsLeftAlone(t *testing.T) {
	home := t.TempDir()
	precious := filepath.Join(home, "thesis.tex")
	if err := os.WriteFile(precious, []byte("years"), 0o644); err != nil {
		t.Fatal(err)
	}
	c := New(settings.Settings{State: home}, home, home, &bytes.Buffer{})
	if _, err := c.Lock(); err == nil || !strings.Contains(err.Error(), home) || !strings.Contains(err.Error(), "--state") {
		t.Errorf("want an error naming the folder and the option, got %v", err)
	}
	entries, err := os.ReadDir(home)
	if err != nil || len(entries) != 1 {
		t.Errorf("nothing may be written there: %v %v", entries, err)
	}
}

func TestAClustersOwnFolderIsDeletedOnDemand(t *testing.T) {
	state := filepath.Join(t.TempDir(), "new")
	c := New(settings.Settings{State: state, PortBase: freePorts(t)}, t.TempDir(), t.TempDir(), &bytes.Buffer{})
	for range 2 { // the second finds the first one's marker
		unlock, err := c.Lock()
		if err != nil {
			t.Fatal(err)
		}
		unlock()
	}
	if err := c.Down(true); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(state); !os.IsNotExist(err) {
		t.Errorf("the state folder is still there: %v", err)
	}
}

func TestAMissingProgramIsNamedWithTheCommandThatBuildsIt(t *testing.T) {
	c, _ := small(t)
	c.tools = t.TempDir()
	if err := c.Up(context.Background()); err == nil || !strings.Contains(err.Error(), "make tools") {
		t.Errorf("error is %v", err)
	}
}

func waitFor(t *testing.T, what string, happened func() bool) {
	t.Helper()
	for deadline := time.Now().Add(60 * time.Second); !happened(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited 60 s for %s", what)
		}
	}
}
