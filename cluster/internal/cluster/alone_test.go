package cluster

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"berth.dev/cluster/internal/process"
	"berth.dev/cluster/internal/settings"
)

// pretended is a cluster whose programs are scripts.
func pretended(t *testing.T, programs map[string]string) (*Cluster, *bytes.Buffer) {
	t.Helper()
	s := settings.Settings{State: t.TempDir(), PortBase: freePorts(t), StartTimeout: settings.Duration(10 * time.Second)}
	tools := t.TempDir()
	for name, script := range programs {
		if err := os.WriteFile(filepath.Join(tools, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	var said bytes.Buffer
	c := New(s, t.TempDir(), tools, &said)
	t.Cleanup(func() {
		if err := c.Down(false); err != nil {
			t.Error(err)
		}
	})
	return c, &said
}

// runs lets a component seem to run.
func runs(t *testing.T, c *Cluster, name string) {
	t.Helper()
	component, _ := c.component(name)
	if err := component.Start("/bin/sh", []string{"-c", "echo last words of the one before; exec sleep 600"}); err != nil {
		t.Fatal(err)
	}
	waitFor(t, name+" to write its log", func() bool {
		log, _ := os.ReadFile(component.LogFile)
		return len(log) > 0
	})
}

func configuration(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "mine.yaml")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestAFailedStartShowsTheLogOfThisStartAlone(t *testing.T) {
	c, _ := pretended(t, map[string]string{NodeExporter: "echo cannot find my keys; exit 3"})
	runs(t, c, NodeExporter)
	if err := c.Stop(NodeExporter); err != nil {
		t.Fatal(err)
	}
	err := c.Start(context.Background(), NodeExporter)
	if err == nil || !strings.Contains(err.Error(), "cannot find my keys") || strings.Contains(err.Error(), "the one before") {
		t.Errorf("error is %v", err)
	}
}

func TestAStopSaysWhatItFound(t *testing.T) {
	c, said := pretended(t, nil)
	runs(t, c, NodeExporter)
	for _, want := range []string{"node_exporter            stopped", "node_exporter            did not run"} {
		said.Reset()
		if err := c.Stop(NodeExporter); err != nil || !strings.Contains(said.String(), want) {
			t.Errorf("want %q, it says %q, %v", want, said, err)
		}
	}
}

func TestWhereNoSchedulerRanNoneIsSaidToRunAgain(t *testing.T) {
	c, said := pretended(t, map[string]string{"kube-scheduler": "echo no such kind; exit 1", "berth-scheduler": "exit 1"})
	runs(t, c, APIServer)
	err := c.RestartScheduler(context.Background(), Berth, "")
	if err == nil || strings.Contains(err.Error(), "runs again") || strings.Contains(said.String(), "healthy") {
		t.Errorf("error is %v, it says %q", err, said)
	}
	scheduler, _ := c.component(Scheduler)
	if state := c.stateOf(scheduler); state != process.Stopped || c.SchedulerKind() != Stock {
		t.Errorf("the scheduler is %s, %s is chosen", state, c.SchedulerKind())
	}
}

func TestASchedulersConfigurationWithoutAKubeconfigIsRefusedBeforeAnythingStops(t *testing.T) {
	c, _ := pretended(t, map[string]string{"kube-scheduler": "exit 1"})
	runs(t, c, APIServer)
	runs(t, c, Scheduler)
	for name, text := range map[string]string{
		"without":  "kind: KubeSchedulerConfiguration\nclientConnection: {qps: 5}\n",
		"no table": "just words\n",
	} {
		t.Run(name, func(t *testing.T) {
			file := configuration(t, text)
			err := c.RestartScheduler(context.Background(), Stock, file)
			if err == nil || !strings.Contains(err.Error(), file) || !strings.Contains(err.Error(), "clientConnection.kubeconfig") ||
				!strings.Contains(err.Error(), c.Kubeconfig()) {
				t.Errorf("error is %v", err)
			}
			pidOf(t, c, Scheduler)
		})
	}
}

func TestAnUnwellAPIServerTakesOneLineOfTheTable(t *testing.T) {
	well := strings.Repeat("[+]poststarthook/start-apiextensions-informers ok\n", 20)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, well+"[-]etcd failed: reason withheld\n"+well+"readyz check failed "+strings.Repeat("x", 1000), http.StatusInternalServerError)
	}))
	defer server.Close()
	address, _ := url.Parse(server.URL)
	port, _ := strconv.Atoi(address.Port())
	err := Component{Name: APIServer, Port: port, healthPath: "/readyz"}.healthy(context.Background(), http.DefaultClient)
	if err == nil || strings.ContainsAny(err.Error(), "\n+") || !strings.Contains(err.Error(), "[-]etcd failed") || len(err.Error()) > 300 {
		t.Errorf("error is %v", err)
	}
}

