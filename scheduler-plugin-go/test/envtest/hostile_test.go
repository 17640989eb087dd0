package envtest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/component-base/metrics/legacyregistry"

	"berth.dev/scheduler-plugin/test/questions"
)

// TestNothingAPodAuthorCanWriteTurnsBerthOffForOtherPods places ordinary pods beside hostile ones, by the real
// scheduler and the real service: whatever the others carry, the service scores every ordinary pod, and every pod that
// can be placed is. BERTH_HOSTILE_ROUNDS and BERTH_HOSTILE_SEED choose more of it, or the same again.
func TestNothingAPodAuthorCanWriteTurnsBerthOffForOtherPods(t *testing.T) {
	rounds, seed := number(t, "BERTH_HOSTILE_ROUNDS", 1), uint64(number(t, "BERTH_HOSTILE_SEED", 20261122))
	for round := range rounds {
		for _, nodes := range []int{4, 120} { // among a hundred candidates and more, a burst is placed by a ranking
			t.Run(fmt.Sprintf("seed-%d-nodes-%d", seed+uint64(round), nodes), func(t *testing.T) {
				besideHostilePods(t, rand.New(rand.NewPCG(seed+uint64(round), 0)), nodes)
			})
		}
	}
}

func besideHostilePods(t *testing.T, random *rand.Rand, nodes int) {
	const hostile, ordinary = 60, 30
	ranked := nodes >= 100
	name := fmt.Sprintf("hostile-%d", random.IntN(1e6))
	service, token, answers := startService(t)
	nodeNames := gpuNodes(t, name, nodes, 4)
	admin := kubernetes.NewForConfigOrDie(apiServer)
	// A second, at most: on a busy machine a late answer is no answer, and lateness is not what is tried here.
	startProfiles(t, []string{name}, fmt.Sprintf(`{"url":%q,"tokenFile":%q,"timeout":"1s","waitPercent":1}`, service, token))
	before := placedBy(t)
	// As protobuf, in which strings need not be UTF-8.
	proto := rest.CopyConfig(apiServer)
	proto.ContentType = "application/vnd.kubernetes.protobuf"
	author := kubernetes.NewForConfigOrDie(proto)

	ctx := context.Background()
	yes := true
	replicas := metav1.OwnerReference{APIVersion: "batch/v1", Kind: "Job", Name: name, UID: types.UID(name), Controller: &yes} // of all ordinary pods
	refused, unbound := 0, map[string]bool{}
	for i := range hostile {
		pod, placeable := hostilePod(random, name, i, nodeNames)
		if _, err := author.CoreV1().Pods("default").Create(ctx, pod, metav1.CreateOptions{}); err != nil {
			refused++
			continue
		}
		if placeable {
			unbound[pod.Name] = true
		}
		if i%2 == 0 { // among them, so that some wait in the queue beside the others
			ordinary := plainPod(fmt.Sprintf("%s-ordinary-%d", name, i/2), name, nodeNames)
			ordinary.OwnerReferences = []metav1.OwnerReference{replicas}
			if _, err := admin.CoreV1().Pods("default").Create(ctx, ordinary, metav1.CreateOptions{}); err != nil {
				t.Fatal(err)
			}
			unbound[ordinary.Name] = true
		}
	}
	t.Logf("the API server refused %d of %d hostile pods; %d pods can be placed", refused, hostile, len(unbound))
	if refused > hostile/2 {
		t.Errorf("the API server refused %d of %d hostile pods: little was tried", refused, hostile)
	}
	bound := waitBound(t, admin, unbound)
	ordinaryBound := 0
	for pod := range bound {
		if !strings.Contains(pod, "-ordinary-") {
			continue
		}
		ordinaryBound++
		if status := answers.of(pod); status != http.StatusOK && !(ranked && status == 0) {
			t.Errorf("%s was placed without the service: its question was answered %d (0: never asked) %s", pod, status, answers.text(pod))
		}
	}
	if ordinaryBound < ordinary/2 {
		t.Errorf("only %d ordinary pods were tried", ordinaryBound)
	}
	// What came too late counts as decided by the others, and is nobody's fault; the questions above say the rest.
	after := placedBy(t)
	t.Logf("decided by: %v, before: %v; answered: %v", after, before, answers.statuses())
	asked, placed := int(after["service"]-before["service"]), int(after["ranking"]-before["ranking"])
	if asked+placed < ordinaryBound-late(t) {
		t.Errorf("the service decided for %d pods and its rankings for %d, want at least the %d ordinary ones", asked, placed, ordinaryBound)
	}
	if ranked != (placed > 0) {
		t.Errorf("rankings decided for %d pods of %d nodes", placed, nodes)
	}
}

