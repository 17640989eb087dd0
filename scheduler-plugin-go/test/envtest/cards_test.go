package envtest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

const gpuIndex, gpuMilli, gpuCount = "alibabacloud.com/gpu-index", "alibabacloud.com/gpu-milli", "alibabacloud.com/gpu-count"

// TestCardsAreNeverGivenTwice runs the scheduler's binary, two profiles of it, as the user system:kube-scheduler, for
// BERTH_CARDS_SECONDS: pods of three priorities that share or fill cards, some with cards in their annotations that
// their authors made up, are made, preempted, deleted and made again under the same name; binds are refused, and bound
// but reported as failed; the scheduler is killed in the middle. All the while the API server's own objects must add up.
func TestCardsAreNeverGivenTwice(t *testing.T) {
	seconds, seed := number(t, "BERTH_CARDS_SECONDS", 20), uint64(number(t, "BERTH_CARDS_SEED", 20261122))
	t.Logf("seed %d", seed)
	binary, err := filepath.Abs("../../../.build/bin/berth-scheduler")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(binary); err != nil {
		t.Skip(".build/bin/berth-scheduler is missing: run 'make scheduler' first")
	}
	random := rand.New(rand.NewPCG(seed, 0))
	const nodeCount, cardCount = 4, 4
	names := gpuNodes(t, "cards", nodeCount, cardCount)
	faults := &bindFaults{}
	service, _ := serve(t, randomCards(seed))
	config := schedulerConfig(t, faults.proxy(t), service, "cards-a", "cards-b")
	stop := runScheduler(t, binary, config)
	client := kubernetes.NewForConfigOrDie(apiServer)
	pods := client.CoreV1().Pods("default")
	ctx := context.Background()

	watch := &cardWatch{given: map[string]string{}, cards: cardCount}
	end := time.Now().Add(time.Duration(seconds) * time.Second)
	restart := time.Now().Add(time.Duration(seconds) * time.Second / 2)
	checked := time.Now()
	for time.Now().Before(end) {
		name := fmt.Sprintf("cards-%d", random.IntN(60))
		switch random.IntN(4) {
		case 0:
			_ = pods.Delete(ctx, name, metav1.DeleteOptions{})
		default: // already there half of the time
			_, _ = pods.Create(ctx, gpuPod(random, name, names), metav1.CreateOptions{})
		}
		if time.Now().After(restart) {
			restart = end.Add(time.Hour)
			stop()
			stop = runScheduler(t, binary, config)
		}
		if time.Since(checked) > time.Second {
			checked = time.Now()
			watch.check(t, client)
		}
		time.Sleep(20 * time.Millisecond)
	}
	watch.check(t, client)
	t.Logf("%d checks, %d pods bound with cards, %d preempted, %d binds refused, %d answers lost",
		watch.checks, len(watch.given), faults.preempted.Load(), faults.refused.Load(), faults.lost.Load())
	if len(watch.given) < 2*seconds || faults.preempted.Load() == 0 || faults.refused.Load() == 0 || faults.lost.Load() == 0 {
		t.Error("too little happened for this to say anything")
	}
}

