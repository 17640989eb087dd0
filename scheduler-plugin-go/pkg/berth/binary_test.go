package berth

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	v1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"

	"berth.dev/scheduler-plugin/test/questions"
)

// The example says in binary what score-request.json says in JSON, but for the cards.
func TestBinaryColumnsAreThoseOfTheSharedExample(t *testing.T) {
	example, err := os.ReadFile("../../../api/examples/score-request.columns")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../../../api/examples/score-request.json")
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]any
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	delete(want["pod"].(map[string]any), "gpu")
	delete(want["nodes"].(map[string]any), "gpuModels")
	delete(want["nodes"].(map[string]any), "gpuFreeMilli")
	got, err := questions.Decode("application/vnd.berth.columns", example)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("JSON to binary example:\n%s", diff)
	}

	var encoder requestEncoder
	ours := encoder.encodeBinary([]byte("{}"), exampleColumns())
	columns := bytes.Index(ours, []byte("{}")) + 2
	if diff := cmp.Diff(example[len(example)-len(ours)+columns:], ours[columns:]); diff != "" {
		t.Errorf("columns (-example,+ours):\n%s", diff)
	}
}

func TestNumbersOfEveryWidthArriveAsTheyWere(t *testing.T) {
	for _, most := range []int64{0, 1, 255, 256, 65535, 65536, 1<<32 - 1, 1 << 32, maxAmount} {
		c := exampleColumns()
		c.memoryRequested = []int64{0, most}
		var encoder requestEncoder
		message, err := questions.Decode("application/vnd.berth.columns", encoder.encodeBinary([]byte("{}"), c))
		if err != nil {
			t.Fatalf("%d: %v", most, err)
		}
		got := message["nodes"].(map[string]any)["memoryRequestedBytes"]
		if diff := cmp.Diff([]any{0.0, float64(most)}, got); diff != "" {
			t.Errorf("%d (-sent,+read):\n%s", most, diff)
		}
	}
}

func named(c *columns) []string { return append([]string(nil), c.names...) }

func TestNodesAreNamedInOneOrderWhateverTheSchedulersIs(t *testing.T) {
	b := newPlugin(t, "http://127.0.0.1:1", "")
	nodes := testNodes("a", "b", "c")
	pod := testPod("p")
	first := named(b.columns(pod, gpuRequest{}, nodes))
	turned := named(b.columns(pod, gpuRequest{}, []fwk.NodeInfo{nodes[2], nodes[0], nodes[1]}))
	if diff := cmp.Diff(first, turned); diff != "" {
		t.Errorf("order (-first,+then):\n%s", diff)
	}
	some := named(b.columns(pod, gpuRequest{}, []fwk.NodeInfo{nodes[2], nodes[0]}))
	if diff := cmp.Diff([]string{"a", "c"}, some); diff != "" {
		t.Errorf("two of them (-want,+got):\n%s", diff)
	}
}

func TestEveryScoreReachesItsNodeWhateverTheOrder(t *testing.T) {
	service := newFakeService(t, scores(10, 20, 30))
	b := newPlugin(t, service.URL, "")
	nodes := testNodes("a", "b", "c")
	pod := testPod("p")
	for _, order := range [][]fwk.NodeInfo{nodes, {nodes[2], nodes[0], nodes[1]}} {
		state := framework.NewCycleState()
		if status := b.PreScore(t.Context(), state, pod, order); !status.IsSuccess() {
			t.Fatal(status)
		}
		if diff := cmp.Diff([]int64{10, 20, 30}, scoreAll(t, b, state, pod, nodes)); diff != "" {
			t.Errorf("(-want,+got):\n%s", diff)
		}
	}
}

func TestAPodThatComesOrGoesIsInTheNextQuestion(t *testing.T) {
	b := newPlugin(t, "http://127.0.0.1:1", "")
	nodes := testNodes("a", "b")
	asking := testPod("p")
	count := func(want ...int64) {
		t.Helper()
		if diff := cmp.Diff(want, b.columns(asking, gpuRequest{}, nodes).podCount); diff != "" {
			t.Errorf("pods (-want,+got):\n%s", diff)
		}
	}
	count(0, 0)
	placed, err := framework.NewPodInfo(testPod("placed"))
	if err != nil {
		t.Fatal(err)
	}
	nodes[1].(*framework.NodeInfo).AddPodInfo(placed)
	count(0, 1)
	count(0, 1)
	node := nodes[0].Node().DeepCopy()
	node.Labels["topology.kubernetes.io/zone"] = "elsewhere"
	node.Status.Allocatable[v1.ResourceCPU] = node.Status.Allocatable[v1.ResourcePods]
	nodes[0].(*framework.NodeInfo).SetNode(node)
	if got := b.columns(asking, gpuRequest{}, nodes); got.zones[0] != "elsewhere" || got.cpuMilli[0] != 110_000 {
		t.Errorf("a changed node is sent as zone %q, cpu %d", got.zones[0], got.cpuMilli[0])
	}
}

