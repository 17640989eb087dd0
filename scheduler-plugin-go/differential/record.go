package main

import (
	"strings"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// event is one line of a recording; see Recorder.java for who writes what.
type event struct {
	Type         string             `json:"type"`
	At           float64            `json:"at"`
	Node         string             `json:"node"`
	Zone         string             `json:"zone"`
	Labels       map[string]string  `json:"labels"`
	Taints       []string           `json:"taints"`
	Pods         int64              `json:"pods"`
	UID          string             `json:"uid"`
	Owner        string             `json:"owner"`
	CPUMilli     int64              `json:"cpuMilli"`
	MemoryBytes  int64              `json:"memoryBytes"`
	NodeSelector map[string]string  `json:"nodeSelector"`
	Tolerations  []string           `json:"tolerations"`
	Scores       map[string]float64 `json:"scores"`
}

func (e event) node() *v1.Node {
	labels := map[string]string{v1.LabelHostname: e.Node}
	if e.Zone != "" {
		labels[v1.LabelTopologyZone] = e.Zone
	}
	for k, val := range e.Labels {
		labels[k] = val
	}
	capacity := v1.ResourceList{
		v1.ResourceCPU:    *resource.NewMilliQuantity(e.CPUMilli, resource.DecimalSI),
		v1.ResourceMemory: *resource.NewQuantity(e.MemoryBytes, resource.BinarySI),
		v1.ResourcePods:   *resource.NewQuantity(e.Pods, resource.DecimalSI),
	}
	node := &v1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: e.Node, Labels: labels},
		Status:     v1.NodeStatus{Capacity: capacity, Allocatable: capacity},
	}
	for _, taint := range e.Taints {
		key, value, _ := strings.Cut(taint, "=")
		node.Spec.Taints = append(node.Spec.Taints,
			v1.Taint{Key: key, Value: value, Effect: v1.TaintEffectNoSchedule})
	}
	return node
}

// pod builds the pod; its ReplicaSet is named after the owner, so that system default spreading
// finds the replicas.
func (e event) pod(onNode string) *v1.Pod {
	controller := true
	pod := &v1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name: e.UID, Namespace: "default", UID: types.UID(e.UID),
			Labels: map[string]string{ownerLabel: ownerName(e.Owner)},
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: "apps/v1", Kind: "ReplicaSet",
				Name: ownerName(e.Owner), UID: types.UID(ownerName(e.Owner)), Controller: &controller,
			}},
		},
		Spec: v1.PodSpec{
			SchedulerName: v1.DefaultSchedulerName,
			NodeName:      onNode,
			NodeSelector:  e.NodeSelector,
			Containers: []v1.Container{{
				Name: "main", Image: "main",
				Resources: v1.ResourceRequirements{Requests: v1.ResourceList{
					v1.ResourceCPU:    *resource.NewMilliQuantity(e.CPUMilli, resource.DecimalSI),
					v1.ResourceMemory: *resource.NewQuantity(e.MemoryBytes, resource.BinarySI),
				}},
			}},
		},
	}
	for _, toleration := range e.Tolerations {
		key, value, _ := strings.Cut(toleration, "=")
		pod.Spec.Tolerations = append(pod.Spec.Tolerations, v1.Toleration{
			Key: key, Operator: v1.TolerationOpEqual, Value: value, Effect: v1.TaintEffectNoSchedule})
	}
	return pod
}

const ownerLabel = "app"

func ownerName(key string) string {
	return key[strings.LastIndex(key, "/")+1:]
}
