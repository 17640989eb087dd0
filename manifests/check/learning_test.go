package check

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"
)

// What learning needs and serving does not would be missed only with the first gradient step, hours after a roll-out.
func TestTheImageLearnsWithWhatItHolds(t *testing.T) {
	prometheus := httptest.NewServer(http.HandlerFunc(measured))
	t.Cleanup(prometheus.Close)
	service, reads := startService(t,
		"BERTH_PROMETHEUS_URL="+prometheus.URL,
		"BERTH_PROMETHEUS_INTERVAL=1s", "BERTH_PROMETHEUS_WINDOW=1s",
		"BERTH_SCORING_POLICY=dqn",
		"BERTH_TRAINER_SETTLE=1s", "BERTH_TRAINER_WINDOW=2s", "BERTH_TRAINER_LEARNING_STARTS=20")
	client := &http.Client{Timeout: 5 * time.Second}
	steps := regexp.MustCompile(`(?m)^berth_train_steps_total ([1-9][0-9.]*)`)
	decided := 0
	if !eventually(2*time.Minute, func() bool {
		for range 5 {
			decided++
			post(t, client, service+"/v1/score", scoreRequest(decided))
			post(t, client, service+"/v1/outcomes", boundEvent(decided))
		}
		page, err := get(client, reads+"/metrics", "")
		return err == nil && steps.MatchString(page)
	}) {
		page, _ := get(client, reads+"/readyz", "")
		t.Fatalf("no gradient step after %d decisions: %s", decided, page)
	}
}

// measured answers every query of the service for three nodes of 16 cores, of which they use one, two and three.
func measured(w http.ResponseWriter, r *http.Request) {
	now := float64(time.Now().UnixMilli()) / 1000
	query := r.FormValue("query")
	var series []string
	add := func(node int, quantity string, value float64) {
		series = append(series, fmt.Sprintf(`{"metric": {"node": "node-%d"%s}, "value": [%f, "%f"]}`, node, quantity, now, value))
	}
	for node := range 3 {
		switch cores := float64(node + 1); {
		case strings.Contains(query, "berth_quantity"): // the counter of CPU, with the time of its scrape
			add(node, `, "berth_quantity": "cpu-seconds"`, cores*now)
			add(node, `, "berth_quantity": "sampled-at"`, now)
		case strings.Contains(query, "timestamp("):
			add(node, "", now)
		case strings.HasPrefix(query, "count"):
			add(node, "", 16)
		default:
			add(node, "", cores)
		}
	}
	fmt.Fprintf(w, `{"status": "success", "data": {"resultType": "vector", "result": [%s]}}`, strings.Join(series, ","))
}

func decidedPod(n int) map[string]any {
	return map[string]any{"uid": fmt.Sprintf("uid-%d", n), "name": fmt.Sprintf("pod-%d", n), "namespace": "default",
		"owner": "default/ReplicaSet/web", "priority": 0, "cpuMilli": 100, "memoryBytes": 1 << 20}
}

func scoreRequest(n int) map[string]any {
	three := func(value any) []any { return []any{value, value, value} }
	return map[string]any{"decision": fmt.Sprintf("uid-%d/1", n), "scheduler": "check", "mode": "active", "pod": decidedPod(n),
		"nodes": map[string]any{"names": []string{"node-0", "node-1", "node-2"},
			"cpuMilli": three(16000), "memoryBytes": three(1 << 36), "podLimit": three(1000),
			"cpuRequestedMilli": three(0), "memoryRequestedBytes": three(0), "podCount": three(0),
			"pendingCpuMilli": three(0), "pendingMemoryBytes": three(0), "pendingPods": three(0)}}
}

func boundEvent(n int) map[string]any {
	return map[string]any{"scheduler": "check", "events": []any{map[string]any{"type": "bound", "at": time.Now().UTC().Format(time.RFC3339Nano),
		"decision": fmt.Sprintf("uid-%d/1", n), "node": fmt.Sprintf("node-%d", n%3), "pod": decidedPod(n)}}}
}

func post(t *testing.T, client *http.Client, url string, body any) {
	t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequest(http.MethodPost, url, strings.NewReader(string(raw)))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "application/json")
	reply, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	if reply.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s", url, reply.Status)
	}
}
