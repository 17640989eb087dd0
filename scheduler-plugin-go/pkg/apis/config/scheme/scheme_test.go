package scheme

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"berth.dev/scheduler-plugin/pkg/apis/config"
	"berth.dev/scheduler-plugin/pkg/apis/config/validation"
)

func lasting(d time.Duration) metav1.Duration { return metav1.Duration{Duration: d} }

// defaults are the arguments of a configuration that names only the URL.
func defaults(change func(*config.BerthArgs)) *config.BerthArgs {
	a := &config.BerthArgs{
		URL:                      "http://127.0.0.1:8766",
		Timeout:                  lasting(20 * time.Millisecond),
		Mode:                     config.ModeActive,
		ModeConfigMap:            "berth-system/berth-mode",
		PendingWindow:            lasting(time.Minute),
		ZoneLabel:                "topology.kubernetes.io/zone",
		RackLabel:                "rack",
		MaxReplyBytes:            4 << 20,
		WaitPercent:              1,
		ShadowQuestionsPerSecond: 1,
		Breaker:                  config.BreakerArgs{Window: 20, FailurePercent: 50, OpenFor: lasting(time.Second)},
		Outcomes: config.OutcomeArgs{
			QueueSize: 10000, BatchSize: 500, FlushInterval: lasting(250 * time.Millisecond), Timeout: lasting(5 * time.Second),
			ResyncInterval: lasting(30 * time.Minute),
		},
		GPU: config.GPUArgs{
			CountKey: "alibabacloud.com/gpu-count", MilliKey: "alibabacloud.com/gpu-milli",
			ModelKey: "alibabacloud.com/gpu-card-model", CardsKey: "alibabacloud.com/gpu-index",
		},
	}
	change(a)
	return a
}

