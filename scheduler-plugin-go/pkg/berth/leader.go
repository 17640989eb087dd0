package berth

import (
	"bytes"
	"encoding/json"
	"net/http"

	"k8s.io/component-base/configz"
)

// A plugin is not told whether its scheduler leads. What it can know: extension points of a scheduling cycle are called
// in the leader only, and kube-scheduler publishes its configuration inside the process, which says whether there is
// an election at all. Losing the lead ends the process.

// leads begins to report outcomes. It is called in every scheduling cycle.
func (p *process) leads() { p.outcomes.Open() }

// electionConfigured says whether this process may be a standby. False outside kube-scheduler (tests, scheduler_perf):
// there is no configuration published, and no election.
func electionConfigured() bool {
	var published struct {
		Component struct {
			LeaderElection struct {
				LeaderElect bool `json:"leaderElect"`
			} `json:"leaderElection"`
		} `json:"componentconfig"`
	}
	var page configPage
	configz.InstallHandler(&page)
	if err := json.Unmarshal(page.text.Bytes(), &published); err != nil {
		return false
	}
	return published.Component.LeaderElection.LeaderElect
}

// configPage reads /configz without a server.
type configPage struct{ text bytes.Buffer }

func (p *configPage) Handle(_ string, handler http.Handler) { handler.ServeHTTP(p, &http.Request{}) }
func (p *configPage) Header() http.Header                   { return http.Header{} }
func (p *configPage) WriteHeader(int)                       {}
func (p *configPage) Write(b []byte) (int, error)           { return p.text.Write(b) }
