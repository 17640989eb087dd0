package v1alpha1

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"berth.dev/scheduler-plugin/pkg/apis/config"
)

// SetDefaults_BerthArgs fills in what a configuration leaves out. A name that is empty on purpose (zoneLabel: "") stays.
func SetDefaults_BerthArgs(a *BerthArgs) { //nolint:revive // the name is what defaulter-gen looks for
	if a.Mode == "" {
		a.Mode = string(config.ModeActive)
	}
	value(&a.ModeConfigMap, "berth-system/berth-mode")
	lasting(&a.Timeout, 20*time.Millisecond)
	lasting(&a.PendingWindow, time.Minute)
	value(&a.ZoneLabel, "topology.kubernetes.io/zone")
	value(&a.RackLabel, "rack")
	value(&a.MaxReplyBytes, 4<<20)
	value(&a.WaitPercent, 1)
	value(&a.ShadowQuestionsPerSecond, 1)

	value(&a.Breaker.Window, 20)
	value(&a.Breaker.FailurePercent, 50)
	lasting(&a.Breaker.OpenFor, time.Second)

	value(&a.Outcomes.QueueSize, 10000)
	value(&a.Outcomes.BatchSize, 500)
	lasting(&a.Outcomes.FlushInterval, 250*time.Millisecond)
	lasting(&a.Outcomes.Timeout, 5*time.Second)
	lasting(&a.Outcomes.ResyncInterval, 30*time.Minute)

	key(&a.GPU.CountKey, "alibabacloud.com/gpu-count")
	key(&a.GPU.MilliKey, "alibabacloud.com/gpu-milli")
	key(&a.GPU.ModelKey, "alibabacloud.com/gpu-card-model")
	key(&a.GPU.CardsKey, "alibabacloud.com/gpu-index")
}

func value[T any](field **T, otherwise T) {
	if *field == nil {
		*field = &otherwise
	}
}

func lasting(field **metav1.Duration, otherwise time.Duration) {
	value(field, metav1.Duration{Duration: otherwise})
}

func key(field *string, otherwise string) {
	if *field == "" {
		*field = otherwise
	}
}
