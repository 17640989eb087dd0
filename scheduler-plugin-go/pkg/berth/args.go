package berth

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/json"
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
)

// Args are the plugin's arguments in the KubeSchedulerConfiguration. Every field has a default but url.
type Args struct {
	metav1.TypeMeta `json:",inline"`

	// URL of the service: http://host:port or unix:///path/to.sock.
	URL string `json:"url"`
	// TokenFile holds the bearer token; read again when it changes.
	TokenFile string `json:"tokenFile"`
	// Timeout is how long a scheduling cycle waits for the scores.
	Timeout metav1.Duration `json:"timeout"`
	// Mode is active, shadow or canary.
	Mode Mode `json:"mode"`
	// Canary chooses the pods that mode canary acts on.
	Canary CanaryArgs `json:"canary"`
	// PendingWindow is how long a reservation counts as too fresh for any usage sample to show.
	PendingWindow metav1.Duration `json:"pendingWindow"`
	// ZoneLabel and RackLabel name the node labels sent as topology.
	ZoneLabel string `json:"zoneLabel"`
	RackLabel string `json:"rackLabel"`
	// MaxReplyBytes bounds the reply that is read.
	MaxReplyBytes int64 `json:"maxReplyBytes"`
	// Breaker stops calls to a service that keeps failing.
	Breaker BreakerArgs `json:"breaker"`
	// Outcomes reports what became of the pods.
	Outcomes OutcomeArgs `json:"outcomes"`
	// GPU names the keys under which pods ask for cards and nodes offer them.
	GPU GPUArgs `json:"gpu"`
}

// CanaryArgs choose pods: all of the named namespaces, and a sticky percentage of the owners elsewhere.
type CanaryArgs struct {
	Percent    int      `json:"percent"`
	Namespaces []string `json:"namespaces"`
}

// BreakerArgs tune the circuit breaker.
type BreakerArgs struct {
	// Failures in a row that open it.
	Failures uint32 `json:"failures"`
	// OpenFor is how long it stays open before one call is tried.
	OpenFor metav1.Duration `json:"openFor"`
}

// OutcomeArgs tune the outcome queue.
type OutcomeArgs struct {
	QueueSize     int             `json:"queueSize"`
	BatchSize     int             `json:"batchSize"`
	FlushInterval metav1.Duration `json:"flushInterval"`
	Timeout       metav1.Duration `json:"timeout"`
}

// DefaultArgs are the arguments of a configuration that names only the URL.
func DefaultArgs() Args {
	return Args{
		Timeout:       metav1.Duration{Duration: 20 * time.Millisecond},
		Mode:          ModeActive,
		PendingWindow: metav1.Duration{Duration: time.Minute},
		ZoneLabel:     "topology.kubernetes.io/zone",
		RackLabel:     "rack",
		MaxReplyBytes: 4 << 20,
		Breaker:       BreakerArgs{Failures: 5, OpenFor: metav1.Duration{Duration: time.Second}},
		Outcomes: OutcomeArgs{
			QueueSize:     10000,
			BatchSize:     500,
			FlushInterval: metav1.Duration{Duration: 200 * time.Millisecond},
			Timeout:       metav1.Duration{Duration: 5 * time.Second},
		},
		GPU: DefaultGPUArgs(),
	}
}

// ParseArgs reads, defaults and checks the arguments. It is strict: the framework's own decoder would let a
// misspelt field pass in silence.
func ParseArgs(obj runtime.Object) (*Args, error) {
	args := DefaultArgs()
	if obj != nil {
		unknown, ok := obj.(*runtime.Unknown)
		if !ok {
			return nil, fmt.Errorf("plugin %s: want args as plain YAML or JSON, got %T", Name, obj)
		}
		if len(unknown.Raw) > 0 {
			strict, err := json.UnmarshalStrict(unknown.Raw, &args)
			if err = errors.Join(append(strict, err)...); err != nil {
				return nil, fmt.Errorf("plugin %s: args: %w", Name, err)
			}
		}
	}
	if err := args.validate(); err != nil {
		return nil, fmt.Errorf("plugin %s: args: %w", Name, err)
	}
	return &args, nil
}

func (a *Args) validate() error {
	var errs []error
	bad := func(format string, values ...any) { errs = append(errs, fmt.Errorf(format, values...)) }
	if err := checkURL(a.URL); err != nil {
		errs = append(errs, err)
	}
	switch a.Mode {
	case ModeActive, ModeShadow, ModeCanary:
	default:
		bad("mode %q: choose active, shadow or canary", a.Mode)
	}
	if a.Timeout.Duration <= 0 || a.Timeout.Duration > time.Second {
		bad("timeout %s: the scheduling loop is serial, choose more than 0 and at most 1s", a.Timeout.Duration)
	}
	if a.Canary.Percent < 0 || a.Canary.Percent > 100 {
		bad("canary.percent %d: choose 0 to 100", a.Canary.Percent)
	}
	if a.PendingWindow.Duration <= 0 {
		bad("pendingWindow %s: choose a positive duration, about a scrape interval plus a settle time", a.PendingWindow.Duration)
	}
	if a.MaxReplyBytes < 1024 {
		bad("maxReplyBytes %d: choose at least 1024", a.MaxReplyBytes)
	}
	if a.Breaker.Failures == 0 {
		bad("breaker.failures 0: choose at least 1")
	}
	if a.Breaker.OpenFor.Duration <= 0 {
		bad("breaker.openFor %s: choose a positive duration", a.Breaker.OpenFor.Duration)
	}
	if a.Outcomes.QueueSize < 1 || a.Outcomes.BatchSize < 1 {
		bad("outcomes.queueSize %d and outcomes.batchSize %d: choose at least 1", a.Outcomes.QueueSize, a.Outcomes.BatchSize)
	}
	if a.Outcomes.FlushInterval.Duration <= 0 || a.Outcomes.Timeout.Duration <= 0 {
		bad("outcomes.flushInterval %s and outcomes.timeout %s: choose positive durations",
			a.Outcomes.FlushInterval.Duration, a.Outcomes.Timeout.Duration)
	}
	return errors.Join(errs...)
}

func checkURL(raw string) error {
	if raw == "" {
		return errors.New("url is missing: give the service's address, such as http://127.0.0.1:8765")
	}
	u, err := url.Parse(raw)
	if err != nil {
		return fmt.Errorf("url %q: %w", raw, err)
	}
	switch {
	case (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && strings.Trim(u.Path, "/") == "":
		return nil
	case u.Scheme == "unix" && u.Path != "":
		return nil
	}
	return fmt.Errorf("url %q: want http://host:port or unix:///path/to.sock, without a path of the API", raw)
}
