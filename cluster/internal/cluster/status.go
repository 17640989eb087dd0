package cluster

import (
	"context"
	"slices"
	"time"

	"berth.dev/cluster/internal/process"
)

// Health of a component beyond its process state.
const (
	Healthy   = "healthy"
	Unhealthy = "unhealthy" // it runs but does not answer well
)

// Status is what `berth-cluster status --json` prints.
type Status struct {
	State      string            `json:"state"` // folder
	Kubeconfig string            `json:"kubeconfig"`
	Scheduler  string            `json:"scheduler"` // stock or berth
	Components []ComponentStatus `json:"components"`
}

// ComponentStatus of one process.
type ComponentStatus struct {
	Name   string `json:"name"`
	State  string `json:"state"` // healthy, unhealthy, stopped or killed
	Pid    int    `json:"pid,omitempty"`
	URL    string `json:"url"`
	Log    string `json:"log"`
	Detail string `json:"detail,omitempty"`
}

// Running says whether everything that `up` starts is healthy, and the service, too, where Berth's scheduler asks it.
func (s Status) Running() bool { return len(s.Remedies()) == 0 }

// Remedies are the commands that bring back what does not run well, each with what it is for.
func (s Status) Remedies() []string {
	var missing, plane, unwell, service []string
	for _, c := range s.Components {
		switch {
		case c.State == Healthy:
		case c.State == Unhealthy && slices.Contains(controlPlane, c.Name):
			plane = []string{"the control plane does not answer well: `berth-cluster down` and `make up` start all anew"}
		case c.State == Unhealthy:
			unwell = append(unwell, c.Name+" does not answer well: `berth-cluster restart "+c.Name+"` starts it anew")
		case c.Name != Service || c.State == string(process.Killed):
			missing = []string{"`make up` starts what is missing"}
		case s.Scheduler == Berth:
			service = []string{"the scheduler is Berth's and no service runs: `berth-cluster start service` starts it"}
		}
	}
	if missing != nil { // what asks these cannot be well
		plane, unwell = nil, nil
	}
	return slices.Concat(missing, plane, unwell, service)
}

// Status asks every component once.
func (c *Cluster) Status(ctx context.Context) Status {
	status := Status{State: c.settings.State, Kubeconfig: c.Kubeconfig(), Scheduler: c.SchedulerKind()}
	for _, component := range c.components() {
		state, pid := component.State()
		line := ComponentStatus{Name: component.Name, State: string(state), Pid: pid, URL: component.URL(), Log: component.LogFile}
		if state == process.Running {
			line.State = Healthy
			attempt, cancel := context.WithTimeout(ctx, 2*time.Second)
			client := c.http
			if component.Name == APIServer {
				if certified, err := c.adminClient(); err == nil {
					client = certified
				}
			}
			if err := component.healthy(attempt, client); err != nil {
				line.State, line.Detail = Unhealthy, err.Error()
			}
			cancel()
		}
		status.Components = append(status.Components, line)
	}
	return status
}
