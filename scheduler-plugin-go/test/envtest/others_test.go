package envtest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The real framework scores the pod a second time: a node that is half full is not where the stock plugins would have gone.
func TestABoundPodTellsWhereTheStockPluginsWouldHavePutIt(t *testing.T) {
	type without struct {
		Node            string
		Sum, Here, Ties int64
	}
	told := make(chan without, 10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/outcomes" {
			var batch struct {
				Events []struct{ Without *without }
			}
			_ = json.NewDecoder(r.Body).Decode(&batch)
			for _, e := range batch.Events {
				if e.Without != nil {
					told <- *e.Without
				}
			}
			fmt.Fprint(w, `{"accepted":1,"instance":"i1"}`)
			return
		}
		favour("node-1").to(w, r)
	}))
	t.Cleanup(server.Close)
	client := startScheduler(t, "others", server.URL)
	half := &v1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "others-half", Namespace: "default"},
		Spec: v1.PodSpec{NodeName: "node-1", Containers: []v1.Container{{Name: "c", Image: "busybox", Resources: v1.ResourceRequirements{
			Requests: v1.ResourceList{v1.ResourceCPU: resource.MustParse("32"), v1.ResourceMemory: resource.MustParse("128Gi")}}}}},
	}
	if _, err := client.CoreV1().Pods("default").Create(context.Background(), half, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		now := int64(0)
		_ = client.CoreV1().Pods("default").Delete(context.Background(), "others-half", metav1.DeleteOptions{GracePeriodSeconds: &now})
	})
	time.Sleep(500 * time.Millisecond) // the scheduler's cache hears of it
	if node := schedule(t, client, "others", 1)[0]; node != "node-1" {
		t.Fatalf("the service favoured node-1, the pod went to %s", node)
	}
	select {
	case w := <-told:
		if w.Node == "node-1" || w.Sum <= w.Here || w.Here <= 0 {
			t.Errorf("the stock plugins would have gone to a half-full node: %+v", w)
		}
	case <-time.After(10 * time.Second):
		t.Error("no bound event told it")
	}
}