func TestArgs(t *testing.T) {
	cases := map[string]struct {
		json      string
		want      *config.BerthArgs
		wantError string
	}{
		"only the url is needed": {
			json: `{"url":"http://127.0.0.1:8766"}`,
			want: defaults(func(*config.BerthArgs) {}),
		},
		"TLS with a CA of one's own": {
			json: `{"url":"https://berth:8766","caFile":"/etc/berth/ca.crt"}`,
			want: defaults(func(a *config.BerthArgs) { a.URL, a.CAFile = "https://berth:8766", "/etc/berth/ca.crt" }),
		},
		"a version may be named": {
			json: `{"apiVersion":"kubescheduler.config.k8s.io/v1alpha1","kind":"BerthArgs","url":"http://127.0.0.1:8766"}`,
			want: defaults(func(*config.BerthArgs) {}),
		},
		"every kind of value is read": {
			json: `{"url":"unix:///run/berth.sock","timeout":"5ms","mode":"canary","canary":{"percent":10,"namespaces":["web"]},` +
				`"modeConfigMap":"","breaker":{"window":4},"outcomes":{"queueSize":7},"zoneLabel":"","gpu":{"countKey":"nvidia.com/gpu"}}`,
			want: defaults(func(a *config.BerthArgs) {
				a.URL = "unix:///run/berth.sock"
				a.Timeout = lasting(5 * time.Millisecond)
				a.Mode = config.ModeCanary
				a.Canary = config.CanaryArgs{Percent: 10, Namespaces: []string{"web"}}
				a.ModeConfigMap = ""
				a.Breaker.Window = 4
				a.Outcomes.QueueSize = 7
				a.ZoneLabel = ""
				a.GPU.CountKey = "nvidia.com/gpu"
			}),
		},
		"an unknown version is an error that names it": {
			json: `{"apiVersion":"kubescheduler.config.k8s.io/v9","kind":"BerthArgs","url":"http://h:1"}`, wantError: "v9",
		},
		"another plugin's kind is an error that names it": {
			json: `{"apiVersion":"kubescheduler.config.k8s.io/v1alpha1","kind":"OtherArgs"}`, wantError: "OtherArgs",
		},
		"a misspelt field is an error that names it": {
			json: `{"url":"http://127.0.0.1:8766","timout":"5ms"}`, wantError: `unknown field "timout"`,
		},
		"a nested one with its path":                      {json: `{"url":"http://h:1","breaker":{"failures":5}}`, wantError: `unknown field "breaker.failures"`},
		"a field in the wrong case is unknown too":        {json: `{"url":"http://h:1","TimeOut":"5ms"}`, wantError: `unknown field "TimeOut"`},
		"a field given twice is an error that names it":   {json: `{"url":"http://h:1","mode":"active","mode":"shadow"}`, wantError: `duplicate field "mode"`},
		"off without quotes is no text, and it says so":   {json: `{"url":"http://h:1","mode":false}`, wantError: `mode: "off"`},
		"no url is an error that says what to give":       {json: `{}`, wantError: "args.url: Required value: give the service's address"},
		"an address with the API's path is refused":       {json: `{"url":"http://127.0.0.1:8766/v1/score"}`, wantError: "without a path"},
		"an address with a query, which would swallow it": {json: `{"url":"http://127.0.0.1:8766?timeout=5"}`, wantError: "without a path"},
		"the same with a fragment":                        {json: `{"url":"http://127.0.0.1:8766/#top"}`, wantError: "without a path"},
		"a password, which would stand in Events":         {json: `{"url":"http://me:s3cret@h:1"}`, wantError: `args.url: Invalid value: "http://...@...": leave user and password out`},
		"the same behind HTTP in capitals":                {json: `{"url":"HTTP://me:s3cret@h:1"}`, wantError: "leave user and password out"},
		"a CA without TLS is refused":                     {json: `{"url":"http://h:1","caFile":"/ca.crt"}`, wantError: `args.caFile: Invalid value: "/ca.crt": without TLS it does nothing`},
		"an unknown mode lists the modes":                 {json: `{"url":"http://h:1","mode":"on"}`, wantError: `args.mode: Unsupported value: "on": supported values: "active", "shadow", "canary"`},
		"a ConfigMap without its namespace":               {json: `{"url":"http://h:1","modeConfigMap":"berth-mode"}`, wantError: `args.modeConfigMap: Invalid value: "berth-mode": want namespace/name`},
		"a deadline that would stall the loop":            {json: `{"url":"http://h:1","timeout":"3s"}`, wantError: `args.timeout: Invalid value: "3s"`},
		"a percentage above 100":                          {json: `{"url":"http://h:1","canary":{"percent":101}}`, wantError: "args.canary.percent: Invalid value: 101: choose 0 to 100"},
		"a queue beyond memory":                           {json: `{"url":"http://h:1","outcomes":{"queueSize":2000000000}}`, wantError: "args.outcomes.queueSize: Invalid value: 2000000000: choose 1 to 100000"},
		"a batch of nothing":                              {json: `{"url":"http://h:1","outcomes":{"batchSize":0}}`, wantError: "args.outcomes.batchSize"},
		"a reply beyond memory":                           {json: `{"url":"http://h:1","maxReplyBytes":9000000000}`, wantError: "args.maxReplyBytes"},
		"lists without end":                               {json: `{"url":"http://h:1","outcomes":{"resyncInterval":"1s"}}`, wantError: `args.outcomes.resyncInterval: Invalid value: "1s": choose 1m0s to 24h0m0s`},
		"a breaker that looks at nothing":                 {json: `{"url":"http://h:1","breaker":{"window":0}}`, wantError: "args.breaker.window"},
		"every error is told at once":                     {json: `{"mode":"on"}`, wantError: "args.mode"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := Decode(&runtime.Unknown{Raw: []byte(tc.json)})
			if err == nil {
				err = validation.BerthArgs(got, field.NewPath("args"))
			}
			if tc.wantError != "" {
				if err == nil || !strings.Contains(err.Error(), tc.wantError) {
					t.Fatalf("want an error with %q, got %v", tc.wantError, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("args (-want,+got):\n%s", diff)
			}
		})
	}
}

// A slip of the pen such as 10000000 must not cost memory or stall the scheduling loop.
func TestEveryNumberHasAnUpperBoundThatIsNamed(t *testing.T) {
	limits := map[string]string{
		"timeout": "1s", "pendingWindow": "1h0m0s", "maxReplyBytes": "67108864", "podEventsPerSecond": "10", "waitPercent": "100", "shadowQuestionsPerSecond": "10000", "canary.percent": "100",
		"breaker.window": "1000", "breaker.failurePercent": "100", "breaker.openFor": "5m0s",
		"outcomes.queueSize": "100000", "outcomes.batchSize": "5000", "outcomes.flushInterval": "1m0s",
		"outcomes.timeout": "1m0s", "outcomes.resyncInterval": "24h0m0s",
	}
	numbers := 0
	for path, value := range numbersIn(reflect.ValueOf(*defaults(func(*config.BerthArgs) {})), "") {
		numbers++
		limit, ok := limits[path]
		if !ok {
			t.Errorf("%s has no upper bound in this test", path)
			continue
		}
		beyond := "2147483647"
		if value.Type() == reflect.TypeFor[metav1.Duration]() {
			beyond = `"1000h"`
		}
		text := beyond
		for _, name := range slices.Backward(strings.Split(path, ".")) {
			text = `{"` + name + `":` + text + `}`
		}
		args, err := Decode(&runtime.Unknown{Raw: []byte(text)})
		if err != nil {
			t.Fatal(err)
		}
		err = validation.BerthArgs(args, field.NewPath("args"))
		if want := "args." + path + ": Invalid value: "; err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), limit) {
			t.Errorf("%s: want an error with %q and the limit %s, got %v", text, want, limit, err)
		}
	}
	if numbers != len(limits) {
		t.Errorf("%d numbers among the arguments, %d limits", numbers, len(limits))
	}
	many := defaults(func(a *config.BerthArgs) { a.Canary.Namespaces = make([]string, 1001) })
	if err := validation.BerthArgs(many, field.NewPath("args")); err == nil || !strings.Contains(err.Error(), "args.canary.namespaces: Too many: 1001: must have at most 1000 items") {
		t.Errorf("1001 namespaces: %v", err)
	}
}

// numbersIn are the numbers and durations among the fields, by their path in a configuration file.
func numbersIn(fields reflect.Value, path string) map[string]reflect.Value {
	found := map[string]reflect.Value{}
	for i := range fields.NumField() {
		f, value := fields.Type().Field(i), fields.Field(i)
		name := path + strings.ToLower(f.Name[:1]) + f.Name[1:]
		switch {
		case f.Anonymous:
		case value.CanInt() || value.Type() == reflect.TypeFor[metav1.Duration]():
			found[name] = value
		case value.Kind() == reflect.Struct:
			maps.Copy(found, numbersIn(value, name+"."))
		}
	}
	return found
}

func TestNoArgumentsAtAllAreThoseWithoutUrl(t *testing.T) {
	got, err := Decode(nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(defaults(func(a *config.BerthArgs) { a.URL = "" }), got); diff != "" {
		t.Errorf("args (-want,+got):\n%s", diff)
	}
}
