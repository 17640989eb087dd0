// Package mode says on which pods Berth decides. What a profile's arguments say is the default; a ConfigMap, watched by
// every scheduler, changes it from one pod to the next. It needs the API server alone, so that the switch off works
// with the service dead. Who may write that ConfigMap may change the mode; there is no other way in.
package mode

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	corev1helpers "k8s.io/component-helpers/scheduling/corev1"

	"berth.dev/scheduler-plugin/pkg/apis/config"
)

// Mode is one setting; it never changes, another takes its place.
type Mode struct {
	Kind config.Mode
	// Percent of the owners that the canary acts on.
	Percent int32
	// Namespaces whose owners are all in the canary.
	Namespaces []string
	// Selector and MaxPriority keep other pods out of the canary; nil keeps out none.
	Selector    labels.Selector
	MaxPriority *int32
	// Clip lowers the most that the learned correction may add, in node usage; nil leaves it to the service.
	Clip *float64
}

// OnlyWatch is in force while nobody knows what is wanted.
var OnlyWatch = &Mode{Kind: config.ModeShadow}

// Of is the mode that a profile's arguments ask for.
func Of(args *config.BerthArgs) *Mode {
	return &Mode{Kind: args.Mode, Percent: args.Canary.Percent, Namespaces: args.Canary.Namespaces}
}

// For says what is done with a pod: active, shadow or off. It is sticky by owner: the replicas of one Deployment are all
// in the canary, or none is; and a greater share keeps every owner that a smaller one had.
func (m *Mode) For(pod *v1.Pod, owner string) config.Mode {
	if m.Kind != config.ModeCanary {
		return m.Kind
	}
	if m.canary(pod, owner) {
		return config.ModeActive
	}
	return config.ModeShadow
}

func (m *Mode) canary(pod *v1.Pod, owner string) bool {
	if m.MaxPriority != nil && corev1helpers.PodPriority(pod) > *m.MaxPriority {
		return false
	}
	if m.Selector != nil && !m.Selector.Matches(labels.Set(pod.Labels)) {
		return false
	}
	return slices.Contains(m.Namespaces, pod.Namespace) || place(owner) < m.Percent
}

// place of an owner in the order in which a growing canary takes them in, 0 to 99.
func place(owner string) int32 {
	h := fnv.New32a()
	h.Write([]byte(owner))
	return int32(h.Sum32() % 100)
}

// Told is what the service hears of a pod that is treated so: active because all are, or as one of the canary.
func (m *Mode) Told(pod config.Mode) config.Mode {
	if pod == config.ModeActive {
		return m.Kind
	}
	return pod
}

// AppendClip writes the field of a score request that lowers the clip; nothing where the service's own counts.
func (m *Mode) AppendClip(b []byte) []byte {
	if m.Clip == nil {
		return b
	}
	return strconv.AppendFloat(append(b, `,"clip":`...), *m.Clip, 'g', -1, 64)
}

// String is the mode in a sentence.
func (m *Mode) String() string {
	var b strings.Builder
	b.WriteString(string(m.Kind))
	if m.Kind == config.ModeCanary {
		fmt.Fprintf(&b, ": %d %% of the owners", m.Percent)
		if len(m.Namespaces) > 0 {
			fmt.Fprintf(&b, " and all of namespaces %s", strings.Join(m.Namespaces, ", "))
		}
		if m.Selector != nil {
			fmt.Fprintf(&b, "; only pods with %s", m.Selector)
		}
		if m.MaxPriority != nil {
			fmt.Fprintf(&b, "; only priorities up to %d", *m.MaxPriority)
		}
	}
	if m.Clip != nil {
		fmt.Fprintf(&b, "; clip at most %g", *m.Clip)
	}
	return b.String()
}
