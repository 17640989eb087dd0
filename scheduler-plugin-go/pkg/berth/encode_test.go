package berth

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/utils/clock"

	"berth.dev/scheduler-plugin/pkg/apis/config"
	"berth.dev/scheduler-plugin/pkg/client"
	"berth.dev/scheduler-plugin/pkg/mode"
	"berth.dev/scheduler-plugin/pkg/outcome"
)

// exampleColumns are the candidates of api/examples/score-request.json.
func exampleColumns() *columns {
	return &columns{
		names: []string{"node-0", "node-1"}, wire: appendText(appendText(nil, "node-0"), "node-1"), cpuMilli: []int64{64000, 64000}, memoryBytes: []int64{274877906944, 274877906944},
		podLimit: []int64{110, 110}, cpuRequested: []int64{12000, 8250}, memoryRequested: []int64{8589934592, 4294967296},
		podCount: []int64{12, 9}, pendingCPU: []int64{250, 0}, pendingMemory: []int64{67108864, 0}, pendingPods: []int64{1, 0},
		zones: []string{"zone-a", "zone-b"}, racks: []string{"rack-0", "rack-1"}, hasZones: true, hasRacks: true,
		gpuModels: []string{"T4", "T4"}, gpuFree: [][]int{{1000, 500}, {1000, 1000}}, hasGPUs: true,
	}
}

func TestQuestionIsTheOneOfTheSharedExamples(t *testing.T) {
	example, err := os.ReadFile("../../../api/examples/score-request.json")
	if err != nil {
		t.Fatal(err)
	}
	pod := podView{
		uid: "6f0d6a1e-5d5c-4f6b-9a53-0c1e4b0a7a11", name: "nginx-7d9c-x2x4v", namespace: "default", owner: "default/ReplicaSet/nginx-7d9c",
		cpuMilli: 250, memoryBytes: 67108864, gpu: gpuRequest{count: 1, milli: 500, models: []string{"T4"}}, softLatency: "35", hardLatency: "100",
	}
	var encoder requestEncoder
	var news outcome.News
	asked := time.Date(2026, 11, 21, 5, 0, 0, 121e6, time.UTC)
	news.Note(outcome.Event{
		Type: outcome.Reserved, At: asked.Add(-2 * time.Millisecond), Decision: "0b0e7c4e-9c5f-4d67-8f9e-d7c1c9a1b2c3/7", Node: "node-0",
		Pod: &outcome.Pod{UID: "0b0e7c4e-9c5f-4d67-8f9e-d7c1c9a1b2c3", Name: "nginx-7d9c-b7k2p", Namespace: "default", Owner: "default/ReplicaSet/nginx-7d9c",
			CPUMilli: 250, MemoryBytes: 67108864},
	})
	clip := 0.005
	setting := &mode.Mode{Kind: config.ModeActive, Clip: &clip}
	more, _ := news.Append(setting.AppendClip(nil), asked)
	ours := encoder.encode(pod.uid+"/1", "default-scheduler/5e1c", setting.Told(config.ModeActive), pod, more, exampleColumns())
	var want, got any
	if err := json.Unmarshal(example, &want); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(ours, &got); err != nil {
		t.Fatalf("%v in %s", err, ours)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("question (-example,+ours):\n%s", diff)
	}
}

func TestReplyOfTheSharedExamplesIsBelieved(t *testing.T) {
	example, err := os.ReadFile("../../../api/examples/score-response.json")
	if err != nil {
		t.Fatal(err)
	}
	var reply client.Reply
	if err := json.Unmarshal(example, &reply); err != nil {
		t.Fatal(err)
	}
	if err := reply.Check("6f0d6a1e-5d5c-4f6b-9a53-0c1e4b0a7a11/1", 2); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([][]int{{1}, {0}}, reply.GPUCards); diff != "" {
		t.Errorf("cards (-want,+got):\n%s", diff)
	}
}

// BenchmarkQuestion is the plugin's own share of asking: reading the snapshot, of which one node has changed, and writing the
// question; BenchmarkReply of pkg/client is its share of the answer. Figures in docs/performance.md.
func BenchmarkQuestion(b *testing.B) {
	for _, n := range []int{10, 100, 500, 1000, 5000} {
		names := make([]string, n)
		for i := range names {
			names[i] = fmt.Sprintf("node-%d", i)
		}
		nodes := testNodes(names...)
		placed, err := framework.NewPodInfo(testPod("placed"))
		if err != nil {
			b.Fatal(err)
		}
		asking := testPod("a")
		for _, form := range []string{"json", "columns"} {
			b.Run(fmt.Sprintf("nodes=%d/form=%s", n, form), func(b *testing.B) {
				plugin := &Berth{process: &process{pending: newPendingTable(1), gpu: newCardTable(), clock: clock.RealClock{}}}
				pod := plugin.describePod(asking)
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					nodes[i%n].(*framework.NodeInfo).AddPodInfo(placed)
					candidates := plugin.columns(asking, pod.gpu, nodes)
					if form == "json" {
						plugin.encoder.encode("d", "s", config.ModeActive, pod, nil, candidates)
					} else {
						plugin.encoder.encodeBinary(plugin.encoder.encode("d", "s", config.ModeActive, pod, nil, nil), candidates)
					}
				}
			})
		}
	}
}
