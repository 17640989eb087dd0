package berth

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path"
	"strings"
	"testing"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kube-openapi/pkg/validation/strfmt"
	"k8s.io/kube-openapi/pkg/validation/validate"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"sigs.k8s.io/yaml"

	"berth.dev/scheduler-plugin/pkg/outcome"
)

// contract is a schema of api/openapi.yaml, of which the service's tests show that it takes what it allows.
func contract(t testing.TB, name string) *spec.Schema {
	t.Helper()
	file, err := os.ReadFile("../../../api/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var api struct {
		Components struct{ Schemas map[string]any }
	}
	if err := yaml.Unmarshal(file, &api); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(withoutReferences(api.Components.Schemas[name], api.Components.Schemas))
	if err != nil {
		t.Fatal(err)
	}
	schema := &spec.Schema{}
	if err := schema.UnmarshalJSON(text); err != nil {
		t.Fatal(err)
	}
	return schema
}

// withoutReferences puts the schemas that a schema names in their places: the validator does not look them up.
func withoutReferences(part any, schemas map[string]any) any {
	switch p := part.(type) {
	case map[string]any:
		if reference, ok := p["$ref"].(string); ok {
			return withoutReferences(schemas[path.Base(reference)], schemas)
		}
		whole := map[string]any{}
		for key, value := range p {
			whole[key] = withoutReferences(value, schemas)
		}
		return whole
	case []any:
		whole := make([]any, len(p))
		for i, value := range p {
			whole[i] = withoutReferences(value, schemas)
		}
		return whole
	}
	return part
}

// check says what of a message is beyond the contract.
func check(schema *spec.Schema, message []byte) error {
	var value any
	if err := utiljson.Unmarshal(message, &value); err != nil { // whole numbers as int64: doubles end at 2^53
		return err
	}
	return validate.AgainstSchema(schema, value, strfmt.Default)
}

