package berth

import (
	"math"
	"strconv"
	"strings"

	v1 "k8s.io/api/core/v1"
)

// Annotations that pods carry their latency limits in, milliseconds.
const (
	softLatencyAnnotation = "latencySoftConstraint"
	hardLatencyAnnotation = "latencyHardConstraint"
)

// ignoredAnnotation is one that the plugin leaves out of the question, for the service would refuse all of it.
type ignoredAnnotation struct{ key, value string }

// latency returns a limit in the one form that the service takes for sure, empty where there is none.
func (p *podView) latency(pod *v1.Pod, key string) string {
	text := pod.Annotations[key]
	if text == "" {
		return ""
	}
	limit, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || !(limit > 0) || math.IsInf(limit, 1) {
		p.ignored = append(p.ignored, ignoredAnnotation{key, bounded(text, labelLength)})
		return ""
	}
	return strconv.FormatFloat(limit, 'g', -1, 64)
}

// tellIgnored counts the annotations that make no sense, and says so where their author looks: at the pod.
func (b *Berth) tellIgnored(pod *v1.Pod, ignored []ignoredAnnotation) {
	for _, a := range ignored {
		annotationsIgnored.WithLabelValues(a.key).Inc()
		b.profile.EventRecorder().Eventf(pod, nil, v1.EventTypeWarning, "BerthIgnoresAnnotation", "Score",
			"annotation %s is %q: want milliseconds above 0 such as 35; it is ignored", a.key, a.value)
	}
}
