package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

// BerthArgs are the plugin's arguments in a KubeSchedulerConfiguration. Every field has a default but url.
type BerthArgs struct {
	metav1.TypeMeta `json:",inline"`

	// URL of the service: http://host:port, https://host:port or unix:///path/to.sock.
	URL string `json:"url"`
	// TokenFile holds the bearer token; read again when it changes.
	TokenFile string `json:"tokenFile,omitempty"`
	// CAFile holds the certificates, in PEM, of the CAs that may have signed the service's; read again when it changes. Only
	// with an https url; without it the CAs of the system count, of which the scheduler's image has none.
	CAFile string `json:"caFile,omitempty"`
	// Timeout is how long a scheduling cycle waits for the scores; at most 1s. Default 20ms.
	Timeout *metav1.Duration `json:"timeout,omitempty"`
	// Mode is active (default), shadow, canary or "off"; a ConfigMap changes it while the scheduler runs.
	Mode string `json:"mode,omitempty"`
	// Canary chooses the pods that mode canary acts on.
	Canary CanaryArgs `json:"canary,omitempty"`
	// ModeConfigMap, namespace/name, takes the place of mode and canary of every profile while it exists; read again when it
	// changes. Default berth-system/berth-mode; empty for none.
	ModeConfigMap *string `json:"modeConfigMap,omitempty"`
	// PendingWindow is how long a reservation counts as too fresh for any usage sample to show. Default 60s.
	PendingWindow *metav1.Duration `json:"pendingWindow,omitempty"`
	// ZoneLabel names the node label sent as zone. Default topology.kubernetes.io/zone.
	ZoneLabel *string `json:"zoneLabel,omitempty"`
	// RackLabel names the node label sent as rack. Default rack.
	RackLabel *string `json:"rackLabel,omitempty"`
	// MaxReplyBytes bounds the reply that is read. Default 4 MiB.
	MaxReplyBytes *int64 `json:"maxReplyBytes,omitempty"`
	// PodEventsPerSecond is how many pods that Berth's scores placed may be told so by an Event, 0 to 10: each is a write to the
	// API server. Default 0.
	PodEventsPerSecond int32 `json:"podEventsPerSecond,omitempty"`
	// WaitPercent is how much of its time the scheduling loop may spend on questions about pods with 100 or more candidates, 1
	// to 100; five seconds' worth may be spent at once. The others of a burst are placed by the service's ranking of all nodes
	// for such pods, asked for once a second. Default 1.
	WaitPercent *int32 `json:"waitPercent,omitempty"`
	// ShadowQuestionsPerSecond is how many of the pods that are only watched the service is asked about in the mean, 1 to 10000;
	// half a minute's worth may come at once. The others are placed without a question, so that a burst pays nothing for being
	// watched. Default 1: a report wants a hundred measured pods of six owners, and a day of these is 86,400.
	ShadowQuestionsPerSecond *int32 `json:"shadowQuestionsPerSecond,omitempty"`
	// Breaker stops calls to a service that keeps failing.
	Breaker BreakerArgs `json:"breaker,omitempty"`
	// Outcomes reports what became of the pods.
	Outcomes OutcomeArgs `json:"outcomes,omitempty"`
	// GPU names the keys under which pods ask for cards and nodes offer them.
	GPU GPUArgs `json:"gpu,omitempty"`
}

// CanaryArgs choose pods: all of the named namespaces, and a sticky percentage of the owners elsewhere.
type CanaryArgs struct {
	// Percent of the owners, 0 to 100. Default 0.
	Percent int32 `json:"percent,omitempty"`
	// Namespaces whose pods are all in the canary.
	Namespaces []string `json:"namespaces,omitempty"`
}

// BreakerArgs tune the circuit breaker.
type BreakerArgs struct {
	// Window is how many of the last calls are looked at. Default 20.
	Window *int32 `json:"window,omitempty"`
	// FailurePercent of the window that must have failed for the calls to stop. Default 50.
	FailurePercent *int32 `json:"failurePercent,omitempty"`
	// OpenFor is how long they stop before one is tried. Default 1s.
	OpenFor *metav1.Duration `json:"openFor,omitempty"`
}

// OutcomeArgs tune the outcome queue.
type OutcomeArgs struct {
	// QueueSize in events; full, the queue drops and counts, and sends the full list afterwards, which takes half of it at most.
	// Default 10000.
	QueueSize *int32 `json:"queueSize,omitempty"`
	// BatchSize in events. Default 500.
	BatchSize *int32 `json:"batchSize,omitempty"`
	// FlushInterval between batches that are not full; four times as long while pods are only watched. Default 250ms.
	FlushInterval *metav1.Duration `json:"flushInterval,omitempty"`
	// Timeout of one delivery. Default 5s.
	Timeout *metav1.Duration `json:"timeout,omitempty"`
	// ResyncInterval between full lists when nothing is known to be lost. Default 30m.
	ResyncInterval *metav1.Duration `json:"resyncInterval,omitempty"`
}

// GPUArgs name the keys of GPU sharing. Pods ask by annotation, or for whole cards by extended resource; nodes offer
// cards as that extended resource and say their model in a label; the cards a pod was given stand in its annotation.
// The defaults are the forms that the tools of the published production trace use.
type GPUArgs struct {
	// CountKey defaults to alibabacloud.com/gpu-count.
	CountKey string `json:"countKey,omitempty"`
	// MilliKey defaults to alibabacloud.com/gpu-milli.
	MilliKey string `json:"milliKey,omitempty"`
	// ModelKey defaults to alibabacloud.com/gpu-card-model.
	ModelKey string `json:"modelKey,omitempty"`
	// CardsKey defaults to alibabacloud.com/gpu-index.
	CardsKey string `json:"cardsKey,omitempty"`
}