func TestTheExamplesAreWithinTheContractAndMistakesAreNot(t *testing.T) {
	for file, schema := range map[string]*spec.Schema{
		"score-request.json": contract(t, "ScoreRequest"), "outcomes-request.json": contract(t, "Outcomes"), "score-response.json": contract(t, "ScoreReply"),
	} {
		example, err := os.ReadFile("../../../api/examples/" + file)
		if err != nil {
			t.Fatal(err)
		}
		if err := check(schema, example); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
	pod := contract(t, "Pod")
	for _, wrong := range []string{
		`{}`, `{"uid":""}`, `{"uid":"u","prio":1}`, `{"uid":"u","cpuMilli":1000000001}`, `{"uid":"u","name":"a\u0000b"}`,
		`{"uid":"u","owner":"` + strings.Repeat("x", 1025) + `"}`, `{"uid":"u","gpu":{"count":33}}`, `{"uid":"u","annotations":{"a":1}}`,
	} {
		if check(pod, []byte(wrong)) == nil {
			t.Errorf("%.60s is taken: this test would see nothing", wrong)
		}
	}
}

// Whatever its author writes, a pod's question and event are such that the service takes them: a refused question leaves
// that pod to the other plugins, and a refused event is lost.
func TestWhateverAPodSaysItsMessagesAreWithinTheContract(t *testing.T) {
	const seed = 20261122
	random := rand.New(rand.NewPCG(seed, 0))
	question, outcomes := contract(t, "ScoreRequest"), contract(t, "Outcomes")
	b := newPlugin(t, "http://127.0.0.1:1", "")
	b.handle = &gpuHandle{}
	for i := range 2000 {
		pod, others := hostilePod(random, "p"), []*v1.Pod{hostilePod(random, "a"), hostilePod(random, "b")}
		nodes := []fwk.NodeInfo{gpuNode("n0", "2", others...), hostileNode(random, others)}
		now := time.Now()
		for range 9 { // more than fit into an int64
			b.pending.add(string(pod.UID)+string(rune('a'+i)), "n1", math.MaxInt64/8, math.MaxInt64/8, now)
		}
		view := b.describePod(pod)
		b.news.Note(b.outcome(outcome.Reserved, framework.NewCycleState(), view, "n0"))
		news, _ := b.news.Append(nil, now)
		if err := check(question, b.encoder.encode(b.nextDecision(pod), b.scheduler, "active", view, news, b.columns(pod, view.gpu, nodes))); err != nil {
			t.Fatalf("seed %d, pod %d: its question: %v", seed, i, err)
		}
		for _, e := range []outcome.Event{
			b.assigned(pod), b.gone(string(pod.UID), "n0"), b.outcome(outcome.Bound, framework.NewCycleState(), view, "n0"),
		} {
			batch, err := json.Marshal(map[string]any{"scheduler": b.scheduler, "events": []outcome.Event{e}})
			if err == nil {
				err = check(outcomes, batch)
			}
			if err != nil {
				t.Fatalf("seed %d, pod %d: its event %s: %v", seed, i, e.Type, err)
			}
		}
	}
}

// hostilePod is what the API server takes: names that it checks, and in annotations, requests, owners and times anything.
func hostilePod(random *rand.Rand, name string) *v1.Pod {
	pod := testPod(name)
	pod.Annotations = map[string]string{}
	for _, key := range []string{softLatencyAnnotation, hardLatencyAnnotation, defaultKeys.CountKey, defaultKeys.MilliKey, defaultKeys.ModelKey, defaultKeys.CardsKey} {
		if random.IntN(2) == 0 {
			pod.Annotations[key] = hostileText(random)
		}
	}
	pod.OwnerReferences[0].Kind, pod.OwnerReferences[0].Name = hostileText(random), hostileText(random)
	if random.IntN(2) == 0 {
		pod.OwnerReferences[0].Kind = []string{"Job", "ReplicaSet"}[random.IntN(2)]
	}
	priority := int32(random.Uint32())
	pod.Spec.Priority = &priority
	pod.Spec.Containers = append(pod.Spec.Containers, *pod.Spec.Containers[0].DeepCopy())
	for i := range pod.Spec.Containers {
		pod.Spec.Containers[i].Resources.Requests = v1.ResourceList{
			v1.ResourceCPU: hostileAmount(random), v1.ResourceMemory: hostileAmount(random), v1.ResourceName(defaultKeys.CountKey): hostileAmount(random),
		}
	}
	pod.Spec.NodeName = "n0"
	pod.Status.Conditions = []v1.PodCondition{{Type: v1.PodScheduled, Status: v1.ConditionTrue, LastTransitionTime: *hostileTime(random)}}
	pod.Status.StartTime = hostileTime(random)
	return pod
}

func hostileNode(random *rand.Rand, pods []*v1.Pod) fwk.NodeInfo {
	info := framework.NewNodeInfo(pods...)
	info.SetNode(&v1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: "n1"},
		Status: v1.NodeStatus{Allocatable: v1.ResourceList{
			v1.ResourceCPU: hostileAmount(random), v1.ResourceMemory: hostileAmount(random), v1.ResourcePods: hostileAmount(random),
			v1.ResourceName(defaultKeys.CountKey): hostileAmount(random),
		}},
	})
	return info
}

func hostileText(random *rand.Rand) string {
	texts := []string{"", "0", "-1", "1", "2", "33", "1000", "1001", "1e309", "0x1p-2", "NaN", "0-0", "7", "a|b", "||", "\x00", "a\u0085b", "\xff\xfe", "\u2603", `"\`, "/"}
	text := texts[random.IntN(len(texts))]
	if random.IntN(4) == 0 {
		text = strings.Repeat(text, 1+random.IntN(2000))
	}
	return text
}

func hostileAmount(random *rand.Rand) resource.Quantity {
	amounts := []string{"0", "1n", "1", "2", "1000000001m", "1048577", "1Ei", "7E", "9223372036854775807", "1e30"}
	return resource.MustParse(amounts[random.IntN(len(amounts))])
}

func hostileTime(random *rand.Rand) *metav1.Time {
	seconds := []int64{0, 1, time.Now().Unix(), math.MinInt64 / 2, math.MaxInt64 / 2, 253402300800, -62167219201}
	return &metav1.Time{Time: time.Unix(seconds[random.IntN(len(seconds))], 0)}
}
