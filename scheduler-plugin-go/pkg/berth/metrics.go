package berth

import (
	"sync"

	"k8s.io/component-base/metrics"
	"k8s.io/component-base/metrics/legacyregistry"

	"berth.dev/scheduler-plugin/pkg/outcome"
)

// The framework's own plugin histogram is sampled at 10 % of cycles and ends at 22 ms: useless for a remote call.
var (
	scoreDuration = metrics.NewHistogramVec(&metrics.HistogramOpts{
		Name:           "berth_score_call_duration_seconds",
		Help:           "How long the plugin waited for the service's scores, by what came of it.",
		Buckets:        []float64{.0002, .0005, .001, .002, .003, .005, .0075, .01, .015, .02, .03, .05, .1, .25, 1},
		StabilityLevel: metrics.ALPHA,
	}, []string{"result"})
	placements = metrics.NewCounterVec(&metrics.CounterOpts{
		Name:           "berth_placements_total",
		Help:           "Bound pods by who decided: service (its scores), ranking (in a burst: its last ranking of all nodes for such pods), fallback (the other plugins), shadow (the other plugins, the service only watched), off (the other plugins, the service was not asked), single (only one node was feasible, or a ranking was reused).",
		StabilityLevel: metrics.ALPHA,
	}, []string{"decided_by"})
	shadowUnasked = metrics.NewCounter(&metrics.CounterOpts{
		Name:           "berth_shadow_unasked_total",
		Help:           "Pods that were only watched and that the service was not asked about: more than shadowQuestionsPerSecond, or four unanswered.",
		StabilityLevel: metrics.ALPHA,
	})
	rankingsTaken = metrics.NewCounter(&metrics.CounterOpts{
		Name:           "berth_rankings_total",
		Help:           "Rankings of all nodes that the service made for pods of a burst.",
		StabilityLevel: metrics.ALPHA,
	})
	rankingsFailed = metrics.NewCounter(&metrics.CounterOpts{
		Name:           "berth_rankings_failed_total",
		Help:           "Rankings of all nodes that were asked for and not usable; the service is then asked about every pod.",
		StabilityLevel: metrics.ALPHA,
	})
	modeInForce = metrics.NewGaugeVec(&metrics.GaugeOpts{
		Name:           "berth_mode",
		Help:           "1 for the mode that a profile is in, and where it comes from: configmap or args.",
		StabilityLevel: metrics.ALPHA,
	}, []string{"profile", "mode", "source"})
	profileProblem = metrics.NewGaugeVec(&metrics.GaugeOpts{
		Name:           "berth_profile_problem",
		Help:           "1 for what keeps a profile from following Berth's scores: weight (the other score plugins have more), or the extension point that Berth is missing at; 0 for what is well.",
		StabilityLevel: metrics.ALPHA,
	}, []string{"profile", "problem"})
	modeRefused = metrics.NewGauge(&metrics.GaugeOpts{
		Name:           "berth_mode_refused",
		Help:           "1 while the ConfigMap of the mode cannot be read or makes no sense, so that the mode before stays; the log says why.",
		StabilityLevel: metrics.ALPHA,
	})
	modeChanges = metrics.NewCounter(&metrics.CounterOpts{
		Name:           "berth_mode_changes_total",
		Help:           "How often the ConfigMap of the mode was taken in, with its first reading.",
		StabilityLevel: metrics.ALPHA,
	})
	breakerState = metrics.NewGaugeVec(&metrics.GaugeOpts{
		Name:           "berth_breaker_state",
		Help:           "1 for the state that the circuit breaker is in, 0 for the others.",
		StabilityLevel: metrics.ALPHA,
	}, []string{"state"})
	outcomeQueueDepth = metrics.NewGauge(&metrics.GaugeOpts{
		Name:           "berth_outcome_queue_depth",
		Help:           "Outcome events that wait to be sent.",
		StabilityLevel: metrics.ALPHA,
	})
	outcomesSent = metrics.NewCounter(&metrics.CounterOpts{
		Name:           "berth_outcomes_sent_total",
		Help:           "Outcome events that the service acknowledged.",
		StabilityLevel: metrics.ALPHA,
	})
	outcomesDropped = metrics.NewCounterVec(&metrics.CounterOpts{
		Name:           "berth_outcomes_dropped_total",
		Help:           "Outcome events dropped: queue_full, refused (the service takes this event from nobody), stopped (still waiting when the scheduler ended).",
		StabilityLevel: metrics.ALPHA,
	}, []string{"reason"})
	outcomeFailures = metrics.NewCounter(&metrics.CounterOpts{
		Name:           "berth_outcome_send_failures_total",
		Help:           "Batches of outcome events that could not be delivered and are tried again.",
		StabilityLevel: metrics.ALPHA,
	})
	gpuOverdrawn = metrics.NewCounter(&metrics.CounterOpts{
		Name:           "berth_gpu_overdrawn_cards_total",
		Help:           "Cards in questions whose pods ask for more than the card has, by annotations that others wrote; they count as full.",
		StabilityLevel: metrics.ALPHA,
	})
	gpuUnoffered = metrics.NewCounter(&metrics.CounterOpts{
		Name:           "berth_gpu_unoffered_cards_total",
		Help:           "Cards in questions that nodes have beyond the first 32; they are not offered.",
		StabilityLevel: metrics.ALPHA,
	})
	valuesClamped = metrics.NewCounter(&metrics.CounterOpts{
		Name:           "berth_requested_clamped_total",
		Help:           "Amounts in questions that cannot be: sums of requests that are negative or above what the node has, sent as what it has; and nodes beyond what is possible.",
		StabilityLevel: metrics.ALPHA,
	})
)

var annotationsIgnored = metrics.NewCounterVec(&metrics.CounterOpts{
	Name:           "berth_annotations_ignored_total",
	Help:           "Annotations of pods that make no sense and were left out of the question, by name.",
	StabilityLevel: metrics.ALPHA,
}, []string{"annotation"})

var registerOnce sync.Once

// registerMetrics puts them on the scheduler's /metrics. Once per process: a second profile would panic.
func registerMetrics() {
	registerOnce.Do(func() {
		legacyregistry.MustRegister(scoreDuration, placements, breakerState, outcomeQueueDepth, outcomesSent, outcomesDropped, outcomeFailures, annotationsIgnored,
			gpuOverdrawn, gpuUnoffered, valuesClamped, modeInForce, profileProblem, modeRefused, modeChanges, shadowUnasked, rankingsTaken, rankingsFailed)
		for _, by := range []string{byService, byRanking, byShadow, byFallback, byOff, bySingle} {
			placements.WithLabelValues(by)
		}
		for _, reason := range []string{outcome.DroppedFull, outcome.DroppedRefused, outcome.DroppedStopped} {
			outcomesDropped.WithLabelValues(reason)
		}
		for _, annotation := range []string{softLatencyAnnotation, hardLatencyAnnotation} {
			annotationsIgnored.WithLabelValues(annotation)
		}
		setBreakerState("closed")
	})
}

func setBreakerState(state string) {
	for _, s := range []string{"closed", "half-open", "open"} {
		value := 0.0
		if s == state {
			value = 1
		}
		breakerState.WithLabelValues(s).Set(value)
	}
}
