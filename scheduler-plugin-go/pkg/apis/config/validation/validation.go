// Package validation checks the plugin's arguments; every error names the field by its path, the value and the fix.
package validation

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"berth.dev/scheduler-plugin/pkg/apis/config"
)

// Upper bounds: what lies beyond is a slip of the pen that would cost memory or stall the scheduling loop.
const (
	maxTimeout       = time.Second
	maxPendingWindow = time.Hour
	maxReplyBytes    = 64 << 20
	maxPodEvents     = 10
	maxQuestions     = 10_000
	maxWindow        = 1000
	maxOpenFor       = 5 * time.Minute
	maxQueueSize     = 100_000
	maxBatchSize     = 5_000
	maxFlushInterval = time.Minute
	maxPostTimeout   = time.Minute
	maxResync        = 24 * time.Hour
	minResync        = time.Minute
	maxNamespaces    = 1000
)

// BerthArgs returns every error at once, or nil.
func BerthArgs(a *config.BerthArgs, path *field.Path) error {
	var errs field.ErrorList
	errs = append(errs, checkURL(a.URL, path.Child("url"))...)
	if a.CAFile != "" && !strings.HasPrefix(a.URL, "https://") {
		errs = append(errs, field.Invalid(path.Child("caFile"), a.CAFile, "without TLS it does nothing: begin url with https://, or leave it out"))
	}
	switch a.Mode {
	case config.ModeActive, config.ModeShadow, config.ModeCanary, config.ModeOff:
	default:
		errs = append(errs, field.NotSupported(path.Child("mode"), a.Mode, []config.Mode{config.ModeActive, config.ModeShadow, config.ModeCanary, config.ModeOff}))
	}
	if namespace, name, found := strings.Cut(a.ModeConfigMap, "/"); a.ModeConfigMap != "" && (!found || namespace == "" || name == "" || strings.Contains(name, "/")) {
		errs = append(errs, field.Invalid(path.Child("modeConfigMap"), a.ModeConfigMap, "want namespace/name, such as berth-system/berth-mode, or empty for none"))
	}
	errs = append(errs, lasting(a.Timeout.Duration, 1, maxTimeout, path.Child("timeout"))...)
	errs = append(errs, lasting(a.PendingWindow.Duration, 1, maxPendingWindow, path.Child("pendingWindow"))...)
	errs = append(errs, within(a.MaxReplyBytes, 1024, maxReplyBytes, path.Child("maxReplyBytes"))...)
	errs = append(errs, within(int64(a.PodEventsPerSecond), 0, maxPodEvents, path.Child("podEventsPerSecond"))...)
	errs = append(errs, within(int64(a.WaitPercent), 1, 100, path.Child("waitPercent"))...)
	errs = append(errs, within(int64(a.ShadowQuestionsPerSecond), 1, maxQuestions, path.Child("shadowQuestionsPerSecond"))...)

	canary := path.Child("canary")
	errs = append(errs, within(int64(a.Canary.Percent), 0, 100, canary.Child("percent"))...)
	if n := len(a.Canary.Namespaces); n > maxNamespaces {
		errs = append(errs, field.TooMany(canary.Child("namespaces"), n, maxNamespaces))
	}

	breaker := path.Child("breaker")
	errs = append(errs, within(int64(a.Breaker.Window), 1, maxWindow, breaker.Child("window"))...)
	errs = append(errs, within(int64(a.Breaker.FailurePercent), 1, 100, breaker.Child("failurePercent"))...)
	errs = append(errs, lasting(a.Breaker.OpenFor.Duration, 1, maxOpenFor, breaker.Child("openFor"))...)

	outcomes := path.Child("outcomes")
	errs = append(errs, within(int64(a.Outcomes.QueueSize), 1, maxQueueSize, outcomes.Child("queueSize"))...)
	errs = append(errs, within(int64(a.Outcomes.BatchSize), 1, maxBatchSize, outcomes.Child("batchSize"))...)
	errs = append(errs, lasting(a.Outcomes.FlushInterval.Duration, time.Millisecond, maxFlushInterval, outcomes.Child("flushInterval"))...)
	errs = append(errs, lasting(a.Outcomes.Timeout.Duration, 1, maxPostTimeout, outcomes.Child("timeout"))...)
	errs = append(errs, lasting(a.Outcomes.ResyncInterval.Duration, minResync, maxResync, outcomes.Child("resyncInterval"))...)
	return errs.ToAggregate()
}

func within(value, least, most int64, path *field.Path) field.ErrorList {
	if value >= least && value <= most {
		return nil
	}
	return field.ErrorList{field.Invalid(path, value, "choose "+strconv.FormatInt(least, 10)+" to "+strconv.FormatInt(most, 10))}
}

func lasting(value, least, most time.Duration, path *field.Path) field.ErrorList {
	if value >= least && value <= most {
		return nil
	}
	if least == 1 {
		return field.ErrorList{field.Invalid(path, value.String(), "choose more than 0 and at most "+most.String())}
	}
	return field.ErrorList{field.Invalid(path, value.String(), "choose "+least.String()+" to "+most.String())}
}

func checkURL(raw string, path *field.Path) field.ErrorList {
	if raw == "" {
		return field.ErrorList{field.Required(path, "give the service's address, such as http://127.0.0.1:8766")}
	}
	if strings.HasPrefix(strings.ToLower(raw), "http") && strings.Contains(raw, "@") {
		// It stands in the log and in Events.
		return field.ErrorList{field.Invalid(path, "http://...@...", "leave user and password out: the token stands in tokenFile")}
	}
	u, err := url.Parse(raw)
	if err != nil {
		return field.ErrorList{field.Invalid(path, raw, err.Error())}
	}
	switch {
	case (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && strings.Trim(u.Path, "/") == "" && u.RawQuery == "" && u.Fragment == "":
		return nil
	case u.Scheme == "unix" && u.Path != "":
		return nil
	}
	return field.ErrorList{field.Invalid(path, raw, "want http://host:port, https://host:port or unix:///path/to.sock, without a path of the API")}
}
