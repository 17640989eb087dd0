package berth

import (
	"strings"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	corev1helpers "k8s.io/component-helpers/resource"

	"berth.dev/scheduler-plugin/pkg/outcome"
)

// Annotations that pods carry their latency limits in, milliseconds.
const (
	softLatencyAnnotation = "latencySoftConstraint"
	hardLatencyAnnotation = "latencyHardConstraint"
)

// podView is what the service may know of a pod.
type podView struct {
	uid, name, namespace, owner string
	priority                    int32
	cpuMilli, memoryBytes       int64
	gpu                         gpuRequest
	softLatency, hardLatency    string
}

func (b *Berth) describePod(pod *v1.Pod) podView {
	requests := corev1helpers.PodRequests(pod, corev1helpers.PodResourcesOptions{})
	p := podView{
		uid:         string(pod.UID),
		name:        pod.Name,
		namespace:   pod.Namespace,
		owner:       ownerKey(pod),
		cpuMilli:    requests.Cpu().MilliValue(),
		memoryBytes: requests.Memory().Value(),
		softLatency: pod.Annotations[softLatencyAnnotation],
		hardLatency: pod.Annotations[hardLatencyAnnotation],
	}
	if request, err := b.args.GPU.request(pod); err == nil { // a bad one never passes Filter
		p.gpu = request
	}
	if pod.Spec.Priority != nil {
		p.priority = *pod.Spec.Priority
	}
	return p
}

// ownerKey names the pod's controller, namespace/kind/name. A ReplicaSet that a Deployment made is named after the
// Deployment, so that what was learned of an owner survives its rollouts.
func ownerKey(pod *v1.Pod) string {
	controller := metav1.GetControllerOf(pod)
	if controller == nil {
		return pod.Namespace + "/Pod/" + pod.Name
	}
	kind, name := controller.Kind, controller.Name
	hash := pod.Labels["pod-template-hash"]
	if deployment, found := strings.CutSuffix(name, "-"+hash); kind == "ReplicaSet" && hash != "" && found {
		kind, name = "Deployment", deployment
	}
	return pod.Namespace + "/" + kind + "/" + name
}

func (p podView) outcome() *outcome.Pod {
	o := &outcome.Pod{
		UID:         p.uid,
		Name:        p.name,
		Namespace:   p.namespace,
		Owner:       p.owner,
		Priority:    p.priority,
		CPUMilli:    p.cpuMilli,
		MemoryBytes: p.memoryBytes,
	}
	if p.gpu.count > 0 {
		o.GPU = &outcome.GPU{Count: p.gpu.count, Milli: p.gpu.milli, Models: p.gpu.models}
	}
	return o
}
