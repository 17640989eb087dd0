package berth

import (
	"encoding/json"
	"os"
	"testing"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestOwnersAreThoseOfTheSharedExamples(t *testing.T) {
	file, err := os.ReadFile("../../../api/examples/owners.json")
	if err != nil {
		t.Fatal(err)
	}
	var examples []struct {
		Example, Namespace, Name, GenerateName, Owner string
		Labels                                        map[string]string
		Controller                                    *struct{ Kind, Name string }
	}
	if err := json.Unmarshal(file, &examples); err != nil {
		t.Fatal(err)
	}
	if len(examples) == 0 {
		t.Fatal("no examples")
	}
	yes := true
	for _, e := range examples {
		t.Run(e.Example, func(t *testing.T) {
			pod := &v1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: e.Namespace, Name: e.Name, GenerateName: e.GenerateName, Labels: e.Labels}}
			if e.Controller != nil {
				pod.OwnerReferences = []metav1.OwnerReference{{Kind: e.Controller.Kind, Name: e.Controller.Name, Controller: &yes}}
			}
			if got := ownerKey(pod); got != e.Owner {
				t.Errorf("owner %s, want %s", got, e.Owner)
			}
		})
	}
}
