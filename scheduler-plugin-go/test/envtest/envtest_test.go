// Package envtest runs the real scheduler with the plugin against a real API server and a service that misbehaves.
// One package, because linking a test with the scheduler in it takes a second and a gigabyte.
package envtest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/events"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/testing/defaults"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"k8s.io/kubernetes/pkg/scheduler/profile"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"berth.dev/scheduler-plugin/pkg/berth"
	"berth.dev/scheduler-plugin/test/questions"
)

const nodes = 3

var apiServer *rest.Config

func TestMain(m *testing.M) {
	bin, err := filepath.Abs("../../../.build/bin")
	if err != nil {
		panic(err)
	}
	for _, name := range []string{"etcd", "kube-apiserver", "kubectl"} {
		if _, err := os.Stat(filepath.Join(bin, name)); err != nil {
			fmt.Printf("SKIP: .build/bin/%s is missing: run 'make tools' first\n", name)
			os.Exit(0)
		}
	}
	env := &envtest.Environment{BinaryAssetsDirectory: bin}
	// No kubelet and no controller-manager here: nobody would lift the taint or make the ServiceAccount.
	env.ControlPlane.GetAPIServer().Configure().Append("disable-admission-plugins", "TaintNodesByCondition", "Priority", "ServiceAccount")
	if apiServer, err = env.Start(); err != nil {
		panic(err)
	}
	apiServer.QPS, apiServer.Burst = 5000, 10000
	code := m.Run()
	if err := env.Stop(); err != nil {
		fmt.Println("stopping the control plane:", err)
	}
	os.Exit(code)
}

type answer func(w http.ResponseWriter, decision string, names []string)

// favour gives the node 100 and the others 0.
func favour(node string) answer {
	return func(w http.ResponseWriter, decision string, names []string) {
		scores := make([]int, len(names))
		for i, n := range names {
			if n == node {
				scores[i] = 100
			}
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"decision": decision, "scores": scores, "instance": "i1"})
	}
}

func serve(t *testing.T, a answer) (url string, asked *atomic.Int32) {
	asked = &atomic.Int32{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/outcomes" {
			fmt.Fprint(w, `{"accepted":1,"instance":"i1"}`)
			return
		}
		asked.Add(1)
		a.to(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL, asked
}

// to answers the question of a request.
func (a answer) to(w http.ResponseWriter, r *http.Request) {
	question, err := questions.Read(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var names []string
	for _, name := range question["nodes"].(map[string]any)["names"].([]any) {
		names = append(names, name.(string))
	}
	a(w, question["decision"].(string), names)
}

// startScheduler runs the default profile with Berth added, in a namespace-like world of its own: scheduler name.
func startScheduler(t *testing.T, name, url string) *kubernetes.Clientset {
	t.Helper()
	client := kubernetes.NewForConfigOrDie(apiServer)
	for i := range nodes {
		node := &v1.Node{
			ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("node-%d", i)},
			Status: v1.NodeStatus{Allocatable: v1.ResourceList{
				v1.ResourceCPU: resource.MustParse("64"), v1.ResourceMemory: resource.MustParse("256Gi"), v1.ResourcePods: resource.MustParse("1000"),
			}},
		}
		if _, err := client.CoreV1().Nodes().Create(context.Background(), node, metav1.CreateOptions{}); err != nil && !strings.Contains(err.Error(), "already exists") {
			t.Fatal(err)
		}
	}
	startProfiles(t, []string{name}, fmt.Sprintf(`{"url":%q,"timeout":"30ms","maxReplyBytes":65536,"breaker":{"window":6,"openFor":"100ms"}}`, url))
	return client
}

// startProfiles runs one scheduler with a profile of each name, all with the same arguments of Berth.
func startProfiles(t *testing.T, names []string, args string) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	client := kubernetes.NewForConfigOrDie(apiServer)
	plugins := defaults.ExpandedPluginsV1.DeepCopy()
	for _, set := range []*config.PluginSet{&plugins.PreFilter, &plugins.Filter, &plugins.PreScore, &plugins.Score, &plugins.Reserve, &plugins.PostBind} {
		set.Enabled = append(set.Enabled, config.Plugin{Name: berth.Name, Weight: 50})
	}
	plugins.Bind.Enabled = append([]config.Plugin{{Name: berth.Name}}, plugins.Bind.Enabled...)
	var profiles []config.KubeSchedulerProfile
	for _, name := range names {
		profiles = append(profiles, config.KubeSchedulerProfile{
			SchedulerName: name,
			Plugins:       plugins,
			PluginConfig: append(append([]config.PluginConfig(nil), defaults.PluginConfigsV1...),
				config.PluginConfig{Name: berth.Name, Args: &runtime.Unknown{Raw: []byte(args)}}),
		})
	}
	factory := informers.NewSharedInformerFactory(client, 0)
	broadcaster := events.NewBroadcaster(&events.EventSinkImpl{Interface: client.EventsV1()})
	s, err := scheduler.New(ctx, client, factory, nil, profile.NewRecorderFactory(broadcaster),
		scheduler.WithProfiles(profiles...), scheduler.WithFrameworkOutOfTreeRegistry(frameworkruntime.Registry{berth.Name: berth.Factory()}))
	if err != nil {
		t.Fatal(err)
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	go s.Run(ctx)
}

// schedule makes pods for a scheduler and returns the node of each, once all are bound.
func schedule(t *testing.T, client *kubernetes.Clientset, scheduler string, count int) []string {
	t.Helper()
	ctx := context.Background()
	for i := range count {
		pod := &v1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("%s-%d", scheduler, i), Namespace: "default"},
			Spec: v1.PodSpec{SchedulerName: scheduler, Containers: []v1.Container{{Name: "c", Image: "busybox",
				Resources: v1.ResourceRequirements{Requests: v1.ResourceList{v1.ResourceCPU: resource.MustParse("10m")}}}}},
		}
		if _, err := client.CoreV1().Pods("default").Create(ctx, pod, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	var bound []string
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		bound = bound[:0]
		for i := range count {
			pod, err := client.CoreV1().Pods("default").Get(ctx, fmt.Sprintf("%s-%d", scheduler, i), metav1.GetOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if pod.Spec.NodeName != "" {
				bound = append(bound, pod.Spec.NodeName)
			}
		}
		if len(bound) == count {
			return bound
		}
	}
	t.Fatalf("only %d of %d pods were bound within 30 s", len(bound), count)
	return nil
}

func TestTheServicesScoresDecide(t *testing.T) {
	url, asked := serve(t, favour("node-1"))
	client := startScheduler(t, "favour", url)
	for _, node := range schedule(t, client, "favour", 5) {
		if node != "node-1" {
			t.Errorf("a pod went to %s, the service favoured node-1", node)
		}
	}
	if got := asked.Load(); got != 5 {
		t.Errorf("want one question per pod, got %d for 5 pods", got)
	}
}

// Two schedulers, one ConfigMap, and at the end no service at all.
func TestTheModeChangesWhileSchedulersRunAndOffNeedsNoService(t *testing.T) {
	ctx := context.Background()
	url, asked := serve(t, favour("node-1"))
	client := startScheduler(t, "mode-first", url)
	startProfiles(t, []string{"mode-second"}, fmt.Sprintf(`{"url":%q,"timeout":"1s"}`, url))
	for _, name := range []string{"mode-first", "mode-second"} {
		for _, node := range schedule(t, client, name, 2) {
			if node != "node-1" {
				t.Errorf("%s put a pod on %s before there was a ConfigMap, its arguments say active", name, node)
			}
		}
	}
	namespace := &v1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "berth-system"}}
	if _, err := client.CoreV1().Namespaces().Create(ctx, namespace, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	mode := &v1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "berth-mode", Namespace: "berth-system"}, Data: map[string]string{"mode": "off"}}
	if _, err := client.CoreV1().ConfigMaps("berth-system").Create(ctx, mode, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = client.CoreV1().ConfigMaps("berth-system").Delete(ctx, "berth-mode", metav1.DeleteOptions{})
	})
	unasked := func(name string) bool {
		before := asked.Load()
		schedule(t, client, name, 1)
		return asked.Load() == before
	}
	for _, name := range []string{"mode-first", "mode-second"} {
		removePods(t, client, name)
		for deadline := time.Now().Add(30 * time.Second); !unasked(name); removePods(t, client, name) {
			if time.Now().After(deadline) {
				t.Fatalf("%s still asks 30 s after the switch off", name)
			}
		}
	}
	// A scheduler that starts anew is off from its first pod on: nobody answers at its address.
	startProfiles(t, []string{"mode-third"}, `{"url":"http://127.0.0.1:1","timeout":"1s"}`)
	before := asked.Load()
	schedule(t, client, "mode-third", 5)
	if now := asked.Load(); now != before {
		t.Errorf("switched off, the service was asked %d times more", now-before)
	}
}