// hostilePod is a pod as its author should not write it; placeable if nothing of that may keep it from a node.
func hostilePod(random *rand.Rand, scheduler string, i int, nodes []string) (pod *v1.Pod, placeable bool) {
	pod = plainPod(fmt.Sprintf("%s-bad-%d", scheduler, i), scheduler, nodes)
	pod.Annotations, pod.Labels = map[string]string{}, map[string]string{}
	placeable = true
	fills := false
	requests := pod.Spec.Containers[0].Resources.Requests
	for range 1 + random.IntN(3) {
		switch random.IntN(7) {
		case 0:
			for _, key := range []string{"latencySoftConstraint", "latencyHardConstraint"} {
				pod.Annotations[key] = nonsense(random)
			}
		case 1:
			yes := random.IntN(4) > 0
			pod.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", UID: types.UID(nonsense(random) + "u"),
				Kind: nonsense(random) + "k", Name: nonsense(random) + "n", Controller: &yes}}
			pod.Labels["pod-template-hash"] = strconv.Itoa(random.IntN(10))
		case 2: // a GPU pod, or what calls itself one
			placeable = false
			for _, key := range []string{"gpu-milli", "gpu-count", "gpu-card-model", "gpu-index"} {
				if random.IntN(3) > 0 {
					pod.Annotations["alibabacloud.com/"+key] = []string{nonsense(random), "1000", "1", "0", "0-0-0", "0-1-2-3"}[random.IntN(6)]
				}
			}
		case 3: // cards that it was never given, past the scheduler
			placeable = false
			pod.Spec.NodeName = nodes[random.IntN(len(nodes))]
			pod.Annotations["alibabacloud.com/gpu-milli"] = "1000"
			pod.Annotations["alibabacloud.com/gpu-index"] = []string{"0", "0-0-0", "0-1-2-3", "99999999999999999999", nonsense(random)}[random.IntN(5)]
		case 4: // more than there is, past the scheduler
			placeable = false
			fills = true
			// Not so much that the sum over all pods overflows: then the stock NodeResourcesFit fails every pod with "an invalid
			// score" (seen with 7E of memory twice), with Berth or without.
			requests[v1.ResourceCPU] = resource.MustParse([]string{"9E", "100T", "1n", "1000001"}[random.IntN(4)])
			requests[v1.ResourceMemory] = resource.MustParse([]string{"100P", "10P", "1", "0"}[random.IntN(4)])
		case 5:
			placeable = false
			cards := resource.MustParse([]string{"1", "32", "1000000", "9E"}[random.IntN(4)])
			requests["alibabacloud.com/gpu-count"] = cards
			pod.Spec.Containers[0].Resources.Limits = v1.ResourceList{"alibabacloud.com/gpu-count": cards}
		case 6:
			priority := []int32{-2147483648, 2147483647, 0, -1}[random.IntN(4)]
			pod.Spec.Priority = &priority
			pod.Labels["pod-template-hash"] = "x"
		}
	}
	if fills { // one of the nodes, however it is put together: with a single feasible node nobody asks any Score plugin
		pod.Spec.NodeName = nodes[0]
	}
	return pod, placeable
}

// nonsense is a string: a number too large, no number, no text, too much of it.
func nonsense(random *rand.Rand) string {
	return []string{
		"", "-1", "0", "1e400", "NaN", "-Infinity", "35ms", "99999999999999999999", "1,5", "٣٥", "💥", "\x00", "a\x00b", "\ud7ff\ufffe",
		"half a surrogate \xed\xa0\x80", "\xff\xfe", `"}],"nodes":{`, "\u202egnp.exe", strings.Repeat("9", 5000), strings.Repeat("x|", 20000), strings.Repeat("é", 100000),
	}[random.IntN(21)]
}

func plainPod(name, scheduler string, nodes []string) *v1.Pod {
	return &v1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default"},
		Spec: v1.PodSpec{
			SchedulerName:                 scheduler,
			TerminationGracePeriodSeconds: new(int64), // no kubelet here that would end it
			Affinity: &v1.Affinity{NodeAffinity: &v1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &v1.NodeSelector{
				NodeSelectorTerms: []v1.NodeSelectorTerm{{MatchExpressions: []v1.NodeSelectorRequirement{{
					Key: "kubernetes.io/hostname", Operator: v1.NodeSelectorOpIn, Values: nodes}}}}}}},
			Containers: []v1.Container{{Name: "c", Image: "busybox", Resources: v1.ResourceRequirements{
				Requests: v1.ResourceList{v1.ResourceCPU: resource.MustParse("10m"), v1.ResourceMemory: resource.MustParse("16Mi")}}}},
		},
	}
}