// TestAMendedAnnotationIsTriedAtOnce: what the scheduler refused for good it looks at again after five minutes, unless
// the plugin says what mends it.
func TestAMendedAnnotationIsTriedAtOnce(t *testing.T) {
	names := gpuNodes(t, "mended", 2, 1)
	service, _ := serve(t, favour(names[0]))
	startProfiles(t, []string{"mended"}, fmt.Sprintf(`{"url":%q,"timeout":"1s"}`, service))
	client := kubernetes.NewForConfigOrDie(apiServer)
	pods := client.CoreV1().Pods("default")
	ctx := context.Background()
	pod := plainPod("mended", "mended", names)
	pod.Annotations = map[string]string{gpuMilli: "half"}
	if _, err := pods.Create(ctx, pod, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		got, err := pods.Get(ctx, "mended", metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Status.Conditions) > 0 && strings.Contains(got.Status.Conditions[0].Message, `annotation alibabacloud.com/gpu-milli is "half": want 1 to 1000`) {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("the pod is not refused by its annotation's name: %+v", got.Status)
		}
	}
	patch := []byte(`{"metadata":{"annotations":{"` + gpuMilli + `":"500"}}}`)
	if _, err := pods.Patch(ctx, "mended", types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	waitBound(t, client, map[string]bool{"mended": true})
}

// cardWatch adds up what the API server's objects say.
type cardWatch struct {
	cards, checks int
	given         map[string]string // by pod uid: the cards it was bound with
}

func (w *cardWatch) check(t *testing.T, client kubernetes.Interface) {
	t.Helper()
	pods, err := client.CoreV1().Pods("default").List(context.Background(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	w.checks++
	used, holders := map[string]int{}, map[string][]string{}
	for i := range pods.Items {
		pod := &pods.Items[i]
		if pod.Spec.NodeName == "" || !strings.HasPrefix(pod.Name, "cards-") {
			continue
		}
		text, milli, count := pod.Annotations[gpuIndex], 1000, 1
		if m, ok := pod.Annotations[gpuMilli]; ok {
			milli, _ = strconv.Atoi(m)
		}
		if c, ok := pod.Annotations[gpuCount]; ok {
			count, _ = strconv.Atoi(c)
		}
		if before, ok := w.given[string(pod.UID)]; ok && before != text {
			t.Errorf("%s was given cards %s and then %s", pod.Name, before, text)
		}
		w.given[string(pod.UID)] = text
		cards := strings.Split(text, "-")
		if len(cards) != count {
			t.Errorf("%s asks for %d cards and is bound with %q", pod.Name, count, text)
		}
		for _, card := range cards {
			if number, err := strconv.Atoi(card); err != nil || number < 0 || number >= w.cards {
				t.Errorf("%s is bound with card %q, %s has 0 to %d", pod.Name, card, pod.Spec.NodeName, w.cards-1)
			}
			key := pod.Spec.NodeName + "/" + card
			used[key] += milli
			holders[key] = append(holders[key], fmt.Sprintf("%s(%d, %s, priority %d)", pod.Name, milli, pod.Spec.SchedulerName, *pod.Spec.Priority))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(used)) {
		if used[key] > 1000 {
			t.Errorf("check %d: card %s holds %d milli: %v", w.checks, key, used[key], holders[key])
		}
	}
}

// gpuPod is of either profile, one of three priorities, a part of a card or up to four of them.
func gpuPod(random *rand.Rand, name string, nodes []string) *v1.Pod {
	pod := plainPod(name, []string{"cards-a", "cards-b"}[random.IntN(2)], nodes)
	pod.Annotations = map[string]string{}
	if random.IntN(2) == 0 {
		pod.Annotations[gpuMilli] = strconv.Itoa(100 * (1 + random.IntN(9)))
	} else {
		pod.Annotations[gpuCount] = strconv.Itoa(1 + random.IntN(4))
	}
	if random.IntN(3) == 0 { // its author's, or of a bind that failed
		pod.Annotations[gpuIndex] = strconv.Itoa(random.IntN(4))
	}
	priority := int32(100 * random.IntN(3))
	pod.Spec.Priority = &priority
	return pod
}

// gpuNodes makes nodes with cards, and takes them and all pods away in the end.
func gpuNodes(t *testing.T, prefix string, count, cards int) []string {
	t.Helper()
	client := kubernetes.NewForConfigOrDie(apiServer)
	ctx := context.Background()
	var names []string
	for i := range count {
		name := fmt.Sprintf("%s-node-%d", prefix, i)
		node := &v1.Node{
			ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"kubernetes.io/hostname": name}},
			Status: v1.NodeStatus{Allocatable: v1.ResourceList{
				v1.ResourceCPU: resource.MustParse("64"), v1.ResourceMemory: resource.MustParse("256Gi"), v1.ResourcePods: resource.MustParse("1000"),
				gpuCount: *resource.NewQuantity(int64(cards), resource.DecimalSI),
			}},
		}
		if _, err := client.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	t.Cleanup(func() {
		now := int64(0)
		if err := client.CoreV1().Pods("default").DeleteCollection(ctx, metav1.DeleteOptions{GracePeriodSeconds: &now}, metav1.ListOptions{}); err != nil {
			t.Error(err)
		}
		for _, name := range names {
			if err := client.CoreV1().Nodes().Delete(ctx, name, metav1.DeleteOptions{}); err != nil {
				t.Error(err)
			}
		}
	})
	return names
}

// randomCards answers with any node and any card: the scheduler must not believe it.
func randomCards(seed uint64) answer {
	var asked atomic.Uint64
	return func(w http.ResponseWriter, decision string, names []string) {
		random := rand.New(rand.NewPCG(seed, asked.Add(1)))
		scores, cards := make([]int, len(names)), make([][]int, len(names))
		for i := range names {
			scores[i], cards[i] = random.IntN(101), []int{random.IntN(5)}
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"decision": decision, "scores": scores, "gpuCards": cards, "instance": "i1"})
	}
}

// bindFaults stands between the scheduler and the API server, lends it the rights of system:kube-scheduler, and spoils
// every fifth bind: by refusing it, or by losing the answer to it. What it sees of preemption it counts: the scheduler
// deletes a pod for no other reason.
type bindFaults struct {
	binds, refused, lost, preempted atomic.Int64
}

func (f *bindFaults) proxy(t *testing.T) string {
	t.Helper()
	as := rest.CopyConfig(apiServer)
	as.Impersonate = rest.ImpersonationConfig{UserName: "system:kube-scheduler"}
	transport, err := rest.TransportFor(as)
	if err != nil {
		t.Fatal(err)
	}
	target, err := url.Parse(apiServer.Host)
	if err != nil {
		t.Fatal(err)
	}
	forward := httputil.NewSingleHostReverseProxy(target)
	forward.Transport, forward.FlushInterval = transport, -1
	forward.ErrorHandler = func(w http.ResponseWriter, _ *http.Request, err error) {
		http.Error(w, err.Error(), http.StatusBadGateway)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodDelete && strings.Contains(r.URL.Path, "/pods/") {
			f.preempted.Add(1)
		}
		if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/binding") {
			switch f.binds.Add(1) % 10 {
			case 3:
				f.refused.Add(1)
				http.Error(w, "spoilt", http.StatusInternalServerError)
				return
			case 7:
				f.lost.Add(1)
				forward.ServeHTTP(httptest.NewRecorder(), r)
				hangUp(w)
				return
			}
		}
		forward.ServeHTTP(w, r)
	}))
	t.Cleanup(server.CloseClientConnections)
	return server.URL
}