func removePods(t *testing.T, client *kubernetes.Clientset, scheduler string) {
	t.Helper()
	now := int64(0)
	pods := client.CoreV1().Pods("default")
	all, err := pods.List(context.Background(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, pod := range all.Items {
		if strings.HasPrefix(pod.Name, scheduler+"-") {
			if err := pods.Delete(context.Background(), pod.Name, metav1.DeleteOptions{GracePeriodSeconds: &now}); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestEveryPodIsBoundWhateverTheServiceDoes(t *testing.T) {
	var seen atomic.Int32
	faults := map[string]answer{
		"slow":  func(http.ResponseWriter, string, []string) { time.Sleep(200 * time.Millisecond) },
		"reset": func(w http.ResponseWriter, _ string, _ []string) { hangUp(w) },
		"status-500": func(w http.ResponseWriter, _ string, _ []string) {
			http.Error(w, "no", http.StatusInternalServerError)
		},
		"garbage":      func(w http.ResponseWriter, _ string, _ []string) { fmt.Fprint(w, "\x00{") },
		"wrong-length": func(w http.ResponseWriter, d string, _ []string) { fmt.Fprintf(w, `{"decision":%q,"scores":[1]}`, d) },
		"score-101": func(w http.ResponseWriter, d string, _ []string) {
			fmt.Fprintf(w, `{"decision":%q,"scores":[1,101,3]}`, d)
		},
		"other-pod": func(w http.ResponseWriter, _ string, _ []string) {
			fmt.Fprint(w, `{"decision":"x/1","scores":[1,2,3]}`)
		},
		"huge-body": func(w http.ResponseWriter, _ string, _ []string) { fmt.Fprint(w, strings.Repeat("[", 1<<20)) },
		"dies-mid-run": func(w http.ResponseWriter, d string, names []string) {
			if seen.Add(1) > 5 {
				hangUp(w)
				return
			}
			favour("node-0")(w, d, names)
		},
	}
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			url, asked := serve(t, fault)
			schedule(t, startScheduler(t, name, url), name, 12)
			if asked.Load() == 0 {
				t.Error("the service was never asked: the fault was not tried")
			}
		})
	}
}

func hangUp(w http.ResponseWriter) {
	connection, _, err := w.(http.Hijacker).Hijack()
	if err == nil {
		connection.Close()
	}
}
