package berth

import (
	v1 "k8s.io/api/core/v1"
	corev1helpers "k8s.io/component-helpers/resource"

	"berth.dev/scheduler-plugin/pkg/outcome"
)

// podView is what the service may know of a pod. Whatever the pod's author wrote, it is of bounded length and such that
// the service takes it: a pod must not be able to cost others their scores.
type podView struct {
	uid, name, namespace, owner string
	priority                    int32
	cpuMilli, memoryBytes       int64
	gpu                         gpuRequest
	softLatency, hardLatency    string
	// ignored are annotations that make no sense.
	ignored []ignoredAnnotation
}

func (p *process) describePod(pod *v1.Pod) podView {
	requests := corev1helpers.PodRequests(pod, corev1helpers.PodResourcesOptions{})
	view := podView{
		uid:         string(pod.UID),
		name:        pod.Name,
		namespace:   pod.Namespace,
		owner:       ownerKey(pod),
		cpuMilli:    atMost(requests.Cpu(), maxCPU).MilliValue(),
		memoryBytes: atMost(requests.Memory(), maxMemory).Value(),
	}
	view.softLatency = view.latency(pod, softLatencyAnnotation)
	view.hardLatency = view.latency(pod, hardLatencyAnnotation)
	if request, err := p.args.GPU.request(pod); err == nil { // a bad one never passes Filter
		view.gpu = request
		view.gpu.models = boundedAll(request.models)
	}
	if pod.Spec.Priority != nil {
		view.priority = *pod.Spec.Priority
	}
	return view
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