// With an adaptive percentage a question is about a tenth of the nodes, each time another one.
func TestRowsOfNodesThatAreNoCandidatesAreKept(t *testing.T) {
	b := newPlugin(t, "http://127.0.0.1:1", "")
	var all []string
	for i := range 3 * rowsKept {
		all = append(all, fmt.Sprintf("n%d", i))
	}
	nodes := testNodes(all...)
	pod := testPod("p")
	b.PreFilter(t.Context(), framework.NewCycleState(), pod, nodes)
	for from := 0; from < len(nodes); from += 100 {
		b.columns(pod, gpuRequest{}, nodes[from:from+100])
	}
	if len(b.rows.rows) != len(nodes) {
		t.Errorf("%d rows of %d nodes", len(b.rows.rows), len(nodes))
	}
}

func TestRowsOfNodesThatLeftAreForgotten(t *testing.T) {
	b := newPlugin(t, "http://127.0.0.1:1", "")
	for round := range 30 {
		var round100 []string
		for i := range 100 {
			round100 = append(round100, fmt.Sprintf("n%d-%d", round, i))
		}
		b.columns(testPod("p"), gpuRequest{}, testNodes(round100...))
		if most := 2*100 + rowsKept + 100; len(b.rows.rows) > most {
			t.Fatalf("%d rows after %d nodes came and went, at most %d should be kept", len(b.rows.rows), 100*round, most)
		}
	}
}

// The scheduler filters several stretches of the nodes at a time, so they come interleaved, a pod placed in between changes
// one, and now and then one is made that has no generation: every row is that of its node all the same.
func TestEveryRowIsThatOfItsNodeInWhateverOrderTheyCome(t *testing.T) {
	b := newPlugin(t, "http://127.0.0.1:1", "")
	var names []string
	for i := range 300 {
		names = append(names, fmt.Sprint("node-", i))
	}
	nodes, pod, random := testNodes(names...), testPod("p"), rand.New(rand.NewPCG(1, 2))
	placed, err := framework.NewPodInfo(testPod("placed"))
	if err != nil {
		t.Fatal(err)
	}
	for round := range 200 {
		nodes[random.IntN(len(nodes))].(*framework.NodeInfo).AddPodInfo(placed)
		nodes[random.IntN(len(nodes))].(*framework.NodeInfo).Generation = 0
		if i := random.IntN(len(nodes)); round%50 == 0 { // a node that went, and another one that came
			nodes[i] = testNodes(fmt.Sprint("new-", round))[0]
		}
		asked := interleaved(nodes, 1+random.IntN(6), random)[:1+random.IntN(len(nodes))]
		c := b.columns(pod, gpuRequest{}, asked)
		pods := map[string]int64{}
		for _, node := range asked {
			pods[node.Node().Name] = int64(len(node.GetPods()))
		}
		if len(c.names) != len(asked) {
			t.Fatalf("round %d: %d candidates of %d", round, len(c.names), len(asked))
		}
		for i, name := range c.names {
			if want, there := pods[name]; !there || c.podCount[i] != want {
				t.Fatalf("round %d: %s has %d pods, want %d (asked: %t)", round, name, c.podCount[i], want, there)
			}
		}
		var wire []byte
		for _, name := range c.names {
			wire = appendText(wire, name)
		}
		if !bytes.Equal(wire, c.wire) {
			t.Fatalf("round %d: the binary names are not those of the columns", round)
		}
	}
}

// interleaved deals the nodes' stretches in random turns.
func interleaved(nodes []fwk.NodeInfo, stretches int, random *rand.Rand) []fwk.NodeInfo {
	left := make([][]fwk.NodeInfo, stretches)
	for i := range left {
		left[i] = nodes[i*len(nodes)/stretches : (i+1)*len(nodes)/stretches]
	}
	var all []fwk.NodeInfo
	for len(all) < len(nodes) {
		if i := random.IntN(stretches); len(left[i]) > 0 {
			all, left[i] = append(all, left[i][0]), left[i][1:]
		}
	}
	return all
}

func TestLabelsOfAnyNumberAreReadAsTheyWere(t *testing.T) {
	for _, different := range []int{1, 2, labelsCompared, labelsCompared + 1, 40} {
		c := exampleColumns()
		c.zones = nil
		n := 3 * different
		for _, column := range []*[]int64{&c.cpuMilli, &c.memoryBytes, &c.podLimit, &c.cpuRequested, &c.memoryRequested, &c.podCount,
			&c.pendingCPU, &c.pendingMemory, &c.pendingPods} {
			*column = make([]int64, n)
		}
		c.names, c.wire, c.hasRacks = nil, nil, false
		var want []any
		for i := range n {
			zone := fmt.Sprint("zone-", i*7%different)
			c.zones, want = append(c.zones, zone), append(want, zone)
			c.names = append(c.names, fmt.Sprint("n", i))
			c.wire = appendText(c.wire, c.names[i])
		}
		var encoder requestEncoder
		message, err := questions.Decode("application/vnd.berth.columns", encoder.encodeBinary([]byte("{}"), c))
		if err != nil {
			t.Fatalf("%d labels: %v", different, err)
		}
		if diff := cmp.Diff(want, message["nodes"].(map[string]any)["zones"]); diff != "" {
			t.Errorf("%d labels (-sent,+read):\n%s", different, diff)
		}
	}
}
