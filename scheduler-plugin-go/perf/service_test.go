package perf

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
)

// newService answers every question at once with scores of its own making, so that the cost measured is the plugin's
// and the wire's. It shares the cores with the scheduler and the API server, as in the reference figures.
func newService() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/outcomes" {
			fmt.Fprint(w, `{"accepted":1,"instance":"perf"}`)
			return
		}
		var question struct {
			Decision string `json:"decision"`
			Nodes    struct {
				Names    []string `json:"names"`
				PodCount []int    `json:"podCount"`
			} `json:"nodes"`
		}
		if err := json.NewDecoder(r.Body).Decode(&question); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		scores := make([]int, len(question.Nodes.Names))
		for i, pods := range question.Nodes.PodCount {
			scores[i] = max(0, 100-pods)
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"decision": question.Decision, "scores": scores, "instance": "perf"})
	}))
}