// schedulerConfig writes what the scheduler is started with.
func schedulerConfig(t *testing.T, apiServer, service string, profiles ...string) string {
	t.Helper()
	folder := t.TempDir()
	kubeconfig := filepath.Join(folder, "kubeconfig")
	text := fmt.Sprintf("apiVersion: v1\nkind: Config\nclusters: [{name: c, cluster: {server: %q}}]\ncontexts: [{name: c, context: {cluster: c, user: u}}]\nusers: [{name: u}]\ncurrent-context: c\n", apiServer)
	if err := os.WriteFile(kubeconfig, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	text = fmt.Sprintf("apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nleaderElection: {leaderElect: false}\n"+
		"clientConnection: {kubeconfig: %q, qps: 1000, burst: 2000}\npodInitialBackoffSeconds: 1\npodMaxBackoffSeconds: 1\nprofiles:\n", kubeconfig)
	for _, profile := range profiles {
		text += fmt.Sprintf("  - schedulerName: %s\n    plugins: {multiPoint: {enabled: [{name: Berth, weight: 20}]}, bind: {enabled: [{name: Berth}]}}\n"+
			"    pluginConfig: [{name: Berth, args: {url: %q, timeout: 500ms}}]\n", profile, service)
	}
	file := filepath.Join(folder, "config.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// runScheduler starts the binary; the function it returns kills it without a chance to tidy up.
func runScheduler(t *testing.T, binary, config string) (kill func()) {
	t.Helper()
	log := &lockedBuffer{}
	command := exec.Command(binary, "--config", config, "--secure-port", "0")
	command.Stdout, command.Stderr = io.Discard, log
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := false
	kill = func() {
		if ended {
			return
		}
		ended = true
		_ = command.Process.Kill()
		_ = command.Wait()
		if t.Failed() {
			text := log.String()
			t.Logf("the scheduler's log ends:\n%s", text[max(0, len(text)-3000):])
		}
	}
	t.Cleanup(kill)
	return kill
}
