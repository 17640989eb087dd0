package config

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Mode says how far the service's scores count.
type Mode string

const (
	// ModeActive waits for the scores, up to the deadline, and uses them.
	ModeActive Mode = "active"
	// ModeShadow sends the question, never waits for the answer and never uses it.
	ModeShadow Mode = "shadow"
	// ModeCanary is active for some pods and shadow for the others.
	ModeCanary Mode = "canary"
	// ModeOff asks nothing; what becomes of pods is still reported, so that switching on again needs no catching up.
	ModeOff Mode = "off"
)

// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// BerthArgs are the plugin's arguments. Mode, Canary, Timeout, ZoneLabel and RackLabel belong to a profile; all else
// describes the one connection and the one set of tables that the profiles of a scheduler share.
type BerthArgs struct {
	metav1.TypeMeta

	URL           string
	TokenFile     string
	CAFile        string
	Timeout       metav1.Duration
	Mode          Mode
	Canary        CanaryArgs
	ModeConfigMap string
	PendingWindow metav1.Duration
	ZoneLabel     string
	RackLabel     string
	MaxReplyBytes int64
	// PodEventsPerSecond, 0 for none.
	PodEventsPerSecond int32
	// WaitPercent of the scheduling loop's time in a burst, five seconds' worth at once; beyond it the first two pods of a class
	// are asked about all the same.
	WaitPercent int32
	// ShadowQuestionsPerSecond in the mean; half a minute's worth at once.
	ShadowQuestionsPerSecond int32
	Breaker                  BreakerArgs
	Outcomes                 OutcomeArgs
	GPU                      GPUArgs
}

// CanaryArgs choose pods: all of the named namespaces, and a sticky percentage of the owners elsewhere.
type CanaryArgs struct {
	Percent    int32
	Namespaces []string
}

// BreakerArgs tune the circuit breaker.
type BreakerArgs struct {
	Window         int32
	FailurePercent int32
	OpenFor        metav1.Duration
}

// OutcomeArgs tune the outcome queue.
type OutcomeArgs struct {
	QueueSize      int32
	BatchSize      int32
	FlushInterval  metav1.Duration
	Timeout        metav1.Duration
	ResyncInterval metav1.Duration
}

// GPUArgs name the keys of GPU sharing.
type GPUArgs struct {
	CountKey string
	MilliKey string
	ModelKey string
	CardsKey string
}