// waitBound returns the node of every pod, once all have one.
func waitBound(t *testing.T, client kubernetes.Interface, names map[string]bool) map[string]string {
	t.Helper()
	bound := map[string]string{}
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(200 * time.Millisecond) {
		pods, err := client.CoreV1().Pods("default").List(context.Background(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var waiting []string
		for i := range pods.Items {
			switch pod := &pods.Items[i]; {
			case !names[pod.Name]:
			case pod.Spec.NodeName != "":
				bound[pod.Name] = pod.Spec.NodeName
			default:
				waiting = append(waiting, fmt.Sprintf("%s: %+v", pod.Name, pod.Status.Conditions))
			}
		}
		if len(bound) == len(names) {
			return bound
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d pods that can be placed are not:\n%s", len(waiting), strings.Join(waiting, "\n"))
		}
	}
}

var listening = regexp.MustCompile(`listening on (\S+:\d+) for the scheduler`)

// startService runs bin/berth serve behind a proxy that notes how each pod's question was answered.
func startService(t *testing.T) (url, token string, answers *answerLog) {
	t.Helper()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, "workbench/target/berth-workbench.jar")); err != nil {
		t.Skip("workbench/target/berth-workbench.jar is missing: run 'make build' first")
	}
	state := t.TempDir()
	serve := exec.Command(filepath.Join(root, "bin/berth"), "serve")
	serve.Env = append(os.Environ(), "BERTH_STATE_FOLDER="+state, "BERTH_SERVER_PORT=0", "BERTH_SERVER_SCHEDULER_PORT=0", "BERTH_TRAINER_ENABLED=false", "JAVA_OPTS=-Xmx512m")
	log := &lockedBuffer{}
	serve.Stdout, serve.Stderr = log, log
	serve.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = serve.Process.Signal(syscall.SIGTERM)
		_ = serve.Wait()
		if t.Failed() {
			t.Logf("the service's log:\n%s", log)
		}
	})
	var address string
	for deadline := time.Now().Add(2 * time.Minute); address == ""; time.Sleep(200 * time.Millisecond) {
		if found := listening.FindStringSubmatch(log.String()); found != nil {
			address = found[1]
		} else if time.Now().After(deadline) {
			t.Fatalf("the service does not listen:\n%s", log)
		}
	}
	answers = &answerLog{status: map[string]int{}, body: map[string]string{}}
	proxy := httptest.NewServer(answers.proxy(t, address))
	t.Cleanup(proxy.Close)
	return proxy.URL, filepath.Join(state, "token"), answers
}

// answerLog is what the service said to each pod's last question. Safe for concurrent use.
type answerLog struct {
	mu     sync.Mutex
	status map[string]int
	body   map[string]string
}

func (a *answerLog) of(pod string) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.status[pod]
}

func (a *answerLog) text(pod string) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.body[pod]
}

func (a *answerLog) statuses() map[int]int {
	a.mu.Lock()
	defer a.mu.Unlock()
	counts := map[int]int{}
	for _, status := range a.status {
		counts[status]++
	}
	return counts
}

// proxy waits for the service's answer even when the plugin no longer does: lateness is not what is tried.
func (a *answerLog) proxy(t *testing.T, address string) http.Handler {
	target, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	forward := httputil.NewSingleHostReverseProxy(target)
	forward.ErrorHandler = func(w http.ResponseWriter, _ *http.Request, err error) {
		http.Error(w, err.Error(), http.StatusBadGateway)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		question, _ := io.ReadAll(r.Body)
		r = r.WithContext(context.WithoutCancel(r.Context()))
		r.Body = io.NopCloser(bytes.NewReader(question))
		answer := httptest.NewRecorder()
		forward.ServeHTTP(answer, r)
		if strings.HasSuffix(r.URL.Path, "/score") {
			asked, err := questions.Decode(r.Header.Get("Content-Type"), question)
			if err != nil {
				t.Errorf("the plugin asked what cannot be read: %v", err)
				return
			}
			name := asked["pod"].(map[string]any)["name"].(string)
			a.mu.Lock()
			a.status[name] = answer.Code
			a.body[name] = fmt.Sprintf("%.300s", answer.Body)
			a.mu.Unlock()
		}
		for key, values := range answer.Header() {
			w.Header()[key] = values
		}
		w.WriteHeader(answer.Code)
		_, _ = w.Write(answer.Body.Bytes())
	})
}

// placedBy is berth_placements_total by who decided.
func placedBy(t *testing.T) map[string]float64 { return counted(t, "berth_placements_total") }

// late is how many answers came after the plugin's deadline.
func late(t *testing.T) int { return int(counted(t, "berth_score_call_duration_seconds")["timeout"]) }

// counted is a counter, or a histogram's count, by its only label.
func counted(t *testing.T, name string) map[string]float64 {
	t.Helper()
	families, err := legacyregistry.DefaultGatherer.Gather()
	if err != nil {
		t.Fatal(err)
	}
	total := map[string]float64{}
	for _, family := range families {
		if family.GetName() != name {
			continue
		}
		for _, metric := range family.GetMetric() {
			total[metric.GetLabel()[0].GetValue()] += metric.GetCounter().GetValue() + float64(metric.GetHistogram().GetSampleCount())
		}
	}
	return total
}

func number(t *testing.T, variable string, fallback int) int {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return fallback
	}
	value, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s is %q: want a whole number", variable, text)
	}
	return value
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