func TestStatusNamesTheCommandThatWorks(t *testing.T) {
	cases := map[string]struct {
		scheduler string
		states    map[string]string // of those that are not healthy
		want      []string
	}{
		"all is well":                             {Stock, nil, nil},
		"nobody asks the service":                 {Stock, map[string]string{Service: "stopped"}, nil},
		"Berth's scheduler without its service":   {Berth, map[string]string{Service: "stopped"}, []string{"berth-cluster start service"}},
		"a service that was killed":               {Berth, map[string]string{Service: "killed"}, []string{"make up"}},
		"everything stopped under Berth":          {Berth, map[string]string{Etcd: "stopped", Scheduler: "stopped", Service: "stopped"}, []string{"make up", "berth-cluster start service"}},
		"something runs and does not answer":      {Stock, map[string]string{Prometheus: Unhealthy}, []string{"berth-cluster restart prometheus"}},
		"the control plane runs, and answers not": {Stock, map[string]string{Etcd: Unhealthy, APIServer: Unhealthy}, []string{"berth-cluster down` and `make up"}},
		"an unwell one, and no service":           {Berth, map[string]string{Prometheus: Unhealthy, Service: "stopped"}, []string{"berth-cluster restart prometheus", "berth-cluster start service"}},
		"it does not answer for what was stopped": {Stock, map[string]string{Etcd: "killed", APIServer: Unhealthy}, []string{"make up"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s := Status{Scheduler: tc.scheduler}
			for _, component := range []string{Etcd, APIServer, Scheduler, Prometheus, Service} {
				state := Healthy
				if other := tc.states[component]; other != "" {
					state = other
				}
				s.Components = append(s.Components, ComponentStatus{Name: component, State: state})
			}
			got := s.Remedies()
			if len(got) != len(tc.want) || s.Running() != (len(got) == 0) {
				t.Fatalf("want %q, got %q", tc.want, got)
			}
			for i, want := range tc.want {
				if !strings.Contains(got[i], "`"+want+"`") {
					t.Errorf("want %q, got %q", want, got[i])
				}
			}
		})
	}
}

func TestAnInterruptEndsTheWaitForTheControllerManager(t *testing.T) {
	c, _ := pretended(t, nil)
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	began := time.Now()
	if err := c.awaitServiceAccount(ctx, http.DefaultClient, server.URL); !errors.Is(err, ctx.Err()) || time.Since(began) > 5*time.Second {
		t.Errorf("after %v: %v", time.Since(began), err)
	}
}

// Keys and settings that are half there kwokctl never completes.
func TestAnInterruptLetsKwokctlEnd(t *testing.T) {
	c, _ := pretended(t, map[string]string{"kwokctl": `echo '{"msg":"Cluster is creating"}'; sleep 1; touch "$KWOK_WORKDIR.done"`})
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(200*time.Millisecond, cancel)
	if err := c.startControlPlane(ctx); !errors.Is(err, context.Canceled) || strings.Contains(err.Error(), "{") {
		t.Errorf("error is %v", err)
	}
	if _, err := os.Stat(c.path("kwok.done")); err != nil {
		t.Errorf("kwokctl was ended: %v", err)
	}
}
